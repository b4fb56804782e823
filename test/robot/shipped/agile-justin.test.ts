import { describe, expect, it } from "vitest";
import { degrees } from "../../../src/math/angle.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { axisOf, group, origin, poseOf, randomState, stateIn } from "./shipped-robot.js";

const radians = (deg: number): number => (deg * Math.PI) / 180;

const samples = deep(100, 1000);

/** Sums of a few printed decimals. */
const roundOff = 1e-12;

const robot = loadRobot("agile-justin");
const { model } = robot;

/** Arms and hands anywhere within their limits, right ones as the left ones. */
function symmetricState(random: Random): RobotState {
  const state = new RobotState(model);
  for (const [dof, name] of model.dofNames.entries()) {
    if (!name.startsWith("left")) continue;
    const position = random.uniformIn(model.lower[dof]!, model.upper[dof]!);
    state.q[dof] = position;
    state.q[model.dofNames.indexOf(name.replace(/^left/, "right"))] = position;
  }
  forwardKinematics(state);
  return state;
}

/** The mirror image of a pose in the plane y = 0. */
function mirror(of: pose.Pose): pose.Pose {
  const sign = [1, -1, 1, -1, 1, -1, 1, -1, 1, 1, -1, 1];
  return of.map((value, i) => sign[i]! * value) as pose.Pose;
}

describe("Agile Justin", () => {
  it("moves torso at 90-200, neck at 205-330 degrees a second, and the base at 1.4 m/s", () => {
    const speeds = (name: string) => group(model, name).dofs.map((dof) => Math.round(degrees(model.maxVelocity[dof]!)));
    expect([Math.min(...speeds("torso")), Math.max(...speeds("torso"))]).toEqual([90, 200]);
    expect([Math.min(...speeds("neck")), Math.max(...speeds("neck"))]).toEqual([205, 330]);
    const [x, y] = group(model, "base").dofs;
    expect([model.maxVelocity[x!], model.maxVelocity[y!]]).toEqual([1.4, 1.4]);
  });

  it("has 46 degrees of freedom: base 3, torso 3, neck 2, arms 14, hands 24", () => {
    expect(model.dofCount).toBe(46);
    expect(model.groups.map(({ name, dofs }) => [name, dofs.length])).toEqual([
      ["base", 3],
      ["torso", 3],
      ["neck", 2],
      ["leftArm", 7],
      ["rightArm", 7],
    ]);
  });

  it("keeps its chest upright whatever the torso does", () => {
    const random = new Random("chest");
    for (let sample = 0; sample < samples; sample++) {
      const up = axisOf(poseOf(randomState(robot, random), "chest"), 2);
      expect(up[2]).toBeCloseTo(1, 12);
    }
  });

  it("stands 1.50 m high at the shoulder when upright, 1.30 m when ready, 1.10 m when folded", () => {
    const [, torso2, torso3] = group(model, "torso").dofs;
    const shoulder = (fold: number) => {
      const state = new RobotState(model);
      state.q[torso2!] = -fold;
      state.q[torso3!] = 2 * fold;
      forwardKinematics(state);
      return origin(state, "leftArmLink2")[2];
    };
    expect(shoulder(0)).toBeCloseTo(1.5, 3);
    expect(origin(stateIn(robot, "ready"), "leftArmLink2")[2]).toBeCloseTo(1.3, 3);
    expect(shoulder(model.upper[torso3!]! / 2)).toBeCloseTo(1.105, 3);
  });

  it("has mirrored arms and hands: equal joint values, mirrored poses", () => {
    const random = new Random("mirror");
    const links = model.linkNames.filter((link) => link.startsWith("left") || link === "catchLeft");
    let worst = 0;
    for (let sample = 0; sample < samples; sample++) {
      const state = symmetricState(random);
      for (const link of links) {
        const right = poseOf(state, link.replace(/^left/, "right").replace(/Left$/, "Right"));
        const mirrored = mirror(poseOf(state, link));
        for (let i = 0; i < 12; i++) worst = Math.max(worst, Math.abs(right[i]! - mirrored[i]!));
      }
    }
    expect(worst).toBeLessThan(roundOff);
  });

  it("sees with two parallel cameras, 0.20 m apart, 60 degrees wide, and feels with an IMU", () => {
    const { left, right } = robot.stereo!;
    const state = randomState(robot, new Random("cameras"));
    const leftFromRight = relativePose(state, robot.cameras[left]!.link, robot.cameras[right]!.link, pose.create());
    const expected = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0, 0];
    for (const [i, value] of expected.entries()) expect(leftFromRight[i]!).toBeCloseTo(value, 12);
    for (const camera of robot.cameras) {
      expect([camera.width, camera.height, camera.rateHz, camera.latency]).toEqual([800, 600, 25, 0.04]);
      expect(camera.fx).toBeCloseTo(400 / Math.tan(radians(30)), 6);
      expect(Math.round(camera.fx)).toBe(693);
    }
    expect(robot.imu!.rateHz).toBe(512);
    expect(robot.imu!.gyroNoiseDensity).toBeCloseTo(radians(0.01), 6);
  });

  it("has optical frames with z forward, x right, y down", () => {
    const state = new RobotState(model);
    forwardKinematics(state);
    for (const { link } of robot.cameras) {
      const worldFromCamera = state.worldFromLink[link]!;
      expect(vec3.distance(axisOf(worldFromCamera, 2), vec3.create(1, 0, 0))).toBeLessThan(roundOff);
      expect(vec3.distance(axisOf(worldFromCamera, 0), vec3.create(0, -1, 0))).toBeLessThan(roundOff);
      expect(vec3.distance(axisOf(worldFromCamera, 1), vec3.create(0, 0, -1))).toBeLessThan(roundOff);
    }
  });

  it("has 26 collision bodies of about 80 points, and 8 keep-out shapes", () => {
    expect(robot.hulls.length).toBe(26);
    const points = robot.hulls.reduce((sum, hull) => sum + hull.points.length / 3, 0);
    expect(points).toBeGreaterThanOrEqual(70);
    expect(points).toBeLessThanOrEqual(90);
    expect(robot.keepOut.length).toBe(8);
  });

  it("weighs about as much as published: 45 kg above the platform, 150 kg the platform", () => {
    const total = model.mass.reduce((sum, mass) => sum + mass, 0);
    const above =
      total -
      ["base", "baseCarriageX", "baseCarriageY"].reduce(
        (sum, link) => sum + model.mass[model.linkNames.indexOf(link)]!,
        0,
      );
    expect(total - above).toBeCloseTo(150, 6);
    expect(Math.abs(above - 45)).toBeLessThan(2);
  });
});
