import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/program.js";
import { openRecording } from "../../src/recording/format/open-recording.js";
import { itemsOf, type RecordedItem } from "../../src/recording/recording.js";
import { deep } from "../support/deep.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-record-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function run(...words: string[]): Promise<{ code: number; out: string }> {
  const written = { out: "" };
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += String(text);
    return true;
  });
  const code = await runCli(["node", "flycatcher", ...words]);
  return { code, ...written };
}

describe("flycatcher record --lockstep", () => {
  it("writes what was thrown and what became of it; run again (deep), the same bytes", async () => {
    const [first, second] = ["one.mcap", "two.mcap"].map((name) => join(folder, name)) as [string, string];
    const options = [
      "--robot",
      "lwr-arm",
      "--perception",
      "points",
      "--world",
      "kinematic",
      "--lockstep",
      "--throws",
      "1",
      "--label",
      "a test",
    ];
    const { code, out } = await run("record", first, ...options, "--json");
    expect(code).toBe(0);
    if (deep(0, 1) === 1) {
      await run("record", second, ...options);
      expect(Buffer.compare(readFileSync(first), readFileSync(second))).toBe(0);
    }
    const recording = await openRecording(first);
    expect(recording.header).toMatchObject({ clock: "lock-step", perception: "points", labels: ["a test"] });
    const items: RecordedItem[] = [];
    for await (const item of recording.items()) items.push(item);
    await recording.close();
    expect(recording.problems).toEqual([]);
    const of = (topic: string) => items.filter((item) => item.topic === topic);
    expect(of("truth/flights").length).toBe(1);
    expect(of("points").length).toBeGreaterThan(10);
    const { throws, drops, failure } = JSON.parse(out) as { throws: object[]; drops: object[]; failure: null };
    const results = itemsOf(items, "results").map(({ aim, ...result }) => ({ ...result, aim: Array.from(aim) }));
    expect(results).toMatchObject([throws[0]]);
    expect({ drops, failure }).toEqual({ drops: [], failure: null });
  });
});
