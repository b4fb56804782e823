import { FlycatcherError } from "../runtime/errors.js";

/** A replay simulates every millisecond, so a recording has no longer gap between two messages [s]. */
const LONGEST_GAP = 600;
/** And it is no longer in all [s]. */
const LONGEST_RECORDING = 86_400;

/** Refuses a message that comes too long after the one before it, or after the first [ns]. */
export function assertNearInTime(firstNs: number, beforeNs: number, timeNs: number): void {
  const [gap, length] = [(timeNs - beforeNs) / 1e9, (timeNs - firstNs) / 1e9];
  if (gap <= LONGEST_GAP && length <= LONGEST_RECORDING) return;
  const isGap = !(gap <= LONGEST_GAP);
  throw new FlycatcherError("FLY_RECORDING_TIME", "A message is far in time from the others", {
    expected: isGap ? `at most ${LONGEST_GAP} s after the one before it` : `at most ${LONGEST_RECORDING} s in all`,
    found: isGap ? `${gap.toPrecision(6)} s after ${(beforeNs / 1e9).toFixed(3)} s` : `${length.toPrecision(6)} s`,
  });
}
