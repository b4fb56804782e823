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

/** How long before the grasp the closing command must be given [s], for a hand that closes in `closingTime` [s]. */
export function closingLead(closingTime: number): number {
  return SHARE_AT_GRASP * closingTime;
}
