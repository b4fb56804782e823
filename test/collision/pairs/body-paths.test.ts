import { describe, expect, it } from "vitest";
import { BodyPaths } from "../../../src/collision/pairs/body-paths.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { RobotModel } from "../../../src/robot/robot.js";
import { randomModel } from "../../robot/random-model.js";

/** Links from a link to the root. */
function ancestors(model: RobotModel, link: number): number[] {
  return link < 0 ? [] : [link, ...ancestors(model, model.parentLink[link]!)];
}

/** Joints with a term between a link and its lowest common ancestor with another. */
function jointsBetween(model: RobotModel, link: number, other: number): number[] {
  const shared = new Set(ancestors(model, other));
  return ancestors(model, link).filter((at) => !shared.has(at) && model.termStart[at + 1]! > model.termStart[at]!);
}

describe("the stages at which two bodies meet", () => {
  it("are those of their lowest common ancestor, on random trees", () => {
    const random = new Random("trees");
    for (let round = 0; round < 15; round++) {
      const model = randomModel(random, { links: 12, coupled: 0.3 });
      const paths = new BodyPaths(model, [...model.linkNames.keys()]);
      for (let a = 0; a < model.linkCount; a++) {
        for (let b = 0; b < model.linkCount; b++) {
          const [stageA, stageB] = paths.partingStages(a, b);
          expect([...paths.joint.subarray(paths.start[a]!, paths.start[a]! + stageA)]).toEqual(
            jointsBetween(model, a, b),
          );
          expect([...paths.joint.subarray(paths.start[b]!, paths.start[b]! + stageB)]).toEqual(
            jointsBetween(model, b, a),
          );
        }
      }
    }
  });
});

describe("the slots of a path", () => {
  it("are one a dof, shared by the joints it turns", () => {
    const { model, hulls } = loadRobot("agile-justin");
    const paths = new BodyPaths(
      model,
      hulls.map(({ link }) => link),
    );
    const hand = hulls.findIndex(({ name }) => name === "rightHand");
    const last = paths.start[hand + 1]! - 1;
    // Seven of the arm, four torso joints by three dofs, three of the base.
    expect(paths.length(hand)).toBe(14);
    expect(paths.spanCount[last]).toBe(13);
    const torso4 = [...paths.joint.keys()].find(
      (entry) => entry >= paths.start[hand]! && model.jointNames[paths.joint[entry]!] === "torso4",
    )!;
    const slots = [...paths.slot.subarray(paths.slotStart[torso4]!, paths.slotStart[torso4 + 1]!)];
    const next = [...paths.slot.subarray(paths.slotStart[torso4 + 1]!, paths.slotStart[torso4 + 3]!)];
    expect(slots.sort()).toEqual(next.sort());
    expect(paths.isAlone[torso4]).toBe(0);
    expect(paths.isAlone[paths.start[hand]!]).toBe(1);
  });
});
