import { describe, expect, it } from "vitest";
import { handError } from "../../../bench/calibration/hand-error.js";
import { trueParameters } from "../../../bench/calibration/true-parameters.js";
import { Side } from "../../../src/calibration/measurements/marker-model.js";
import { reasonsForDistrust, requireTrust } from "../../../src/calibration/procedure/calibrate.js";
import { overlayOf } from "../../../src/calibration/procedure/calibration-overlay.js";
import { fitCalibration } from "../../../src/calibration/procedure/fit-calibration.js";
import type { CalibrationRecording, HoldRecording } from "../../../src/calibration/recording/calibration-recording.js";
import { defaultSolverOptions } from "../../../src/calibration/solver/levenberg-marquardt.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { usualNoise } from "../../../src/simulation/calibration-rig/simulated-calibration-robot.js";
import { deep } from "../../support/deep.js";
import { recordSmall, rig, robot, smallChoice } from "../recordings.js";

const trial = await recordSmall("fit");
const fit = fitCalibration(robot, trial.recording);
const { summary } = fit;
const sigmaOf = (name: string) => summary.parameters.find((parameter) => parameter.name === name)!.sigma;

function withHolds(change: (hold: HoldRecording, k: number) => HoldRecording): CalibrationRecording {
  return { ...trial.recording, holds: trial.recording.holds.map(change) };
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof FlycatcherError) return error.code;
    throw error;
  }
  return "none";
}

describe("a fit", () => {
  it("converges with full rank and leaves the noise that was injected", () => {
    expect(summary.reason).toBe("converged");
    expect(summary.rank).toBe(summary.parameterCount);
    expect(summary.unobservable).toEqual([]);
    expect(summary.residuals.pixel).toBeGreaterThan(0.95 * usualNoise.pixel);
    expect(summary.residuals.pixel).toBeLessThan(1.05 * usualNoise.pixel);
    expect(reasonsForDistrust(fit)).toEqual([]);
  });

  it("has errors as large as it says, on several robots", async () => {
    const seeds = Array.from({ length: deep(0, 20) }, (_, k) => `sigma ${k}`);
    let [squares, count, within] = [0, 0, 0];
    for (const seed of ["fit", ...seeds]) {
      const other = seed === "fit" ? trial : await recordSmall(seed);
      const result = seed === "fit" ? fit : fitCalibration(robot, other.recording);
      const { set } = result.parameters;
      const errors = set.differenceFrom(
        trueParameters(other.simulated.truth, other.overlay),
        new Float64Array(set.columnCount),
      );
      for (const [i, { sigma }] of result.summary.parameters.entries()) {
        squares += (errors[i]! / sigma) ** 2;
        within += Math.abs(errors[i]!) <= 3 * sigma ? 1 : 0;
        count++;
      }
    }
    expect(within / count).toBeGreaterThanOrEqual(0.97);
    // Errors of one robot are correlated: some dozen of the eighty count.
    expect(squares / count).toBeGreaterThan(0.4);
    expect(squares / count).toBeLessThan(1.8);
  });

  it("finds the row times of rolling shutters, and says how well", async () => {
    const [left, right] = rig.cameras.map(({ name }) => name) as [string, string];
    const rowTimes = { [left]: 18e-6, [right]: 24e-6 };
    const rolling = await recordSmall("rolling shutter", usualNoise, smallChoice, (overlay) => ({
      ...overlay,
      cameras: Object.fromEntries(
        Object.entries(overlay.cameras!).map(([name, camera]) => [name, { ...camera, rowTime: rowTimes[name]! }]),
      ),
    }));
    const found = fitCalibration(robot, rolling.recording, { parameters: { free: ["rowTimes"] } });
    const blind = fitCalibration(robot, rolling.recording);
    const written = overlayOf(found, "2026-01-01T00:00:00Z").cameras!;
    for (const name of [left, right]) {
      const { sigma } = found.summary.parameters.find((parameter) => parameter.name === `${name}.rowTime`)!;
      expect(sigma).toBeLessThan(1e-6);
      expect(Math.abs(written[name]!.rowTime! - rowTimes[name]!)).toBeLessThan(4 * sigma);
    }
    expect(found.summary.residuals.pixel).toBeLessThan(1.05 * usualNoise.pixel);
    expect(blind.summary.residuals.pixel).toBeGreaterThan(1.1 * found.summary.residuals.pixel);
    // A global shutter is told apart from a rolling one, and has none in its calibration unless asked for.
    expect(overlayOf(fit, "2026-01-01T00:00:00Z").cameras![left]!.rowTime).toBeUndefined();
    const asked = fitCalibration(robot, trial.recording, { parameters: { free: ["rowTimes"] } });
    for (const { value } of asked.parameters.rowTimes) expect(Math.abs(value[0]!)).toBeLessThan(2e-6);
  });

  it("finds the delays to a tenth of a millisecond", () => {
    const { truth } = trial.simulated;
    expect(Math.abs(fit.parameters.cameraDelay.value[0]! - truth.cameras[0]!.latency)).toBeLessThan(1e-4);
    expect(Math.abs(fit.parameters.imuDelay.value[0]! - truth.imu!.latency)).toBeLessThan(1e-4);
    expect(sigmaOf("cameraDelay")).toBeLessThan(1e-4);
  });

  it("written as an overlay and loaded, sees and reaches the hand to a millimetre instead of centimetres", () => {
    const fixed = ["leftArm5.compliance", "leftArm6.compliance", "rightArm5.compliance", "rightArm6.compliance"];
    const overlay = overlayOf(
      fitCalibration(robot, trial.recording, { parameters: { fixed } }),
      "2026-01-01T00:00:00Z",
    );
    const calibrated = loadRobot(robot.name, { calibration: overlay });
    const before = handError(robot, trial.simulated.truth, 40, 1);
    const after = handError(calibrated, trial.simulated.truth, 40, 1);
    expect(after.places).toBeGreaterThan(5);
    expect(before.seen).toBeGreaterThan(0.005);
    expect(before.between).toBeGreaterThan(0.01);
    expect(after.seen).toBeLessThan(0.001);
    expect(after.between).toBeLessThan(0.002);
  });

  it("uses measured torques as well as the model's", () => {
    const measured = fitCalibration(robot, trial.recording, { loads: "measured" });
    expect(measured.summary.residuals.pixel).toBeLessThan(1.05 * usualNoise.pixel);
    const { compliances } = measured.parameters.arms[0]!;
    expect(Math.abs(compliances.value[1]! - trial.overlay.jointCompliances!.leftArm2!)).toBeLessThan(1e-5);
  });

  it("is the same when it is done again", () => {
    expect(fitCalibration(robot, trial.recording).parameters.set.values()).toEqual(fit.parameters.set.values());
  });
});

