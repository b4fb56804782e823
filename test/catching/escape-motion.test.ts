import { describe, expect, it } from "vitest";
import { escapeFrom } from "../../src/catching/stop-recovery.js";
import { StandingDistances } from "../../src/collision/pairs/standing-distances.js";
import { SweptPairs } from "../../src/collision/pairs/swept-pairs.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";

const robot = loadRobot("agile-justin");
const { model, hulls, pairs } = robot;
const arms = Array.from({ length: model.dofCount }, (_, dof) => dof).filter((dof) => model.maxVelocity[dof]! < 1e6);

/** A posture in which some pair of bodies is nearly touching, found by chance. */
function closePosture(random: Random, swept: SweptPairs): Float64Array | null {
  const q = Float64Array.from(model.lower, (low, dof) =>
    random.uniformIn(Math.max(low, -2), Math.min(model.upper[dof]!, 2)),
  );
  swept.update(q, q);
  return swept.minimum > 0.001 && swept.minimum < 0.03 ? q : null;
}

describe("escape", () => {
  it("brings two bodies apart by about what was asked for", () => {
    const random = new Random("escape");
    const swept = new SweptPairs(robot);
    const distances = new StandingDistances(robot);
    let tried = 0;
    for (let k = 0; k < 3000 && tried < 40; k++) {
      const q = closePosture(random, swept);
      if (q === null) continue;
      const pair = swept.worst;
      const [bodyA, bodyB] = pairs[pair]!;
      swept.locate(pair);
      const near = { bodyA, bodyB, nearestA: vec3.create(...swept.nearestA), nearestB: vec3.create(...swept.nearestB) };
      const target = escapeFrom(robot, q, near, arms, 0.004);
      if (target === null) continue;
      tried++;
      distances.place(q);
      const before = distances.measure(pair);
      distances.place(target);
      const gained = distances.measure(pair) - before;
      expect(gained, `${hulls[bodyA]!.name} and ${hulls[bodyB]!.name}`).toBeGreaterThan(0.001);
      expect(gained).toBeLessThan(0.008);
      expect(target.every((value, dof) => value >= model.lower[dof]! && value <= model.upper[dof]!)).toBe(true);
    }
    expect(tried).toBe(40);
  });

  it("finds no way where no joint parts the bodies", () => {
    const q = new Float64Array(model.dofCount);
    const [bodyA, bodyB] = pairs[0]!;
    const nearestA = vec3.create(0, 0, 1);
    const nearestB = vec3.create(0, 0.1, 1);
    expect(escapeFrom(robot, q, { bodyA, bodyB, nearestA, nearestB }, [], 0.02)).toBeNull();
  });
});
