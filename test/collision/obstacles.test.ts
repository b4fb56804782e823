import { describe, expect, it } from "vitest";
import { HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import { MotionCheck } from "../../src/collision/motion-check.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import {
  createObstacle,
  HALF_SPACE_REACH,
  type Obstacle,
  parseObstacles,
  robotAmong,
} from "../../src/robot/loading/obstacles.js";
import type { ObstacleDescription } from "../../src/robot/sidecar/obstacle-schema.js";
import { RobotState } from "../../src/robot/state.js";
import { deep } from "../support/deep.js";
import { hullShape, urdfShape } from "./reference/convex-shape.js";
import { distanceInterval } from "./reference/min-norm-point.js";
import { TrueDistances } from "./true-distance.js";

const hulls = new HullDistance();

/** Distance of a point to an obstacle, by the checks' own measure [m]. */
function distanceTo({ points, radius }: Obstacle, [x, y, z]: readonly [number, number, number]): number {
  const memory = new Int32Array(MEMORY_SIZE);
  hulls.measure(Float64Array.of(x, y, z), 1, points, points.length / 3, memory, 0);
  return hulls.lowerBound - radius;
}

function point(random: Random, size: number): [number, number, number] {
  return [random.uniformIn(-size, size), random.uniformIn(-size, size), random.uniformIn(-size, size)];
}

describe("an obstacle", () => {
  it("that is a ball or a capsule is as far as its middle less its radius", () => {
    const ball = createObstacle({ name: "ball", type: "sphere", center: [1, 2, 3], radius: 0.5 });
    expect(distanceTo(ball, [1, 2, 5])).toBeCloseTo(1.5, 12);
    const rail = createObstacle({ name: "rail", type: "capsule", from: [0, 0, 0], to: [4, 0, 0], radius: 0.1 });
    expect(distanceTo(rail, [2, 1, 0])).toBeCloseTo(0.9, 12);
    expect(distanceTo(rail, [5, 0, 0])).toBeCloseTo(0.9, 12);
  });

  it("that is a box is the box", () => {
    const random = new Random("box");
    const origin = { xyz: [0.3, -0.2, 1] as [number, number, number], rpy: [0.4, -1, 2] as [number, number, number] };
    const box = createObstacle({ name: "box", type: "box", origin, size: [0.4, 1, 0.2] });
    const worldFromShape = pose.fromRpyTranslation(...origin.rpy, ...origin.xyz, pose.create());
    const reference = { shape: urdfShape({ type: "box", size: [0.4, 1, 0.2] }), worldFromShape };
    const world = pose.identity(pose.create());
    for (let i = 0; i < 200; i++) {
      const p = point(random, 2);
      const { lower, upper } = distanceInterval(reference, {
        shape: hullShape(Float64Array.from(p), 0),
        worldFromShape: world,
      });
      expect(distanceTo(box, p)).toBeGreaterThanOrEqual(lower - 1e-9);
      expect(distanceTo(box, p)).toBeLessThanOrEqual(upper + 1e-9);
    }
  });

  it("that is a half-space is as far as its plane, anywhere a robot may be", () => {
    const random = new Random("half-space");
    for (let i = 0; i < deep(300, 10_000); i++) {
      const normal = point(random, 1);
      const length = Math.hypot(...normal);
      if (length < 0.1) continue;
      const offset = random.uniformIn(-5, 5);
      const wall = createObstacle({ name: "wall", type: "half-space", normal, offset });
      const p = point(random, HALF_SPACE_REACH / 4);
      const height = (normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]) / length - offset;
      expect(distanceTo(wall, p)).toBeCloseTo(Math.max(0, height), 8);
    }
  });

  it("is refused where it makes no sense", () => {
    const wrong: [unknown, RegExp][] = [
      [{}, /schema/],
      [[{ type: "sphere", name: "a", center: [0, 0, 0], radius: -1 }], /schema/],
      [[{ type: "cone", name: "a" }], /schema/],
      [[{ type: "sphere", name: "a", center: [0, 0, Number.NaN], radius: 1 }], /schema/],
      [[{ type: "box", name: "a", origin: { xyz: [0, 0, 0] }, size: [1, 0, 1] }], /sense/],
      [[{ type: "half-space", name: "a", normal: [0, 0, 0], offset: 0 }], /sense/],
      [[{ type: "half-space", name: "a", normal: [0, 0, 1], offset: 1e9 }], /sense/],
      [[{ type: "hull", name: "a", points: [] }], /schema/],
      [[{ type: "sphere", name: "a", center: [1e9, 0, 0], radius: 1 }], /sense/],
    ];
    for (const [value, message] of wrong) expect(() => parseObstacles(value)).toThrow(message);
    const twice = { type: "sphere", name: "a", center: [0, 0, 0], radius: 1 };
    expect(() => parseObstacles([twice, twice])).toThrow(/sense/);
    const [ball] = parseObstacles([{ ...twice, ignore: ["nobody"] }]);
    expect(() => robotAmong(loadRobot("panda"), [ball!])).toThrow(/sense/);
  });
});

