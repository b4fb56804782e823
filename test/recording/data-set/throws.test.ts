import { describe, expect, it, vi } from "vitest";
import { dataSetFiles, type ThrowKind, throwKinds } from "../../../bench/recording/throw-kinds.js";
import { RecordingWriter } from "../../../src/recording/format/recording-writer.js";
import { findRecordings, recordingName, replayFiles, throwsFolder } from "../../../src/report/jobs/replay-files.js";
import { reportPage } from "../../../src/report/report-page.js";
import type { FileReport, ThrowReport } from "../../../src/report/report-types.js";
import { recordSimulatedThrows } from "../../../src/run/simulated-recording.js";
import { deep } from "../../support/deep.js";
import { MemorySink } from "../memory-sink.js";

vi.setConfig({ testTimeout: 300_000 });

/** Replays the first recordings of a kind, all of them in a deep test. */
async function replayKind(kind: ThrowKind, detail: "full" | "brief" = "brief") {
  const all = dataSetFiles().filter((file) => file.kind === kind);
  const paths = all.slice(0, deep(1, all.length)).map(({ path }) => `${throwsFolder}/${path}`);
  return replayFiles(paths, { changes: {}, monitor: "motion", detail }, { workers: 0 });
}

async function filesOf(kind: ThrowKind): Promise<readonly FileReport[]> {
  const { files, failures } = await replayKind(kind);
  expect(failures).toEqual([]);
  return files;
}

const throwsOf = (files: readonly FileReport[]): ThrowReport[] => files.flatMap(({ throws }) => [...throws]);
const outcomes = (files: readonly FileReport[]): string[] => throwsOf(files).map(({ verdict }) => verdict.outcome);

describe("the data set", () => {
  it("is all there, 60 throws or more", () => {
    const there = findRecordings([throwsFolder]).map(recordingName);
    const meant = dataSetFiles();
    expect(there).toEqual(meant.map(({ path }) => path).sort());
    expect(new Set(meant.map(({ kind }) => kind))).toEqual(new Set(throwKinds));
    const throws = meant.reduce((sum, { options }) => sum + (options.throws ?? 1), 0);
    expect(throws).toBeGreaterThanOrEqual(60);
  });

  it("comes out the same each time it is made", async () => {
    const { options } = dataSetFiles().find(({ kind }) => kind === "points")!;
    const make = async (): Promise<Uint8Array> => {
      const sink = new MemorySink();
      const writers: RecordingWriter[] = [];
      await recordSimulatedThrows(options, async (header) => {
        writers.push(await RecordingWriter.create(sink, header, { foxglove: "none" }));
        return writers[0]!;
      });
      writers[0]?.close();
      return sink.bytes();
    };
    expect(Buffer.compare(await make(), await make())).toBe(0);
  });

  it.each(["single", "points", "occluded", "images", "shaking"] as const)(
    "has throws of kind %s that are caught",
    async (kind) => {
      const files = await filesOf(kind);
      const caught = outcomes(files).filter((outcome) => outcome === "caught").length;
      // A shaking head on a bending torso costs balls: three of the six are caught, as in the recordings.
      expect(caught).toBeGreaterThanOrEqual(Math.ceil((kind === "shaking" ? 0.5 : 0.6) * files.length));
      for (const { predictions, smoothed, smoothedError } of throwsOf(files)) {
        expect(predictions.length).toBeGreaterThan(5);
        expect(smoothed!.samples).toBeGreaterThan(8);
        // The smoothed flight is where the ball was, but for what the head did not know of itself.
        expect(smoothedError!).toBeLessThan(0.08);
      }
    },
  );

  it("has two balls at once, told apart", async () => {
    for (const { throws } of await filesOf("two-balls")) {
      expect(throws).toHaveLength(2);
      const [a, b] = throws;
      expect(a!.tracks.some((track) => b!.tracks.includes(track))).toBe(false);
      expect(throws.some(({ verdict }) => verdict.outcome === "caught")).toBe(true);
    }
  });

  it("has balls at the rim of what can be reached, seen and planned for", async () => {
    for (const { plans, verdict } of throwsOf(await filesOf("near-miss"))) {
      expect(plans.length).toBeGreaterThan(0);
      expect(["caught", "missed", "not reachable"]).toContain(verdict.outcome);
    }
  });

  it("has balls out of reach, and says why", async () => {
    for (const { verdict } of throwsOf(await filesOf("out-of-reach"))) {
      expect(verdict.outcome).toBe("not reachable");
      expect(verdict.reason).toMatch(/reach|too fast|inside|touches|tilted/);
    }
  });

  it("has balls that bounce first, seen again after it", async () => {
    for (const { truth, tracks, predictions } of throwsOf(await filesOf("bouncing"))) {
      const heights = truth!.path.map(([, , , z]) => z);
      const lowest = heights.indexOf(Math.min(...heights.slice(0, -1)));
      expect(lowest).toBeGreaterThan(3);
      expect(tracks.length).toBeGreaterThanOrEqual(1);
      expect(predictions.at(-1)!.known).toBeGreaterThan(truth!.path[lowest]![0]);
    }
  });

  it("makes a report that needs nothing else", async () => {
    const report = await replayKind("points", "full");
    const [thrown] = report.files[0]!.throws;
    // Not every mode finds a catch in the same search.
    expect(thrown!.modes.map(({ mode }) => mode)).toEqual(expect.arrayContaining(["soft", "cool"]));
    expect(report.files[0]!.safety.distance).toBeGreaterThan(0);
    const page = reportPage(report);
    expect(page).toContain("Prediction of the catch point");
    expect(page).toContain("Joint velocities, cool");
    expect(page).toContain("In space");
    expect(page).not.toMatch(/<script|https?:\/\/|<link|NaN|undefined/);
  });
});
