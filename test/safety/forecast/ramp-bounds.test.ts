import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import { RampBounds } from "../../../src/safety/forecast/ramp-bounds.js";
import { deep } from "../../support/deep.js";

describe("bounds of ramps over a span of time", () => {
  it("hold what the ramps do at every time in it, and are met", () => {
    const random = new Random("ramp bounds");
    const n = 3;
    const before = 20;
    const bounds = new RampBounds(new Float64Array(n).fill(before));
    const [q, qd, qdd] = [0, 0, 0].map(() => new Float64Array(n)) as [Float64Array, Float64Array, Float64Array];
    for (let round = 0; round < deep(500, 20_000); round++) {
      const ramps = new JointRamps(n);
      const draw = (size: number): Float64Array =>
        Float64Array.from({ length: n }, () => random.uniformIn(-size, size));
      const [wmax, amax] = [new Float64Array(n).fill(2), new Float64Array(n).fill(20)];
      const w0 = random.uniform() < 0.3 ? new Float64Array(n) : draw(2.2);
      if (ramps.plan(draw(1), w0, draw(1), random.uniformIn(0.3, 2), wmax, amax) !== RampStatus.ok) continue;
      const from = random.uniformIn(-0.1, ramps.duration);
      const to = from + random.uniform() * (ramps.duration + 0.1 - from);
      const lag = 0.1 * random.uniform();
      bounds.compute(ramps, Float64Array.of(from + lag, to), lag);
      let worst = 0;
      for (let k = 0; k <= 40; k++) {
        const t = from + (k / 40) * (to - from);
        ramps.evaluate(t, q, qd, qdd);
        for (let i = 0; i < n; i++) {
          // Before the ramps any motion that comes to their start, here one of constant acceleration.
          const past = before * random.uniformIn(-1, 1);
          const place = q[i]! + (t < 0 ? t * (ramps.w0[i]! + 0.5 * past * t) : 0);
          const speed = t < 0 ? ramps.w0[i]! + past * t : qd[i]!;
          const acceleration = t < 0 ? past : qdd[i]!;
          worst = Math.max(
            worst,
            bounds.lowPosition[i]! - place,
            place - bounds.highPosition[i]!,
            bounds.lowSpeed[i]! - speed,
            speed - bounds.highSpeed[i]!,
            bounds.lowAcceleration[i]! - acceleration,
            acceleration - bounds.highAcceleration[i]!,
          );
        }
      }
      expect(worst).toBeLessThanOrEqual(1e-9);
    }
  });
});
