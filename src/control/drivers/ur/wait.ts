const POLL_MS = 5;

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether something comes true within a time [ms]. */
export async function comesTrue(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > end) return false;
    await pause(POLL_MS);
  }
  return true;
}
