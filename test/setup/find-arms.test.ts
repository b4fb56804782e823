import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assembleRobot } from "../../src/robot/loading/assemble-robot.js";
import { emptySidecar, loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots, robotsFolder } from "../../src/robot/loading/robot-folders.js";
import { parseUrdf } from "../../src/robot/urdf/urdf.js";
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

  it("takes what is beside a thumb for fingers, and the turn of a gripper for the arm's last joint", () => {
    const joint = (name: string, parent: string, type = "revolute") =>
      `<link name="${name}"/><joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${name}"/>
       <origin xyz="0 0 0.2"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="2" effort="20"/></joint>`;
    const arm = ["waist", "shoulder", "elbow", "wrist"];
    const chain = arm.map((name, k) => joint(name, arm[k - 1] ?? "base"));
    const fingersOf = (text: string) => {
      const urdf = parseUrdf(`<robot name="r"><link name="base"/>${text}</robot>`);
      const { model } = assembleRobot({ name: "r", urdf, sidecar: emptySidecar("r.urdf") });
      return findArms(model, urdf).map(({ dofs, fingers }) =>
        [dofs, fingers].map((all) => all.map((dof) => model.dofNames[dof])),
      );
    };
    const hand = [joint("thumb", "wrist"), joint("index", "wrist"), joint("index2", "index"), joint("mrl", "wrist")];
    expect(fingersOf([...chain, ...hand].join(""))).toEqual([[arm, ["thumb", "index", "index2", "mrl"]]]);
    const gripper = [
      joint("gripperYaw", "wrist"),
      joint("gripperLeft", "gripperYaw"),
      joint("gripperRight", "gripperYaw"),
    ];
    expect(fingersOf([...chain, ...gripper].join(""))).toEqual([
      [
        [...arm, "gripperYaw"],
        ["gripperLeft", "gripperRight"],
      ],
    ]);
  });

  it("points out of the flange", () => {
    const robot = loadRobot(join(packageRoot, "data", "urdf", "ur10e.urdf"));
    const [arm] = findArms(robot.model, robot.urdf);
    const tip = tipFrameOf(robot, arm!);
    expect(robot.model.linkNames[tip.link]).toBe("armFlange");
    expect([...tip.out]).toEqual([0, 0, 1]);
  });
});
