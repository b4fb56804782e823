import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StolenTime, stolenSeconds } from "../../src/runtime/stolen-time.js";

describe("the time that the host has taken", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "flycatcher-stolen-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function told(text: string): number | null {
    const file = join(folder, "stat");
    writeFileSync(file, text);
    return stolenSeconds(file);
  }

  it("is the eighth count of the line of all cores, in hundredths of a second", () => {
    expect(told("cpu  10 20 30 40 50 60 70 1234 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n")).toBe(12.34);
  });

  it("is unknown where the system does not tell, or tells something else", () => {
    expect(told("cpu  10 20 30 40\n")).toBeNull();
    expect(told("intr 1 2 3 4 5 6 7 8 9\n")).toBeNull();
    expect(told("")).toBeNull();
    expect(stolenSeconds(join(folder, "none"))).toBeNull();
  });

  it("is a share of what the cores would have had", () => {
    const stolen = new StolenTime();
    const share = stolen.share();
    if (stolenSeconds() === null) expect(share).toBeNull();
    else expect(share).toBeGreaterThanOrEqual(0);
  });
});
