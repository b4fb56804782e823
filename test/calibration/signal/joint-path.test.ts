import { describe, expect, it } from "vitest";
import { HeadSweep } from "../../../src/calibration/configurations/head-sweep.js";
import { createNeckMotion } from "../../../src/calibration/measurements/spatial-motion.js";
import { BandLimit } from "../../../src/calibration/signal/band-limit.js";
import { JointPath } from "../../../src/calibration/signal/joint-path.js";
import { Random } from "../../../src/math/random.js";

const swings = [
  { middle: 0.2, amplitude: 0.4, frequency: 0.61, phase: 1 },
  { middle: -0.1, amplitude: 0.3, frequency: 0.43, phase: 2 },
];
const sweep = new HeadSweep(swings, 6, 1.5, 1.1);

function sampled(noise: number): JointPath {
  const random = new Random("joints");
  const count = Math.floor(1000 * sweep.duration);
  const positions = [new Float64Array(count), new Float64Array(count)];
  const [q, qd, qdd] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
  for (let k = 0; k < count; k++) {
    sweep.evaluate(k / 1000, q, qd, qdd);
    for (let i = 0; i < 2; i++) positions[i]![k] = q[i]! + noise * random.normal();
  }
  return new JointPath({ start: 3, period: 1 / 1000, positions }, new BandLimit(10));
}

describe("joint positions as a smooth path", () => {
  it("follow the motion that was sampled, with speed and acceleration", () => {
    const path = sampled(0);
    const out = createNeckMotion(2);
    const [q, qd, qdd] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
    for (let t = path.begin; t <= path.end; t += 0.0173) {
      path.evaluate(t, out);
      sweep.evaluate(t - 3, q, qd, qdd);
      for (let i = 0; i < 2; i++) {
        expect(Math.abs(out.q[i]! - q[i]!)).toBeLessThan(3e-5);
        expect(Math.abs(out.qd[i]! - qd[i]!)).toBeLessThan(5e-4);
        expect(Math.abs(out.qdd[i]! - qdd[i]!)).toBeLessThan(2e-2);
      }
    }
  });

  it("has derivatives that are those of finite differences", () => {
    const path = sampled(1e-4);
    const [a, b, m] = [createNeckMotion(2), createNeckMotion(2), createNeckMotion(2)];
    const h = 1e-4;
    for (let t = path.begin + 0.01; t < path.end - 0.01; t += 0.0611) {
      path.evaluate(t - h, a);
      path.evaluate(t + h, b);
      path.evaluate(t, m);
      expect((b.q[0]! - a.q[0]!) / (2 * h)).toBeCloseTo(m.qd[0]!, 6);
      expect((b.qd[1]! - a.qd[1]!) / (2 * h)).toBeCloseTo(m.qdd[1]!, 4);
      expect((b.qdd[0]! - a.qdd[0]!) / (2 * h)).toBeCloseTo(m.qddd[0]!, 1);
    }
  });

  it("loses nine tenths of the encoders' noise", () => {
    const [clean, noisy] = [sampled(0), sampled(1e-4)];
    const [a, b] = [createNeckMotion(2), createNeckMotion(2)];
    let [sum, count] = [0, 0];
    for (let t = clean.begin; t <= clean.end; t += 0.05) {
      clean.evaluate(t, a);
      noisy.evaluate(t, b);
      sum += (a.q[0]! - b.q[0]!) ** 2;
      count++;
    }
    expect(Math.sqrt(sum / count)).toBeLessThan(2e-5);
  });
});
