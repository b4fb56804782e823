import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { TrackReport } from "../../src/report/track/track-types.js";
import { madeThrows, thrownCsv } from "../run/track/thrown-points.js";
import { capturedRun } from "./captured-run.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-track-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const csv = join(folder, "throws.csv");
const room = { gravity: [0, 0, -9.81], drag: 0.0322, sigma: 0.003, rate: 50 } as const;
writeFileSync(csv, thrownCsv(madeThrows(3, "cli"), room, "cli"));

describe("flycatcher track", () => {
  it("follows the points of a text file, and writes a page", async () => {
    const page = join(folder, "balls.html");
    const { code, out } = await capturedRun("track", csv, "--report", page);
    expect(code).toBe(0);
    expect(out).toContain("3 thrown of 3 tracks");
    expect(out).toContain("errors against later samples as measured");
    expect(out).toMatch(/0\.40 s +\d+ +[\d.]+ mm/);
    const html = readFileSync(page, "utf8");
    expect(html).toContain("NEES per degree of freedom");
    expect(html.match(/<svg/g)!.length).toBe(2 + 2 * 3);
  });

  it("follows the circles and images of recordings", async () => {
    const { out } = await capturedRun("track", "data/throws/two-balls/01.mcap", "data/throws/images/01.mcap", "--json");
    const report = JSON.parse(out) as TrackReport;
    expect(report.files.map(({ input, balls, truth }) => [input, balls.length, truth])).toEqual([
      ["circles", 2, "smoothed"],
      ["images", 1, "smoothed"],
    ]);
    const identities = report.files[0]!.balls.map(({ identity }) => identity);
    expect(identities.map((identity) => identity?.switches)).toEqual([0, 0]);
    expect(new Set(identities.flatMap((identity) => Object.keys(identity!.labels))).size).toBe(2);
  });

  it("tells the tracker what is given", async () => {
    const { out } = await capturedRun("track", csv, "--gravity", "0,0,-9.5", "--ball", "squash", "--json");
    const [file] = (JSON.parse(out) as TrackReport).files;
    expect(file!.gravity).toEqual([0, 0, -9.5]);
    expect(file!.ball.diameter).toBe(0.04);
    expect(file!.warnings.join()).toContain("does not fly as modelled");
  });

  it("says that a told size is wrong, and finds the right one where none is told", async () => {
    const recording = "data/throws/single/01.mcap";
    const wrong = JSON.parse(
      (await capturedRun("track", recording, "--ball-diameter", "0.074", "--json")).out,
    ) as TrackReport;
    expect(wrong.files[0]!.balls).toEqual([]);
    expect(wrong.files[0]!.warnings.join()).toMatch(/the ball seen is 8\d ± 1 mm, told 74 mm/);
    const found = JSON.parse((await capturedRun("track", recording, "--ball", "auto", "--json")).out) as TrackReport;
    expect(found.files[0]!.balls).toHaveLength(1);
    expect(Math.abs(found.files[0]!.ball.diameter - 0.085)).toBeLessThan(0.003);
    expect((await capturedRun("track", csv, "--ball", "auto")).err).toContain("FLY_BALL_UNKNOWN");
  });

  it("refuses options of text files with a recording", async () => {
    const { code, err } = await capturedRun("track", "data/throws/two-balls/01.mcap", "--unit", "mm");
    expect(code).toBe(1);
    expect(err).toContain("--unit");
  });
});
