import { describe, expect, it } from "vitest";
import { defaultBall } from "../../../src/flight/ball.js";
import * as cholesky from "../../../src/math/cholesky.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallBelief, BELIEF_SIZE, FilterStatus } from "../../../src/tracking/filter/ball-belief.js";
import { BallBirth, DEFAULT_VELOCITY_SIGMA } from "../../../src/tracking/filter/ball-birth.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { circleOf, isotropic, viewFrom } from "./reference.js";

const filter = new BallFilter();
const birth = new BallBirth(filter);

/** eᵀP⁻¹e of the position. */
function squaredError(belief: BallBelief, truth: vec3.Vec3): number {
  const factor = new Float64Array(9);
  for (let r = 0; r < 3; r++) for (let c = 0; c <= r; c++) factor[3 * r + c] = belief.factor[BELIEF_SIZE * r + c]!;
  const error = Float64Array.from({ length: 3 }, (_, n) => truth[n]! - belief.mean[n]!);
  cholesky.solveLower(factor, error, 3, error);
  return error.reduce((sum, x) => sum + x * x, 0);
}

function randomBall(random: Random): vec3.Vec3 {
  const ahead = random.uniformIn(1, 6);
  return vec3.create(ahead, 0.3 * ahead * random.uniformIn(-1, 1), 1.6 + 0.2 * ahead * random.uniformIn(-1, 1));
}

describe("a birth", () => {
  const runs = deep(1000, 20_000);

  it("from a stereo pair has honest errors, and tells pairs that belong together", () => {
    const random = new Random("stereo births");
    const belief = new BallBelief();
    let errors = 0;
    let distances = 0;
    for (let k = 0; k < runs; k++) {
      const truth = randomBall(random);
      const [left, right] = [viewFrom(0, 0.1), viewFrom(0, -0.1)];
      const [a, b] = [circleOf(left, truth, 0.2, random), circleOf(right, truth, 0.2, random)];
      expect(birth.fromStereo(left, a, 0, right, b, 0, belief)).toBe(FilterStatus.ok);
      errors += squaredError(belief, truth) / runs;
      distances += birth.squaredDistance / runs;
    }
    expect(Math.abs(errors - 3)).toBeLessThan(4 * Math.sqrt(6 / runs));
    expect(Math.abs(distances - 3)).toBeLessThan(4 * Math.sqrt(6 / runs));
    const [left, right] = [viewFrom(0, 0.1), viewFrom(0, -0.1)];
    const a = circleOf(left, vec3.create(3, 0, 1.6), 0.2);
    birth.fromStereo(left, a, 0, right, circleOf(right, vec3.create(3, 0, 1.7), 0.2), 0, belief);
    expect(birth.squaredDistance).toBeGreaterThan(100);
  });

  it("from one circle tells the distance by the ball's size", () => {
    const random = new Random("births");
    const belief = new BallBelief();
    let errors = 0;
    for (let k = 0; k < runs; k++) {
      const truth = randomBall(random);
      const view = viewFrom(0, 0.1);
      expect(birth.fromCircle(view, circleOf(view, truth, 0.1, random), 0, belief)).toBe(FilterStatus.ok);
      errors += squaredError(belief, truth) / runs;
    }
    // The distance goes with 1/r: at 6 m and 2 % of the radius that is a little skewed.
    expect(Math.abs(errors - 3)).toBeLessThan(0.1 + 4 * Math.sqrt(6 / runs));
    expect(belief.factor[4 * (BELIEF_SIZE + 1)]).toBe(DEFAULT_VELOCITY_SIGMA);
    expect(belief.mean[6]).toBe(defaultBall.drag);
  });

  it("refuses nonsense", () => {
    const [left, right] = [viewFrom(0, 0.1), viewFrom(0, -0.1)];
    const truth = vec3.create(3, 0, 1.6);
    const belief = new BallBelief();
    for (const spoiled of ["u", "v", "r", "covariance"] as const) {
      const [a, b] = [circleOf(left, truth, 0.2), circleOf(right, truth, 0.2)];
      a[spoiled][0] = Number.NaN;
      expect(birth.fromCircle(left, a, 0, belief)).toBe(FilterStatus.invalid);
      expect(birth.fromStereo(left, a, 0, right, b, 0, belief)).toBe(FilterStatus.invalid);
      expect(birth.fromStereo(right, b, 0, left, a, 0, belief)).toBe(FilterStatus.invalid);
    }
    expect(birth.fromPoint(Number.NaN, truth, isotropic(1), belief)).toBe(FilterStatus.invalid);
    expect(birth.fromPoint(0, truth, isotropic(0), belief)).toBe(FilterStatus.invalid);
    expect(() => new BallBirth(filter, { velocitySigma: 0 })).toThrow(RangeError);
  });

  it("allocates nothing", () => {
    const [left, right] = [viewFrom(0, 0.1), viewFrom(0, -0.1)];
    const [a, b] = [circleOf(left, vec3.create(3, 0, 1.6), 0.2), circleOf(right, vec3.create(3, 0, 1.6), 0.2)];
    const belief = new BallBelief();
    const work = () => birth.fromStereo(left, a, 0, right, b, 0, belief);
    // Two outlines, each with numbers that V8 may box: from 24 to 112 bytes were seen. One typed array would be 150 and more.
    expect(heapBytesPerCall(work, 2000, boxedNumbers)).toBeLessThan(2 * boxedNumbers);
  });
});
