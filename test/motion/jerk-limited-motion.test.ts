import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { profileCases } from "../../bench/motions/profile-cases.js";
import { Random } from "../../src/math/random.js";
import { JerkLimitedMotions, jerkLimitedMotion, ProfileStatus } from "../../src/motion/jerk-limited-motion.js";
import { checkMotion } from "../../src/motion/motion-extremes.js";
import { MotionState } from "../../src/motion/piecewise-motion.js";
import { deep } from "../support/deep.js";
import { greatestLatticeWay } from "./lattice-search.js";
import { findFault, type ProfileTask, randomTask, taskKinds } from "./random-profiles.js";

const planner = new JerkLimitedMotions(1);
const of = (...values: number[]) => Float64Array.from(values);

function durationOf({ start, goal, limits }: ProfileTask): number {
  expect(planner.plan(start, goal, limits)).toBe(ProfileStatus.ok);
  return planner.motion.duration;
}

describe("a jerk-limited profile", () => {
  for (const kind of taskKinds) {
    it(`is continuous, meets its end and keeps all limits: ${kind}`, () => {
      const random = new Random(`profiles ${kind}`);
      let blocked = 0;
      for (let i = 0; i < deep(8_000, 250_000); i++) {
        const task = randomTask(kind, random);
        const check = (what: string) => {
          const fault = findFault(task, kind, planner.motion, random);
          if (fault !== undefined) expect.fail(`case ${i}, ${what}: ${fault}; ${JSON.stringify(task)}`);
        };
        const shortest = durationOf(task);
        check("shortest");
        const T = shortest + (random.uniform() < 0.3 ? 1e-6 : 2) * random.uniform() * (shortest + 0.1);
        for (const stretch of ["softer", "slower"] as const) {
          const status = planner.plan(task.start, task.goal, task.limits, { duration: T, stretch });
          if (kind !== "passing") expect(status).toBe(ProfileStatus.ok);
          else if (status === ProfileStatus.blocked) blocked++;
          if (status === ProfileStatus.ok) expect(planner.motion.duration).toBe(T);
          else expect(planner.motion.duration).toBeGreaterThan(T);
          check(stretch);
        }
      }
      if (kind === "passing") expect(blocked).toBeGreaterThan(10);
    }, 600_000);
  }

  it("is no longer than any that a search over a lattice of jerks finds, and a way well beyond theirs takes longer", () => {
    const random = new Random("lattice");
    let found = 0;
    for (let i = 0; i < deep(60, 600); i++) {
      const [A, V] = [2 + random.integer(5), 4 + random.integer(12)];
      const a0 = i % 3 === 0 ? 0 : random.integer(2 * A + 1) - A;
      const v0 = i % 3 === 0 ? 0 : random.integer(2 * V + 1) - V;
      if (Math.abs(v0 + (a0 * Math.abs(a0)) / 2) > V) continue;
      const v1 = i % 4 === 0 ? random.integer(2 * V + 1) - V : 0;
      const steps = 12 + random.integer(20);
      const limits = { maxVelocity: of(V), maxAcceleration: of(A), maxJerk: of(1) };
      for (const s of [1, -1]) {
        const way = greatestLatticeWay({ steps, a0: s * a0, v0: s * v0, v1: s * v1, A, V });
        if (way === -Infinity) continue;
        found++;
        const start = { position: of(0), velocity: of(v0), acceleration: of(a0) };
        const taskTo = (target: number) => ({ start, goal: { position: of(s * target), velocity: of(v1) }, limits });
        expect(durationOf(taskTo(way))).toBeLessThanOrEqual(steps * (1 + 1e-9));
        // The lattice misses up to half a step at each switch of the jerk.
        if (v1 === 0) expect(durationOf(taskTo(way + 4 * V))).toBeGreaterThan(steps);
      }
    }
    expect(found).toBeGreaterThan(40);
  });

  it("falls with every limit, and takes any longer time to a goal at rest", () => {
    const random = new Random("monotone");
    for (let i = 0; i < 3000; i++) {
      const task = randomTask(i % 2 === 0 ? "rest" : "moving", random);
      const shortest = durationOf(task);
      for (const name of ["maxVelocity", "maxAcceleration", "maxJerk"] as const) {
        const more = { ...task.limits, [name]: of(task.limits[name][0]! * (1 + random.uniform())) };
        expect(durationOf({ ...task, limits: more })).toBeLessThanOrEqual(shortest * (1 + 1e-9));
      }
    }
  });

  it("of a given time is the softest: the same time cannot be had with less jerk and acceleration", () => {
    const random = new Random("soft");
    for (let i = 0; i < 1000; i++) {
      const { start, goal, limits } = randomTask("rest", random);
      if (start.position[0] === goal.position[0]) continue;
      const T = 1.7 * durationOf({ start, goal, limits });
      planner.plan(start, goal, limits, { duration: T });
      const jerk = Math.max(
        ...Array.from({ length: planner.motion.counts[0]! }, (_, k) => 6 * planner.motion.pieces[k * 7 + 4]!),
      );
      const scale = 0.999 * Math.cbrt(jerk / limits.maxJerk[0]!);
      const less = {
        ...limits,
        maxJerk: of(scale ** 3 * limits.maxJerk[0]!),
        maxAcceleration: of(scale ** 2 * limits.maxAcceleration[0]!),
      };
      expect(durationOf({ start, goal, limits: less })).toBeGreaterThan(T);
    }
  });

  it("says what cannot be planned", () => {
    const task = randomTask("moving", new Random("invalid"));
    for (const bad of [Number.NaN, Infinity, 0, -1]) {
      for (const name of ["maxVelocity", "maxAcceleration", "maxJerk"] as const) {
        const limits = { ...task.limits, [name]: of(bad) };
        expect(planner.plan(task.start, task.goal, limits)).toBe(ProfileStatus.invalid);
      }
      if (bad === 0 || bad === -1) continue;
      for (const name of ["position", "velocity", "acceleration"] as const) {
        expect(planner.plan({ ...task.start, [name]: of(bad) }, task.goal, task.limits)).toBe(ProfileStatus.invalid);
      }
      expect(planner.plan(task.start, { position: of(bad) }, task.limits)).toBe(ProfileStatus.invalid);
    }
    expect(planner.plan(task.start, task.goal, task.limits, { duration: Number.NaN })).toBe(ProfileStatus.invalid);
    const fast = { position: of(0), velocity: of(2 * task.limits.maxVelocity[0]!) };
    expect(planner.plan(task.start, fast, task.limits)).toBe(ProfileStatus.invalid);
  });
});

