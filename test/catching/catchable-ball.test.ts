import { inverse, Matrix } from "ml-matrix";
import { describe, expect, it } from "vitest";
import { derivativeAtCatchPlane, pointAtCatchPlane, timeAtCatchPlane } from "../../src/catching/action-threshold.js";
import { asCatchable, catchableRegion } from "../../src/catching/catchable-ball.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/prediction.js";
import { buildCatchArm } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { STATE_SIZE } from "../../src/tracking/filter/ball-belief.js";

const robot = loadRobot("agile-justin");
const arms = ["leftArm", "rightArm"].map((name) => buildCatchArm(robot, name));
const region = catchableRegion(arms, robot.postures.get("ready")!);

/** A ball on its way, `sigma` telling how well place [m] and velocity [m/s] are known, all of it correlated at random. */
function prediction(random: Random, sigma: readonly [number, number]): BallPrediction {
  const scale = [...new Array(3).fill(sigma[0]), ...new Array(3).fill(sigma[1]), 0.002] as number[];
  const root = Matrix.zeros(STATE_SIZE, STATE_SIZE).apply(function (this: Matrix, row, column) {
    this.set(row, column, scale[row]! * ((row === column ? 1 : 0) + 0.2 * random.normal()));
  });
  const covariance = Float64Array.from(root.mmul(root.transpose()).to1DArray());
  const position = vec3.create(4 + random.uniform(), random.normal(), 1.5);
  const velocity = vec3.create(-5 - random.uniform(), 0.3 * random.normal(), 2 + random.uniform());
  const state = { time: 1, position, velocity, drag: 0.032 };
  return { track: 1, state, covariance, lastSeen: 1, confirmed: true };
}

function numbersOf({ state: { position, velocity, drag } }: BallPrediction): number[] {
  return [...position, ...velocity, drag];
}

describe("the region of balls that can be caught", () => {
  it("lies about the shoulders, as wide as the arms reach", () => {
    expect(region.middle[0]).toBeCloseTo(0, 6);
    expect(region.middle[1]).toBeCloseTo(1.3, 2);
    for (const sigma of region.sigma) expect(sigma).toBeGreaterThan(0.4);
    for (const sigma of region.sigma) expect(sigma).toBeLessThan(0.6);
  });
});

describe("a ball on the condition that it can be caught", () => {
  it("is what Gauss' least squares make of prediction and region together", () => {
    const random = new Random(4);
    for (let trial = 0; trial < 40; trial++) {
      const seen = prediction(random, [0.05, 0.5]);
      const given = asCatchable(seen, region);
      const place = vec3.create();
      expect(pointAtCatchPlane(seen.state, place)).toBe(true);
      const rows = ([1, 2] as const).map((i) => [
        ...derivativeAtCatchPlane(seen.state, i, timeAtCatchPlane(seen.state), new Float64Array(STATE_SIZE)),
      ]);
      const observed = new Matrix(rows);
      const weight = Matrix.diag(region.sigma.map((sigma) => sigma ** -2));
      const before = new Matrix(STATE_SIZE, STATE_SIZE).apply(function (this: Matrix, row, column) {
        this.set(row, column, seen.covariance![STATE_SIZE * row + column]!);
      });
      const after = inverse(inverse(before).add(observed.transpose().mmul(weight).mmul(observed)));
      const missing = Matrix.columnVector([region.middle[0] - place[1], region.middle[1] - place[2]]);
      const change = after.mmul(observed.transpose()).mmul(weight).mmul(missing).to1DArray();
      const numbers = numbersOf(seen);
      for (const [k, value] of numbersOf(given).entries()) expect(value - numbers[k]!).toBeCloseTo(change[k]!, 6);
      for (const [k, value] of given.covariance!.entries()) {
        expect(value).toBeCloseTo(after.get(Math.floor(k / STATE_SIZE), k % STATE_SIZE), 8);
      }
    }
  });

  it("is nearer to the truth while little is known of it, and where it was when much is", () => {
    const random = new Random(5);
    const [place, moved] = [vec3.create(), vec3.create()];
    const errors = { seen: 0, given: 0 };
    for (let trial = 0; trial < 300; trial++) {
      const vague = prediction(random, [0.05, 0.6]);
      pointAtCatchPlane(vague.state, place);
      // A ball that is aimed into the region, and seen with the prediction's errors.
      const truth = region.middle.map((middle, k) => middle + region.sigma[k]! * random.normal());
      const seen = aimedAt(vague, truth, random);
      pointAtCatchPlane(seen.state, place);
      pointAtCatchPlane(asCatchable(seen, region).state, moved);
      errors.seen += (place[1] - truth[0]!) ** 2 + (place[2] - truth[1]!) ** 2;
      errors.given += (moved[1] - truth[0]!) ** 2 + (moved[2] - truth[1]!) ** 2;
    }
    expect(errors.given).toBeLessThan(0.75 * errors.seen);
    const sharp = prediction(random, [0.001, 0.005]);
    pointAtCatchPlane(sharp.state, place);
    pointAtCatchPlane(asCatchable(sharp, region).state, moved);
    expect(vec3.distance(place, moved)).toBeLessThan(1e-3);
  });

  it("stays as it is when it is known exactly, or does not come by", () => {
    const seen = prediction(new Random(6), [0.05, 0.5]);
    const exact = { ...seen, covariance: null };
    expect(asCatchable(exact, region)).toBe(exact);
    const away = { ...seen, state: { ...seen.state, velocity: vec3.create(5, 0, 1) } };
    expect(asCatchable(away, region)).toBe(away);
    const broken = { ...seen, covariance: new Float64Array(49).fill(Number.NaN) };
    expect(asCatchable(broken, region)).toBe(broken);
  });
});

/** The same ball, flying so that it truly comes by at `truth`, with errors drawn from its covariance. */
function aimedAt(ball: BallPrediction, truth: readonly number[], random: Random): BallPrediction {
  const { state } = ball;
  const place = vec3.create();
  const velocity = vec3.copy(state.velocity, vec3.create());
  for (let step = 0; step < 20; step++) {
    pointAtCatchPlane({ ...state, velocity }, place);
    const time = timeAtCatchPlane({ ...state, velocity });
    velocity[1] += (truth[0]! - place[1]) / time;
    velocity[2] += (truth[1]! - place[2]) / time;
  }
  const root = cholesky(ball.covariance!);
  const noise = Array.from({ length: STATE_SIZE }, () => random.normal());
  const error = root.map((row) => row.reduce((sum, value, k) => sum + value * noise[k]!, 0));
  const position = vec3.create(...([0, 1, 2].map((k) => state.position[k]! + error[k]!) as [number, number, number]));
  for (let k = 0; k < 3; k++) velocity[k]! += error[3 + k]!;
  return { ...ball, state: { ...state, position, velocity } };
}

function cholesky(covariance: Float64Array): number[][] {
  const root = Array.from({ length: STATE_SIZE }, () => new Array<number>(STATE_SIZE).fill(0));
  for (let row = 0; row < STATE_SIZE; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = covariance[STATE_SIZE * row + column]!;
      for (let k = 0; k < column; k++) sum -= root[row]![k]! * root[column]![k]!;
      root[row]![column] = row === column ? Math.sqrt(sum) : sum / root[column]![column]!;
    }
  }
  return root;
}
