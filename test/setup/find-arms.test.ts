import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots, robotsFolder } from "../../src/robot/loading/robot-folders.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { armBetween, findArms } from "../../src/setup/find-arms.js";
import { tipFrameOf } from "../../src/setup/tip-frame.js";

/** The URDF of a shipped robot alone, and the robot. */
function bare(name: string) {
  const whole = loadRobot(name);
  return { whole, robot: loadRobot(join(robotsFolder, name, whole.sidecar.urdf)) };
}

describe("findArms", () => {
  it.each(listRobots())("finds the arms, fingers and catch frames of %s as its sidecar has them", (name) => {
    const { whole, robot } = bare(name);
    const { model } = robot;
    const found = findArms(model, robot.urdf).map((arm) => ({
      joints: arm.dofs.map((dof) => model.dofNames[dof]),
      base: model.linkNames[arm.baseLink],
      fingers: arm.fingers.map((dof) => model.dofNames[dof]),
      tip: model.linkNames[tipFrameOf(robot, arm).link],
    }));
    const written = whole.model.groups
      .filter(({ hand }) => hand !== undefined)
      .map(({ dofs, baseLink, tipLink, hand }) => ({
        joints: dofs.map((dof) => whole.model.dofNames[dof]),
        base: whole.model.linkNames[baseLink],
        fingers: whole.hands.find((one) => one.name === hand)!.dofs.map((dof) => whole.model.dofNames[dof]),
        tip: whole.model.linkNames[tipLink],
      }));
    const byTip = (one: { tip: string | undefined }, other: { tip: string | undefined }) =>
      one.tip! < other.tip! ? -1 : 1;
    expect(found.sort(byTip)).toEqual(written.sort(byTip));
  });

  it("takes the arm that ends at a link, and refuses one without joints", () => {
    const { model, urdf } = loadRobot(join(packageRoot, "data", "urdf", "ur10e.urdf"));
    const tip = model.linkNames.indexOf("armLink4");
    expect(armBetween(model, urdf, tip, null)?.dofs).toEqual([0, 1, 2, 3]);
    expect(armBetween(model, urdf, tip, model.linkNames.indexOf("armLink1"))?.dofs).toEqual([1, 2, 3]);
    expect(armBetween(model, urdf, 0, null)).toBeNull();
  });

  it("points out of the flange", () => {
    const robot = loadRobot(join(packageRoot, "data", "urdf", "ur10e.urdf"));
    const [arm] = findArms(robot.model, robot.urdf);
    const tip = tipFrameOf(robot, arm!);
    expect(robot.model.linkNames[tip.link]).toBe("armFlange");
    expect([...tip.out]).toEqual([0, 0, 1]);
  });
});
