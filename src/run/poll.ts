import { setTimeout as pause } from "node:timers/promises";

/** What `look` finds, as soon as it finds something; null after `timeoutMs`. Looks every `pollMs`. */
export async function poll<T>(timeoutMs: number, look: () => T | null, pollMs = 20): Promise<T | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = look();
    if (found !== null || performance.now() > end) return found;
    await pause(pollMs);
  }
}
