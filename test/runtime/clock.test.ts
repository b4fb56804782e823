import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type ClockOrigin, clockFrom, LockStepClock, RealTimeClock } from "../../src/runtime/clock.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { startWorker } from "../../src/transport/workers/start-worker.js";

const clockWorker = pathToFileURL(join(packageRoot, "dist", "test", "transport", "workers", "clock.worker.js"));

/** A worker with a clock of the given origin, read on request while this thread waits. */
async function clockInWorker(origin: ClockOrigin) {
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const time = new Float64Array(new SharedArrayBuffer(16));
  const worker = await startWorker(clockWorker, { workerData: { origin, turn, time } });
  const read = (): number => {
    Atomics.store(turn, 0, 1);
    Atomics.notify(turn, 0);
    Atomics.wait(turn, 0, 1);
    return time[0]!;
  };
  return { read, uncertaintyNs: time[1]!, stop: () => worker.stop() };
}

describe("RealTimeClock", () => {
  it("starts at zero and never goes back, in whole nanoseconds", () => {
    const clock = new RealTimeClock();
    let last = clock.nowNs();
    expect(last).toBeGreaterThanOrEqual(-clock.uncertaintyNs);
    for (let i = 0; i < 10_000; i++) {
      const now = clock.nowNs();
      if (!(Number.isSafeInteger(now) && now >= last)) expect.fail(`${now} after ${last}`);
      last = now;
    }
    expect(clock.nowSeconds()).toBeGreaterThanOrEqual(last / 1e9);
  });

  it("follows the monotonic clock", () => {
    const clock = new RealTimeClock();
    const before = Number(process.hrtime.bigint() - clock.origin.monotonicZeroNs);
    const now = clock.nowNs();
    const after = Number(process.hrtime.bigint() - clock.origin.monotonicZeroNs);
    expect(now).toBeGreaterThanOrEqual(before - clock.uncertaintyNs);
    expect(now).toBeLessThanOrEqual(after + clock.uncertaintyNs);
  });

  it("is the same clock in a worker", async () => {
    const clock = new RealTimeClock();
    const worker = await clockInWorker(clock.origin);
    const tolerance = clock.uncertaintyNs + worker.uncertaintyNs;
    for (let i = 0; i < 100; i++) {
      const before = clock.nowNs();
      const there = worker.read();
      const after = clock.nowNs();
      expect(there).toBeGreaterThanOrEqual(before - tolerance);
      expect(there).toBeLessThanOrEqual(after + tolerance);
    }
    await worker.stop();
  });

  it("keeps the UTC of its zero wherever it goes", () => {
    const before = BigInt(Date.now()) * 1_000_000n;
    const clock = new RealTimeClock();
    expect(clock.utcOfZeroNs).toBeGreaterThanOrEqual(before);
    expect(clock.utcOfZeroNs).toBeLessThanOrEqual(BigInt(Date.now()) * 1_000_000n);
    expect(clockFrom(structuredClone(clock.origin)).utcOfZeroNs).toBe(clock.utcOfZeroNs);
  });

  it("allocates nothing when read, once the engine has optimised the loop", () => {
    // In a process of its own: the test runner keeps the engine from optimising predictably.
    const script = `
      import { RealTimeClock } from ${JSON.stringify(join(packageRoot, "dist", "src", "runtime", "clock.js"))};
      const clock = new RealTimeClock();
      const sum = new Float64Array(1);
      const bytesPerRead = (count) => {
        gc();
        const before = process.memoryUsage().heapUsed;
        for (let i = 0; i < count; i++) sum[0] += clock.nowNs();
        return (process.memoryUsage().heapUsed - before) / count;
      };
      console.log(Math.min(...Array.from({ length: 4 }, () => bytesPerRead(500_000))));`;
    const flags = ["--expose-gc", "--max-semi-space-size=128", "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(Number(stdout)).toBeLessThan(4);
  });
});

describe("LockStepClock", () => {
  it("stands still until it is advanced", () => {
    const clock = new LockStepClock();
    expect(clock.nowNs()).toBe(0);
    clock.advanceBy(1_000_000);
    clock.advanceTo(1_000_000);
    expect(clock.nowNs()).toBe(1_000_000);
    expect(clock.nowSeconds()).toBe(1e-3);
    expect(clock.utcOfZeroNs).toBe(0n);
    expect(new LockStepClock(5n).utcOfZeroNs).toBe(5n);
  });

  it.each([2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 2 ** 31 + 7, Number.MAX_SAFE_INTEGER])(
    "keeps %d exactly",
    (time) => {
      const clock = new LockStepClock();
      clock.advanceTo(time);
      expect(clock.nowNs()).toBe(time);
    },
  );

  it.each([99, -1, 100.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses to go from 100 to %d", (time) => {
    const clock = new LockStepClock();
    clock.advanceTo(100);
    expect(() => clock.advanceTo(time)).toThrow(FlycatcherError);
    expect(() => clock.advanceTo(time)).toThrow(/expected an integer ≥ 100/);
    expect(clock.nowNs()).toBe(100);
  });

  it("has the code FLY_CLOCK_BACKWARDS", () => {
    expect(() => new LockStepClock().advanceBy(-1)).toThrow(expect.objectContaining({ code: "FLY_CLOCK_BACKWARDS" }));
  });

  it("is read in a worker, where it cannot be advanced", async () => {
    const clock = new LockStepClock();
    const worker = await clockInWorker(clock.origin);
    for (let time = 0; time < 2 ** 36; time += 2 ** 31 + 12_345) {
      clock.advanceTo(time);
      expect(worker.read()).toBe(time);
    }
    await worker.stop();
    expect(clockFrom(clock.origin)).not.toHaveProperty("advanceTo");
  });
});
