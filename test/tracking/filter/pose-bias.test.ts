import { describe, expect, it } from "vitest";
import * as lie from "../../../src/math/lie.js";
import * as matrix from "../../../src/math/matrix.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { beliefCovariance, createBelief } from "../../../src/tracking/filter/ball-belief.js";
import { FilterStatus } from "../../../src/tracking/filter/filter-status.js";
import { PoseBias } from "../../../src/tracking/filter/pose-bias.js";
import { deep } from "../../support/deep.js";
import { beliefAbout, viewFrom } from "./reference.js";

describe("a lasting error of the head's pose", () => {
  it("spreads the ball as displaced heads do", () => {
    const random = new Random("bias");
    const belief = beliefAbout(0.3, [4, 0.5, 2], [-6, 1, 2], [1e-5, 1e-5, 1e-6]);
    const view = viewFrom(0.3, 0.1);
    const sigmas = [0.002, 0.002, 0.002, 0.003, 0.003, 0.003];
    const bias = new Float64Array(36);
    for (let n = 0; n < 6; n++) bias[7 * n] = sigmas[n]! ** 2;
    const out = createBelief();
    expect(new PoseBias().add(belief, view, bias, out)).toBe(FilterStatus.ok);
    const said = beliefCovariance(out, new Float64Array(49));
    const drawn = new Float64Array(49);
    const runs = deep(8000, 200_000);
    const [p, v] = [vec3.create(...belief.mean.subarray(0, 3)), vec3.create(...belief.mean.subarray(3, 6))];
    for (let k = 0; k < runs; k++) {
      // What a camera believed here has seen, a camera truly displaced would have seen elsewhere.
      const error = lie.se3Exp(
        Float64Array.from(sigmas, (sigma) => sigma * random.normal()),
        pose.create(),
      );
      const displaced = pose.compose(view.worldFromCamera, error, pose.create());
      const moved = pose.transformPointInverse(view.worldFromCamera, p, vec3.create());
      const turned = pose.rotateVectorInverse(view.worldFromCamera, v, vec3.create());
      pose.transformPoint(displaced, moved, moved);
      pose.rotateVector(displaced, turned, turned);
      const difference = Float64Array.of(...vec3.subtract(moved, p, moved), ...vec3.subtract(turned, v, turned), 0);
      matrix.multiplyTransposeRight(difference, difference, 7, 1, 7, new Float64Array(49)).forEach((x, n) => {
        drawn[n]! += x / runs;
      });
    }
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c < 6; c++) {
        const scale = Math.sqrt(said[8 * r]! * said[8 * c]!);
        expect(Math.abs(drawn[7 * r + c]! - said[7 * r + c]!) / scale).toBeLessThan(0.02 + 4 / Math.sqrt(runs));
      }
    }
    expect([...out.mean]).toEqual([...belief.mean]);
    expect(new PoseBias().add(belief, view, new Float64Array(36), out)).toBe(FilterStatus.invalid);
  });
});
