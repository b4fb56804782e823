import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as vec3 from "../../src/math/vec3.js";
import { checkCatchFrames } from "../../src/report/robot/check-catch-frame.js";
import { assembleRobot } from "../../src/robot/loading/assemble-robot.js";
import { readUrdf } from "../../src/robot/loading/load-robot.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { catcherParts } from "../../src/setup/catcher-parts.js";
import { catcherKinds, catcherNames } from "../../src/setup/catchers.js";
import { completeSize, refuseTooSmall } from "../../src/setup/setup-choices.js";
import { expectCode } from "../robot/fixtures/small-arm.js";

const { urdf } = readUrdf(join(packageRoot, "data", "urdf", "ur10e.urdf"));
const BALL = 0.0425;

function robotWith(name: (typeof catcherNames)[number]) {
  const place = { parent: "armFlange", out: vec3.create(0, 0, 1), from: 0, prefix: "" };
  const { links, hand } = catcherParts(name, catcherKinds[name].size, place, BALL);
  const joints = ["arm1", "arm2", "arm3", "arm4", "arm5", "arm6"];
  const group = { name: "arm", joints, baseLink: "armBase", tipLink: hand.catchLink, hand: hand.name };
  const sidecar = {
    schemaVersion: 1 as const,
    urdf: "r.urdf",
    description: "",
    links: [...links],
    hands: [hand],
    postures: { ready: hand.open },
  };
  return assembleRobot({ name: "r", urdf, sidecar: { ...sidecar, groups: [group] } });
}

describe("catcherParts", () => {
  it.each(catcherNames)("gives a %s that a ball can fly into along z", (name) => {
    const robot = robotWith(name);
    expect(checkCatchFrames(robot)).toEqual([]);
    const [hand] = robot.hands;
    expect(hand!.dofs).toHaveLength(catcherKinds[name].jaws);
    expect(hand!.positionTolerance).toBeGreaterThan(0.008);
    // Bottom or palm lie behind: from there a ball cannot come.
    const turned = {
      ...robot.sidecar,
      links: robot.sidecar.links!.map((link) =>
        link.name === "catch"
          ? { ...link, origin: { ...link.origin, xyz: link.origin?.xyz ?? [0, 0, 0], rpy: [Math.PI, 0, 0] } }
          : link,
      ),
    };
    const backwards = assembleRobot({ name: "r", urdf, sidecar: turned as typeof robot.sidecar });
    expect(checkCatchFrames(backwards)[0]?.severity).toBe("error");
  });

  it("refuses sizes that no catcher has, and a mouth too small for the ball", () => {
    expectCode(() => completeSize("net", { mouth: 3 }), "FLY_SETUP_CATCHER", "--mouth");
    expect(completeSize("net", { depth: 0.2 })).toEqual({ ...catcherKinds.net.size, depth: 0.2 });
    expectCode(() => refuseTooSmall(0.045, BALL), "FLY_SETUP_CATCHER", "--mouth");
  });
});