describe("false detections", () => {
  /** Some detections put anywhere on the image. */
  function withFalse(share: number): CalibrationRecording {
    const random = new Random("false");
    return withHolds((hold) => {
      const spoil = (side: Side) => {
        const values = hold.markers[side].values.slice();
        for (let i = 0; i < values.length; i += 2) {
          if (!Number.isFinite(values[i]!) || random.uniform() >= share) continue;
          values[i] = random.uniformIn(0, rig.cameras[side].width - 1);
          values[i + 1] = random.uniformIn(0, rig.cameras[side].height - 1);
        }
        return { ...hold.markers[side], values };
      };
      return { ...hold, markers: [spoil(Side.left), spoil(Side.right)] };
    });
  }

  it("of five in a hundred do not move the result by a standard deviation", () => {
    const disturbed = fitCalibration(robot, withFalse(0.05));
    const { used, total } = disturbed.summary.markers;
    expect(1 - used / total).toBeGreaterThan(0.03);
    const { set } = disturbed.parameters;
    const shift = set.differenceFrom(fit.parameters.set.values(), new Float64Array(set.columnCount));
    for (const [i, { sigma, name }] of summary.parameters.entries()) {
      expect(Math.abs(shift[i]!) / sigma, name).toBeLessThan(1);
    }
  });

  it("of every second one are too many", () => {
    expect(() => requireTrust(fitCalibration(robot, withFalse(0.5)))).toThrow(/% of the detections were false/);
  });
});

describe("what the data does not determine", () => {
  const sentences = (result: typeof fit) => result.summary.unobservable.map(({ sentence }) => sentence);

  it("is named: the last joint of an arm against its marker", () => {
    const freed = fitCalibration(robot, trial.recording, { parameters: { free: ["leftArm7.offset"] } });
    expect(sentences(freed)).toHaveLength(1);
    expect(sentences(freed)[0]).toMatch(/left arm 7 offset/);
    expect(sentences(freed)[0]).toMatch(/left wrist marker/);
    expect(sentences(freed)[0]).toMatch(/cannot be distinguished/);
    expect(codeOf(() => requireTrust(freed))).toBe("FLY_CALIBRATION_UNOBSERVABLE");
    const offset = freed.summary.parameters.find(({ name }) => name === "leftArm7.offset")!;
    expect(offset.sigma).toBe(Number.POSITIVE_INFINITY);
  });

  it("is named: the last joint of the neck against the mountings", () => {
    const freed = fitCalibration(robot, trial.recording, { parameters: { free: ["neckTilt.offset"] } });
    expect(sentences(freed)).toHaveLength(1);
    for (const part of [/neck tilt offset/, /left camera/, /IMU/]) expect(sentences(freed)[0]).toMatch(part);
  });

  it("a prior determines, and the rank still tells of the data alone", () => {
    const held = fitCalibration(robot, trial.recording, {
      parameters: { free: ["leftArm7.offset"], priors: { "leftArm7.offset": 1e-3 } },
    });
    expect(held.summary.rank).toBe(held.summary.parameterCount - 1);
    expect(held.summary.unobservable).toHaveLength(1);
  });

  it("is named for a single configuration of an arm", () => {
    const one = { ...trial.recording, holds: [trial.recording.holds[0]!, trial.recording.holds[1]!] };
    const result = fitCalibration(robot, one);
    expect(result.summary.rank).toBeLessThan(result.summary.parameterCount);
    expect(sentences(result).join("; ")).toMatch(/left arm \d (offset|compliance)/);
  });

  it("is named for a head that did not move", () => {
    const still = withHolds((hold) => {
      const values = hold.joints.values.slice();
      const { width } = hold.joints;
      for (let i = 0; i < values.length; i += width) values.set(hold.joints.values.subarray(0, 2), i);
      const frozen = (stream: (typeof hold.markers)[0]) => {
        const first = stream.values.findIndex(Number.isFinite);
        const pixels = stream.values.map((_, i) => stream.values[first + (i % 2)]!);
        return { ...stream, values: pixels };
      };
      return {
        ...hold,
        joints: { ...hold.joints, values },
        markers: [frozen(hold.markers[0]), frozen(hold.markers[1])],
      };
    });
    const result = fitCalibration(robot, still, { solver: { ...defaultSolverOptions, maxSteps: 3 } });
    expect(result.summary.unobservable.length).toBeGreaterThan(3);
    expect(codeOf(() => requireTrust(result))).toBe("FLY_CALIBRATION_UNOBSERVABLE");
  });
});

