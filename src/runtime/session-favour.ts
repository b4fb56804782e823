import { readFileSync, writeFileSync } from "node:fs";

const AUTOGROUP = "/proc/self/autogroup";

/**
 * Favours the whole session this process belongs to over other sessions. Where Linux weighs sessions against each other
 * (autogroup), the nice value of a thread counts within its own session only: beside other busy sessions even the most
 * favoured thread gets a session's share and no more, unless the session itself is favoured.
 *
 * @param nice −20 (most) to 19
 * @returns takes the favour back; does nothing where it was not granted
 */
export function favourSession(nice: number): () => void {
  try {
    const [, before = "0"] = /nice (-?\d+)/.exec(readFileSync(AUTOGROUP, "utf8")) ?? [];
    writeFileSync(AUTOGROUP, String(nice));
    // Who finds the favour already granted, by another run or one that was killed, leaves none behind.
    const after = before === String(nice) ? "0" : before;
    return () => writeFileSync(AUTOGROUP, after);
  } catch {
    // No autogroups here, or no permission: sessions are weighed as before.
    return () => undefined;
  }
}
