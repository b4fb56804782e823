import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RobotAction } from "../../../src/control/udp/robot-session.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { noChallenges } from "../../../src/simulation/head-motion/challenges.js";
import { PhysicsWorld } from "../../../src/simulation/mujoco/physics-world.js";
import { GraspWatch } from "../../../src/simulation/robot-sim/grasp-watch.js";
import { SimulatedRobot } from "../../../src/simulation/robot-sim/simulated-robot.js";
import {
  decodeMessage,
  decodeRequest,
  encodeLine,
  LineReader,
  type WorldMessage,
} from "../../../src/simulation/robot-sim/world-protocol.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";

const robot = loadRobot("lwr-arm");

describe("the controller in the simulated robot", () => {
  let world: PhysicsWorld;
  let sim: SimulatedRobot;
  beforeEach(async () => {
    world = await PhysicsWorld.create(robot, { balls: 1 });
    sim = new SimulatedRobot(world, noChallenges, 1, "joints");
  });
  afterEach(() => world.close());

  const target = () => ({ target: Float64Array.from(sim.q), targetVelocity: new Float64Array(sim.q.length) });

  it("brakes at the greatest deceleration, and stands", () => {
    sim.qd[0] = 1;
    const begin = sim.q[0]!;
    const deceleration = robot.maxDeceleration[0]!;
    sim.advance(RobotAction.brake, target(), 600, () => undefined);
    expect(sim.qd[0]).toBe(0);
    expect(sim.q[0]! - begin).toBeCloseTo(1 / (2 * deceleration), 6);
    expect(world.physics.q[0]).toBeCloseTo(sim.q[0]!, 3);
  });

  it("goes on at its velocity while a command is missing", () => {
    sim.qd[0] = 0.5;
    const begin = sim.q[0]!;
    sim.advance(RobotAction.extrapolate, target(), 4, () => undefined);
    expect(sim.q[0]).toBeCloseTo(begin + 0.002, 12);
  });

  it("comes to a late command smoothly, with its velocity", () => {
    const goal = target();
    goal.target[0] = sim.q[0]! + 0.01;
    goal.targetVelocity[0] = 1;
    sim.qd[0] = 1;
    const way: number[] = [sim.q[0]!];
    sim.advance(RobotAction.follow, goal, 10, () => way.push(sim.q[0]!));
    expect(sim.q[0]).toBe(goal.target[0]);
    for (let k = 1; k < way.length; k++) expect(way[k]! - way[k - 1]!).toBeCloseTo(0.001, 9);
  });

  it("is late by the joints' delay, or by its controller alone", async () => {
    const late = { ...robot, commandDelay: new Float64Array(robot.model.dofCount).fill(0.034) };
    const reached: number[] = [];
    for (const lag of ["joints", "controller"] as const) {
      const place = await PhysicsWorld.create(late, { balls: 1 });
      const simulated = new SimulatedRobot(place, noChallenges, 1, lag);
      const begin = place.physics.q[0]!;
      const goal = { target: Float64Array.from(simulated.q), targetVelocity: new Float64Array(simulated.q.length) };
      goal.target[0] = begin + 0.01;
      simulated.advance(RobotAction.follow, goal, 20, () => undefined);
      reached.push(place.physics.q[0]! - begin);
      place.close();
    }
    expect(Math.abs(reached[0]!)).toBeLessThan(1e-3);
    expect(reached[1]!).toBeGreaterThan(3e-3);
  });

  it("stops at a joint's limit while it goes on, or brakes, by itself", () => {
    for (const action of [RobotAction.extrapolate, RobotAction.brake]) {
      sim.q[0] = robot.model.upper[0]! - 0.001;
      sim.qd[0] = 2;
      sim.advance(action, target(), 4, () => undefined);
      expect(sim.q[0]).toBe(robot.model.upper[0]);
      expect(sim.qd[0]).toBe(0);
    }
  });

  it("closes the hand as its fingers are told to, and the evaluator notices", () => {
    const told: WorldMessage[] = [];
    const watch = new GraspWatch(sim, (message) => told.push(message));
    const thrown = new ThrowGenerator(throwSpaceOf(robot), 1).make(0, world.physics.time);
    watch.watch(world.release(thrown), thrown, 100);
    const goal = target();
    const hand = robot.hands[0]!;
    sim.advance(RobotAction.follow, goal, 50, () => watch.step(100));
    for (const [k, dof] of hand.dofs.entries()) goal.target[dof] = hand.closed[k]!;
    sim.advance(RobotAction.follow, goal, 2000, () => watch.step(100));
    expect(sim.closing[0]).toBeCloseTo(1, 6);
    const grasps = told.flatMap((message) => (message.type === "grasp" ? [message.grasp] : []));
    const fates = told.flatMap((message) => (message.type === "fate" ? [message.fate] : []));
    expect(grasps.map(({ ball, verdict }) => [ball, verdict.caught])).toEqual([[0, false]]);
    expect(fates).toHaveLength(1);
    expect(fates[0]?.hold).not.toBe("held");
  });
});

describe("the world's protocol", () => {
  it("brings a throw across to the bit, and drops what is none", () => {
    const ball = new ThrowGenerator(throwSpaceOf(robot), 5).make(3, 1.25);
    const request = decodeRequest(encodeLine({ type: "throw", ball }).trim());
    expect(request).toEqual({ type: "throw", ball });
    for (const line of [
      "",
      "{",
      "null",
      "3",
      '{"type":"throw"}',
      '{"type":"throw","ball":{"id":1}}',
      '{"type":"throw","ball":{"id":1,"state":null}}',
      '{"type":"x"}',
    ]) {
      expect(decodeRequest(line)).toBeNull();
      expect(decodeMessage(line)).toBeNull();
    }
    expect(decodeRequest(encodeLine({ type: "clock", offset: -0.5 }).trim())).toEqual({ type: "clock", offset: -0.5 });
    expect(decodeRequest('{"type":"clock","offset":"1"}')).toBeNull();
    const far = { ...ball, state: { ...ball.state, time: Number.POSITIVE_INFINITY } };
    expect(decodeRequest(encodeLine({ type: "throw", ball: far }).trim())).toBeNull();
  });

  it("cuts lines wherever they were cut on the way", () => {
    const reader = new LineReader();
    const lines = ["ab", "cde", "f"].flatMap((text) => reader.take(Buffer.from(text)) ?? ["too long"]);
    expect([...lines, ...reader.take(Buffer.from("\ngh\n"))!]).toEqual(["abcdef", "gh"]);
    expect(reader.take(Buffer.from("a\n\nb"))).toEqual(["a"]);
  });

  it("takes no line that is longer than the longest", () => {
    const reader = new LineReader(4);
    expect(reader.take(Buffer.from("abcd\nab"))).toEqual(["abcd"]);
    expect(reader.take(Buffer.from("cde"))).toBeNull();
    expect(new LineReader(4).take(Buffer.from("abcde\n"))).toBeNull();
  });
});
