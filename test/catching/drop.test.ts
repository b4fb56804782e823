import { describe, expect, it } from "vitest";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { lockStepRunIn } from "../../src/run/lock-step-host.js";
import type { PhysicsWorld } from "../../src/simulation/mujoco/physics-world.js";
import { SimulatedWorld } from "../../src/simulation/simulated-world.js";

const robot = loadRobot("agile-justin");

describe("a caught ball", () => {
  it("is carried to the side of the robot and really falls out of the hand there", async () => {
    const ball = vec3.create();
    const places = new Map<string, number[]>();
    let last = "";
    const scene = await SimulatedWorld.create({ truth: robot, kind: "physics", seed: 4 });
    const world = scene.world as PhysicsWorld;
    const onTick = (): void => {
      const states = Array.from(run.host.director.coordinators.values(), ({ machine }) => machine.state);
      const state = states.find((one) => one === "carrying" || one === "dropping" || one === "homing") ?? "";
      if (state !== last && world.ballPlace(0, ball)) places.set(state, [...ball]);
      last = state;
    };
    const run = lockStepRunIn(scene, { robot, world: "physics", perception: "truth", seed: 4, onTick });
    const [result] = await run.throwBalls([0]);
    await run.close();
    expect(result).toMatchObject({ outcome: "caught", hold: "held" });
    // Where it was when the hand was over the box, and when it had been let go of.
    const [dropped, gone] = [places.get("dropping")!, places.get("homing")!];
    expect(places.has("carrying")).toBe(true);
    expect(Math.abs(dropped[1]!)).toBeGreaterThan(0.3);
    expect(gone[2]!).toBeLessThan(dropped[2]! - 0.2);
    expect(Math.hypot(gone[0]! - dropped[0]!, gone[1]! - dropped[1]!)).toBeLessThan(0.15);
  });
});