describe("jerk-limited motions of several joints", () => {
  const limits = { maxVelocity: of(2, 2, 3), maxAcceleration: of(10, 8, 12), maxJerk: of(100, 500, 2000) };
  const start = { position: of(0, 1, -1), velocity: of(1, 0, -2), acceleration: of(0, 3, 5) };
  const goal = { position: of(0.5, -0.4, 1.2) };

  it("arrive together, in the time of the slowest, within the limits", () => {
    const { motion, status, limitingJoint } = jerkLimitedMotion(start, goal, limits);
    expect(status).toBe(ProfileStatus.ok);
    expect(checkMotion(motion, limits)).toEqual([]);
    const alone = [0, 1, 2].map((i) => {
      const one = (values: Float64Array) => values.subarray(i, i + 1);
      return jerkLimitedMotion(
        { position: one(start.position), velocity: one(start.velocity), acceleration: one(start.acceleration) },
        { position: one(goal.position) },
        {
          maxVelocity: one(limits.maxVelocity),
          maxAcceleration: one(limits.maxAcceleration),
          maxJerk: one(limits.maxJerk),
        },
      ).motion.duration;
    });
    expect(motion.duration).toBe(Math.max(...alone));
    expect(alone.indexOf(motion.duration)).toBe(limitingJoint);
  });

  it("arrive each on its own where they are not synchronised", () => {
    const { motion } = jerkLimitedMotion(start, goal, limits, { synchronise: "none" });
    const state = new MotionState(3);
    expect(checkMotion(motion, limits)).toEqual([]);
    motion.evaluate(0.8 * motion.duration, state);
    const arrived = Array.from(state.position).filter((p, i) => Math.abs(p - goal.position[i]!) < 1e-12);
    expect(arrived.length).toBeGreaterThan(0);
  });

  it("say how much too late they are for a time that is too short", () => {
    const shortest = jerkLimitedMotion(start, goal, limits).motion.duration;
    const result = jerkLimitedMotion(start, goal, limits, { duration: shortest - 0.1 });
    expect(result.status).toBe(ProfileStatus.late);
    expect(result.late).toBeCloseTo(0.1, 12);
    expect(result.motion.duration).toBe(shortest);
  });

  it("take the next time that all joints can have, where one is blocked", () => {
    const random = new Random("blocked");
    let blocked = 0;
    for (let i = 0; i < 3000; i++) {
      const tasks = [randomTask("passing", random), randomTask("passing", random)];
      const pair = (pick: (task: ProfileTask) => Float64Array) => Float64Array.from(tasks, (task) => pick(task)[0]!);
      const [p, v, a] = [
        pair((t) => t.start.position),
        pair((t) => t.start.velocity),
        pair((t) => t.start.acceleration),
      ];
      const limits = {
        maxVelocity: pair((t) => t.limits.maxVelocity),
        maxAcceleration: pair((t) => t.limits.maxAcceleration),
        maxJerk: pair((t) => t.limits.maxJerk),
      };
      const to = { position: pair((t) => t.goal.position), velocity: pair((t) => t.goal.velocity) };
      const { motion, status } = jerkLimitedMotion({ position: p, velocity: v, acceleration: a }, to, limits);
      expect(status).toBe(ProfileStatus.ok);
      expect(Array.from(motion.endPosition)).toEqual(Array.from(to.position));
      expect(checkMotion(motion, limits)).toEqual([]);
      if (motion.duration > Math.max(...tasks.map(durationOf)) * (1 + 1e-9)) blocked++;
    }
    expect(blocked).toBeGreaterThan(20);
  });

  it("take no longer than the stored ones of Ruckig", () => {
    const stored = JSON.parse(readFileSync("bench/reference/ruckig.json", "utf8"));
    const most = { rest: 1.001, moving: 1.02, passing: 1.02 };
    for (const [k, task] of profileCases().entries()) {
      const { motion, status } = jerkLimitedMotion(task.start, task.goal, task.limits);
      expect(status).toBe(ProfileStatus.ok);
      expect(motion.duration / stored.durations[k]).toBeLessThanOrEqual(most[task.kind]);
      expect(checkMotion(motion, task.limits)).toEqual([]);
    }
  });
});