const floor: ObstacleDescription = { name: "floor", type: "half-space", normal: [0, 0, 2], offset: 0.05 };
const shelf: ObstacleDescription = {
  name: "shelf",
  type: "box",
  origin: { xyz: [0.7, -0.45, 0.83], rpy: [0, 0, 0.3] },
  size: [0.3, 0.5, 0.04],
};

describe("a robot among obstacles", () => {
  const robot = loadRobot("agile-justin");
  const ready = robot.postures.get("ready")!;
  const among = robotAmong(robot, parseObstacles([{ ...floor, ignore: ["platform"] }, shelf]));
  const arm = robot.model.groups.find(({ name }) => name === "rightArm")!;

  it("has them as bodies behind its own, checked against all that moves and is not ignored", () => {
    expect(among.hulls.slice(0, robot.hulls.length)).toEqual(robot.hulls);
    expect(among.hulls.slice(robot.hulls.length).map(({ name }) => name)).toEqual(["floor", "shelf"]);
    expect(among.pairs).toHaveLength(robot.pairs.length + 25 + 26);
    expect(robotAmong(robot, [])).toBe(robot);
    const table = robotAmong(loadRobot("lwr-arm"), parseObstacles([floor]));
    const names = table.pairs.slice(loadRobot("lwr-arm").pairs.length).map(([body]) => table.hulls[body]!.name);
    expect(names).not.toContain("table");
    expect(names).toContain("hand");
  });

  it("is checked against them along a whole motion, as dense sampling with the reference says", () => {
    const random = new Random("among");
    const check = new MotionCheck(among, arm.dofs);
    const alone = new MotionCheck(robot, arm.dofs);
    const truth = new TrueDistances(among);
    const state = new RobotState(robot.model);
    const ramps = new JointRamps(arm.dofs.length);
    const { lower, upper, maxVelocity, maxAcceleration } = robot.model;
    const limits = [maxVelocity, maxAcceleration].map((all) => Float64Array.from(arm.dofs, (dof) => all[dof]!));
    const q0 = Float64Array.from(arm.dofs, (dof) => ready[dof]!);
    const seen = { free: 0, obstructed: 0 };
    for (let i = 0; i < deep(40, 1000); i++) {
      const q = Float64Array.from(arm.dofs, (dof) =>
        Math.min(upper[dof]!, Math.max(lower[dof]!, ready[dof]! + random.uniformIn(-0.8, 0.8))),
      );
      const w0 = new Float64Array(arm.dofs.length);
      if (ramps.plan(q0, w0, q, 1, limits[0]!, limits[1]!) !== RampStatus.ok) continue;
      if (!check.isFree(ramps, ready)) {
        if (alone.isFree(ramps, ready)) seen.obstructed++;
        continue;
      }
      seen.free++;
      for (let k = 0; k <= 30; k++) {
        const positions = ramps.positions(k / 30, new Float64Array(arm.dofs.length));
        state.q.set(ready);
        for (const [j, dof] of arm.dofs.entries()) state.q[dof] = positions[j]!;
        forwardKinematics(state);
        truth.place(state);
        for (const [a, b] of among.pairs) expect(truth.areWithin(a, b, 0)).toBe(false);
      }
    }
    expect(Math.min(seen.free, seen.obstructed)).toBeGreaterThan(2);
  });
});
