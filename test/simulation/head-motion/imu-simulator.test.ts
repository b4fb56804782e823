import { describe, expect, it } from "vitest";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { type Challenges, fullChallenges, noChallenges } from "../../../src/simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { createImuSample, ImuSimulator } from "../../../src/simulation/head-motion/imu-simulator.js";
import { TrueHead } from "../../../src/simulation/head-motion/true-head.js";
import { deep } from "../../support/deep.js";
import { RunningStatistics } from "../../support/running-statistics.js";

const robot = loadRobot("agile-justin");
const imu = robot.imu!;
const ready = robot.postures.get("ready")!;
const still = new Float64Array(robot.model.dofCount);

/** Samples of a head at rest, one array an axis: gyro x, y, z, accelerometer x, y, z; then the delays. */
function record(challenges: Challenges, count: number, seed = 1): Float64Array[] {
  // A long step: at rest nothing happens in between.
  const head = new TrueHead(robot, { challenges: { ...challenges, vibration: 0 }, seed, period: 0.5, memory: 3 });
  head.start(0, ready);
  const simulator = new ImuSimulator(robot, head, challenges, seed, 0);
  const out = Array.from({ length: 7 }, () => new Float64Array(count));
  const sample = createImuSample();
  for (let k = 0; k < count; k++) {
    while (!simulator.next(sample)) head.step(ready, still, still);
    for (let i = 0; i < 3; i++) {
      out[i]![k] = sample.angularVelocity[i]!;
      out[3 + i]![k] = sample.specificForce[i]!;
    }
    out[6]![k] = sample.arrival - sample.time;
  }
  return out;
}

/** Allan deviation at clusters of `size` samples. */
function allanDeviation(samples: Float64Array, size: number): number {
  const clusters = Math.floor(samples.length / size);
  const means = Array.from({ length: clusters }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += samples[c * size + k]!;
    return sum / size;
  });
  let sum = 0;
  for (let c = 1; c < clusters; c++) sum += (means[c]! - means[c - 1]!) ** 2;
  return Math.sqrt(sum / (2 * (clusters - 1)));
}

describe("ImuSimulator", () => {
  it("has white noise of the stated density: its Allan deviation is density/√τ", () => {
    const count = deep(10_000, 400_000);
    const samples = record({ ...noChallenges, imuNoise: 1 }, count);
    for (const size of [1, 8, 64]) {
      const tau = size / imu.rateHz;
      // Three standard deviations of the estimate.
      const tolerance = 3 * Math.sqrt(0.75 / (count / size));
      for (let axis = 0; axis < 6; axis++) {
        const density = axis < 3 ? imu.gyroNoiseDensity : imu.accelerometerNoiseDensity;
        const ratio = (allanDeviation(samples[axis]!, size) * Math.sqrt(tau)) / density;
        expect(Math.abs(ratio - 1)).toBeLessThan(tolerance);
      }
    }
  });

  it("has biases that walk: their increments over τ spread by walk·√τ", () => {
    const count = deep(10_000, 400_000);
    const samples = record({ ...noChallenges, imuBias: 1 }, count);
    for (let axis = 0; axis < 6; axis++) {
      const walk = axis < 3 ? imu.gyroBiasWalk : imu.accelerometerBiasWalk;
      const increments = new RunningStatistics();
      for (let k = 16; k < count; k += 16) increments.add(samples[axis]![k]! - samples[axis]![k - 16]!);
      expect(Math.abs(increments.standardDeviation / (walk * Math.sqrt(16 / imu.rateHz)) - 1)).toBeLessThan(0.1);
    }
  });

  it("feels the reaction to gravity at rest, tilted as the torso bends", () => {
    const samples = record(noChallenges, 4);
    const upright = [0, 0, 0, 0, 0, 9.81];
    for (const [axis, value] of upright.entries()) expect(samples[axis]![3]).toBeCloseTo(value, 4);
    const bent = record({ ...noChallenges, deflection: 1 }, 4);
    expect(Math.abs(bent[3]![3]!)).toBeGreaterThan(0.001);
    expect(Math.hypot(bent[3]![3]!, bent[4]![3]!, bent[5]![3]!)).toBeCloseTo(9.81, 9);
  });

  it("measures the mean rate over its period while the neck turns", () => {
    const head = new TrueHead(robot, { challenges: noChallenges, seed: 1 });
    const q = ready.slice();
    const [qd, qdd] = [still.slice(), still.slice()];
    const pan = robot.model.dofNames.indexOf("neckPan");
    head.start(0, q);
    const simulator = new ImuSimulator(robot, head, noChallenges, 1, 0);
    const sample = createImuSample();
    const motion = createRigidMotion();
    let seen = 0;
    for (let k = 1; k <= 200; k++) {
      const t = k * head.period;
      q[pan] = 0.5 * t * t;
      qd[pan] = t;
      qdd[pan] = 1;
      head.step(q, qd, qdd);
      while (simulator.next(sample)) {
        head.imuAt(sample.time, motion);
        expect(sample.angularVelocity[2]).toBeCloseTo(sample.time, 9);
        expect(motion.twist[5]).toBeCloseTo(sample.time, 9);
        seen++;
      }
    }
    expect(seen).toBe(102);
  });

  it("delivers with its delay and jitter, never before the sample is taken", () => {
    const delays = new RunningStatistics();
    for (const delay of record(fullChallenges, 5000)[6]!) delays.add(delay);
    expect(Math.abs(delays.mean - imu.latency)).toBeLessThan(5e-5);
    expect(delays.standardDeviation / robot.sidecar.simulation!.noise!.imuLatencyJitter!).toBeCloseTo(1, 1);
    for (const delay of record({ ...fullChallenges, latencyJitter: 20 }, 2000)[6]!) {
      expect(delay).toBeGreaterThanOrEqual(0);
    }
  });

  it("gives the same bits for the same seed", () => {
    expect(record(fullChallenges, 100, 7)).toEqual(record(fullChallenges, 100, 7));
    expect(record(fullChallenges, 100, 8)).not.toEqual(record(fullChallenges, 100, 7));
  });
});
