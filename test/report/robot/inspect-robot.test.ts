import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectRobot } from "../../../src/report/robot/inspect-robot.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { loadRobot, parseSidecar } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import type { Robot } from "../../../src/robot/robot.js";
import type { Sidecar } from "../../../src/robot/sidecar/sidecar-schema.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { packageRoot } from "../../../src/runtime/package-root.js";

/** The shipped Panda with something wrong. */
function panda(changeUrdf: (text: string) => string, change: (sidecar: Sidecar) => Sidecar = (same) => same): Robot {
  const folder = join(packageRoot, "data", "robots", "panda");
  const urdf = changeUrdf(readFileSync(join(folder, "panda.urdf"), "utf8"));
  const sidecar = parseSidecar(JSON.parse(readFileSync(join(folder, "robot.json"), "utf8")));
  return assembleRobot({ name: "panda", urdf: parseUrdf(urdf), sidecar: change(sidecar) });
}

const same = (text: string) => text;

function errorsOf(robot: Robot) {
  return inspectRobot(robot, 0).filter(({ severity }) => severity === "error");
}

describe("inspectRobot", () => {
  it.each(listRobots())("finds no error in %s", (name) => {
    expect(errorsOf(loadRobot(name))).toEqual([]);
  });

  it("finds a hand that is mounted backwards", () => {
    const turned = panda((text) =>
      text.replace(/(<joint name="catchMount"[\s\S]*?<origin xyz="[^"]*")/, '$1 rpy="3.141592653589793 0 0"'),
    );
    expect(turned.model.parentFromJoint[turned.model.linkNames.indexOf("catch")]![8]).toBeCloseTo(-1, 9);
    const [found, ...others] = errorsOf(turned);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ subject: "hand basket" });
    expect(found!.sentence).toContain("mounted backwards");
    expect(found!.repair).toContain("catchMount");
  });

  it("finds collision bodies of a millimetre", () => {
    const tiny = panda(same, (sidecar) => ({
      ...sidecar,
      collision: {
        ...sidecar.collision,
        hulls: sidecar.collision!.hulls.map((hull) => ({
          ...hull,
          radius: 0.001,
          points: [[0, 0, 0]] as [number, number, number][],
        })),
      },
    }));
    const found = errorsOf(tiny);
    expect(found.map(({ subject }) => subject)).toContain("link basket");
    expect(found[0]!.sentence).toMatch(/sticks out of its collision bod[a-z]+ .+ by \d+ mm/);
    expect(found[0]!.repair).toBe("flycatcher robot hulls panda --write");
  });

  it("finds a posture that touches the robot itself, with the names of both bodies", () => {
    const folded = panda(same, (sidecar) => ({
      ...sidecar,
      postures: { ...sidecar.postures, ready: { arm2: 1.7, arm4: -3 } },
    }));
    const [found] = errorsOf(folded);
    expect(found).toMatchObject({ subject: "posture ready" });
    expect(found!.sentence).toMatch(/The bodies \w+ and \w+ touch/);
    expect(found!.repair).toContain("flycatcher robot posture panda");
  });

  it("finds accelerations beyond the torques", () => {
    const hasty = panda(same, (sidecar) => ({
      ...sidecar,
      limits: { ...sidecar.limits, arm1: { acceleration: 500 } },
    }));
    const found = inspectRobot(hasty, 0).find(({ subject }) => subject === "joint arm1");
    expect(found).toMatchObject({ severity: "warning" });
    expect(found!.repair).toContain("limits.arm1.acceleration");
  });

  it("finds a robot that is too slow for what is thrown at it", () => {
    const joints = Array.from({ length: 7 }, (_, i) => [`arm${i + 1}`, { acceleration: 1, velocity: 0.01 }]);
    const slow = panda(same, (sidecar) => ({ ...sidecar, limits: Object.fromEntries(joints) }));
    expect(inspectRobot(slow, 12)).toContainEqual(expect.objectContaining({ subject: "reach", severity: "error" }));
  });
});
