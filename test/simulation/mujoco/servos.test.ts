import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { RobotHand } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { RobotWorld } from "../../../src/simulation/mujoco/robot-world.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";

async function withWorld(name: string, use: (world: RobotWorld) => void): Promise<void> {
  const world = await RobotWorld.create(loadRobot(name));
  try {
    use(world);
  } finally {
    world.close();
  }
}

describe.each(["agile-justin", "lwr-arm", "iiwa-14", "panda", "ur10e-net", "gen3-gripper"])(
  "the servos of %s",
  (name) => {
    it("hold every joint against gravity", () =>
      withWorld(name, (world) => {
        const command = world.holdCommand();
        for (let k = 0; k < 150; k++) world.step(command);
        for (let i = 0; i < world.q.length; i++) expect(Math.abs(world.q[i]! - command.q[i]!)).toBeLessThan(1e-4);
        expect(Math.max(...world.torque.map(Math.abs))).toBeGreaterThan(1);
      }));

    it("answer a small step as laid out: there in a tenth of a second, without ringing", () =>
      withWorld(name, (world) => {
        const { model } = world.robot;
        const dof = model.groups.find(({ hand }) => hand !== undefined)!.dofs[3]!;
        const command = world.holdCommand();
        const start = world.q[dof]!;
        // Small enough that speed and acceleration limits cost only a few milliseconds.
        command.q[dof] = start - 0.01;
        let overshoot = 0;
        for (let k = 0; k < 100; k++) {
          world.step(command);
          overshoot = Math.max(overshoot, start - 0.01 - world.q[dof]!);
        }
        expect(Math.abs(world.q[dof]! - command.q[dof]!)).toBeLessThan(2e-4);
        expect(overshoot).toBeLessThan(1e-3);
      }));
  },
);

describe("Agile Justin", () => {
  /** A fast motion of both arms and the torso, at half their accelerations. */
  function fastMotion(world: RobotWorld): JointRamps {
    const { model } = world.robot;
    const ramps = new JointRamps(model.dofCount);
    const target = Float64Array.from(world.q);
    for (const group of model.groups) {
      const reach = group.kind === "torso" ? 0.2 : group.kind === "srs-arm" ? 0.35 : 0;
      for (const dof of group.dofs) target[dof] = target[dof]! + reach;
    }
    ramps.plan(world.q, new Float64Array(model.dofCount), target, 0.5, model.maxVelocity, model.maxAcceleration);
    return ramps;
  }

  it("follows a fast motion with its hands within a millimetre or two", () =>
    withWorld("agile-justin", (world) => {
      const ramps = fastMotion(world);
      const command = world.holdCommand();
      const state = new RobotState(world.robot.model);
      const hand = world.robot.frames.catchRight!;
      const [actual, qdd] = [pose.create(), new Float64Array(world.q.length)];
      let worst = 0;
      for (let k = 1; k <= 500; k++) {
        ramps.evaluate(k * world.timestep, command.q, command.qd, qdd);
        world.step(command);
        state.q.set(command.q);
        forwardKinematics(state);
        world.worldFromLink(hand, actual);
        const error = vec3.distance(
          pose.getTranslation(actual, vec3.create()),
          pose.getTranslation(state.worldFromLink[hand]!, vec3.create()),
        );
        worst = Math.max(worst, error);
      }
      expect(world.setPoints.limited).toBe(0);
      expect(worst).toBeLessThan(2e-3);
      // The servos are no miracle either: joints pull at one another.
      expect(worst).toBeGreaterThan(1e-4);
    }));

  it("keeps its chest upright: the fourth torso joint follows the second and third", () =>
    withWorld("agile-justin", (world) => {
      const { frames } = world.robot;
      const ramps = fastMotion(world);
      const command = world.holdCommand();
      const qdd = new Float64Array(world.q.length);
      const chest = pose.create();
      for (let k = 1; k <= 500; k++) {
        ramps.evaluate(k * world.timestep, command.q, command.qd, qdd);
        world.step(command);
        // The chest's z axis against the vertical.
        expect(Math.acos(Math.min(1, world.worldFromLink(frames.chest!, chest)[8]))).toBeLessThan(2e-3);
      }
    }));

  it("closes its hands by their closing, or finger by finger where that is not a number", () =>
    withWorld("agile-justin", (world) => {
      const command = world.holdCommand();
      const [left, right] = world.robot.hands as [RobotHand, RobotHand];
      command.closing.set([1, Number.NaN]);
      const finger = right.dofs[1]!;
      command.q[finger] = 0.5;
      for (let k = 0; k < 200; k++) world.step(command);
      for (const [k, dof] of left.dofs.entries()) expect(world.q[dof]).toBeCloseTo(left.closed[k]!, 3);
      expect(world.q[finger]).toBeCloseTo(0.5, 3);
      expect(world.q[right.dofs[4]!]).toBeCloseTo(right.open[4]!, 3);
    }));

  it("does not push harder than its motors can", () =>
    withWorld("agile-justin", (world) => {
      const { maxEffort } = world.robot.model;
      const command = world.holdCommand();
      // A jump of every joint: set-points go at full acceleration.
      for (let i = 0; i < command.q.length; i++) command.q[i] = command.q[i]! + 0.3;
      let greatest = 0;
      for (let k = 0; k < 300; k++) {
        world.step(command);
        for (let i = 0; i < world.torque.length; i++) {
          greatest = Math.max(greatest, Math.abs(world.torque[i]!) / maxEffort[i]!);
        }
      }
      expect(greatest).toBeLessThanOrEqual(1 + 1e-12);
      expect(greatest).toBeGreaterThan(0.3);
      expect(world.setPoints.limited).toBeGreaterThan(0);
    }));

  it("moves in the same way, bit by bit, in every world, also while memory grows", async () => {
    const robot = loadRobot("agile-justin");
    const run = async (disturb: () => Promise<void>): Promise<number[]> => {
      const world = await RobotWorld.create(robot);
      const command = world.holdCommand();
      const ramps = fastMotion(world);
      const qdd = new Float64Array(world.q.length);
      world.throwBall(0, {
        time: 0,
        position: vec3.create(2, -0.4, 1.3),
        velocity: vec3.create(-6, 0, 1),
        drag: world.ball.drag,
      });
      for (let k = 1; k <= 400; k++) {
        if (k === 100) await disturb();
        ramps.evaluate(k * world.timestep, command.q, command.qd, qdd);
        command.closing[1] = k > 200 ? 1 : 0;
        world.step(command);
      }
      const result = [...world.q, ...world.qd, ...world.torque, ...world.ballPosition(0, vec3.create())];
      world.close();
      return result;
    };
    const others: RobotWorld[] = [];
    const first = await run(async () => undefined);
    // Many worlds make the module's memory grow and detach all views on it.
    const second = await run(async () => {
      for (let k = 0; k < 6; k++) others.push(await RobotWorld.create(robot));
    });
    for (const other of others) other.close();
    expect(second).toEqual(first);
  });

  it("steps without making garbage", () =>
    withWorld("agile-justin", (world) => {
      const command = world.holdCommand();
      expect(heapBytesPerCall(() => world.step(command), 500, boxedNumbers)).toBeLessThan(boxedNumbers);
    }));
});
