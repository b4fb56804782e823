/** What a hand is told to be. */
export const HandShape = { open: 0, closed: 1 } as const;
export type HandShape = (typeof HandShape)[keyof typeof HandShape];

/**
 * Share of the closing that is done when the ball is in the middle of the hand's mouth. Half of Agile Justin's 95 ms:
 * in simulation a hand that begins to close 40 to 50 ms before contact cages the ball.
 */
const SHARE_AT_GRASP = 0.5;

/** How long before the grasp the closing command must be given [s], for a hand that closes in `closingTime` [s]. */
export function closingLead(closingTime: number): number {
  return SHARE_AT_GRASP * closingTime;
}
