import { describe, expect, it } from "vitest";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { BallWorld } from "../../../src/simulation/world/ball-world.js";
import { flyingState } from "../../../src/simulation/world/catch-world.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";

const robot = loadRobot("lwr-arm");
const ready = robot.postures.get("ready")!;
const [arm] = robot.model.groups;
const generator = new ThrowGenerator(throwSpaceOf(robot), 5);

describe("a ball in the world", () => {
  it("is in the air from its release until it lies on the floor", () => {
    const world = new BallWorld(robot, ready);
    const ball = world.release(generator.make(4, 2));
    expect(world.flying(1.999)).toEqual([]);
    expect(world.flying(2)).toEqual([ball]);
    expect(world.flying(ball.lands)).toEqual([ball]);
    expect(world.flying(ball.lands + 1e-6)).toEqual([]);
    expect(ball.path.position(ball.lands, vec3.create())[2]).toBeCloseTo(0.085 / 2, 9);
  });

  it("is where it was aimed, when it was", () => {
    const world = new BallWorld(robot, ready);
    const thrown = generator.make(9, 1.5);
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
    flyingState(world.release(thrown), world.ball, 1.5 + thrown.flightTime, state);
    expect(vec3.distance(state.position, thrown.aim)).toBeLessThan(1e-6);
    expect(state).toMatchObject({ time: 1.5 + thrown.flightTime, drag: 0.032 });
  });

  it("is gone once it is taken", () => {
    const world = new BallWorld(robot, ready);
    const first = world.release(generator.make(0, 0));
    const second = world.release(generator.make(1, 0.1));
    world.take(first.id);
    expect(world.flying(0.5)).toEqual([second]);
  });
});

describe("the robot in the world", () => {
  it("stands in its posture, and follows commands exactly", () => {
    const world = new BallWorld(robot, ready);
    const state = new RobotState(robot.model);
    state.q.set(ready);
    forwardKinematics(state);
    expect([...world.worldFromLink(arm!.tipLink)]).toEqual([...state.worldFromLink[arm!.tipLink]!]);
    const q = Float64Array.from(arm!.dofs, (dof, i) => ready[dof]! + 0.1 * i);
    for (const [i, dof] of arm!.dofs.entries()) state.q[dof] = q[i]!;
    world.step({ q: state.q, qd: new Float64Array(ready.length), closing: new Float64Array(0) });
    forwardKinematics(state);
    expect([...world.worldFromLink(arm!.tipLink)]).toEqual([...state.worldFromLink[arm!.tipLink]!]);
    expect([...world.linkVelocity(arm!.tipLink, vec3.create())]).toEqual([0, 0, 0]);
  });

  it("moves its hand as fast as its joints say", () => {
    const world = new BallWorld(robot, ready);
    const qd = new Float64Array(ready.length);
    for (const [i, dof] of arm!.dofs.entries()) qd[dof] = 0.3 - 0.1 * i;
    const h = 1e-6;
    const place = (sign: 1 | -1): vec3.Vec3 => {
      const q = ready.map((value, i) => value + sign * h * qd[i]!);
      world.step({ q, qd, closing: new Float64Array(0) });
      const hand = world.worldFromLink(arm!.tipLink);
      return vec3.create(hand[9], hand[10], hand[11]);
    };
    const moved = vec3.scale(vec3.subtract(place(1), place(-1), vec3.create()), 1 / (2 * h), vec3.create());
    expect(vec3.distance(moved, world.linkVelocity(arm!.tipLink, vec3.create()))).toBeLessThan(1e-6);
  });
});
