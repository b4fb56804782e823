import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import {
  DampedInverseKinematics,
  DampedStatus,
} from "../../../src/robot/inverse-kinematics/damped-inverse-kinematics.js";
import { SrsArm } from "../../../src/robot/inverse-kinematics/srs-inverse-kinematics.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { maxDifference } from "../kinematics/reference-kinematics.js";
import { randomModel, randomVector } from "../random-model.js";
import { groupChain, randomConfiguration } from "./srs-arms.js";

const arms = ["panda", "lwr-arm", "iiwa-14"] as const;

function isWithinLimits(chain: KinematicChain, q: Float64Array): boolean {
  return q.every((angle, i) => angle >= chain.lower[i]! && angle <= chain.upper[i]!);
}

describe("damped inverse kinematics", () => {
  it.each(arms)("of %s reaches a pose from a seed nearby, within the limits, to the tolerance", (robot) => {
    const chain = groupChain(robot, "arm");
    const ik = new DampedInverseKinematics(chain);
    const random = new Random(`damped ${robot}`);
    const [goal, seed, q, target] = [new Float64Array(7), new Float64Array(7), new Float64Array(7), pose.create()];
    let converged = 0;
    const cases = deep(300, 3000);
    for (let k = 0; k < cases; k++) {
      chain.update(randomConfiguration(random, chain, goal));
      pose.copy(chain.baseFromTip, target);
      for (let i = 0; i < 7; i++) seed[i] = goal[i]! + random.uniformIn(-0.4, 0.4);
      const status = ik.solve(target, seed, q);
      expect(isWithinLimits(chain, q)).toBe(true);
      chain.update(q);
      const error = maxDifference(chain.baseFromTip, target);
      if (status === DampedStatus.converged) {
        converged++;
        expect(error).toBeLessThan(2e-9);
        expect(ik.positionError).toBeLessThan(1e-9);
      }
      // The errors reported are those of the configuration returned.
      const position = vec3.distance(vec3.view(target, 9), vec3.view(chain.baseFromTip, 9));
      expect(Math.abs(position - ik.positionError)).toBeLessThan(1e-12);
    }
    expect(converged / cases).toBeGreaterThan(0.98);
  });

  it.each(arms)("of %s finds a pose from anywhere by a few seeds", (robot) => {
    const chain = groupChain(robot, "arm");
    const ik = new DampedInverseKinematics(chain);
    const random = new Random(`anywhere ${robot}`);
    const [q, target] = [new Float64Array(7), pose.create()];
    const cases = deep(100, 1000);
    let found = 0;
    for (let k = 0; k < cases; k++) {
      chain.update(randomConfiguration(random, chain, q));
      pose.copy(chain.baseFromTip, target);
      for (let attempt = 0; attempt < 20; attempt++) {
        if (ik.solve(target, randomConfiguration(random, chain, q), q) === DampedStatus.converged) {
          found++;
          break;
        }
      }
    }
    expect(found / cases).toBeGreaterThan(0.97);
  });

  it("works for chains with few or many dofs, sliding and coupled joints", () => {
    const random = new Random("damped random");
    let converged = 0;
    let tried = 0;
    for (let k = 0; k < deep(200, 2000); k++) {
      const model = randomModel(random, { links: 10, coupled: 0.2 });
      const dofs = [...Array(model.dofCount).keys()];
      const chain = new KinematicChain(model, 0, 9, dofs);
      if (chain.jointCount === 0) continue;
      const ik = new DampedInverseKinematics(chain);
      const goal = randomVector(random, 2, new Float64Array(dofs.length));
      chain.update(goal);
      const target = pose.copy(chain.baseFromTip, pose.create());
      const seed = goal.map((x) => x + random.uniformIn(-0.2, 0.2));
      tried++;
      if (ik.solve(target, seed, seed) !== DampedStatus.converged) continue;
      converged++;
      chain.update(seed);
      expect(maxDifference(chain.baseFromTip, target)).toBeLessThan(1e-8);
    }
    expect(converged / tried).toBeGreaterThan(0.97);
  });

  it("stalls at the nearest point when the target is out of reach", () => {
    const chain = groupChain("lwr-arm", "arm");
    const ik = new DampedInverseKinematics(chain, { rotationWeight: 0 });
    const q = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7);
    const arm = SrsArm.fromChain(chain);
    if (!arm.ok) throw new Error(arm.reason);
    const { shoulder, upperLength, lowerLength, tipWrist } = arm.arm;
    const reach = upperLength + lowerLength + vec3.norm(tipWrist);
    const target = pose.create();
    const direction = vec3.normalize(vec3.create(1, 0.5, 0.8), vec3.create());
    pose.setTranslation(target, vec3.addScaled(shoulder, direction, 2, vec3.create()), target);
    expect(ik.solve(target, q, q)).toBe(DampedStatus.stalled);
    expect(ik.positionError).toBeCloseTo(2 - reach, 3);
  });

  it("says when the iterations are used up, and when the target is not finite", () => {
    const chain = groupChain("panda", "arm");
    const q = Float64Array.from(chain.lower, (low, i) => (low + chain.upper[i]!) / 2);
    const start = q.slice();
    chain.update(q.map((x) => x + 0.3));
    const target = pose.copy(chain.baseFromTip, pose.create());
    const hurried = new DampedInverseKinematics(chain, { maxIterations: 1 });
    expect(hurried.solve(target, start, q)).toBe(DampedStatus.iterationLimit);
    expect(hurried.iterations).toBe(1);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      target[9] = bad;
      expect(new DampedInverseKinematics(chain).solve(target, start, q)).toBe(DampedStatus.stalled);
      expect(q).toEqual(start);
    }
  });

  it("allocates nothing", () => {
    const chain = groupChain("panda", "arm");
    const ik = new DampedInverseKinematics(chain);
    const seed = Float64Array.from(chain.lower, (low, i) => (low + chain.upper[i]!) / 2);
    const q = new Float64Array(7);
    chain.update(seed.map((x) => x + 0.3));
    const target = pose.copy(chain.baseFromTip, pose.create());
    expect(ik.solve(target, seed, q)).toBe(DampedStatus.converged);
    expect(heapBytesPerCall(() => ik.solve(target, seed, q), 5000, boxedNumbers)).toBeLessThan(boxedNumbers);
  });
});

