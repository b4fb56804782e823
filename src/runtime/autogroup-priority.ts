import { readFileSync, writeFileSync } from "node:fs";

/**
 * Favours the whole session that a process belongs to over other sessions. Where Linux weighs sessions against each other
 * (autogroup), the nice value of a thread counts within its own session only: beside other busy sessions even the most
 * favoured thread gets a session's share and no more, unless the session itself is favoured.
 *
 * @param nice −20 (most) to 19
 * @param pid of the process; this one if left out
 * @returns takes the favour back; does nothing where it was not granted
 */
export function setAutogroupNice(nice: number, pid = process.pid): () => void {
  const file = `/proc/${pid}/autogroup`;
  try {
    const [, before = "0"] = /nice (-?\d+)/.exec(readFileSync(file, "utf8")) ?? [];
    writeFileSync(file, String(nice));
    // Who finds the favour already granted, by another run or one that was killed, leaves none behind.
    const after = before === String(nice) ? "0" : before;
    return () => writeFileSync(file, after);
  } catch {
    // No autogroups here, or no permission: sessions are weighed as before.
    return () => undefined;
  }
}
