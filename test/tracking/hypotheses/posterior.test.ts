import { describe, expect, it } from "vitest";
import { ScanSimulator } from "../../../bench/tracking/scan-simulator.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallTracker } from "../../../src/tracking/ball-tracker.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import { type CircleScan, type PointScan, PointSet, type Scan } from "../../../src/tracking/filter/scan.js";
import type { TrackerOptions } from "../../../src/tracking/hypotheses/tracker-options.js";
import { deep } from "../../support/deep.js";
import { exactPosterior } from "./exact-posterior.js";

/** Nothing is cut off, so that the tracker's hypotheses are all there are. */
const everything: TrackerOptions = {
  maxHypotheses: 1024,
  scanDepth: 20,
  pruneRatio: 1e30,
  gateProbability: 1 - 1e-12,
  throwRate: 0,
  releaseRate: 0,
  catchRate: 0,
  swingRate: 0,
  calmRate: 0,
  walkRate: 0,
  restRate: 0,
  touchRate: 0,
  bounceRate: 0,
  outlierRate: 0,
  pointBias: 0,
  goneProbability: 1 - 1e-9,
  floorHeight: -1e6,
  clutterPerImage: 3,
};

/** Probabilities below this are not compared: the tracker's gate leaves some of those hypotheses out. */
const COMPARED = 1e-7;

function expectExact(scans: readonly Scan[], options: TrackerOptions): void {
  const tracker = new BallTracker(options);
  for (const scan of scans) tracker.process(scan);
  const { items, count } = tracker.hypotheses;
  const found = items.slice(0, count).map(({ logWeight }) => Math.exp(logWeight));
  const expected = exactPosterior(scans, tracker.settings);
  expect(expected.filter((p) => p > COMPARED).length).toBeGreaterThan(1);
  for (const [k, probability] of expected.entries()) {
    if (probability < COMPARED) break;
    expect(found[k]! / probability).toBeCloseTo(1, 4);
  }
}

describe("the tracker's hypotheses", () => {
  it("have the probabilities of exhaustive enumeration, for points", () => {
    const random = new Random("points");
    for (let run = 0; run < deep(3, 60); run++) expectExact(pointScans(random), everything);
  });

  it("have the probabilities of exhaustive enumeration, for stereo circles", () => {
    for (let run = 0; run < deep(3, 40); run++) expectExact(stereoScans(run), everything);
  });

  it("keep the most probable ones of exhaustive enumeration when bounded", () => {
    const random = new Random("bounded");
    for (let run = 0; run < deep(2, 40); run++) {
      const scans = pointScans(random);
      const tracker = new BallTracker({ ...everything, maxHypotheses: 20 });
      for (const scan of scans) tracker.process(scan);
      const [best] = exactPosterior(scans, tracker.settings);
      expect(tracker.hypotheses.count).toBe(20);
      expect(Math.exp(tracker.hypotheses.items[0]!.logWeight)).toBeGreaterThan(best! * 0.999);
    }
  });
});

/** Two balls that pass each other, one not always seen, and a false point. */
function pointScans(random: Random): PointScan[] {
  const speed = random.uniformIn(2, 6);
  const sigma = 0.02;
  return [0, 1, 2].map((k) => {
    const time = 0.04 * k;
    const places = [
      [4 - speed * time, 0.05 * random.normal(), 1.5],
      [4 - speed * time, 0.3, 1.5 + 2 * time],
      [random.uniformIn(3, 5), random.uniformIn(-0.5, 0.5), random.uniformIn(1, 2)],
    ].filter((_, n) => (n === 2 ? k === 1 : n === 0 || k !== 1));
    const points = new PointSet();
    for (const place of places) {
      for (let n = 0; n < 3; n++) {
        points.position[3 * points.count + n] = place[n]! + sigma * random.normal();
        points.covariance[9 * points.count + 4 * n] = sigma * sigma;
      }
      points.count++;
    }
    return { kind: "points", time, points };
  });
}

/**
 * A flying ball and, beside it, false circles that could be another one, in two scans. They do not overlap: the tracker
 * would then expect to find the farther one less surely.
 */
function stereoScans(seed: number): CircleScan[] {
  const random = new Random(seed).fork("near");
  const simulator = new ScanSimulator({ seed, clutter: 0, detectionProbability: 1 });
  const ball = {
    position: (time: number, out: vec3.Vec3) => {
      vec3.set(4 - 5 * time, 0.1, 1.6 + 2 * time - 4.9 * time * time, out);
      return true;
    },
  };
  return [0, 0.04].map((time) => {
    const scan = copyOf(simulator.expose(time, [ball]));
    const aside = random.uniformIn(25, 40);
    for (const image of [scan.left!, scan.right!]) {
      if (random.uniform() < 0.8) addBeside(image.circles, aside, random);
      if (random.uniform() < 0.2) image.circles.count = 1;
    }
    return scan;
  });
}

/** A false circle that could be the ball's next one, or a ball of its own. */
function addBeside(circles: CircleSet, aside: number, random: Random): void {
  const i = circles.count++;
  circles.u[i] = circles.u[0]! + aside + random.uniformIn(-1, 1);
  circles.v[i] = circles.v[0]! + random.uniformIn(-1, 1);
  circles.r[i] = circles.r[0]! + random.uniformIn(-0.4, 0.4);
  for (let n = 0; n < 9; n++) circles.covariance[9 * i + n] = circles.covariance[n]!;
}

function copyOf({ left, right }: CircleScan): CircleScan {
  const [first, second] = [left!, right!].map(({ view, circles }) => {
    const copy = new CircleSet();
    copy.count = circles.count;
    for (const name of ["u", "v", "r", "covariance", "score"] as const) copy[name].set(circles[name]);
    return { view: { ...view }, circles: copy };
  });
  return { kind: "circles", left: first!, right: second! };
}
