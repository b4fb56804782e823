import { describe, expect, it } from "vitest";
import { readPoints } from "../../../src/recording/import/import-recording.js";
import { MemoryRecording } from "../../../src/recording/memory-recording.js";
import { trackFileReport } from "../../../src/report/track/track-report.js";
import type { TrackFileReport } from "../../../src/report/track/track-types.js";
import { trackRecording } from "../../../src/run/track/track-run.js";
import { type MadeThrow, madeThrows, type Room, thrownCsv } from "./thrown-points.js";

const room: Room = { gravity: [0, 0, -9.81], drag: 0.032, sigma: 0.003, rate: 50 };

async function tracked(
  throws: readonly MadeThrow[],
  { made = room, told = room }: { made?: Room; told?: Room } = {},
): Promise<TrackFileReport> {
  const { header, items } = readPoints(thrownCsv(throws, made, "samples"), "made.csv", {
    gravity: told.gravity,
    sigma: told.sigma,
    ball: { diameter: 0.085, mass: 0.05, drag: told.drag },
  });
  const recording = new MemoryRecording(header);
  for (const item of items) recording.write(item);
  return trackFileReport(await trackRecording(recording), { file: "made.csv" });
}

describe("tracking without a robot", () => {
  it("confirms throws, and its errors are those of its own covariance", async () => {
    const { balls, horizons, truth, warnings } = await tracked(madeThrows(12, "consistent"));
    expect(balls).toHaveLength(12);
    expect(truth).toBe("raw");
    expect(warnings).toEqual([]);
    const [near, middle] = [horizons[1]!, horizons[3]!];
    expect(near.predictions).toBeGreaterThan(200);
    expect(near.nees).toBeGreaterThan(0.5);
    expect(near.nees).toBeLessThan(1.6);
    expect(middle.errorMm!.p50).toBeGreaterThan(near.errorMm!.p50);
    expect(middle.errorMm!.p50).toBeLessThan(60);
  });

  it("says which flights are not as modelled, and gravity that is told makes them so again", async () => {
    const made: Room = { ...room, gravity: [0, 0, -9.3] };
    const throws = madeThrows(4, "gravity");
    const wrong = await tracked(throws, { made });
    const right = await tracked(throws, { made, told: made });
    expect(wrong.warnings.join()).toContain("does not fly as modelled");
    expect(right.warnings).toEqual([]);
    expect(right.gravity).toEqual([0, 0, -9.3]);
    expect(right.horizons[3]!.nees).toBeLessThan(wrong.horizons[3]!.nees!);
  });

  it("follows two balls that meet, each as itself", async () => {
    const base = { time: 0, duration: 0.9 };
    const throws: MadeThrow[] = [
      { ...base, marker: "left", position: [-1.5, 0, 1.4], velocity: [3.6, 0.1, 3.2] },
      { ...base, marker: "right", position: [1.5, 0.02, 1.5], velocity: [-3.6, 0, 3] },
    ];
    const text = thrownCsv(throws, room, "meeting");
    const { header, items, markers } = readPoints(text, "two.csv", {});
    const recording = new MemoryRecording(header);
    for (const item of items) recording.write(item);
    const points = new Map(items.map((item) => [item.exposureNs, item.position]));
    const report = trackFileReport(await trackRecording(recording), {
      file: "two.csv",
      labels: (time, place) => {
        const at = points.get(Math.round(1e9 * time))?.indexOf(place[0]!) ?? -1;
        return at < 0 ? null : markers.get(Math.round(1e9 * time))![at / 3]!;
      },
    });
    expect(report.balls).toHaveLength(2);
    const identities = report.balls.map(({ identity }) => identity!);
    expect(identities.map(({ switches }) => switches)).toEqual([0, 0]);
    expect(new Set(identities.flatMap(({ labels }) => Object.keys(labels)))).toEqual(new Set(["left", "right"]));
  });

  it("refuses a recording that holds nothing to follow balls by", async () => {
    const { header } = readPoints("t,x,y,z\n0,1,2,3\n", "a.csv");
    const recording = new MemoryRecording({ ...header, perception: "truth" });
    await expect(trackRecording(recording)).rejects.toMatchObject({ code: "FLY_REPLAY_INPUT" });
  });
});
