import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { packageRoot } from "../../../src/runtime/package-root.js";

/** A thread of a test, started from the build, that has said it is ready. */
export interface TestThread {
  readonly worker: Worker;
  /** As it was while the thread lived. */
  readonly threadId: number;
  /** The next message it sends; an error in the thread is thrown here. */
  message(): Promise<unknown>;
  terminate(): Promise<void>;
}

/** @param name File in `test/transport/channels`, without `.worker.ts`. */
export async function startThread(name: string, workerData: unknown): Promise<TestThread> {
  const file = join(packageRoot, "dist", "test", "transport", "channels", `${name}.worker.js`);
  const worker = new Worker(pathToFileURL(file), { workerData });
  const { threadId } = worker;
  const message = async (): Promise<unknown> => (await once(worker, "message"))[0];
  const terminate = async (): Promise<void> => void (await worker.terminate());
  await message();
  return { worker, threadId, message, terminate };
}
