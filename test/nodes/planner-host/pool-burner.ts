import { Worker } from "node:worker_threads";

/** Two threads that burn processor time until they are ended. */
export function burnTwoThreads(): () => Promise<void> {
  const burners = [0, 1].map(() => new Worker("let x = 1; for (;;) x = Math.sin(x) + 1;", { eval: true }));
  return async () => void (await Promise.all(burners.map((burner) => burner.terminate())));
}
