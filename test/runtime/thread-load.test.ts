import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemThread, ThreadLoads } from "../../src/runtime/thread-load.js";

describe("the load of threads", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "flycatcher-load-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function tell(process: string, thread: number, busyNs: number): void {
    const place = join(folder, process, "task", String(thread));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "schedstat"), `${busyNs} 123 4\n`);
  }

  it("is what they have used since the last look", () => {
    const loads = new ThreadLoads(folder);
    tell("self", 7, 1e9);
    expect(loads.ofThread(7, 5e9)).toBeNull();
    tell("self", 7, 1.25e9);
    expect(loads.ofThread(7, 6e9)).toBeCloseTo(0.25, 12);
    expect(loads.ofThread(8, 6e9)).toBeNull();
    expect(loads.ofThread(0, 6e9)).toBeNull();
  });

  it("of a process is that of all its threads, and unknown for a while where one has ended", () => {
    const loads = new ThreadLoads(folder);
    tell("12", 12, 1e9);
    tell("12", 13, 3e9);
    loads.ofProcess(12, 0);
    tell("12", 12, 1.5e9);
    tell("12", 13, 3.5e9);
    expect(loads.ofProcess(12, 2e9)).toBeCloseTo(0.5, 12);
    rmSync(join(folder, "12", "task", "13"), { recursive: true });
    expect(loads.ofProcess(12, 3e9)).toBeNull();
    tell("12", 12, 1.6e9);
    expect(loads.ofProcess(12, 4e9)).toBeCloseTo(0.1, 12);
    expect(loads.ofProcess(99, 4e9)).toBeNull();
  });

  it.runIf(process.platform === "linux")("is told by the system of this very thread", () => {
    const loads = new ThreadLoads();
    const thread = systemThread();
    expect(thread).toBeGreaterThan(0);
    loads.ofThread(thread, 0);
    let sum = 0;
    for (let k = 0; k < 3e6; k++) sum += Math.sqrt(k);
    expect(sum).toBeGreaterThan(0);
    expect(loads.ofThread(thread, 1e9)).toBeGreaterThan(0);
  });
});
