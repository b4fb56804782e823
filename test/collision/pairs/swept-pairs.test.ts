import { describe, expect, it } from "vitest";
import { SweptPairs } from "../../../src/collision/pairs/swept-pairs.js";
import { TOLERANCE } from "../../../src/collision/sweep/swept-distance.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { createObstacle } from "../../../src/robot/loading/obstacles.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { randomModel } from "../../robot/random-model.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { hullRobot } from "../hull-robot.js";
import { randomWithin } from "../random-configurations.js";
import { TrueDistances } from "../true-distance.js";
import { randomBox, sampleBox } from "./box-samples.js";

/** Throws where a pair comes nearer than its bound; returns how much nearer than the bound the nearest sample came. */
function compareWithSamples(robot: Robot, random: Random, widest: number, rounds: number, samples: number): number {
  const pairs = new SweptPairs(robot);
  const state = new RobotState(robot.model);
  const truth = new TrueDistances(robot);
  const q = new Float64Array(robot.model.dofCount);
  let slack = 0;
  for (let round = 0; round < rounds; round++) {
    randomWithin(robot.model.lower, robot.model.upper, random, q);
    const box = randomBox(random, q, widest);
    if (round % 2 === 0) pairs.update(box.low, box.high);
    else pairs.updateAll(box.low, box.high);
    const nearest = new Float64Array(pairs.count).fill(Number.POSITIVE_INFINITY);
    for (let sample = 0; sample < samples; sample++) {
      sampleBox(random, box, state);
      truth.place(state);
      for (let k = 0; k < pairs.count; k++) {
        const [a, b] = [pairs.bodyA[k]!, pairs.bodyB[k]!];
        if (truth.areWithin(a, b, pairs.lowerBound[k]! - 1e-9)) {
          throw new Error(`pair ${k} is nearer than its bound of ${pairs.lowerBound[k]} m`);
        }
        if (k === pairs.worst) nearest[k] = Math.min(nearest[k]!, truth.between(a, b));
      }
    }
    slack = Math.max(slack, nearest[pairs.worst]! - pairs.minimum);
  }
  return slack;
}

const patience = deep(60_000, 900_000);

describe("bounds of swept pairs", () => {
  it(
    "hold anywhere in the box, on random trees with sliding and coupled joints",
    () => {
      const random = new Random("trees");
      for (let i = 0; i < deep(40, 1500); i++) {
        const robot = hullRobot(randomModel(random, { links: 8, coupled: 0.3 }), random);
        compareWithSamples(robot, random, [0.05, 0.3, 4][i % 3]!, 2, 12);
      }
    },
    patience,
  );

  it(
    "hold on agile-justin, and are near the truth for small boxes",
    () => {
      const robot = loadRobot("agile-justin");
      const random = new Random("justin");
      compareWithSamples(robot, random, 0.3, deep(2, 50), 4);
      expect(compareWithSamples(robot, random, 0.002, deep(4, 50), 4)).toBeLessThan(0.01);
    },
    patience,
  );

  it("are the distances themselves for a box without width", () => {
    const robot = loadRobot("panda");
    const pairs = new SweptPairs(robot);
    const state = new RobotState(robot.model);
    const random = new Random("points");
    const truth = new TrueDistances(robot);
    for (let round = 0; round < 20; round++) {
      randomWithin(robot.model.lower, robot.model.upper, random, state.q);
      const box = { low: state.q.slice(), high: state.q.slice() };
      pairs.updateAll(box.low, box.high);
      sampleBox(random, box, state);
      truth.place(state);
      for (let k = 0; k < pairs.count; k++) {
        const distance = truth.between(pairs.bodyA[k]!, pairs.bodyB[k]!);
        expect(pairs.lowerBound[k]).toBeLessThanOrEqual(distance + 1e-12);
        expect(pairs.lowerBound[k]).toBeGreaterThan(distance - TOLERANCE - 1e-9);
      }
    }
  });

  it("hold for obstacles as well, however far the base goes", () => {
    const random = new Random("obstacles");
    const floor = createObstacle({ name: "floor", type: "half-space", normal: [0, 0, 1], offset: -0.2 });
    const post = createObstacle({ name: "post", type: "capsule", from: [1, 0, 0], to: [1, 0, 2], radius: 0.1 });
    const robot = loadRobot("agile-justin");
    const pairs = new SweptPairs(robot, { obstacles: [floor, post] });
    expect(pairs.count).toBeGreaterThan(robot.pairs.length + robot.hulls.length);
    const q = robot.postures.get("ready")!.slice();
    const box = randomBox(random, q, 0.01);
    pairs.update(box.low, box.high);
    expect(pairs.minimum).toBeGreaterThan(0);
    q[robot.model.dofNames.indexOf("baseX")] = 1;
    pairs.update(q, q);
    expect(pairs.minimum).toBeLessThanOrEqual(0);
    expect(Math.max(pairs.bodyA[pairs.worst]!, pairs.bodyB[pairs.worst]!)).toBe(robot.hulls.length + 1);
  });
});

