import type { Listeners } from "./listeners.js";

/** The eye reads no faster [ms]. */
const LEAST_GAP_MS = 80;

/**
 * Calls `update` now, and again after one of `topics` was heard of: with the browser's next picture, though never more
 * than some twelve times a second. Returns what ends it.
 */
export function refreshOn<Topic>(
  source: Listeners<Topic>,
  topics: readonly NoInfer<Topic>[],
  update: () => void,
): () => void {
  let isDue = false;
  let last = 0;
  const run = (): void => {
    isDue = false;
    last = performance.now();
    update();
  };
  const handle = (topic: Topic): void => {
    if (isDue || !topics.includes(topic)) return;
    isDue = true;
    const wait = Math.max(0, LEAST_GAP_MS - (performance.now() - last));
    setTimeout(() => requestAnimationFrame(run), wait);
  };
  update();
  return source.add(handle);
}
