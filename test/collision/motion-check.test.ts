import { describe, expect, it } from "vitest";
import { MotionCheck, MotionStatus } from "../../src/collision/motion-check.js";
import { CONTACT_TOLERANCE } from "../../src/collision/moving-pairs.js";
import { Random } from "../../src/math/random.js";
import { JointRamps, rampFields } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { deep } from "../support/deep.js";
import { heapBytesPerCall } from "../support/heap.js";
import { TrueDistances } from "./true-distance.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 900_000);

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;

function dofsOf(groups: readonly string[]): number[] {
  return groups.flatMap((name) => [...robot.model.groups.find((group) => group.name === name)!.dofs]);
}

/** A motion of the dofs from `ready`, half of the time already moving, to a place within ±spread [rad, m]. */
function randomRamps(dofs: readonly number[], spread: number, random: Random): JointRamps {
  const { lower, upper, maxVelocity, maxAcceleration } = robot.model;
  const ramps = new JointRamps(dofs.length);
  const wmax = Float64Array.from(dofs, (dof) => maxVelocity[dof]!);
  const amax = Float64Array.from(dofs, (dof) => maxAcceleration[dof]!);
  const q0 = Float64Array.from(dofs, (dof) => ready[dof]!);
  for (;;) {
    const moves = random.uniform() < 0.5;
    const w0 = wmax.map((speed) => (moves ? 0.9 * random.uniformIn(-speed, speed) : 0));
    const q = Float64Array.from(dofs, (dof) => {
      const target = ready[dof]! + random.uniformIn(-spread, spread);
      return Math.min(upper[dof]!, Math.max(lower[dof]!, target));
    });
    if (ramps.plan(q0, w0, q, 1, wmax, amax) === RampStatus.ok) return ramps;
  }
}

const state = new RobotState(robot.model);
const truth = new TrueDistances(robot);

/** The robot's true distances at a time of a motion. */
function distancesAt(ramps: JointRamps, dofs: readonly number[], time: number): TrueDistances {
  const q = ramps.positions(time, new Float64Array(dofs.length));
  state.q.set(ready);
  for (const [i, dof] of dofs.entries()) state.q[dof] = q[i]!;
  forwardKinematics(state);
  return truth.place(state);
}

/** Whether any checked pair is as near as `margin` at a time of a motion. */
function isInContact(ramps: JointRamps, dofs: readonly number[], time: number, margin: number): boolean {
  const distances = distancesAt(ramps, dofs, time);
  return robot.pairs.some(([a, b]) => distances.areWithin(a, b, margin));
}

describe.each([
  { groups: ["rightArm"], spread: 0.9, margin: 0 },
  { groups: ["leftArm", "rightArm"], spread: 0.9, margin: 0.02 },
  { groups: ["base", "torso", "neck", "leftArm", "rightArm"], spread: 1, margin: 0 },
])("the check of motions of $groups", ({ groups, spread, margin }) => {
  const dofs = dofsOf(groups);
  const check = new MotionCheck(robot, dofs, { margin });

  it(
    "agrees with dense sampling: what it calls free is, and contacts lie where it says",
    () => {
      const random = new Random(groups.join());
      const seen = { free: 0, contact: 0 };
      for (let i = 0; i < deep(50, 1000); i++) {
        const ramps = randomRamps(dofs, spread, random);
        const status = check.check(ramps, ready);
        const { freeUntil, contactTime, bodyA, bodyB } = check;
        const samples = deep(40, 400);
        for (let k = 0; k <= samples; k++) {
          const time = (k / samples) * (status === MotionStatus.free ? 1 : freeUntil - 1e-9);
          if (isInContact(ramps, dofs, time, margin)) throw new Error(`contact at ${time} of motion ${i}`);
        }
        if (status === MotionStatus.free) {
          seen.free++;
          expect(freeUntil).toBe(ramps.duration);
          expect(contactTime).toBeNaN();
        } else {
          seen.contact++;
          expect(status).toBe(MotionStatus.contact);
          const there = distancesAt(ramps, dofs, contactTime).between(bodyA, bodyB);
          expect(there).toBeLessThanOrEqual(margin + CONTACT_TOLERANCE + 1e-9);
          expect(contactTime - freeUntil).toBeGreaterThanOrEqual(0);
          expect(contactTime - freeUntil).toBeLessThan(0.01);
        }
      }
      expect(Math.min(seen.free, seen.contact)).toBeGreaterThan(2);
    },
    patience,
  );
});

/** The least true distance of a checked pair at some times of a motion [m]. */
function leastAlong(ramps: JointRamps, dofs: readonly number[], samples: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k <= samples; k++) {
    const distances = distancesAt(ramps, dofs, k / samples);
    for (const [a, b] of robot.pairs) if (distances.areWithin(a, b, least)) least = distances.between(a, b);
  }
  return least;
}

