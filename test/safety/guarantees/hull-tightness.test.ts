import { describe, expect, it } from "vitest";
import { HullBodies } from "../../../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../../../src/collision/hull-distance.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { UrdfShapes } from "../../collision/reference/urdf-shapes.js";
import { deep } from "../../support/deep.js";
import { placeNaturally } from "./natural-configurations.js";

/** Whether the hulls of all checked pairs are certified to be apart. */
function areHullsApart(robot: Robot, bodies: HullBodies, hulls: HullDistance, memory: Int32Array): boolean {
  const { points, pointCount, radius } = bodies;
  return robot.pairs.every(([a, b], k) => {
    hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, memory, MEMORY_SIZE * k);
    return hulls.lowerBound - radius[a]! - radius[b]! > 0;
  });
}

/** Least share of free configurations that hulls must declare free: less where wide catchers and round joints have few points. */
const leastShare = (name: string) => (name === "ur10e-net" || name === "gen3-gripper" ? 0.85 : 0.95);

describe.each(listRobots())("the hulls of %s", (name) => {
  it("declare free most of the natural configurations in which the URDF's shapes are, and no other", () => {
    const robot = loadRobot(name);
    const state = new RobotState(robot.model);
    const shapes = new UrdfShapes(robot);
    const bodies = new HullBodies(robot.hulls);
    const hulls = new HullDistance();
    const memory = new Int32Array(MEMORY_SIZE * robot.pairs.length);
    const random = new Random("natural");
    const wanted = deep(1000, 10_000);
    let [free, declared] = [0, 0];
    while (free < wanted) {
      placeNaturally(robot, random, state);
      bodies.placeAll(state.linkPoses);
      const areApart = areHullsApart(robot, bodies, hulls, memory);
      if (shapes.place(state).areApart()) free++;
      else expect(areApart, `free by hulls alone: ${state.q.join(", ")}`).toBe(false);
      if (areApart) declared++;
    }
    expect(declared / free).toBeGreaterThanOrEqual(leastShare(name));
  });
});
