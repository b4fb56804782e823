import { describe, expect, it } from "vitest";
import { cloudBoxes, heightBoxes } from "../../../src/collision/making/obstacle-boxes.js";
import { obstacleNameOf, parseMotionObstacles } from "../../../src/collision/making/obstacle-parts.js";
import { PostureClearance } from "../../../src/collision/posture-clearance.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { robotAmong } from "../../../src/robot/loading/obstacles.js";

describe("obstacles of several parts", () => {
  it("boxes of a cloud contain every point and are no longer than asked", () => {
    const random = new Random("cloud");
    const points = Float64Array.from({ length: 3000 }, () => random.uniformIn(-1, 1));
    const boxes = cloudBoxes(points, 0.4);
    for (let i = 0; i < points.length; i += 3) {
      const isInside = boxes.some(({ low, high }) =>
        [0, 1, 2].every((k) => points[i + k]! >= low[k]! && points[i + k]! <= high[k]!),
      );
      expect(isInside).toBe(true);
    }
    for (const { low, high } of boxes) for (let k = 0; k < 3; k++) expect(high[k]! - low[k]!).toBeLessThanOrEqual(0.4);
  });

  it("boxes of a height map reach over every cell, and no more than the tolerance above the lowest of theirs", () => {
    const heights = Array.from({ length: 20 * 30 }, (_, i) => (i % 20 < 10 ? 0.1 : 0.3) + 0.005 * (i % 3));
    const boxes = heightBoxes({ heights, columns: 20, cell: 0.05, floor: 0, tolerance: 0.02 });
    expect(boxes.length).toBeLessThan(30);
    for (const [i, height] of heights.entries()) {
      const [x, y] = [((i % 20) + 0.5) * 0.05, (Math.floor(i / 20) + 0.5) * 0.05];
      const over = boxes.find(({ low, high }) => x > low[0]! && x < high[0]! && y > low[1]! && y < high[1]!)!;
      expect(over.high[2]).toBeGreaterThanOrEqual(height);
      expect(over.high[2]! - height).toBeLessThanOrEqual(0.02 + 1e-12);
    }
  });

  it("a mesh with a notch is cut into parts that leave the notch free", () => {
    const vertices: number[] = [];
    const triangles: number[] = [];
    for (const [x, width] of [
      [-0.3, 0.1],
      [0.3, 0.1],
    ] as const) {
      const first = vertices.length / 3;
      for (let corner = 0; corner < 8; corner++) {
        vertices.push(x + (corner & 1 ? width : -width), corner & 2 ? 0.2 : -0.2, corner & 4 ? 0.5 : 0);
      }
      for (const face of [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
      ]) {
        triangles.push(...[0, 1, 2, 0, 2, 3].map((k) => first + face[k]!));
      }
    }
    const parts = parseMotionObstacles([{ name: "gate", type: "mesh", vertices, triangles }]);
    expect(parts.length).toBeGreaterThanOrEqual(2);
    expect(parts.every(({ name }) => obstacleNameOf(name) === "gate")).toBe(true);
    for (const { points, radius } of parts) {
      const xs = points.filter((_, i) => i % 3 === 0);
      const isOneSided = Math.min(...xs) - radius > -0.05 || Math.max(...xs) + radius < 0.05;
      expect(isOneSided).toBe(true);
    }
  });

  it("moves as its course says", () => {
    const [still] = parseMotionObstacles([
      {
        name: "plate",
        type: "sphere",
        center: [0.1, 0, 0],
        radius: 0.1,
        motion: {
          table: [
            { time: 0, origin: { xyz: [0, 0, 0] } },
            { time: 2, origin: { xyz: [1, 0, 0], rpy: [0, 0, Math.PI / 2] } },
          ],
        },
      },
    ]);
    const at = still!.course!.poseAt(1, pose.create());
    expect(at[9]).toBeCloseTo(0.5, 12);
    expect(Math.atan2(at[3], at[0])).toBeCloseTo(Math.PI / 4, 12);
    const speed = still!.course!.speedBetween(0, 2, { linear: 0, angular: 0 });
    expect(speed.linear).toBeCloseTo(0.5, 12);
    expect(speed.angular).toBeCloseTo(Math.PI / 4, 12);
  });

  it("what is attached to a link moves with it and is checked against what stands", () => {
    const robot = loadRobot("panda");
    const tip = robot.model.linkNames[robot.model.groups[0]!.tipLink]!;
    const among = robotAmong(
      robot,
      parseMotionObstacles([
        { name: "rod", type: "capsule", from: [0, 0, 0.2], to: [0, 0, 0.5], radius: 0.01, attachedTo: tip },
        { name: "floor", type: "half-space", normal: [0, 0, 1], offset: -5 },
      ]),
    );
    const named = among.pairs.map(([a, b]) => [among.hulls[a]!.name, among.hulls[b]!.name].sort().join("/"));
    expect(named).toContain("floor/rod");
    const nearest = new PostureClearance(among).distances(robot.postures.get("ready")!, 10);
    expect(nearest.some(({ bodies }) => bodies.includes("rod") && bodies.includes("floor"))).toBe(true);
  });
});
