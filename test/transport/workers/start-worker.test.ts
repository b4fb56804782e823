import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { createLogger } from "../../../src/runtime/logger.js";
import { packageRoot } from "../../../src/runtime/package-root.js";
import { startWorker, type WorkerExit, type WorkerOptions } from "../../../src/transport/workers/start-worker.js";
import { workerInput, workerReady } from "../../../src/transport/workers/worker-context.js";

const workerUrl = (name: string): URL =>
  pathToFileURL(join(packageRoot, "dist", "test", "transport", "workers", `${name}.worker.js`));

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FlycatcherError);
  return (error as FlycatcherError).code;
}

const fail = (way: string, options: WorkerOptions = {}) =>
  startWorker(workerUrl("failing"), { workerData: way, ...options });

describe("startWorker", () => {
  it("waits until the worker is ready, hands over its input, and stops it gracefully", async () => {
    const log = new Int32Array(new SharedArrayBuffer(4));
    const exits: WorkerExit[] = [];
    const worker = await startWorker(workerUrl("echo"), {
      workerData: { greeting: "says", log },
      onExit: (exit) => exits.push(exit),
    });
    worker.thread.postMessage("hello");
    const [answer] = await once(worker.thread, "message");
    expect(answer).toBe("says hello");
    expect(worker.threadId).toBeGreaterThan(0);

    const exit = await worker.stop();
    expect(exit).toEqual({ name: "echo.worker.js", reason: "stopped", exitCode: 0 });
    expect(Atomics.load(log, 0)).toBe(1);
    expect(await worker.stop()).toBe(exit);
    expect(exits).toEqual([exit]);
  });

  it("wakes a worker that blocks its thread", async () => {
    const worker = await startWorker(workerUrl("blocking"));
    expect((await worker.stop()).reason).toBe("stopped");
  });

  it("terminates a worker that does not end when asked", async () => {
    const worker = await startWorker(workerUrl("deaf"), { stopTimeoutMs: 50 });
    expect((await worker.stop()).reason).toBe("terminated");
  });

  it("names the file that has not been built", async () => {
    const promise = startWorker("planning/no-such-worker");
    expect(await codeOf(promise)).toBe("FLY_WORKER_NOT_BUILT");
    await expect(promise).rejects.toThrow(join("dist", "bundle", "planning", "no-such-worker.module.js"));
  });

  it("reports a file that throws while it loads, with the cause", async () => {
    const promise = fail("throw at load");
    expect(await codeOf(promise)).toBe("FLY_WORKER_LOAD_FAILED");
    await expect(promise).rejects.toThrow(/failing\.worker\.js could not start: no such thing/);
    await expect(promise).rejects.toHaveProperty("cause.message", "no such thing");
    expect(await codeOf(fail("throw a text"))).toBe("FLY_WORKER_LOAD_FAILED");
    expect(await codeOf(startWorker(workerUrl("broken-import")))).toBe("FLY_WORKER_LOAD_FAILED");
  });

  it("reports a worker that ends before it is ready", async () => {
    const promise = fail("exit at load");
    expect(await codeOf(promise)).toBe("FLY_WORKER_EXITED_EARLY");
    await expect(promise).rejects.toThrow(/exit code 3/);
    expect(await codeOf(fail("end at load"))).toBe("FLY_WORKER_EXITED_EARLY");
  });

  it("ends a worker that is never ready", async () => {
    expect(await codeOf(fail("never ready", { startTimeoutMs: 300 }))).toBe("FLY_WORKER_START_TIMEOUT");
  });

  it("ends a worker that is still starting when its signal aborts", async () => {
    const controller = new AbortController();
    const starting = fail("never ready", { signal: controller.signal });
    controller.abort();
    expect(await codeOf(starting)).toBe("FLY_WORKER_EXITED_EARLY");
    expect(await codeOf(fail("never ready", { signal: AbortSignal.abort() }))).toBe("FLY_WORKER_EXITED_EARLY");
  });

  it("tells how a worker ended that had been ready", async () => {
    const ends = await Promise.all(
      ["later: throw", "later: exit", "later: done"].map(async (way) => (await fail(way)).exited),
    );
    expect(ends.map(({ reason, exitCode, error }) => [reason, exitCode, error?.code])).toEqual([
      ["crashed", 1, "FLY_WORKER_CRASHED"],
      ["crashed", 4, "FLY_WORKER_CRASHED"],
      ["finished", 0, undefined],
    ]);
    expect(ends[0]?.error?.message).toContain("out of luck");
  });

  it("survives a worker that runs out of its memory", async () => {
    const worker = await fail("later: memory", { resourceLimits: { maxOldGenerationSizeMb: 16 } });
    const { reason, error } = await worker.exited;
    expect(reason).toBe("crashed");
    expect(error).toHaveProperty("cause.code", "ERR_WORKER_OUT_OF_MEMORY");
  });

  it("logs the name of the worker that crashed", async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "debug", format: "json" }, { write: (line) => void lines.push(line) });
    await new Promise<WorkerExit>((resolve) => void fail("later: throw", { logger, onExit: resolve }));
    const records = lines.map((line) => JSON.parse(line) as { msg: string; worker: string; level: string });
    expect(records.map(({ msg, worker, level }) => [level, worker, msg])).toEqual([
      ["debug", "failing.worker.js", "worker ready"],
      ["error", "failing.worker.js", "worker crashed"],
    ]);
  });

  it("has its files in the build", () => {
    expect(existsSync(workerUrl("echo"))).toBe(true);
  });
});

describe("the worker's side", () => {
  it("refuses to run in a thread that startWorker did not start", () => {
    expect(() => workerReady()).toThrow(/startWorker did not start/);
    expect(() => workerInput()).toThrow(FlycatcherError);
  });
});
