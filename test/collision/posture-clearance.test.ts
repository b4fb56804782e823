import { describe, expect, it } from "vitest";
import { PostureClearance } from "../../src/collision/posture-clearance.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { createObstacle, robotAmong } from "../../src/robot/loading/obstacles.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { randomState } from "../robot/shipped/shipped-robot.js";
import { TrueDistances } from "./true-distance.js";

describe.each(listRobots())("the clearance of %s", (name) => {
  const robot = loadRobot(name);
  const clearance = new PostureClearance(robot);

  it("is that of each pair, with its names, the nearest first", () => {
    const random = new Random("clearance");
    for (let sample = 0; sample < 5; sample++) {
      const state = randomState(robot, random);
      const found = clearance.distances(state.q);
      const truth = new TrueDistances(robot).place(state);
      expect(found.length).toBe(robot.pairs.length);
      for (const [a, b] of robot.pairs) {
        const [first, second] = [robot.hulls[a]!, robot.hulls[b]!];
        const pair = found.find(({ bodies }) => bodies[0] === first.name && bodies[1] === second.name)!;
        const expected = truth.between(a, b);
        if (expected > 0) expect(pair.distance).toBeCloseTo(expected, 6);
        else expect(pair.distance).toBeLessThanOrEqual(1e-9);
      }
      for (let k = 1; k < found.length; k++) expect(found[k]!.distance).toBeGreaterThanOrEqual(found[k - 1]!.distance);
      expect(clearance.nearest(state.q)?.distance).toBe(found[0]!.distance);
      expect(clearance.distances(state.q, 0.1)).toEqual(found.filter(({ distance }) => distance < 0.1));
    }
  });

  it("ends at points that are that far apart", () => {
    const q = robot.postures.get("ready")!;
    for (const { distance, points } of clearance.distances(q)) {
      if (distance > 0) expect(vec3.distance(points[0], points[1])).toBeCloseTo(distance, 9);
    }
  });
});

describe("PostureClearance", () => {
  it("says how deep an obstacle is in the arm", () => {
    const robot = loadRobot("panda");
    const ready = robot.postures.get("ready")!;
    const wall = createObstacle({ name: "wall", type: "half-space", normal: [-1, 0, 0], offset: -0.5 });
    const nearest = new PostureClearance(robotAmong(robot, [wall])).nearest(ready)!;
    expect(nearest.bodies).toEqual(["basket", "wall"]);
    expect(nearest.distance).toBeLessThan(-0.1);
  });
});
