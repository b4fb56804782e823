import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { MovingObstacleClearance } from "../../../src/planning/arm/moving-obstacle-clearance.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import { HullClearance } from "../../../src/planning/problem/hull-clearance.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const drop = robot.postures.get("drop")!;
const [left, right] = ["leftArm", "rightArm"].map((name) => buildCatchArm(robot, name, ready)) as [
  ReturnType<typeof buildCatchArm>,
  ReturnType<typeof buildCatchArm>,
];

/** An arm on its way between two postures in `time` [s]. */
function motion(dofs: readonly number[], from: Float64Array, to: Float64Array, time = 1.5): JointRamps {
  const ramps = new JointRamps(dofs.length);
  const pick = (values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
  const limit = new Float64Array(dofs.length).fill(20);
  ramps.plan(pick(from), new Float64Array(dofs.length), pick(to), time, limit, limit);
  return ramps;
}

describe("clearance among motions", () => {
  const clearance = new MovingObstacleClearance(left, ready);

  it("at the catch, is the distance to where the others have gone", () => {
    const others = { dofs: right.group.dofs, ramps: motion(right.group.dofs, ready, drop) };
    clearance.surround(ready, others);
    const arrived = ready.slice();
    for (const dof of right.group.dofs) arrived[dof] = drop[dof]!;
    const reference = new HullClearance(robot, left.chain, arrived);
    left.chain.update(Float64Array.from(left.group.dofs, (dof) => ready[dof]!));
    const [found, expected] = [clearance, reference].map((one) => {
      const values = new Float64Array(one.count);
      one.evaluate(left.chain, values, 0);
      return values;
    });
    expect(found).toEqual(expected);
  });

  it("lets arms pass that go to their own sides, together", () => {
    clearance.surround(ready, { dofs: right.group.dofs, ramps: motion(right.group.dofs, ready, drop) });
    expect(clearance.isMotionFree(motion(left.group.dofs, ready, drop))).toBe(true);
  });

  it("refuses motions of both arms that meet, though each alone would be free", () => {
    // Both arms have the same joints, mirrored: what brings a hand to the middle brings the other there too.
    const random = new Random(12);
    const found: [boolean, boolean][] = [];
    for (let k = 0; k < 120; k++) {
      const to = ready.slice();
      for (let i = 0; i < left.group.dofs.length; i++) {
        const turn = random.uniformIn(-0.9, 0.9);
        for (const { group } of [left, right]) to[group.dofs[i]!] = ready[group.dofs[i]!]! + turn;
      }
      const ramps = motion(left.group.dofs, ready, to);
      clearance.surround(ready, { dofs: [], ramps: new JointRamps(0) });
      const isFreeAlone = clearance.isMotionFree(ramps);
      clearance.surround(ready, { dofs: right.group.dofs, ramps: motion(right.group.dofs, ready, to) });
      found.push([isFreeAlone, clearance.isMotionFree(ramps)]);
    }
    expect(found).toContainEqual([true, true]);
    expect(found).toContainEqual([true, false]);
  });
});
