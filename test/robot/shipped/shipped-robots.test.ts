import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { inverseDynamics } from "../../../src/robot/dynamics/inverse-dynamics.js";
import { srsGeometry } from "../../../src/robot/inverse-kinematics/srs-geometry.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import { checkRobot } from "../../../src/robot/report/check.js";
import type { JointGroup, KeepOutShape, Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { distanceToSegment } from "./point-to-hull.js";
import { armsOf, axisOf, origin, randomState, stateIn } from "./shipped-robot.js";

const radians = (deg: number): number => (deg * Math.PI) / 180;

const robots = ["agile-justin", "gen3-gripper", "iiwa-14", "lwr-arm", "panda", "ur10e-net"];
const samples = deep(100, 1000);

/** Sums of a few printed decimals. */
const roundOff = 1e-12;

/** Distance of a point to the axis of a dof's joint. */
function distanceToAxis(state: RobotState, dof: number, point: vec3.Vec3): number {
  const joint = state.model.dofJoint[dof]!;
  const axis = vec3.create(...state.worldAxis.subarray(3 * joint, 3 * joint + 3));
  const fromAxis = vec3.subtract(point, pose.getTranslation(state.worldFromLink[joint]!, vec3.create()), vec3.create());
  return vec3.norm(vec3.cross(axis, fromAxis, fromAxis));
}

describe.each(robots)("%s", (name) => {
  const robot = loadRobot(name);

  it("loads without an error, and catching lacks nothing but perhaps cameras", () => {
    const subjects = checkRobot(robot).map(({ severity, subject }) => `${severity} ${subject}`);
    expect(subjects.filter((entry) => entry !== "warning cameras")).toEqual([]);
  });

  it("gives every moving joint limits of position, speed, acceleration and effort", () => {
    const { model } = robot;
    for (let i = 0; i < model.dofCount; i++) {
      const isContinuous = model.dofNames[i] === "baseYaw";
      expect(Number.isFinite(model.lower[i]!) && Number.isFinite(model.upper[i]!)).toBe(!isContinuous);
      for (const limit of [model.maxVelocity, model.maxAcceleration, model.maxEffort]) {
        expect(Number.isFinite(limit[i]!), model.dofNames[i]!).toBe(true);
      }
    }
  });

  it("holds its ready posture with less than half of its efforts", () => {
    const { model } = robot;
    const still = new Float64Array(model.dofCount);
    const torque = inverseDynamics(
      stateIn(robot, "ready"),
      still,
      vec3.create(0, 0, -9.81),
      new Float64Array(model.dofCount),
    );
    for (let i = 0; i < model.dofCount; i++) {
      expect(Math.abs(torque[i]!), model.dofNames[i]!).toBeLessThan(model.maxEffort[i]! / 2);
    }
  });

  it("is ready with its hands in front, open towards a thrower at +x, outside the keep-out shapes", () => {
    const state = stateIn(robot, "ready");
    for (const hand of robot.hands) {
      const worldFromCatch = state.worldFromLink[hand.catchLink]!;
      const [x, y, z] = pose.getTranslation(worldFromCatch, vec3.create());
      expect(x).toBeGreaterThan(0.5);
      expect(x).toBeLessThan(0.75);
      expect(Math.abs(y)).toBeLessThan(0.45);
      expect(Math.abs(z - 1.2)).toBeLessThan(0.15);
      expect(axisOf(worldFromCatch, 2)[0]).toBeGreaterThan(Math.cos(radians(40)));
      expect(axisOf(worldFromCatch, 2)[2]).toBeGreaterThan(0);
      for (const shape of robot.keepOut) expect(isInside(shape, state, vec3.create(x, y, z)), shape.name).toBe(false);
      for (const [k, dof] of hand.dofs.entries()) expect(state.q[dof]).toBe(hand.open[k]);
    }
  });

  it("drops a ball by turning its open hands down, beside or before the body", () => {
    const state = stateIn(robot, "drop");
    for (const hand of robot.hands) {
      expect(axisOf(state.worldFromLink[hand.catchLink]!, 2)[2]).toBeLessThan(-Math.cos(radians(25)));
      expect(origin(state, robot.model.linkNames[hand.catchLink]!)[2]).toBeGreaterThan(0.5);
      for (const [k, dof] of hand.dofs.entries()) expect(state.q[dof]).toBe(hand.open[k]);
    }
  });

  it("has arms whose axes 1-3 meet in the shoulder and 5-7 in the wrist, if it calls them srs-arm", () => {
    const random = new Random(`axes ${name}`);
    expect(armsOf(robot).length).toBe({ "agile-justin": 2, "gen3-gripper": 0, panda: 0, "ur10e-net": 0 }[name] ?? 1);
    for (let sample = 0; sample < samples; sample++) {
      const state = randomState(robot, random);
      for (const { dofs } of armsOf(robot)) {
        const centre = (dof: number) =>
          pose.getTranslation(state.worldFromLink[state.model.dofJoint[dof]!]!, vec3.create());
        const [shoulder, wrist] = [centre(dofs[1]!), centre(dofs[5]!)];
        for (const dof of dofs.slice(0, 3)) expect(distanceToAxis(state, dof, shoulder)).toBeLessThan(roundOff);
        for (const dof of dofs.slice(4, 7)) expect(distanceToAxis(state, dof, wrist)).toBeLessThan(roundOff);
      }
    }
  });
});

/** Link transforms of a DH table in Craig's convention: Rot_x(α)·Trans_x(a)·Trans_z(d)·Rot_z(θ), multiplied up. */
function craig(rows: readonly (readonly [a: number, alpha: number, d: number])[], q: Float64Array): pose.Pose {
  const product = pose.create();
  for (const [i, [a, alpha, d]] of rows.entries()) {
    pose.compose(product, pose.fromRpyTranslation(radians(alpha), 0, 0, a, 0, 0, pose.create()), product);
    pose.compose(product, pose.fromRpyTranslation(0, 0, q[i] ?? 0, 0, 0, d, pose.create()), product);
  }
  return product;
}

describe("the published kinematics", () => {
  const published = {
    panda: [
      [0, 0, 0.333],
      [0, -90, 0],
      [0, 90, 0.316],
      [0.0825, 90, 0],
      [-0.0825, -90, 0.384],
      [0, 90, 0],
      [0.088, 90, 0],
      [0, 0, 0.107],
    ],
    "iiwa-14": [
      [0, 0, 0.36],
      [0, -90, 0],
      [0, 90, 0.42],
      [0, 90, 0],
      [0, -90, 0.4],
      [0, -90, 0],
      [0, 90, 0.126],
    ],
    "lwr-arm": [
      [0, 0, 0.31],
      [0, 90, 0],
      [0, -90, 0.4],
      [0, -90, 0],
      [0, 90, 0.39],
      [0, 90, 0],
      [0, -90, 0.078],
    ],
  } as const;

  it.each(["panda", "iiwa-14", "lwr-arm"] as const)("of %s place its flange", (name) => {
    const robot = loadRobot(name);
    const { linkNames } = robot.model;
    const random = new Random(`DH ${name}`);
    for (let sample = 0; sample < samples; sample++) {
      const state = randomState(robot, random);
      const arm = robot.model.groups[0]!.dofs.map((dof) => state.q[dof]!);
      const [base, flange] = [linkNames.indexOf("armBase"), linkNames.indexOf("armFlange")];
      const found = relativePose(state, base, flange, pose.create());
      const expected = craig(published[name], Float64Array.from(arm));
      for (let i = 0; i < 12; i++) expect(found[i]!).toBeCloseTo(expected[i]!, 12);
    }
  });
});

describe("the UR10e", () => {
  it("places its flange by the published DH table, in the distal convention", () => {
    const robot = loadRobot("ur10e-net");
    const { linkNames } = robot.model;
    const random = new Random("DH ur10e-net");
    const rows = [
      [0, 90, 0.1807],
      [-0.6127, 0, 0],
      [-0.57155, 0, 0],
      [0, 90, 0.17415],
      [0, -90, 0.11985],
      [0, 0, 0.11655],
    ] as const;
    for (let sample = 0; sample < samples; sample++) {
      const state = randomState(robot, random);
      const expected = pose.create();
      for (const [i, [a, alpha, d]] of rows.entries()) {
        const q = state.q[robot.model.groups[0]!.dofs[i]!]!;
        pose.compose(expected, pose.fromRpyTranslation(0, 0, q, 0, 0, d, pose.create()), expected);
        pose.compose(expected, pose.fromRpyTranslation(radians(alpha), 0, 0, a, 0, 0, pose.create()), expected);
      }
      const [base, flange] = [linkNames.indexOf("armBase"), linkNames.indexOf("armFlange")];
      const found = relativePose(state, base, flange, pose.create());
      for (let i = 0; i < 12; i++) expect(found[i]!).toBeCloseTo(expected[i]!, 12);
    }
  });
});

describe("the Gen3", () => {
  it("is as high upright, from its base to the flange, as the published lengths add up to", () => {
    const robot = loadRobot("gen3-gripper");
    const state = new RobotState(robot.model);
    forwardKinematics(state);
    const { linkNames } = robot.model;
    const flange = relativePose(state, linkNames.indexOf("armBase"), linkNames.indexOf("armFlange"), pose.create());
    expect(flange[11]).toBeCloseTo(0.15643 + 0.12838 + 2 * 0.21038 + 0.20843 + 2 * 0.10593 + 0.061525, 12);
  });
});

describe("the analytic inverse kinematics", () => {
  it.each(["agile-justin", "lwr-arm", "iiwa-14"])("takes the arms of %s", (name) => {
    const robot = loadRobot(name);
    for (const { baseLink, tipLink, dofs } of armsOf(robot)) {
      const result = srsGeometry(new KinematicChain(robot.model, baseLink, tipLink, dofs));
      expect(result.ok ? "" : result.reason).toBe("");
    }
  });

  it("does not take the Panda's, whose elbow and wrist are offset", () => {
    const { model } = loadRobot("panda");
    const { baseLink, tipLink, dofs } = model.groups[0]!;
    expect(srsGeometry(new KinematicChain(model, baseLink, tipLink, dofs)).ok).toBe(false);
  });
});

/** Whether a point in world coordinates is inside a keep-out shape. */
function isInside({ geometry, link }: KeepOutShape, state: RobotState, point: vec3.Vec3): boolean {
  const p = pose.transformPointInverse(state.worldFromLink[link]!, point, vec3.create());
  switch (geometry.type) {
    case "sphere":
      return vec3.distance(p, geometry.center) < geometry.radius;
    case "capsule":
      return distanceToSegment(p, geometry.from, geometry.to) < geometry.radius;
    case "cylinder": {
      const axis = vec3.subtract(geometry.to, geometry.from, vec3.create());
      const offset = vec3.subtract(p, geometry.from, vec3.create());
      const along = vec3.dot(offset, axis) / vec3.squaredNorm(axis);
      return along > 0 && along < 1 && vec3.norm(vec3.addScaled(offset, axis, -along, offset)) < geometry.radius;
    }
    case "box": {
      const local = pose.transformPointInverse(geometry.linkFromBox, p, vec3.create());
      return [0, 1, 2].every((i) => Math.abs(local[i]!) < geometry.halfSize[i]!);
    }
    case "half-space":
      return vec3.dot(p, geometry.normal) < geometry.offset;
  }
}

it("ships these robots and no other", () => {
  expect(listRobots()).toEqual(robots);
});

describe("the LWR III arm", () => {
  const arms = ["lwr-arm", "agile-justin"].flatMap((name) => {
    const robot = loadRobot(name);
    return armsOf(robot).map((arm): [string, Robot, JointGroup] => [`${arm.name} of ${name}`, robot, arm]);
  });

  it.each(arms)("%s is 0.31, 0.40, 0.39 and 0.078 m long", (_, robot, arm) => {
    const state = randomState(robot, new Random("lengths"));
    const place = (link: string) => origin(state, `${arm.name}${link}`);
    const lengths = [
      ["Base", "Link2"],
      ["Link2", "Link4"],
      ["Link4", "Link6"],
      ["Link6", "Flange"],
    ] as const;
    const found = lengths.map(([from, to]) => vec3.distance(place(from), place(to)));
    for (const [i, length] of [0.31, 0.4, 0.39, 0.078].entries()) expect(found[i]).toBeCloseTo(length, 12);
  });

  it.each(arms)("%s has the published ranges, 100-150 degrees a second, reached in 0.1 s", (_, { model }, arm) => {
    for (const [i, dof] of arm.dofs.entries()) {
      const range = radians(i % 2 === 0 ? 170 : 120);
      expect(model.upper[dof]).toBeCloseTo(range, 12);
      expect(model.lower[dof]).toBeCloseTo(-range, 12);
      expect(model.maxVelocity[dof]).toBeGreaterThan(radians(99.9));
      expect(model.maxVelocity[dof]).toBeLessThan(radians(150.1));
      expect(model.maxVelocity[dof]! / model.maxAcceleration[dof]!).toBeCloseTo(0.1, 4);
    }
  });

  it.each(arms)("%s weighs 14 kg", (_, robot, arm) => {
    const { model } = robot;
    const links = model.linkNames.filter((link) => new RegExp(`^${arm.name}(Base|Link\\d)$`).test(link));
    const mass = links.reduce((sum, link) => sum + model.mass[model.linkNames.indexOf(link)]!, 0);
    // 0.3 kg of link 7 are the hand's adapter.
    expect(mass).toBeCloseTo(14.3, 6);
  });
});

describe("a hand's fingers", () => {
  it.each(["lwr-arm", "agile-justin"])("of %s are four of three joints, 0.14 m long, 550 degrees a second", (name) => {
    const robot = loadRobot(name);
    const { model } = robot;
    const state = new RobotState(model);
    forwardKinematics(state);
    for (const hand of robot.hands) {
      expect(hand.dofs.length).toBe(12);
      for (let finger = 0; finger < 4; finger++) {
        const links = hand.dofs.slice(3 * finger, 3 * finger + 3).map((dof) => model.dofJoint[dof]!);
        const tip = robot.shapes[links[2]!]!.collisions.find(({ geometry }) => geometry.type === "sphere")!;
        const place = (link: number) => pose.getTranslation(state.worldFromLink[link]!, vec3.create());
        const bones =
          vec3.distance(place(links[0]!), place(links[1]!)) + vec3.distance(place(links[1]!), place(links[2]!));
        const end = tip.geometry.type === "sphere" ? tip.origin.xyz[2] + tip.geometry.radius : 0;
        expect(bones + end).toBeCloseTo(0.14, 12);
      }
      for (const dof of hand.dofs) expect(model.maxVelocity[dof]).toBeCloseTo(radians(550), 9);
      expect([hand.positionTolerance, hand.timeTolerance]).toEqual([0.02, 0.005]);
    }
  });
});
