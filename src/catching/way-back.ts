import type { MotionPlan } from "../control/motion-execution.js";
import { JointRamps } from "../motion/joint-ramps.js";
import { seconds } from "./catch-times.js";
import type { CoordinatorOptions } from "./coordinator-options.js";

/** Where an arm goes once the ball is in its hand: over the box, or back to where it waits for the next. */
export type Leg = "drop" | "ready" | "stay";

/** Share of speed and acceleration of a way back that nothing hurries. */
export const NORMAL_RETURN = 0.5;
/** Shares that are tried, one after the other, where the monitor would brake a motion. */
const SHARES = [NORMAL_RETURN, 0.25, 0.1] as const;
/** From a refusal to the next try [s]: what stood in the way may have moved. */
const PAUSE = 0.1;
/** Tries after which a ball is dropped where it is, and after which the arm goes back at its slowest, come what may. */
const MOST_TRIES = 12;

/** What the way back is made of. */
type WayBackOptions = Pick<CoordinatorOptions, "arm" | "ready" | "drop" | "times" | "control" | "isClear">;

/**
 * The motions after a catch: synchronous ramps to stored postures, each checked against the safety monitor before it is
 * sent. Where it would brake, slower ones are tried, and all of them again a little later.
 */
export class WayBack {
  readonly #options: WayBackOptions;
  #tries = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(options: WayBackOptions) {
    this.#options = options;
  }

  /** Whether there was no clear way for so long that something else must be done. */
  get isBlocked(): boolean {
    return this.#tries >= MOST_TRIES;
  }

  /** A new leg begins. */
  begin(): void {
    this.#tries = 0;
    this.#notBefore = Number.NEGATIVE_INFINITY;
  }

  /**
   * A motion for a leg, at `share` of the limits at most; null: none is clear, or it is not time for another try. A way
   * home that was blocked for long is gone at its slowest: then the monitor alone watches over it.
   */
  plan(leg: Leg, share: number, nowNs: number): Pick<MotionPlan, "tStart" | "ramps"> | null {
    const now = seconds(nowNs);
    if (now < this.#notBefore) return null;
    const { arm, ready, times, control, isClear } = this.#options;
    const tStart = seconds(nowNs + times.transportNs);
    const q0 = new Float64Array(ready.length);
    const w0 = new Float64Array(ready.length);
    control.commandedAt(tStart, q0, w0);
    const target = this.#target(leg, q0);
    for (const tried of [share, ...SHARES.filter((other) => other < share)]) {
      const ramps = planReturn(arm, q0, w0, target, tried);
      if (leg === "stay" || isClear(ramps, tStart)) return { tStart, ramps };
    }
    this.#tries++;
    this.#notBefore = now + PAUSE;
    if (leg !== "ready" || !this.isBlocked) return null;
    return { tStart, ramps: planReturn(arm, q0, w0, target, Math.min(share, SHARES[SHARES.length - 1]!)) };
  }

  #target(leg: Leg, q0: Float64Array): Float64Array {
    const { ready, drop } = this.#options;
    if (leg === "stay") return q0;
    return leg === "drop" && drop !== null ? drop : ready;
  }
}

/** What the joints in hand may do at most. */
interface ReturnLimits {
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
}

/**
 * Synchronous ramps: all joints from (q0, w0) to rest at `q` in the time the slowest needs, at `share` of their limits of
 * speed and acceleration.
 */
export function planReturn(
  limits: ReturnLimits,
  q0: Float64Array,
  w0: Float64Array,
  q: Float64Array,
  share: number,
): JointRamps {
  const wmax = limits.maxVelocity.map((limit) => share * limit);
  const amax = limits.maxAcceleration.map((limit) => share * limit);
  const ramps = new JointRamps(q.length);
  const times = new Float64Array(q.length);
  const duration = ramps.minimalTimes(q0, w0, q, wmax, amax, times);
  ramps.plan(q0, w0, q, duration, wmax, amax);
  return ramps;
}