describe("a motion check", () => {
  const dofs = dofsOf(["leftArm", "rightArm"]);

  it(
    "never proves a margin that is not kept, however closely it is missed",
    () => {
      const random = new Random("margins");
      const arm = dofsOf(["rightArm"]);
      for (let i = 0; i < deep(60, 3000); i++) {
        // A joint on its own uses its motion bound to the full; seven together seldom do.
        const right = i % 3 === 0 ? arm : [arm[random.integer(4)]!];
        const ramps = randomRamps(right, 1.2, random);
        const least = leastAlong(ramps, right, deep(60, 500));
        const above = new MotionCheck(robot, right, { margin: least + 2e-4 });
        expect(above.check(ramps, ready)).toBe(MotionStatus.contact);
        const below = new MotionCheck(robot, right, { margin: least - 5e-3 });
        expect(below.check(ramps, ready)).toBe(MotionStatus.free);
      }
    },
    patience,
  );

  it("gives the same result whatever was checked before", () => {
    const random = new Random("history");
    const check = new MotionCheck(robot, dofs);
    const motions = Array.from({ length: 20 }, () => randomRamps(dofs, 0.8, random));
    const resultOf = (checker: MotionCheck, ramps: JointRamps) => {
      const status = checker.check(ramps, ready);
      return [status, checker.freeUntil, checker.contactTime, checker.bodyA, checker.bodyB, checker.samples];
    };
    const forwards = motions.map((ramps) => resultOf(check, ramps));
    const backwards = [...motions].reverse().map((ramps) => resultOf(check, ramps));
    expect(backwards.reverse()).toEqual(forwards);
    expect(motions.map((ramps) => resultOf(new MotionCheck(robot, dofs), ramps))).toEqual(forwards);
  });

  it("sees an arm pass through the robot that begins and ends free", () => {
    const found = crossing();
    const check = new MotionCheck(robot, found.dofs);
    expect(isInContact(found.ramps, found.dofs, 0, 0)).toBe(false);
    expect(isInContact(found.ramps, found.dofs, 1, 0)).toBe(false);
    expect(check.check(found.ramps, ready)).toBe(MotionStatus.contact);
  });

  it("sees bodies in contact that the motion does not touch", () => {
    const posture = ready.slice();
    posture[robot.model.dofNames.indexOf("leftArm4")] = -2.09;
    posture[robot.model.dofNames.indexOf("leftArm6")] = -2.09;
    posture[robot.model.dofNames.indexOf("leftArm2")] = -2.09;
    const neck = dofsOf(["neck"]);
    const ramps = new JointRamps(neck.length);
    ramps.hold(new Float64Array(neck.length));
    const check = new MotionCheck(robot, neck);
    expect(check.check(ramps, posture)).toBe(MotionStatus.contact);
    expect([check.freeUntil, check.contactTime]).toEqual([0, 0]);
    expect(check.check(ramps, ready)).toBe(MotionStatus.free);
  });

  it("of a robot that holds still takes one look", () => {
    const ramps = new JointRamps(dofs.length);
    ramps.hold(Float64Array.from(dofs, (dof) => ready[dof]!));
    const check = new MotionCheck(robot, dofs);
    expect(check.check(ramps, ready)).toBe(MotionStatus.free);
    expect(check.samples).toBe(1);
    const wide = new MotionCheck(robot, dofs, { margin: 1 });
    expect(wide.check(ramps, ready)).toBe(MotionStatus.contact);
    expect(wide.freeUntil).toBe(0);
  });

  it("gives up at its number of samples, and says how far it got", () => {
    const random = new Random("budget");
    const check = new MotionCheck(robot, dofs, { maxSamples: 5 });
    const outcomes = Array.from({ length: 40 }, () => {
      const status = check.check(randomRamps(dofs, 0.8, random), ready);
      expect(check.samples).toBeLessThanOrEqual(5);
      if (status === MotionStatus.unresolved) expect(check.freeUntil).toBeLessThan(1);
      return status;
    });
    expect(outcomes).toContain(MotionStatus.unresolved);
  });

  it("refuses what is not finite or does not fit, and never calls it free", () => {
    const check = new MotionCheck(robot, dofs);
    const ramps = randomRamps(dofs, 0.3, new Random("invalid"));
    expect(check.check(new JointRamps(3), ready)).toBe(MotionStatus.invalid);
    expect(check.check(ramps, ready.subarray(1))).toBe(MotionStatus.invalid);
    for (const field of [...rampFields, "end"] as const) {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, ramps[field][4]! + 0.01]) {
        const broken = new JointRamps(dofs.length);
        broken.copyFrom(ramps);
        broken[field][4] = bad;
        const isHarmless = field === "ab" && Number.isFinite(bad);
        expect(check.check(broken, ready), `${field} = ${bad}`).toBe(
          isHarmless ? MotionStatus.free : MotionStatus.invalid,
        );
      }
    }
    const posture = ready.slice();
    posture[robot.model.dofNames.indexOf("torso2")] = Number.NaN;
    expect(check.check(ramps, posture)).toBe(MotionStatus.invalid);
  });

  it("leaves hardly any garbage: the numbers V8 boxes when calling the ramps", () => {
    const random = new Random("heap");
    const check = new MotionCheck(robot, dofs);
    const motions = Array.from({ length: 20 }, () => randomRamps(dofs, 0.4, random));
    const bytes = heapBytesPerCall((i) => void check.check(motions[i % motions.length]!, ready), 300);
    expect(bytes).toBeLessThan(1024);
  });
});

/** A motion of one arm through the robot that begins and ends free: the first one found at random. */
function crossing(): { dofs: number[]; ramps: JointRamps } {
  const random = new Random("crossing");
  const dofs = dofsOf(["rightArm"]);
  for (;;) {
    const ramps = randomRamps(dofs, 1.2, random);
    const crosses = [0.4, 0.6].some((time) => isInContact(ramps, dofs, time, 0));
    if (crosses && !isInContact(ramps, dofs, 1, 0)) return { dofs, ramps };
  }
}
