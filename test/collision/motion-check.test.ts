import { describe, expect, it } from "vitest";
import { MotionCheck } from "../../src/collision/motion-check.js";
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
  const check = new MotionCheck(robot, dofs, margin);

  it(
    "agrees with dense sampling: what it calls free is, and little else",
    () => {
      const random = new Random(groups.join());
      const seen = { free: 0, contact: 0, doubt: 0 };
      for (let i = 0; i < deep(50, 1000); i++) {
        const ramps = randomRamps(dofs, spread, random);
        const samples = deep(40, 400);
        const times = Array.from({ length: samples + 1 }, (_, k) => k / samples);
        const touches = times.some((time) => isInContact(ramps, dofs, time, margin));
        if (check.isFree(ramps, ready)) {
          seen.free++;
          expect(touches).toBe(false);
        } else if (touches) seen.contact++;
        else seen.doubt++;
      }
      expect(Math.min(seen.free, seen.contact)).toBeGreaterThan(2);
      expect(seen.doubt).toBeLessThan(0.1 * (seen.free + seen.contact));
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
        const above = new MotionCheck(robot, right, least + 2e-4);
        expect(above.isFree(ramps, ready)).toBe(false);
        const below = new MotionCheck(robot, right, least - 5e-3);
        expect(below.isFree(ramps, ready)).toBe(true);
      }
    },
    patience,
  );

  it("gives the same result whatever was checked before", () => {
    const random = new Random("history");
    const check = new MotionCheck(robot, dofs);
    const motions = Array.from({ length: 20 }, () => randomRamps(dofs, 0.8, random));
    const resultOf = (checker: MotionCheck, ramps: JointRamps) => {
      const isFree = checker.isFree(ramps, ready);
      return [isFree, checker.samples];
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
    expect(check.isFree(found.ramps, ready)).toBe(false);
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
    expect(check.isFree(ramps, posture)).toBe(false);
    expect(check.isFree(ramps, ready)).toBe(true);
  });

  it("of a robot that holds still takes one look", () => {
    const ramps = new JointRamps(dofs.length);
    ramps.hold(Float64Array.from(dofs, (dof) => ready[dof]!));
    const check = new MotionCheck(robot, dofs);
    expect(check.isFree(ramps, ready)).toBe(true);
    expect(check.samples).toBe(1);
    const wide = new MotionCheck(robot, dofs, 1);
    expect(wide.isFree(ramps, ready)).toBe(false);
  });

  it("refuses what is not finite or does not fit, and never calls it free", () => {
    const check = new MotionCheck(robot, dofs);
    const ramps = randomRamps(dofs, 0.3, new Random("invalid"));
    expect(check.isFree(new JointRamps(3), ready)).toBe(false);
    expect(check.isFree(ramps, ready.subarray(1))).toBe(false);
    for (const field of [...rampFields, "end"] as const) {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, ramps[field][4]! + 0.01]) {
        const broken = new JointRamps(dofs.length);
        broken.copyFrom(ramps);
        broken[field][4] = bad;
        const isHarmless = field === "ab" && Number.isFinite(bad);
        expect(check.isFree(broken, ready), `${field} = ${bad}`).toBe(isHarmless);
      }
    }
    const posture = ready.slice();
    posture[robot.model.dofNames.indexOf("torso2")] = Number.NaN;
    expect(check.isFree(ramps, posture)).toBe(false);
  });

  it("leaves hardly any garbage: the numbers V8 boxes when calling the ramps", () => {
    const random = new Random("heap");
    const check = new MotionCheck(robot, dofs);
    const motions = Array.from({ length: 20 }, () => randomRamps(dofs, 0.4, random));
    const bytes = heapBytesPerCall((i) => void check.isFree(motions[i % motions.length]!, ready), 300);
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
