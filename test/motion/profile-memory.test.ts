import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { JerkLimitedMotions } from "../../src/motion/jerk-limited-motion.js";
import { MotionState } from "../../src/motion/piecewise-motion.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { randomTask } from "./random-profiles.js";

/** A profile is computed by some twenty functions. */
const boxedShortest = 2 * boxedNumbers;
/** A softer profile is some ten profiles, each of which may box a number or two. */
const boxedSofter = 500;

describe("jerk-limited motions", () => {
  it("make no objects, planned or evaluated", () => {
    const random = new Random("memory");
    const tasks = Array.from({ length: 64 }, () => randomTask("moving", random));
    const planner = new JerkLimitedMotions(1);
    const state = new MotionState(1);
    const softer = { duration: 40 } as const;
    const plan = (options?: typeof softer) => (k: number) => {
      const task = tasks[k % tasks.length]!;
      planner.plan(task.start, task.goal, task.limits, options);
    };
    expect(heapBytesPerCall(plan(), 5_000, boxedShortest)).toBeLessThan(boxedShortest);
    expect(heapBytesPerCall(plan(softer), 5_000, boxedSofter)).toBeLessThan(boxedSofter);
    expect(heapBytesPerCall((k) => planner.motion.evaluate(0.001 * (k % 1000), state), 20_000, 20)).toBeLessThan(20);
  });
});
