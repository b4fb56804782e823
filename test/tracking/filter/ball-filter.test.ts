import { describe, expect, it } from "vitest";
import { defaultBall, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { FlightPrediction } from "../../../src/flight/prediction.js";
import * as cholesky from "../../../src/math/cholesky.js";
import * as matrix from "../../../src/math/matrix.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import {
  BallBelief,
  BELIEF_SIZE,
  beliefCovariance,
  copyBelief,
  FilterStatus,
} from "../../../src/tracking/filter/ball-belief.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { CirclePrediction, StereoPrediction } from "../../../src/tracking/filter/circle-prediction.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { identity } from "../../support/matrices.js";
import { batchEstimate, beliefAbout, circleOf, isotropic, type Sight, viewFrom } from "./reference.js";

const down = gravity();

/** Leading 6 × 6 of the covariance. */
function covarianceOf(belief: BallBelief): Float64Array {
  const all = beliefCovariance(belief, new Float64Array(49));
  return Float64Array.from({ length: 36 }, (_, n) => all[7 * Math.floor(n / 6) + (n % 6)]!);
}

function greatestDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((worst, x, n) => Math.max(worst, Math.abs(x - b[n]!)), 0);
}

/** The textbook's Kalman filter without drag, by its defining formulas. */
class TextbookFilter {
  readonly x = new Float64Array(6);
  P: Float64Array = new Float64Array(36);

  predict(duration: number, noise: number): void {
    const F = identity(6);
    const q = noise ** 2;
    const Q = new Float64Array(36);
    for (let n = 0; n < 3; n++) {
      F[6 * n + 3 + n] = duration;
      Q[7 * n] = (q * duration ** 3) / 3;
      Q[6 * n + 3 + n] = (q * duration ** 2) / 2;
      Q[6 * (3 + n) + n] = (q * duration ** 2) / 2;
      Q[7 * (3 + n)] = q * duration;
    }
    const x = matrix.multiplyVector(F, this.x, 6, 6, new Float64Array(6));
    x[2]! += (down[2] * duration ** 2) / 2;
    x[5]! += down[2] * duration;
    this.x.set(x);
    const product = matrix.multiply(F, this.P, 6, 6, 6, new Float64Array(36));
    const P = matrix.multiplyTransposeRight(product, F, 6, 6, 6, new Float64Array(36));
    this.P = P.map((entry, n) => entry + Q[n]!);
  }

  update(z: vec3.Vec3, R: Float64Array): number {
    const H = new Float64Array(18);
    for (let n = 0; n < 3; n++) H[7 * n] = 1;
    const PHt = matrix.multiplyTransposeRight(this.P, H, 6, 6, 3, new Float64Array(18));
    const S = matrix.multiply(H, PHt, 3, 6, 3, new Float64Array(9)).map((entry, n) => entry + R[n]!);
    const factor = new Float64Array(9);
    cholesky.factor(S, 3, factor);
    const inverse = cholesky.invert(factor, 3, new Float64Array(9));
    const K = matrix.multiply(PHt, inverse, 6, 3, 3, new Float64Array(18));
    const innovation = Float64Array.from({ length: 3 }, (_, n) => z[n]! - this.x[n]!);
    const shift = matrix.multiplyVector(K, innovation, 6, 3, new Float64Array(6));
    for (let n = 0; n < 6; n++) this.x[n]! += shift[n]!;
    const KH = matrix.multiply(K, H, 6, 3, 6, new Float64Array(36));
    const KHP = matrix.multiply(KH, this.P, 6, 6, 6, new Float64Array(36));
    this.P = this.P.map((entry, n) => entry - KHP[n]!);
    const white = cholesky.solveLower(factor, innovation, 3, new Float64Array(3));
    const squares = white.reduce((sum, w) => sum + w * w, 0);
    return -0.5 * (squares + 3 * Math.log(2 * Math.PI) + cholesky.logDeterminant(factor, 3));
  }
}

