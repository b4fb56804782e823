import { describe, expect, it } from "vitest";
import { PostureClearance } from "../../../src/collision/posture-clearance.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { leastHandSpeed } from "../../../src/planning/postures/least-hand-speed.js";
import { PostureSearch } from "../../../src/planning/postures/posture-search.js";
import { catchGroups } from "../../../src/planning/problem/catch-arm.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { stateAt } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";

/** Less than the robots have in their own postures [m]. */
const CLEARANCE = 0.01;

describe.each(listRobots())("postures of %s", (name) => {
  const robot = loadRobot(name);
  const ready = robot.postures.get("ready")!;
  const group = catchGroups(robot).at(-1)!;
  const hand = stateAt(robot.model, ready).worldFromLink[group.tipLink]!;
  const position = vec3.create(hand[9], hand[10], hand[11]);
  const facing = vec3.create(hand[2], hand[5], hand[8]);
  const search = new PostureSearch(robot, group, ready);
  const find = (seed: string) =>
    search.find({ position, facing }, { random: new Random(seed), seeds: 40, clearance: CLEARANCE });

  it("bring the catch frame to where it is asked to be, clear of the robot, within all limits", () => {
    const found = find("a");
    expect(found.length).toBeGreaterThan(0);
    const clearance = new PostureClearance(robot);
    for (const { q, nearest } of found) {
      const tip = stateAt(robot.model, q).worldFromLink[group.tipLink]!;
      expect(Math.hypot(tip[9] - position[0], tip[10] - position[1], tip[11] - position[2])).toBeLessThan(1e-5);
      expect(tip[2] * facing[0] + tip[5] * facing[1] + tip[8] * facing[2]).toBeGreaterThan(1 - 1e-8);
      for (const dof of group.dofs) {
        expect(q[dof]).toBeGreaterThanOrEqual(robot.model.lower[dof]!);
        expect(q[dof]).toBeLessThanOrEqual(robot.model.upper[dof]!);
      }
      expect(clearance.nearest(q)!.distance).toBeGreaterThanOrEqual(CLEARANCE);
      if (nearest !== null) expect(nearest.distance).toBe(clearance.nearest(q)!.distance);
    }
    for (let k = 1; k < found.length; k++) expect(found[k]!.score).toBeLessThanOrEqual(found[k - 1]!.score);
  });

  it("are the same for the same seed", () => {
    expect(find("b")).toEqual(find("b"));
  });

  it("do not exist far away", () => {
    const far = vec3.create(position[0] + 5, position[1], position[2]);
    expect(search.find({ position: far, facing }, { random: new Random("c"), seeds: 4 })).toEqual([]);
  });
});

describe("leastHandSpeed", () => {
  it("is what a brute-force search over directions finds", () => {
    const robot = loadRobot("iiwa-14");
    const group = catchGroups(robot)[0]!;
    const chain = new KinematicChain(robot.model, group.baseLink, group.tipLink, group.dofs);
    const random = new Random("speed");
    const limits = group.dofs.map((dof) => robot.model.maxVelocity[dof]!);
    const n = chain.dofCount;
    for (let sample = 0; sample < 20; sample++) {
      const q = chain.lower.map((low, i) => random.uniformIn(low, chain.upper[i]!));
      const speed = leastHandSpeed(chain, q, limits);
      const jacobian = chain.jacobian(new Float64Array(6 * n));
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < 4000; k++) {
        const u = vec3.normalize(vec3.create(random.normal(), random.normal(), random.normal()), vec3.create());
        const along = limits.map(
          (limit, i) => limit * (u[0] * jacobian[i]! + u[1] * jacobian[n + i]! + u[2] * jacobian[2 * n + i]!),
        );
        least = Math.min(least, Math.hypot(...along));
      }
      expect(speed).toBeLessThanOrEqual(least + 1e-9);
      expect(speed).toBeGreaterThan(least - 0.1);
    }
  });
});
