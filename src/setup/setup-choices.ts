import { FlycatcherError } from "../runtime/errors.js";
import { type CatcherName, type CatcherSize, catcherKinds, sizeBounds } from "./catchers.js";
import type { CameraChoice } from "./tripods.js";

/** What a person decides; the rest is found. */
export interface SetupChoices {
  /** Links at the ends of the arms; the longest chains where none is given. */
  readonly tips: readonly string[];
  /** Link that the only arm given is mounted on. */
  readonly base: string | null;
  /** `hand`: what the URDF has; `auto`: that, or a net where it has nothing that a ball goes into. */
  readonly catcher: CatcherName | "hand" | "auto";
  readonly size: Partial<CatcherSize>;
  /** Way out of the flange in the tip link: an axis with its sign, such as `z` or `-x`; null: found. */
  readonly out: OutAxis | null;
  /** Height of the URDF's root above the floor [m]; null: found. */
  readonly height: number | null;
  /** By which the robot is turned about the vertical [rad]. */
  readonly yaw: number;
  readonly cameras: CameraChoice;
  /** [m] */
  readonly ballRadius: number;
  readonly seed: string;
}

export const outAxes = ["x", "y", "z", "-x", "-y", "-z"] as const;
export type OutAxis = (typeof outAxes)[number];

/** Sizes of a catcher: the usual ones with those given, within their bounds. */
export function completeSize(name: CatcherName, given: Partial<CatcherSize>): CatcherSize {
  const size = { ...catcherKinds[name].size, ...given };
  for (const [key, [low, high]] of Object.entries(sizeBounds) as [keyof CatcherSize, readonly [number, number]][]) {
    const value = size[key];
    if (value >= low && value <= high) continue;
    throw new FlycatcherError("FLY_SETUP_CATCHER", "no catcher has that size", {
      ...{ path: `--${key}`, expected: `from ${low} to ${high}`, found: String(value) },
    });
  }
  return size;
}

/** Refuses an opening that the ball does not fit into. */
export function refuseTooSmall(mouth: number, ballRadius: number): void {
  if (mouth >= ballRadius + 0.01) return;
  throw new FlycatcherError("FLY_SETUP_CATCHER", "the ball does not fit into the catcher", {
    path: "--mouth",
    expected: `a radius of at least ${(ballRadius + 0.01).toFixed(3)} m for a ball of ${(2 * ballRadius).toFixed(3)} m`,
    found: String(mouth),
  });
}
