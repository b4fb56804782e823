import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RobotFiles } from "../../../src/robot/files/robot-files.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { emptySidecar } from "../../../src/robot/loading/load-robot.js";
import { writeStl } from "../../../src/robot/meshes/write-stl.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { formatUrdf } from "../../../src/robot/urdf/format-urdf.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { mujocoModule } from "../../../src/simulation/mujoco/mujoco-module.js";
import { type MjcfRobot, readMjcf } from "../../../src/simulation/mujoco/read-mjcf.js";
import { lBracket } from "../../collision/making/surfaces.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-mjcf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that has no direct counterpart: an anchor off the origin, two joints on a body, a reference, an equality. */
const plain = `<mujoco model="arm"><compiler angle="radian"/>
  <default><joint damping="2"/><default class="v"><geom contype="0" conaffinity="0"/></default></default>
  <worldbody><body name="base" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3"><freejoint/><inertial pos="0 0 0.1" mass="3" fullinertia="0.03 0.04 0.05 0.001 0.002 0.003"/>
    <geom type="box" size="0.1 0.2 0.05"/><geom class="v" type="sphere" size="0.1"/>
    <body name="upper" pos="0 0 0.2" quat="0.8 0.6 0 0"><joint name="yaw" axis="0 0 1" range="-1 2" pos="0.05 0.02 0"/><joint name="tilt" type="hinge" axis="0 1 0" pos="0 0.01 0.03" ref="0.4"/>
      <geom type="capsule" size="0.04 0.1"/>
      <body name="slide" pos="0 0 0.3"><joint name="lift" type="slide" axis="1 0 1" range="-0.2 0.3" actuatorfrcrange="-40 50"/><geom type="cylinder" size="0.03 0.1" mass="1"/>
        <body name="left" pos="0.1 0 0"><joint name="a" axis="1 0 0" range="0 1"/><geom type="ellipsoid" size="0.01 0.02 0.03"/></body>
        <body name="right" pos="-0.1 0 0"><joint name="b" axis="1 0 0" range="0 1"/><geom type="box" size="0.01 0.02 0.03"/></body>
      </body></body></body></worldbody>
  <equality><joint joint1="b" joint2="a" polycoef="0.1 -0.5 0 0 0"/></equality>
  <actuator><motor name="m" joint="yaw" gear="3" forcerange="-7 7"/></actuator></mujoco>`;

/** Written as URDF and read again. */
function robotOf({ urdf }: MjcfRobot): Robot {
  return assembleRobot({ name: "r", urdf: parseUrdf(formatUrdf(urdf)), sidecar: emptySidecar("r.urdf") });
}

async function read(name: string, text: string): Promise<MjcfRobot> {
  writeFileSync(join(folder, name), text);
  return readMjcf(name, new RobotFiles(join(folder, name)));
}

describe("readMjcf", () => {
  let robot: Robot;
  beforeAll(async () => {
    robot = robotOf(await read("arm.xml", plain));
  });

  it("places every body where MuJoCo places it", async () => {
    const module = await mujocoModule();
    const model = module.MjModel.from_xml_string(plain);
    const data = new module.MjData(model);
    const q: Record<string, number> = { yaw: 0.7, tilt: -0.3, lift: 0.11, a: 0.6, b: 0.1 - 0.5 * 0.6 };
    const state = new RobotState(robot.model);
    for (const [name, value] of Object.entries(q)) {
      data.qpos[model.jnt_qposadr[module.mj_name2id(model, 3, name)]] = value;
      const dof = robot.model.dofNames.indexOf(name);
      if (dof >= 0) state.q[dof] = value;
    }
    forwardKinematics(state);
    module.mj_kinematics(model, data);
    for (const name of ["base", "upper", "slide", "left", "right"]) {
      const body = module.mj_name2id(model, 1, name);
      const found = state.worldFromLink[robot.model.linkNames.indexOf(name)]!;
      for (let k = 0; k < 3; k++) expect(found[9 + k]).toBeCloseTo(data.xpos[3 * body + k], 12);
      for (let k = 0; k < 9; k++) expect(found[k]).toBeCloseTo(data.xmat[9 * body + k], 12);
    }
    data.delete();
    model.delete();
  });

  it("takes masses, limits, efforts, damping and followers", () => {
    expect(robot.model.dofNames).toEqual(["yaw", "tilt", "lift", "a"]);
    expect([...robot.model.lower]).toEqual([-1, Number.NEGATIVE_INFINITY, -0.2, 0]);
    expect(robot.model.maxEffort[0]).toBe(21);
    expect(robot.model.maxEffort[2]).toBe(50);
    const base = robot.model.linkNames.indexOf("base");
    expect(robot.model.mass[base]).toBe(3);
    const wanted = [0.03, 0.001, 0.002, 0.001, 0.04, 0.003, 0.002, 0.003, 0.05];
    for (const [k, value] of wanted.entries()) expect(robot.model.inertia[9 * base + k]).toBeCloseTo(value, 12);
    expect(robot.urdf.joints.find(({ name }) => name === "yaw")!.dynamics!.damping).toBe(2);
    expect(robot.urdf.joints.find(({ name }) => name === "b")!.mimic).toEqual({
      joint: "a",
      multiplier: -0.5,
      offset: 0.1,
    });
  });

  it("draws what touches nothing, and makes bodies of what touches", () => {
    const base = robot.shapes[robot.model.linkNames.indexOf("base")]!;
    expect(base.visuals.map(({ geometry }) => geometry.type)).toEqual(["sphere"]);
    expect(base.collisions.map(({ geometry }) => geometry.type)).toEqual(["box"]);
    expect(robot.hulls.length).toBe(5);
  });

  it("reads meshes and includes from the model's own folder only", async () => {
    writeFileSync(join(folder, "l.stl"), writeStl(lBracket));
    writeFileSync(
      join(folder, "part.xml"),
      `<mujocoinclude><body name="b"><geom type="mesh" mesh="l"/></body></mujocoinclude>`,
    );
    const model = (file: string) =>
      `<mujoco><asset><mesh file="${file}"/><texture name="t" type="2d" file="none.png"/></asset><worldbody><include file="part.xml"/></worldbody></mujoco>`;
    const { meshes, urdf } = await read("mesh.xml", model("l.stl"));
    expect([...meshes.keys()]).toEqual(["meshes/l.stl"]);
    expect(meshes.get("meshes/l.stl")!.triangles.length).toBe(lBracket.triangles.length);
    expect(urdf.links.map(({ name }) => name)).toEqual(["world", "b"]);
    symlinkSync("/etc/passwd", join(folder, "link.stl"));
    await expect(read("out.xml", model("/../../etc/passwd"))).rejects.toMatchObject({
      code: expect.stringMatching(/^FLY_ROBOT_FILE/),
    });
    await expect(read("out.xml", model("link.stl"))).rejects.toMatchObject({ code: "FLY_ROBOT_FILE_OUTSIDE" });
  });

  it.each([
    ["no XML", "mujoco"],
    ["another kind of file", `<robot name="r"/>`],
    ["what MuJoCo refuses", `<mujoco><worldbody><body><geom type="box" size="-1"/></body></worldbody></mujoco>`],
  ])("%s is refused", async (_, text) => {
    await expect(read("bad.xml", text)).rejects.toMatchObject({ code: "FLY_MJCF_INVALID" });
  });
});
