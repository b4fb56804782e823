import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { FlightOverlay } from "../../src/calibration/flight/flight-overlay.js";
import { openRecording } from "../../src/recording/format/open-recording.js";
import type { TrackReport } from "../../src/report/track/track-types.js";
import { madeThrows, thrownCsv } from "../run/track/thrown-points.js";
import { capturedRun } from "./captured-run.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-identify-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A room that is measured too small and is tilted a little. */
const room = { gravity: [0.25, 0, -9.5], drag: 0.045, sigma: 0.002, rate: 50 } as const;
const throws = file("throws.csv", thrownCsv(madeThrows(16, "identify"), room, "identify"));
const others = file("others.csv", thrownCsv(madeThrows(6, "others"), room, "others"));

describe("flycatcher identify", () => {
  it("learns a room from throws, and other throws are predicted better with it", async () => {
    const overlay = join(folder, "room.json");
    const { code, out } = await capturedRun("identify", throws, "--output", overlay);
    expect(code).toBe(0);
    expect(out).toContain("gravity");
    const { gravity, drag, recordings } = JSON.parse(readFileSync(overlay, "utf8")) as FlightOverlay;
    for (const [n, { value, sigma }] of gravity.entries()) {
      expect(Math.abs(value - room.gravity[n]!)).toBeLessThan(3 * sigma);
      expect(sigma).toBeLessThan(0.1);
    }
    expect(Math.abs(drag.value - room.drag)).toBeLessThan(3 * drag.sigma);
    expect(recordings).toEqual(["throws.csv"]);

    const errorAt04 = async (...words: string[]): Promise<number> => {
      const report = JSON.parse((await capturedRun("track", others, "--json", ...words)).out) as TrackReport;
      return report.files[0]!.horizons[3]!.errorMm!.p50;
    };
    expect(await errorAt04("--flight", overlay)).toBeLessThan(0.6 * (await errorAt04()));
  });

  it("hands what it learnt to a recording", async () => {
    const overlay = join(folder, "other-room.json");
    await capturedRun("identify", throws, "--output", overlay);
    const recording = join(folder, "imported.mcap");
    const { code } = await capturedRun("import", others, recording, "--flight", overlay);
    expect(code).toBe(0);
    const opened = await openRecording(recording);
    await opened.close();
    expect(opened.header.tracker?.gravity?.[2]).toBeCloseTo(-9.5, 1);
    expect(opened.header.ball.drag).toBeCloseTo(0.045, 2);
  });

  it("refuses too few throws, and a file that is no overlay", async () => {
    const few = file("few.csv", thrownCsv(madeThrows(1, "few"), room, "few"));
    expect((await capturedRun("identify", few)).err).toContain("FLY_IDENTIFY_FEW");
    const wrong = file("wrong.json", '{"kind": "flight"}');
    expect((await capturedRun("track", others, "--flight", wrong)).err).toContain("FLY_FLIGHT_OVERLAY");
  });
});
