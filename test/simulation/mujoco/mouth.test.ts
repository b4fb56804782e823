import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawTrial, runTrial } from "../../../bench/simulation/hand-trial.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { HandMouth, RobotHand } from "../../../src/robot/robot.js";
import { HandCage } from "../../../src/simulation/mujoco/hold-watch.js";
import { RobotWorld } from "../../../src/simulation/mujoco/robot-world.js";
import { deep } from "../../support/deep.js";

const robot = loadRobot("panda");
const hand = robot.hands[0]!;
const posture = robot.postures.get("ready")!;
let world: RobotWorld;

beforeAll(async () => {
  world = await RobotWorld.create(robot, { balls: 1 });
  world.place(posture);
});
afterAll(() => world.close());

const cageOf = (mouth: HandMouth | null) => new HandCage(world, { ...hand, mouth } satisfies RobotHand);
const at = (x: number, y: number, z: number) => vec3.create(x, y, z);

describe("a mouth", () => {
  it("holds what is inside its outline, wherever the axis is", () => {
    const round = cageOf({ outline: { radius: 0.12 }, depth: 0.2 });
    expect(round.holds(at(0.11, 0, -0.1))).toBe(true);
    expect(round.holds(at(0.09, 0.09, -0.1))).toBe(false);
    expect(round.holds(at(0, 0, -0.21))).toBe(false);
    expect(round.holds(at(0, 0, 0))).toBe(false);
    expect(cageOf(null).holds(at(0.11, 0, -0.1))).toBe(false);
  });

  it("may have any outline, one that is not convex too", () => {
    // An L: the quarter x > 0, y > 0 of a square is missing.
    const corners = [
      [-0.1, -0.1],
      [0.1, -0.1],
      [0.1, 0],
      [0, 0],
      [0, 0.1],
      [-0.1, 0.1],
    ] as const;
    const cage = cageOf({ outline: { corners }, depth: 0.2 });
    const random = new Random("outline");
    for (let k = 0; k < 1000; k++) {
      const [x, y] = [random.uniformIn(-0.15, 0.15), random.uniformIn(-0.15, 0.15)];
      const isInside = Math.abs(x) < 0.1 && Math.abs(y) < 0.1 && !(x > 0 && y > 0);
      expect(cage.holds(at(x, y, -0.1))).toBe(isInside);
    }
  });

  it("of the shipped baskets keeps balls of 5 to 8 m/s", () => {
    const count = deep(40, 200);
    const outcomes = Array.from({ length: count }, (_, k) =>
      runTrial(world, posture, 0, drawTrial(new Random(`basket ${k}`), 0.015, 0)),
    );
    expect(outcomes.filter((outcome) => outcome === "held").length / count).toBeGreaterThanOrEqual(0.85);
  });

  it("has either a radius or an outline", () => {
    const { urdf, sidecar, name } = robot;
    const outline: [number, number][] = [
      [0, 0],
      [1, 0],
      [0, 1],
    ];
    for (const mouth of [{ depth: 0.1 }, { radius: 0.1, outline, depth: 0.1 }]) {
      const hands = [{ ...sidecar.hands![0]!, mouth }];
      expect(() => assembleRobot({ name, urdf, sidecar: { ...sidecar, hands } })).toThrow("/hands/0/mouth");
    }
  });
});
