import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import { type Ball, defaultBall, dragOf } from "./ball.js";

/**
 * Balls by name. Diameters and masses are the middle of what the rules of the sport allow. Drag coefficients are those at the
 * speeds of a throw, below the drag crisis: 0.47 of a smooth sphere, or as measured. A ball has sigmas of drag and lift where a
 * source tells them; a ball without them is taken to fly exactly by its drag, without spin. Colours are the usual ones: optic yellow,
 * orange, red, black, white.
 */
export const knownBalls = {
  /** The ball of the thesis' demonstration. */
  default: defaultBall,
  /**
   * ITF rules of tennis, appendix I: 65.4–68.6 mm, 56.0–59.4 g; 0.55 with its felt (Mehta, Alam and Subic, 2008). The felt wears:
   * coefficients there are from 0.5 to 0.65, and 0.05 of it is 0.0018 1/m.
   */
  tennis: { ...ballOf(0.067, 0.0577, 0.55), dragSigma: 0.0018, colour: "#c8dc3c" },
  /** ITTF laws, 2.3: 40 mm, 2.7 g. Sigmas: the spread over the tuning half of the recorded rallies of `bench/real`. */
  "table-tennis": { ...ballOf(0.04, 0.0027), dragSigma: 0.03, liftSigma: 0.3, colour: "#f08a24" },
  /** No rule: a beanbag or stage ball of the usual size. */
  juggling: { ...ballOf(0.07, 0.12), colour: "#c8202c" },
  /** World Squash, specification of the yellow-dot ball: 39.5–40.5 mm, 23–25 g. */
  squash: { ...ballOf(0.04, 0.024), colour: "#28282c" },
  /** MLB official rules, 3.01: circumference 9–9¼ inches, 5–5¼ ounces. */
  baseball: { ...ballOf(0.0738, 0.145), colour: "#e6e2d6" },
  /** R&A and USGA rules: at least 42.67 mm, at most 45.93 g. */
  golf: { ...ballOf(0.0427, 0.0459), colour: "#f0f0ee" },
} as const satisfies Readonly<Record<string, Ball>>;

export type KnownBall = keyof typeof knownBalls;
export const knownBallNames = Object.keys(knownBalls) as readonly KnownBall[];

function ballOf(diameter: number, mass: number, coefficient?: number): Ball {
  return { diameter, mass, drag: dragOf(diameter, mass, coefficient) };
}

/** A ball that has no name; a `drag` of 0 or none is that of a smooth sphere. */
export function describedBall({
  drag = 0,
  colour = "",
  ...ball
}: Omit<Ball, "drag"> & { readonly drag?: number }): Ball {
  const flying = { ...ball, drag: drag > 0 ? drag : dragOf(ball.diameter, ball.mass) };
  return colour === "" ? flying : { ...flying, colour };
}

/** The ball of that name; refused, with the nearest name, if there is none. */
export function knownBall(name: string): Ball {
  const known = knownBallNames.find((candidate) => candidate === name);
  if (known !== undefined) return knownBalls[known];
  throw new FlycatcherError("FLY_BALL_UNKNOWN", `there is no ball named ${name}`, {
    path: "--ball",
    expected: knownBallNames.join(", "),
    found: name,
    suggestion: didYouMean(name, knownBallNames),
  });
}
