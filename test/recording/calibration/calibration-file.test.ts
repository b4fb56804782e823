import { describe, expect, test } from "vitest";
import { findCalibrationRig } from "../../../src/calibration/parameters/calibration-rig.js";
import { calibrateFrom } from "../../../src/calibration/procedure/calibrate.js";
import type { CalibrationRecording, SampleStream } from "../../../src/calibration/recording/calibration-recording.js";
import { Random } from "../../../src/math/random.js";
import { readCalibrationFile, writeCalibrationFile } from "../../../src/recording/calibration/calibration-file.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { packageRoot } from "../../../src/runtime/package-root.js";
import { MemorySink } from "../memory-sink.js";

const robot = loadRobot("agile-justin", { calibration: "none" });
const rig = findCalibrationRig(robot);

/** Samples with gaps, and with values that were not found if `gaps` says so. */
function stream(random: Random, count: number, width: number, gaps: boolean): SampleStream {
  let number = 0;
  const sequence = Float64Array.from({ length: count }, () => {
    number += 1 + random.integer(2);
    return number;
  });
  const values = Float64Array.from({ length: count * width }, () => random.normal());
  for (let k = 0; gaps && k < count; k++) {
    if (random.uniform() < 0.2) values.fill(Number.NaN, k * width, (k + 1) * width);
  }
  return { sequence, stamps: sequence.map((k) => 0.002 * k + 1e-4 * random.normal()), width, values };
}

function randomRecording(seed: number): CalibrationRecording {
  const random = new Random(seed);
  const holds = rig.arms.map(({ group }) => ({
    arm: group.name,
    joints: stream(random, 700, rig.neck.dofs.length + 2 * group.dofs.length, false),
    imu: stream(random, 1200, 6, false),
    markers: [stream(random, 60, 2, true), stream(random, 60, 2, true)] as const,
  }));
  return { robot: "agile-justin", posture: Float64Array.from(robot.postures.get("ready")!), holds };
}

async function bytesOf(recording: CalibrationRecording): Promise<Uint8Array> {
  const sink = new MemorySink();
  await writeCalibrationFile(sink, { title: "trial", recording, truth: null }, { rig });
  return sink.bytes();
}

function expectNear(found: SampleStream, expected: SampleStream, tolerance: number): void {
  expect(found.sequence).toEqual(expected.sequence);
  expect(found.width).toBe(expected.width);
  for (const [k, stamp] of expected.stamps.entries()) expect(Math.abs(found.stamps[k]! - stamp)).toBeLessThan(1e-8);
  for (const [k, value] of expected.values.entries()) {
    if (Number.isNaN(value)) expect(found.values[k]).toBeNaN();
    else expect(Math.abs(found.values[k]! - value)).toBeLessThan(tolerance);
  }
}

describe("a calibration's recording in a file", () => {
  test("comes back within the sensors' units", async () => {
    const recording = randomRecording(1);
    const { title, truth, recording: found } = await readCalibrationFile(await bytesOf(recording));
    expect([title, truth, found.robot, found.posture]).toEqual(["trial", null, "agile-justin", recording.posture]);
    for (const [k, { arm, joints, imu, markers }] of recording.holds.entries()) {
      const hold = found.holds[k]!;
      expect(hold.arm).toBe(arm);
      expectNear(hold.joints, joints, 5.01e-4);
      expectNear(hold.imu, imu, 5.01e-5);
      for (const side of [0, 1] as const) expectNear(hold.markers[side], markers[side], 5.01e-4);
    }
  });

  test("is refused when it is cut, damaged, empty or of something else", async () => {
    const bytes = await bytesOf(randomRecording(2));
    const random = new Random(3);
    for (let k = 0; k < 10; k++) {
      const cut = bytes.subarray(0, random.integer(bytes.length));
      await expect(readCalibrationFile(cut)).rejects.toMatchObject({ code: expect.stringMatching(/^FLY_/) });
    }
    const damaged = Uint8Array.from(bytes);
    damaged[Math.floor(bytes.length / 2)]! ^= 0xff;
    await expect(readCalibrationFile(damaged)).rejects.toMatchObject({ code: "FLY_CALIBRATION_DATA_INVALID" });
    await expect(readCalibrationFile(new Uint8Array())).rejects.toMatchObject({ code: "FLY_RECORDING_EMPTY" });
  });
});

test("the recording that is shipped leads to the robot it was made with", async () => {
  const { recording, truth } = await readCalibrationFile(`${packageRoot}/data/calibration/agile-justin.mcap`);
  const { overlay, fit } = calibrateFrom(robot, recording, { date: "2026-01-01T00:00:00Z" });
  expect(fit.summary.residuals.pixel).toBeGreaterThan(0.28);
  expect(fit.summary.residuals.pixel).toBeLessThan(0.32);
  for (const [joint, offset] of Object.entries(truth?.jointOffsets ?? {})) {
    expect(Math.abs((overlay.jointOffsets?.[joint] ?? 0) - offset)).toBeLessThan(0.002);
  }
  for (const [camera, { latency }] of Object.entries(truth?.cameras ?? {})) {
    if (latency !== undefined) expect(Math.abs(overlay.cameras![camera]!.latency! - latency)).toBeLessThan(5e-4);
  }
});
