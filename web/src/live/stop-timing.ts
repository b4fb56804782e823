import type { Braking } from "../../../src/transport/stop-report.js";

/** How quickly a stop that was asked for on this page came about [ms]. */
export interface StopTiming {
  /** When it was asked for, UTC [since 1970]. */
  readonly asked: number;
  /** Until the service had answered: the robot brakes by then. */
  readonly answeredAfter: number;
  /** Until control's first braking command left; null if that is not known here. */
  readonly brakedAfter: number | null;
}

/**
 * The service tells when control braked by its own clock. On one machine that is the page's clock, too; elsewhere it need
 * not be, and a time before the request or after the answer says so. Then only the answer is a bound.
 */
export function stopTiming(asked: number, answeredAfter: number, braked: Braking | null): StopTiming {
  const after = braked === null ? Number.NaN : braked.at - asked;
  const isOneClock = after >= 0 && after <= answeredAfter;
  return { asked, answeredAfter, brakedAfter: isOneClock ? after : null };
}

/** In words, for the person who pressed the button. */
export function stopWords({ brakedAfter, answeredAfter }: StopTiming): string {
  const isKnown = brakedAfter !== null;
  const duration = Math.max(1, Math.round(isKnown ? brakedAfter : answeredAfter));
  return isKnown ? `Braked ${duration} ms after it was asked.` : `Braked within ${duration} ms.`;
}
