import { describe, expect, it } from "vitest";
import { HullBodies } from "../../src/collision/hull-bodies.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { randomState } from "../robot/shipped/shipped-robot.js";

describe.each(listRobots())("the bodies of %s", (name) => {
  const robot = loadRobot(name);

  it("are placed where their links are", () => {
    const state = randomState(robot, new Random("place"));
    const bodies = new HullBodies(robot.hulls);
    bodies.placeAll(state.linkPoses);
    for (const [body, hull] of robot.hulls.entries()) {
      for (let i = 0; i < hull.points.length; i += 3) {
        const local = vec3.create(hull.points[i], hull.points[i + 1], hull.points[i + 2]);
        const expected = pose.transformPoint(state.worldFromLink[hull.link]!, local, vec3.create());
        const placed = bodies.points[body]!.subarray(i, i + 3) as vec3.Vec3;
        expect(vec3.distance(placed, expected)).toBeLessThan(1e-15);
      }
    }
  });

  it("lie in their bounding balls, which are hardly larger than needed", () => {
    const state = randomState(robot, new Random("balls"));
    const bodies = new HullBodies(robot.hulls);
    bodies.placeAll(state.linkPoses);
    for (let body = 0; body < bodies.count; body++) {
      const count = bodies.pointCount[body]!;
      const points = Array.from({ length: count }, (_, i) => vec3.view(bodies.points[body]!, 3 * i));
      const center = vec3.view(bodies.center, 3 * body);
      const reach = Math.max(...points.map((point) => vec3.distance(point, center)));
      const width = Math.max(...points.flatMap((p) => points.map((q) => vec3.distance(p, q))));
      expect(reach).toBeLessThanOrEqual(bodies.extent[body]! + 1e-12);
      // A ball around points of this width has at least half of it, and by Jung's theorem √(3/8) of it suffices.
      expect(bodies.extent[body]).toBeLessThanOrEqual(Math.sqrt(3 / 8) * width * 1.01);
    }
  });
});