describe("an update", () => {
  const robot = loadRobot("agile-justin");
  const ready = robot.postures.get("ready")!;

  it("finds the same least distance as measuring every pair to the end", () => {
    const random = new Random("lazy");
    const [lazy, all] = [new SweptPairs(robot), new SweptPairs(robot)];
    let refined = 0;
    for (let round = 0; round < 50; round++) {
      const { low, high } = randomBox(
        random,
        ready.map((x) => x + random.uniformIn(-0.5, 0.5)),
        0.08,
      );
      lazy.update(low, high);
      all.updateAll(low, high);
      refined += lazy.refined;
      expect(Math.abs(lazy.minimum - all.minimum)).toBeLessThanOrEqual(TOLERANCE + 1e-9);
      for (let k = 0; k < all.count; k++)
        expect(lazy.lowerBound[k]).toBeLessThanOrEqual(all.lowerBound[k]! + TOLERANCE);
    }
    expect(refined / 50).toBeLessThan(robot.pairs.length / 3);
  });

  it("measures every pair below `detail` to the end", () => {
    const random = new Random("detail");
    const [lazy, all] = [new SweptPairs(robot, { detail: 0.25 }), new SweptPairs(robot)];
    const { low, high } = randomBox(random, ready, 0.05);
    lazy.update(low, high);
    all.updateAll(low, high);
    const near = [...all.lowerBound.keys()].filter((k) => all.lowerBound[k]! < 0.25 - TOLERANCE);
    expect(near.length).toBeGreaterThan(4);
    for (const k of near) expect(Math.abs(lazy.lowerBound[k]! - all.lowerBound[k]!)).toBeLessThan(TOLERANCE + 1e-9);
  });

  it("gives what sweeping each pair by itself gives, to the last bit", () => {
    const { low, high } = randomBox(new Random("shared"), ready, 0.08);
    const shared = new SweptPairs(robot);
    shared.updateAll(low, high);
    for (let k = 0; k < shared.count; k += 7) {
      const alone = new SweptPairs(robot);
      alone.place(low, high);
      alone.sufficient = Number.POSITIVE_INFINITY;
      alone.refine(k);
      expect(alone.lowerBound[k]).toBe(shared.lowerBound[k]);
    }
  });

  it("depends on nothing before it after `forget`", () => {
    const random = new Random("forget");
    const [used, fresh] = [new SweptPairs(robot), new SweptPairs(robot)];
    for (let round = 0; round < 20; round++) used.update(randomBox(random, ready, 0.1).low, ready);
    const { low, high } = randomBox(random, ready, 0.05);
    used.forget();
    used.update(low, high);
    fresh.update(low, high);
    expect(used.lowerBound).toEqual(fresh.lowerBound);
    expect(used.worst).toBe(fresh.worst);
  });

  it("says where a pair is nearest", () => {
    const pairs = new SweptPairs(robot);
    pairs.update(ready, ready);
    pairs.locate(pairs.worst);
    const [a, b] = [pairs.nearestA, pairs.nearestB];
    const radii = robot.hulls[pairs.bodyA[pairs.worst]!]!.radius + robot.hulls[pairs.bodyB[pairs.worst]!]!.radius;
    expect(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!) - radii).toBeCloseTo(pairs.minimum, 4);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("knows nothing of a box with an end at %s", (value) => {
    const pairs = new SweptPairs(robot);
    const low = ready.slice();
    low[robot.model.dofNames.indexOf("torso2")] = value;
    pairs.update(low, ready);
    expect(pairs.minimum).toBe(Number.NEGATIVE_INFINITY);
  });

  it("allocates nothing", () => {
    const random = new Random("heap");
    const pairs = new SweptPairs(robot);
    const boxes = Array.from({ length: 20 }, () => randomBox(random, ready, 0.05));
    const bytes = heapBytesPerCall((i) => pairs.update(boxes[i % 20]!.low, boxes[i % 20]!.high), 3000, boxedNumbers);
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});
