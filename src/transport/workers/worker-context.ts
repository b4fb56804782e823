import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { FlycatcherError } from "../../runtime/errors.js";

/** What `startWorker` hands to the thread it starts. */
export interface WorkerBoot {
  readonly control: MessagePort;
  /** One number: 0, and 1 once the worker is asked to stop. */
  readonly stopSignal: Int32Array;
}

type StopHandler = () => void | Promise<void>;

const stopHandlers: StopHandler[] = [];

/** In a worker: what `startWorker` was given as `workerData`. */
export function workerInput<Input>(): Input {
  boot();
  return (workerData as { input: Input }).input;
}

/**
 * In a worker: says that it is set up and can be used. From then on it lives until it is asked to stop; a worker that
 * never says so counts as failed.
 */
export function workerReady(): void {
  const { control } = boot();
  control.once("message", () => void shutDown());
  control.postMessage("ready");
}

/** In a worker that has done all it was started for: lets it end by itself. */
export function workerDone(): void {
  boot().control.close();
  parentPort?.close();
}

/** In a worker: sends a message to the thread that started it. */
export function postToParent(message: unknown): void {
  parentPort?.postMessage(message);
}

/** In a worker: handles each message of the thread that started it, as the event loop turns. */
export function onParentMessage<Message>(handle: (message: Message) => void): void {
  parentPort?.on("message", handle);
}

/** In a worker that blocks: handles the messages that have come from the thread that started it. */
export function takeParentMessages<Message>(handle: (message: Message) => void): void {
  if (parentPort === null) return;
  for (let got = receiveMessageOnPort(parentPort); got !== undefined; got = receiveMessageOnPort(parentPort)) {
    handle(got.message as Message);
  }
}

/** In a worker: what to do, in order, when it is asked to stop. A thread that blocks reads `stopRequested` instead. */
export function onStop(handler: StopHandler): void {
  stopHandlers.push(handler);
}

/** In a worker that blocks: whether it has been asked to stop. */
export function stopRequested(): boolean {
  return Atomics.load(boot().stopSignal, 0) !== 0;
}

/** In a worker that blocks: shared memory to `Atomics.wait` on, woken when it is asked to stop. */
export function stopSignal(): Int32Array {
  return boot().stopSignal;
}

function boot(): WorkerBoot {
  const data = workerData as { flycatcher?: WorkerBoot } | null;
  if (data?.flycatcher === undefined) {
    throw new FlycatcherError("FLY_INTERNAL", "This code runs in a thread that startWorker did not start");
  }
  return data.flycatcher;
}

/** Nothing listens any more afterwards, so the thread ends when its last work is done. */
async function shutDown(): Promise<void> {
  for (const handler of stopHandlers) await handler();
  workerDone();
}
