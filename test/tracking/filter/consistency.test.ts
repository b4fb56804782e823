import { describe, expect, it } from "vitest";
import { PerfectAssociation, SIMULATED_NOISE } from "../../../bench/tracking/perfect-association.js";
import { normalizedError, PredictionTrial } from "../../../bench/tracking/prediction-trial.js";
import { SightingGenerator } from "../../../bench/tracking/sightings.js";
import { defaultBall } from "../../../src/flight/ball.js";
import { Random } from "../../../src/math/random.js";
import { BallBelief, copyBelief } from "../../../src/tracking/filter/ball-belief.js";
import { BallBirth } from "../../../src/tracking/filter/ball-birth.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { CirclePrediction } from "../../../src/tracking/filter/circle-prediction.js";
import { deep } from "../../support/deep.js";

const AHEAD = [0.6, 0.4, 0.2, 0.1] as const;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 99 % of the mean of `runs` chi-squared variables of `dimension` degrees of freedom, over the dimension. */
function bounds(runs: number, dimension: number): [number, number] {
  const half = 2.576 * Math.sqrt(2 / (runs * dimension));
  return [1 - half, 1 + half];
}

describe("the filter's uncertainty", () => {
  const runs = 100;

  it("is that of its errors, for seeded throws at four times before the catch", () => {
    const generator = new SightingGenerator("consistency");
    const trial = new PredictionTrial(generator);
    const throws = Array.from({ length: runs }, (_, id) => generator.make(id));
    for (const ahead of AHEAD) {
      const results = throws.map((seen) => trial.predict(seen, ahead));
      const ratio = mean(results.map(({ nees }) => nees));
      expect(ratio, `${ahead} s`).toBeGreaterThan(0.86);
      expect(ratio, `${ahead} s`).toBeLessThan(1.16);
      const efficiency = mean(results.map(({ placeError, placeBound }) => (placeError / placeBound) ** 2));
      expect(Math.sqrt(efficiency), `${ahead} s`).toBeLessThan(1.2);
    }
  });

  it("is also with the drag unknown", () => {
    const random = new Random("drags");
    const dragSigma = 0.004;
    const generator = new SightingGenerator("drags", { gaze: "following" });
    const run = new PerfectAssociation({ dragSigma });
    const ratios = Array.from({ length: deep(60, 400) }, (_, id) => {
      const seen = generator.make(id, random.normalIn(defaultBall.drag, dragSigma));
      run.clear();
      for (const sighting of seen.sightings) run.see(sighting);
      return normalizedError(run.belief, seen, 7);
    });
    const [low, high] = bounds(ratios.length, 7);
    expect(mean(ratios)).toBeGreaterThan(low);
    expect(mean(ratios)).toBeLessThan(high);
  });

  it("needs both cameras of a shaking head taken together", () => {
    const noise = { centre: 0.2, radius: 0.15, translation: 1e-3, rotation: 3e-3 };
    const generator = new SightingGenerator("shared", { noise, gaze: "following" });
    const run = new PerfectAssociation();
    const together: number[] = [];
    const apart: number[] = [];
    for (let id = 0; id < runs; id++) {
      const seen = generator.make(id);
      run.clear();
      for (const sighting of seen.sightings) run.see(sighting);
      together.push(normalizedError(run.belief, seen, 6));
      apart.push(normalizedError(oneAfterTheOther(seen), seen, 6));
    }
    const [low, high] = bounds(runs, 6);
    expect(mean(together)).toBeGreaterThan(low);
    expect(mean(together)).toBeLessThan(high);
    expect(mean(apart)).toBeGreaterThan(1.3);
  });
});

/** The same flight with each camera's circle taken as if its pose error were its own. */
function oneAfterTheOther({ sightings }: ReturnType<SightingGenerator["make"]>): BallBelief {
  const filter = new BallFilter({ accelerationNoise: SIMULATED_NOISE });
  const birth = new BallBirth(filter);
  const belief = new BallBelief();
  const prediction = new CirclePrediction();
  for (const [k, { time, left, right, leftCircles, rightCircles }] of sightings.entries()) {
    if (k === 0) birth.fromStereo(left, leftCircles, 0, right, rightCircles, 0, belief);
    filter.predict(belief, time, belief);
    for (const [view, circles] of k === 0
      ? []
      : ([
          [left, leftCircles],
          [right, rightCircles],
        ] as const)) {
      filter.predictCircle(belief, view, prediction);
      if (circles.count > 0) filter.updateCircle(belief, prediction, circles, 0, belief);
    }
  }
  return copyBelief(belief, new BallBelief());
}
