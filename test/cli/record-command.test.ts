import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/program.js";
import { knownBalls } from "../../src/flight/known-balls.js";
import { openRecording } from "../../src/recording/format/open-recording.js";
import { itemsOf, type RecordedItem } from "../../src/recording/recording.js";
import type { ReplayReport } from "../../src/report/report-types.js";
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

  it("throws the ball that is named; the recording and its replay have it", async () => {
    const path = join(folder, "ball.mcap");
    const scene = ["--robot", "lwr-arm", "--perception", "points", "--world", "kinematic", "--lockstep"];
    const recorded = await run("record", path, ...scene, "--throws", "1", "--ball", "table-tennis", "--json");
    expect(recorded.code).toBe(0);
    const recording = await openRecording(path);
    const items: RecordedItem[] = [];
    for await (const item of recording.items()) items.push(item);
    await recording.close();
    const ball = knownBalls["table-tennis"];
    expect(recording.header.ball).toEqual(ball);
    expect(itemsOf(items, "truth/flights")[0]!.pieces[0]!.drag).toBe(ball.drag);
    const drags = itemsOf(items, "predictions").flatMap(({ balls }) => balls.map(({ state }) => state.drag));
    // Estimated, about what is known beforehand.
    expect(new Set(drags).size).toBeGreaterThan(3);
    for (const drag of drags) expect(Math.abs(drag - ball.drag)).toBeLessThan(4 * ball.dragSigma);
    const replayed = JSON.parse((await run("replay", path, "--json")).out) as ReplayReport;
    expect(replayed.failures).toEqual([]);
    expect(replayed.files[0]!.identity).toMatchObject({ isIdentical: true });
  });

  it.each([
    [["--ball", "tenis"], "FLY_BALL_UNKNOWN", "tennis"],
    [["--ball", "auto"], "FLY_BALL_UNKNOWN", "tennis"],
    [["--ball-mass", "0"], "FLY_BALL_OPTION", "above 0"],
    [["--ball-diameter", "2"], "FLY_CONFIG", "ball/diameter"],
  ])("refuses %j", async (words, code, text) => {
    const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect((await run("record", join(folder, "none.mcap"), "--lockstep", ...words)).code).toBe(1);
    const written = errors.mock.calls.map(([line]) => String(line)).join("");
    expect(written).toContain(code);
    expect(written).toContain(text);
  });
});