describe("recordings that cannot be used", () => {
  const empty = (stream: HoldRecording["imu"]) => ({ ...stream, values: stream.values.map(() => Number.NaN) });

  it("are refused with a code: a camera that saw nothing", () => {
    const blind = withHolds((hold) => ({ ...hold, markers: [hold.markers[0], empty(hold.markers[1])] }));
    expect(codeOf(() => fitCalibration(robot, blind))).toBe("FLY_CALIBRATION_DATA_MISSING");
  });

  it("are refused with a code: exchanged cameras", () => {
    const exchanged = withHolds((hold) => ({ ...hold, markers: [hold.markers[1], hold.markers[0]] }));
    expect(codeOf(() => fitCalibration(robot, exchanged))).toBe("FLY_CALIBRATION_CAMERAS_SWAPPED");
  });

  it.each(["joints", "imu"] as const)("are refused with a code: NaN among the %s", (sensor) => {
    const broken = withHolds((hold, k) => {
      const values = hold[sensor].values.slice();
      if (k === 3) values[777] = Number.NaN;
      return { ...hold, [sensor]: { ...hold[sensor], values } };
    });
    expect(codeOf(() => fitCalibration(robot, broken))).toBe("FLY_CALIBRATION_DATA_INVALID");
  });

  it("are refused with a code: half a marker, a stamp that is none, sample numbers that fall, a long gap", () => {
    const half = withHolds((hold) => {
      const values = hold.markers[0].values.slice();
      values[101] = Number.NaN;
      values[100] = 5;
      return { ...hold, markers: [{ ...hold.markers[0], values }, hold.markers[1]] };
    });
    const imu = (change: (stream: HoldRecording["imu"]) => HoldRecording["imu"]) =>
      withHolds((hold) => ({ ...hold, imu: change(hold.imu) }));
    const stampless = imu((stream) => ({ ...stream, stamps: stream.stamps.map((t, i) => (i === 9 ? Number.NaN : t)) }));
    const falling = imu((stream) => ({ ...stream, sequence: stream.sequence.map((k, i) => (i === 9 ? 0 : k)) }));
    const gap = imu((stream) => ({ ...stream, sequence: stream.sequence.map((k, i) => (i > 900 ? k + 100 : k)) }));
    for (const bad of [half, stampless, falling, gap]) {
      expect(codeOf(() => fitCalibration(robot, bad))).toBe("FLY_CALIBRATION_DATA_INVALID");
    }
  });

  it("are refused with a code: no holds, another robot's width, an unknown arm, an unknown parameter", () => {
    expect(codeOf(() => fitCalibration(robot, { ...trial.recording, holds: [] }))).toBe("FLY_CALIBRATION_DATA_MISSING");
    const posture = { ...trial.recording, posture: new Float64Array(3) };
    expect(codeOf(() => fitCalibration(robot, posture))).toBe("FLY_CALIBRATION_DATA_INVALID");
    const arm = withHolds((hold) => ({ ...hold, arm: "thirdArm" }));
    expect(codeOf(() => fitCalibration(robot, arm))).toBe("FLY_CALIBRATION_DATA_INVALID");
    const parameters = { free: ["nose.length"] };
    expect(codeOf(() => fitCalibration(robot, trial.recording, { parameters }))).toBe("FLY_CALIBRATION_PARAMETER");
    const priors = { offsets: -1 };
    expect(codeOf(() => fitCalibration(robot, trial.recording, { parameters: { priors } }))).toBe(
      "FLY_CALIBRATION_PARAMETER",
    );
  });

  it("are not trusted where a joint slipped between configurations", () => {
    const slipped = withHolds((hold, k) => {
      if (k % 3 !== 0) return hold;
      const values = hold.joints.values.slice();
      const { width } = hold.joints;
      for (let i = 0; i < values.length; i += width)
        values[i + rig.neck.dofs.length + 1] = values[i + rig.neck.dofs.length + 1]! + 0.03;
      return { ...hold, joints: { ...hold.joints, values } };
    });
    expect(() => requireTrust(fitCalibration(robot, slipped))).toThrow(/% of the detections were false/);
  });
});
