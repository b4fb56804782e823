import { describe, expect, it } from "vitest";
import { AnytimePairs, type Stopwatch } from "../../../src/collision/pairs/anytime-pairs.js";
import { SweptPairs } from "../../../src/collision/pairs/swept-pairs.js";
import { UrgencyQueue } from "../../../src/collision/pairs/urgency-queue.js";
import { TOLERANCE } from "../../../src/collision/sweep/swept-distance.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { randomModel } from "../../robot/random-model.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { hullRobot } from "../hull-robot.js";
import { TrueDistances } from "../true-distance.js";
import { type Box, sampleBox } from "./box-samples.js";

const idle: Stopwatch = { elapsed: () => 0 };
const overdue: Stopwatch = { elapsed: () => Number.POSITIVE_INFINITY };

/** The box of a robot that swings about `middle`, at tick k. */
function swingingBox(middle: Float64Array, k: number, out: Box): Box {
  for (let i = 0; i < middle.length; i++) {
    const phase = 0.003 * k * (1 + (i % 3)) + i;
    const q = middle[i]! + 0.4 * Math.sin(phase);
    const half = 0.01 + 0.01 * Math.abs(Math.cos(phase));
    out.low[i] = q - half;
    out.high[i] = q + half;
  }
  return out;
}

function emptyBox(count: number): Box {
  return { low: new Float64Array(count), high: new Float64Array(count) };
}

describe("bounds within a time budget", () => {
  it("stay valid for pairs that are not measured, on random trees", () => {
    const random = new Random("anytime");
    let told = 0;
    for (let i = 0; i < deep(15, 300); i++) {
      const robot = hullRobot(randomModel(random, { links: 8, coupled: 0.3 }), random);
      const table = new AnytimePairs(robot, { stopwatch: overdue, budget: 0 });
      const state = new RobotState(robot.model);
      const truth = new TrueDistances(robot);
      const box = emptyBox(robot.model.dofCount);
      const middle = box.low.map(() => random.uniformIn(-1, 1));
      for (let k = 0; k < 60; k++) {
        swingingBox(middle, k, box);
        table.update(box.low, box.high);
        if (k % 6 !== 5) continue;
        sampleBox(random, box, state);
        truth.place(state);
        for (let pair = 0; pair < table.count; pair++) {
          if (table.lowerBound[pair]! > -1) told++;
          expect(truth.areWithin(table.bodyA[pair]!, table.bodyB[pair]!, table.lowerBound[pair]! - 1e-9)).toBe(false);
        }
      }
    }
    expect(told).toBeGreaterThan(500);
  });

  const robot = loadRobot("agile-justin");
  const ready = robot.postures.get("ready")!;

  it("judge a margin as full measurements do, if there is time", () => {
    for (const margin of [0, 0.02, 0.04]) {
      const table = new AnytimePairs(robot, { stopwatch: idle, budget: 1, margin });
      const full = new SweptPairs(robot);
      const box = emptyBox(robot.model.dofCount);
      for (let k = 0; k < 300; k++) {
        swingingBox(ready, k, box);
        table.update(box.low, box.high);
        expect(table.waiting).toBe(0);
        if (k % 10 !== 0) continue;
        full.update(box.low, box.high);
        if (full.minimum > margin + TOLERANCE) expect(table.minimum).toBeGreaterThan(margin);
        else if (full.minimum < margin - TOLERANCE) expect(table.minimum).toBeLessThanOrEqual(margin);
      }
    }
  });

  it("come from few measurements once all pairs have been seen", () => {
    const table = new AnytimePairs(robot, { stopwatch: idle, budget: 1 });
    const box = emptyBox(robot.model.dofCount);
    let refined = 0;
    for (let k = 0; k < 400; k++) {
      swingingBox(ready, k, box);
      table.update(box.low, box.high);
      if (k > 100) refined += table.refined;
    }
    expect(refined / 300).toBeLessThan(robot.pairs.length / 4);
  });

  it("catch up within ticks when the budget allows a few pairs each", () => {
    const table = new AnytimePairs(robot, { stopwatch: overdue, budget: 0 });
    const box = swingingBox(ready, 0, emptyBox(robot.model.dofCount));
    table.update(box.low, box.high);
    expect(table.minimum).toBe(Number.NEGATIVE_INFINITY);
    expect(table.waiting).toBe(robot.pairs.length - 4);
    for (let k = 0; k < robot.pairs.length / 4; k++) table.update(box.low, box.high);
    expect(table.minimum).toBeGreaterThan(0);
    table.forget();
    table.update(box.low, box.high);
    expect(table.minimum).toBe(Number.NEGATIVE_INFINITY);
  });

  it("are lost in a box that is not a number, and come back after it", () => {
    const table = new AnytimePairs(robot, { stopwatch: idle, budget: 1 });
    const box = swingingBox(ready, 0, emptyBox(robot.model.dofCount));
    table.update(box.low, box.high);
    const { minimum } = table;
    const broken = box.low.map(() => Number.NaN);
    table.update(broken, broken);
    expect(table.minimum).toBe(Number.NEGATIVE_INFINITY);
    table.update(box.low, box.high);
    expect(table.minimum).toBeCloseTo(minimum, 4);
  });

  it("allocate nothing", () => {
    const table = new AnytimePairs(robot, { stopwatch: idle, budget: 1 });
    const box = emptyBox(robot.model.dofCount);
    const bytes = heapBytesPerCall(
      (i) => {
        swingingBox(ready, i % 1000, box);
        table.update(box.low, box.high);
      },
      3000,
      boxedNumbers,
    );
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});

describe("the queue of pairs", () => {
  it("gives them by the time left", () => {
    const random = new Random("queue");
    const queue = new UrgencyQueue(100);
    for (let i = 0; i < 100; i++) queue.timeLeft[i] = random.uniformIn(-10, 10);
    queue.timeLeft[3] = Number.NEGATIVE_INFINITY;
    queue.fill();
    const order: number[] = [];
    for (; queue.size > 0; queue.drop()) order.push(queue.timeLeft[queue.peek()]!);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).toHaveLength(100);
    expect(queue.peek()).toBe(-1);
  });
});