/** Greatest relative difference of the standard deviations in `P` from those of the batch, carried on from time 0. */
function spreadDifference(P: Float64Array, mean: Float64Array, covariance: Float64Array, time: number): number {
  const carried = new FlightPrediction();
  const position = vec3.create(mean[0], mean[1], mean[2]);
  const velocity = vec3.create(mean[3], mean[4], mean[5]);
  carried.reset({ time: 0, position, velocity, drag: defaultBall.drag }, covariance, down, 0, time);
  const expected = carried.covariance(time, new Float64Array(49));
  const ratios = [0, 1, 2, 3, 4, 5].map((n) => Math.sqrt(P[7 * n]! / expected[8 * n]!));
  return Math.max(...ratios.map((ratio) => Math.abs(ratio - 1)));
}

/** Any circle, said to be known to `sigma` [px]. */
function spoilCircle(circles: CircleSet, sigma: number, random: Random): void {
  circles.u[0] = random.uniformIn(0, 800);
  circles.v[0] = random.uniformIn(0, 600);
  circles.r[0] = random.uniformIn(3, 40);
  for (let n = 0; n < 9; n += 4) circles.covariance[n] = sigma * sigma;
}

describe("the ball filter", () => {
  it("is the exact Kalman filter where everything is linear", () => {
    const random = new Random("linear");
    const filter = new BallFilter({ ball: { ...defaultBall, drag: 0 }, accelerationNoise: 0.3 });
    const textbook = new TextbookFilter();
    const belief = beliefAbout(0, [5, 0.2, 1.5], [-6, 0, 3], [0.1, 2, 0]);
    belief.mean[6] = 0;
    textbook.x.set(belief.mean.subarray(0, 6));
    textbook.P = covarianceOf(belief);
    for (let k = 1; k < 60; k++) {
      const duration = random.uniformIn(0.005, 0.05);
      expect(filter.predict(belief, belief.time + duration, belief)).toBe(FilterStatus.ok);
      textbook.predict(duration, 0.3);
      const R = isotropic(random.uniformIn(0.005, 0.03));
      const z = vec3.create(belief.mean[0]! + 0.02 * random.normal(), belief.mean[1], belief.mean[2]);
      expect(filter.updatePoint(belief, z, R, belief)).toBe(FilterStatus.ok);
      expect(textbook.update(z, R)).toBeCloseTo(filter.logLikelihood, 8);
      expect(greatestDifference(belief.mean.subarray(0, 6), textbook.x)).toBeLessThan(1e-10);
      expect(greatestDifference(covarianceOf(belief), textbook.P)).toBeLessThan(1e-11);
    }
  });

  it("ends where the fit to all measurements at once ends, to a fraction of a sigma", () => {
    const random = new Random("batch");
    const filter = new BallFilter({ accelerationNoise: 0 });
    const flight = new Flight();
    const prediction = new CirclePrediction();
    let worst = 0;
    let worstSpread = 0;
    for (let run = 0; run < deep(8, 100); run++) {
      const velocity = vec3.create(random.uniformIn(-7, -5), random.uniformIn(-1, 1), random.uniformIn(2, 4));
      const position = vec3.create(random.uniformIn(4, 6), random.uniformIn(-0.5, 0.5), 1.6);
      flight.reset({ time: 0, position, velocity, drag: defaultBall.drag }, down, 0, 0.7);
      const prior = beliefAbout(
        0,
        [...position].map((x) => x + 0.1 * random.normal()),
        [-6, 0, 3],
        [0.1, 1, 0],
      );
      const sights: Sight[] = [];
      const belief = copyBelief(prior, new BallBelief());
      for (let k = 1; k <= 15; k++) {
        for (const aside of [0.1, -0.1]) {
          const view = viewFrom(0.04 * k, aside);
          const circles = circleOf(view, flight.position(view.time, vec3.create()), 0.2, random);
          sights.push({ view, circles });
          filter.predict(belief, view.time, belief);
          filter.predictCircle(belief, view, prediction);
          expect(filter.updateCircle(belief, prediction, circles, 0, belief)).toBe(FilterStatus.ok);
        }
      }
      const { mean, covariance } = batchEstimate(prior, sights, down);
      flight.reset(
        {
          time: 0,
          position: vec3.create(mean[0], mean[1], mean[2]),
          velocity: vec3.create(mean[3], mean[4], mean[5]),
          drag: defaultBall.drag,
        },
        down,
        0,
        0.7,
      );
      const P = covarianceOf(belief);
      const end = [...flight.position(belief.time, vec3.create()), ...flight.velocity(belief.time, vec3.create())];
      end.forEach((x, n) => {
        worst = Math.max(worst, Math.abs(belief.mean[n]! - x) / Math.sqrt(P[7 * n]!));
      });
      worstSpread = Math.max(worstSpread, spreadDifference(P, mean, covariance, belief.time));
    }
    expect(worst).toBeLessThan(0.15);
    expect(worstSpread).toBeLessThan(0.1);
  });

  // Four times 25,000, so that none of them runs into the time limit of a busy machine.
  it.each([1, 2, 3, 4])(
    "stays positive definite over random updates, extreme ones and nonsense among them (%d)",
    (seed) => {
      const random = new Random(`definite ${seed}`);
      const filter = new BallFilter({ dragSigma: 0.01, accelerationNoise: 0.001 });
      const belief = new BallBelief();
      const prediction = new CirclePrediction();
      const pair = new StereoPrediction();
      const views = [viewFrom(0, 0.1, 1e-4), viewFrom(0, 0.1, 1), viewFrom(0, -0.1, 1e-4)].map((view) => ({ ...view }));
      const circles = new CircleSet(1);
      const others = new CircleSet(1);
      const magnitudes = [1e-12, 1e-6, 1e-3, 1, 1e3, 1e8, Number.NaN, Number.POSITIVE_INFINITY];
      const born = beliefAbout(0, [4, 0, 1.6], [-6, 0, 2], [0.3, 4, 0.01]);
      copyBelief(born, belief);
      let refused = 0;
      let diverged = 0;
      for (let k = 0; k < 25_000; k++) {
        if (k % 50 === 0) copyBelief(born, belief);
        let time = belief.time + random.uniform() * random.uniform() * 0.1;
        if (filter.predict(belief, time, belief) !== FilterStatus.ok) {
          diverged++;
          copyBelief(born, belief);
          time = belief.time;
        }
        const sigma = magnitudes[random.integer(magnitudes.length)]!;
        const view = views[random.integer(2)]!;
        view.time = time;
        const ball = vec3.create(4 - 3 * random.uniform(), random.normal(), 1.6 + random.normal());
        spoilCircle(circles, sigma, random);
        const choice = random.integer(3);
        let status: FilterStatus;
        if (choice === 0) {
          filter.predictCircle(belief, view, prediction);
          status = filter.updateCircle(belief, prediction, circles, 0, belief);
        } else if (choice === 1) {
          const other = views[2]!;
          other.time = time;
          spoilCircle(others, 0.2, random);
          filter.predictStereo(belief, view, other, pair);
          status = filter.updateStereo(belief, pair, circles, 0, others, 0, belief);
        } else status = filter.updatePoint(belief, ball, isotropic(sigma), belief);
        if (status !== FilterStatus.ok) refused++;
        let sum = 0;
        for (let n = 0; n < 7; n++) sum += Math.abs(belief.mean[n]!);
        for (const entry of belief.factor) sum += Math.abs(entry);
        let least = Number.POSITIVE_INFINITY;
        for (let n = 0; n < 7; n++) least = Math.min(least, belief.factor[n * (BELIEF_SIZE + 1)]!);
        if (!(sum < Number.POSITIVE_INFINITY && least > 0)) expect.fail(`step ${k}: ${sum}, ${least}`);
      }
      // A quarter of the covariances are nonsense, where they matter; far beliefs may also leave the view.
      expect(diverged).toBeLessThan(1250);
      expect(refused).toBeGreaterThan(5000);
      expect(refused).toBeLessThan(17_500);
    },
  );

  it("measures in the gate what the update then finds", () => {
    const random = new Random("gate");
    const filter = new BallFilter();
    const prediction = new CirclePrediction();
    const pair = new StereoPrediction();
    for (let k = 0; k < 200; k++) {
      const belief = beliefAbout(0, [random.uniformIn(1, 6), random.normal() / 4, 1.5], [-6, 0, 2], [0.05, 1, 0]);
      const ball = vec3.create(belief.mean[0]! + 0.05, belief.mean[1], belief.mean[2]);
      const [left, right] = [viewFrom(0, 0.1, 1e-3), viewFrom(0, -0.1, 1e-3)];
      const [a, b] = [circleOf(left, ball, 0.2, random), circleOf(right, ball, 0.2, random)];
      filter.predictCircle(belief, left, prediction);
      const gated = filter.gateCircle(prediction, a, 0);
      const likelihood = filter.logLikelihood;
      filter.updateCircle(belief, prediction, a, 0, new BallBelief());
      expect(filter.squaredDistance / gated).toBeCloseTo(1, 8);
      expect(filter.logLikelihood).toBeCloseTo(likelihood, 8);
      filter.predictStereo(belief, left, right, pair);
      const both = filter.gateStereo(pair, a, 0, b, 0);
      filter.updateStereo(belief, pair, a, 0, b, 0, new BallBelief());
      expect(filter.squaredDistance / both).toBeCloseTo(1, 8);
    }
  });

  it("expects in each camera of a pair what it expects there alone", () => {
    const generous = new BallFilter({ poseInflation: 4 });
    const belief = beliefAbout(0, [3, 0.2, 1.5], [-6, 0, 2], [0.05, 1, 0]);
    const [left, right] = [viewFrom(0, 0.1, 1e-3), viewFrom(0, -0.1, 1e-3)];
    const pair = new StereoPrediction();
    const alone = new CirclePrediction();
    generous.predictStereo(belief, left, right, pair);
    // Twice the pose's sigma is four times its covariance.
    new BallFilter().predictCircle(belief, viewFrom(0, 0.1, 2e-3), alone);
    expect(pair.left.mean).toEqual(alone.mean);
    expect(greatestDifference(pair.left.noise, alone.noise)).toBeLessThan(1e-12);
    expect(greatestDifference(pair.left.covariance, alone.covariance)).toBeLessThan(1e-12);
    generous.predictCircle(belief, right, alone);
    expect(pair.right.mean).toEqual(alone.mean);
    // The right camera turns about the left one: 0.2 m off the axis a rotation also moves it.
    expect(pair.right.noise[0]! / alone.noise[0]!).toBeCloseTo(1, 1);
    const behind = viewFrom(0, -0.1);
    behind.worldFromCamera.set([0, 0, -1, 1, 0, 0, 0, -1, 0, 0, 0, 1.6]);
    expect(generous.predictStereo(belief, left, behind, pair)).toBe(FilterStatus.outOfView);
    expect([pair.left.status, pair.right.status]).toEqual([FilterStatus.ok, FilterStatus.outOfView]);
    generous.predictCircle(belief, left, alone);
    expect(pair.left.covariance).toEqual(alone.covariance);
  });

  it("has gate distances that are chi-squared", () => {
    const random = new Random("chi-squared");
    const filter = new BallFilter();
    const prediction = new CirclePrediction();
    const runs = deep(2000, 50_000);
    let sum = 0;
    for (let k = 0; k < runs; k++) {
      const truth = vec3.create(3, 0.3, 1.7);
      const offset = [0.03, 0.03, 0.03].map((sigma) => sigma * random.normal());
      const belief = beliefAbout(0, [3 + offset[0]!, 0.3 + offset[1]!, 1.7 + offset[2]!], [0, 0, 0], [0.03, 1, 0]);
      const view = viewFrom(0, 0.1);
      filter.predictCircle(belief, view, prediction);
      sum += filter.gateCircle(prediction, circleOf(view, truth, 0.2, random), 0) / runs;
    }
    expect(Math.abs(sum - 3)).toBeLessThan(4 * Math.sqrt(6 / runs));
  });

  it("refuses what it cannot use, and says why", () => {
    const filter = new BallFilter();
    const belief = beliefAbout(1, [3, 0, 1.6], [-6, 0, 2], [0.1, 1, 0]);
    const kept = copyBelief(belief, new BallBelief());
    const prediction = new CirclePrediction();
    const view = viewFrom(1, 0);
    const circles = circleOf(view, vec3.create(3, 0, 1.6), 0.2);
    expect(filter.predict(belief, 0.9, belief)).toBe(FilterStatus.backwards);
    expect(filter.predict(belief, Number.NaN, belief)).toBe(FilterStatus.invalid);
    expect(filter.predictCircle(belief, viewFrom(1.04, 0), prediction)).toBe(FilterStatus.misaligned);
    expect(filter.updateCircle(belief, prediction, circles, 0, belief)).toBe(FilterStatus.misaligned);
    expect(filter.gateCircle(prediction, circles, 0)).toBe(Number.POSITIVE_INFINITY);
    const behind = beliefAbout(1, [-3, 0, 1.6], [-6, 0, 2], [0.1, 1, 0]);
    expect(filter.predictCircle(behind, view, prediction)).toBe(FilterStatus.outOfView);
    filter.predictCircle(belief, view, prediction);
    for (const spoiled of ["u", "v", "r", "covariance"] as const) {
      const bad = circleOf(view, vec3.create(3, 0, 1.6), 0.2);
      bad[spoiled][0] = Number.NaN;
      expect(filter.gateCircle(prediction, bad, 0)).toBe(Number.POSITIVE_INFINITY);
      expect(filter.updateCircle(belief, prediction, bad, 0, belief)).toBe(FilterStatus.invalid);
    }
    expect(belief).toEqual(kept);
    expect(() => new BallFilter({ dragSigma: Number.NaN })).toThrow(RangeError);
  });

  it("estimates a ball so vague that it reaches behind the camera", () => {
    const filter = new BallFilter();
    const belief = beliefAbout(0, [1, 0, 1.6], [-6, 0, 2], [3, 1, 0]);
    const prediction = new CirclePrediction();
    const view = viewFrom(0, 0);
    expect(filter.predictCircle(belief, view, prediction)).toBe(FilterStatus.ok);
    const circles = circleOf(view, vec3.create(2, 0.1, 1.6), 0.2);
    expect(filter.updateCircle(belief, prediction, circles, 0, belief)).toBe(FilterStatus.ok);
    expect(belief.mean.every(Number.isFinite)).toBe(true);
  });

  it("allocates nothing", () => {
    const filter = new BallFilter({ dragSigma: 0.004 });
    const first = beliefAbout(0, [4, 0, 1.6], [-6, 0, 2], [0.1, 3, 0.004]);
    const belief = new BallBelief();
    const out = new BallBelief();
    const [left, right] = [viewFrom(0.04, 0.1, 1e-3), viewFrom(0.04, -0.1, 1e-3)];
    const ball = vec3.create(3.76, 0, 1.65);
    const [a, b] = [circleOf(left, ball, 0.2), circleOf(right, ball, 0.2)];
    const prediction = new CirclePrediction();
    const pair = new StereoPrediction();
    const steps = {
      predict: () => filter.predict(first, 0.04, belief),
      predictCircle: () => filter.predictCircle(belief, left, prediction),
      gateCircle: () => filter.gateCircle(prediction, a, 0),
      updateCircle: () => filter.updateCircle(belief, prediction, a, 0, out),
      predictStereo: () => filter.predictStereo(belief, left, right, pair),
      gateStereo: () => filter.gateStereo(pair, a, 0, b, 0),
      updateStereo: () => filter.updateStereo(belief, pair, a, 0, b, 0, out),
    };
    for (const [name, work] of Object.entries(steps)) {
      expect(heapBytesPerCall(work, 2000, boxedNumbers), name).toBeLessThan(boxedNumbers);
    }
  });
});
