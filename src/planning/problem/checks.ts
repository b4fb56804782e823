/** What the check of a plan may leave out, as bits; joint limits, ramps and the hand are looked at in any case. */
export const Check = {
  /** The hand is outside all keep-out shapes at the catch. */
  keepOut: 1,
  /** The arm is clear of the robot's other bodies at the catch. */
  clearance: 2,
  /** Nothing touches on the way. */
  motion: 4,
} as const;

/** A sum of `Check`s: plain, so that it travels in a job. */
export type VerifyChecks = number;

export const ALL_CHECKS: VerifyChecks = Check.keepOut | Check.clearance | Check.motion;

export function asksFor(checks: VerifyChecks, check: (typeof Check)[keyof typeof Check]): boolean {
  return (checks & check) !== 0;
}
