import { MotionLimiter, pickLimits } from "../motion/motion-limiter.js";
import type { Robot, RobotHand } from "../robot/robot.js";

/** What a hand is told to be. */
export const HandShape = { open: 0, closed: 1 } as const;
export type HandShape = (typeof HandShape)[keyof typeof HandShape];

/**
 * Share of the closing time that is over when the ball passes the middle of the hand's mouth. The ball then still has
 * its way to the palm before it, some 14 ms, and back from it, some 35 ms, while the fingers must neither be in its way
 * nor come too late. Measured in simulation (docs/simulation.md): of balls up to 2 cm off a hand that closes in 95 ms
 * holds all but a few if it begins 0 to 15 ms before; 30 ms before, most meet a finger.
 */
const SHARE_AT_GRASP = 0.1;

/** How long before the grasp the closing command must be given [s]: the hand's own lead, or a share of its closing time. */
export function closingLead({ closingTime, closingLead: own }: Pick<RobotHand, "closingTime" | "closingLead">): number {
  return own ?? SHARE_AT_GRASP * closingTime;
}

/** The fingers of one hand: told to open or to close, they go there as fast as they can. */
export class HandMotion {
  readonly hand: RobotHand;
  shape: HandShape = HandShape.open;
  readonly #limiter: MotionLimiter;

  /** Begins at rest in `posture`; `period` [s] is that of the loop. */
  constructor({ model }: Robot, hand: RobotHand, posture: Float64Array, period: number) {
    this.hand = hand;
    this.#limiter = new MotionLimiter(pickLimits(model, hand.dofs), period);
    this.rest(posture);
  }

  /** The fingers were stopped where `q` has them, an array of all joints. */
  rest(q: Float64Array): void {
    this.#limiter.rest(q, this.hand.dofs);
  }

  /** Whether the fingers stand where they are to be. */
  get isAtRest(): boolean {
    const { open, closed } = this.hand;
    return this.#limiter.isAtRest(this.shape === HandShape.closed ? closed : open);
  }

  /** One tick; writes the fingers' command to their places in arrays of all joints. */
  tick(q: Float64Array, qd: Float64Array): void {
    const { dofs, open, closed } = this.hand;
    const { position, velocity } = this.#limiter;
    this.#limiter.step(this.shape === HandShape.closed ? closed : open);
    for (let k = 0; k < dofs.length; k++) {
      q[dofs[k]!] = position[k]!;
      qd[dofs[k]!] = velocity[k]!;
    }
  }
}