describe("DampedInverseKinematics with a free turn about z", () => {
  const robot = loadRobot("lwr-arm");
  const arm = robot.model.groups.find(({ hand }) => hand !== undefined)!;

  it("faces a direction with five joints, to which a whole orientation is out of reach", () => {
    const dofs = arm.dofs.filter((_, i) => i !== 2 && i !== 4);
    const chain = new KinematicChain(robot.model, arm.baseLink, arm.tipLink, dofs, robot.postures.get("ready"));
    const free = new DampedInverseKinematics(chain, { turnAboutZ: "free" });
    const random = new Random("five");
    const turned = pose.create();
    let [reached, whole] = [0, 0];
    for (let sample = 0; sample < 100; sample++) {
      const goal = chain.lower.map((low, i) => random.uniformIn(0.6 * low, 0.6 * chain.upper[i]!));
      chain.update(goal);
      const turn = pose.fromRpyTranslation(0, 0, random.uniformIn(-3, 3), 0, 0, 0, pose.create());
      pose.compose(chain.baseFromTip, turn, turned);
      const seed = goal.map((value) => value + random.uniformIn(-0.3, 0.3));
      const q = new Float64Array(dofs.length);
      if (new DampedInverseKinematics(chain).solve(turned, seed, q) === DampedStatus.converged) whole++;
      if (free.solve(turned, seed, q) !== DampedStatus.converged) continue;
      chain.update(q);
      const tip = chain.baseFromTip;
      for (const k of [2, 5, 8, 9, 10, 11]) expect(tip[k]).toBeCloseTo(turned[k]!, 8);
      reached++;
    }
    expect(reached).toBeGreaterThan(85);
    expect(whole).toBeLessThan(5);
  });

  it("turns a hand round that points the other way", () => {
    const chain = new KinematicChain(robot.model, arm.baseLink, arm.tipLink, arm.dofs);
    const seed = Float64Array.from(arm.dofs, (dof) => robot.postures.get("ready")![dof]!);
    chain.update(seed);
    const round = pose.fromRpyTranslation(Math.PI, 0, 0, 0, 0, 0, pose.create());
    const target = pose.compose(chain.baseFromTip, round, pose.create());
    const q = new Float64Array(seed.length);
    const free = new DampedInverseKinematics(chain, { turnAboutZ: "free" });
    expect(free.solve(target, seed, q)).not.toBe(DampedStatus.iterationLimit);
    expect(free.rotationError).toBeLessThan(Math.PI - 0.5);
  });
});
