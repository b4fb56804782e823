import { afterEach, describe, expect, it } from "vitest";
import { summarize, type ThrowResult } from "../../../src/catching/run-summary.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../../src/run/lock-step-host.js";
import { canHold, PhysicsWorld } from "../../../src/simulation/mujoco/physics-world.js";
import { freeFlight } from "../../../src/simulation/world/ball-world.js";
import { flyingState, visibleBalls } from "../../../src/simulation/world/catch-world.js";
import { Thrower } from "../../../src/simulation/world/thrower.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { deep } from "../../support/deep.js";

const robot = loadRobot("lwr-arm");
const throws = new ThrowGenerator(throwSpaceOf(robot), 1);
let world: PhysicsWorld | null = null;

async function makeWorld(balls = 2): Promise<PhysicsWorld> {
  world = await PhysicsWorld.create(robot, { balls });
  return world;
}

afterEach(() => {
  world?.close();
  world = null;
});

function stepTo(time: number, of: PhysicsWorld): void {
  const command = of.physics.holdCommand();
  while (of.physics.time < time - 5e-4) of.step(command);
}

describe("the world with forces", () => {
  it("lets balls go when their time has come, and they fly their path until something is in the way", async () => {
    const world = await makeWorld();
    const ball = world.release(throws.make(3, 0.0375));
    expect(world.flying(0.03)).toEqual([]);
    stepTo(0.3, world);
    expect(world.flying(0.3)).toEqual([ball]);
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
    flyingState(ball, world.ball, world.physics.time, state);
    const slot = 0;
    expect(vec3.distance(state.position, world.physics.ballPosition(slot, vec3.create()))).toBeLessThan(1e-5);
    stepTo(ball.lands + 0.05, world);
    expect(world.physics.hasTouched(slot)).toBe(true);
    expect(world.flying(ball.lands - 1e-3)).toEqual([]);
  });

  it("has a ball in a hand until its release, and then in the air, as without a hand", async () => {
    const world = await makeWorld();
    const thrower = new Thrower({ kind: "standard", fakes: 0, handOvers: 0 }, 1);
    const clean = throws.make(3, 3);
    const ball = world.release(thrower.prepare(clean));
    const { begin } = ball.hand!;
    expect(world.inHand(begin - 1e-3)).toEqual([]);
    expect(world.inHand(2.999)).toEqual([ball]);
    expect(visibleBalls(world, 2.999)[0]).toMatchObject({ id: 3, hand: { isHolding: true } });
    expect(world.ballPlace(3, vec3.create())).toBe(false);
    stepTo(3.2, world);
    expect(world.inHand(3.2)).toEqual([]);
    expect(world.flying(3.2)).toEqual([ball]);
    expect(visibleBalls(world, 3.2)[0]).toMatchObject({ id: 3, hand: { isHolding: false } });
    const [flown, place] = [vec3.create(), world.physics.ballPosition(0, vec3.create())];
    freeFlight(clean, world.ball).path.position(world.physics.time, flown);
    expect(vec3.distance(flown, place)).toBeLessThan(1e-5);
  });

  it("has as many balls at a time as it was made for", async () => {
    const world = await makeWorld(1);
    world.release(throws.make(0, 0));
    expect(() => world.release(throws.make(1, 0))).toThrow(expect.objectContaining({ code: "FLY_WORLD_REQUEST" }));
    world.take(0);
    expect(() => world.release(throws.make(1, 0))).not.toThrow();
  });

  it("says of an unwatched ball nothing, and of one that no hand was near that it passed by", async () => {
    const world = await makeWorld();
    const ball = world.release(throws.make(0, 0));
    stepTo(0.2, world);
    expect(world.holdOutcome(ball.id)).toBeNull();
    world.watch(ball.id, { hand: 0, catchTime: 0.2, closedTime: 0.3, passesGate: false });
    stepTo(0.69, world);
    expect(world.holdOutcome(ball.id)).toBeNull();
    stepTo(0.7, world);
    expect(world.holdOutcome(ball.id)).toBe("passed by");
  });

  it("says of a ball that met another one on its way that it was blocked", async () => {
    const world = await makeWorld();
    const first = throws.make(0, 0);
    // The same flight, a ball's breadth lower: it is touched from above, and both fly on elsewhere.
    const second = {
      ...first,
      id: 1,
      state: { ...first.state, position: vec3.copy(first.state.position, vec3.create()) },
    };
    second.state.position[2] -= 0.08;
    world.release(first);
    world.release(second);
    stepTo(0.3, world);
    world.watch(0, { hand: 0, catchTime: 0.31, closedTime: 0.4, passesGate: true });
    stepTo(0.82, world);
    expect(world.holdOutcome(0)).toBe("blocked");
  });

  it("moves links with the velocity of their poses", async () => {
    const world = await makeWorld();
    const command = world.physics.holdCommand();
    const link = robot.hands[0]!.catchLink;
    const dof = robot.model.groups[0]!.dofs[1]!;
    for (let k = 1; k < 100; k++) {
      command.q[dof] = command.q[dof]! + 5e-4 * Math.min(1, k / 50);
      command.qd[dof] = 0.5 * Math.min(1, k / 50);
      const before = [...world.worldFromLink(link).subarray(9)];
      world.step(command);
      const moved = [...world.worldFromLink(link).subarray(9)].map((x, i) => (x - before[i]!) / 1e-3);
      const velocity = world.linkVelocity(link, vec3.create());
      for (let i = 0; i < 3; i++) expect(Math.abs(velocity[i]! - moved[i]!)).toBeLessThan(0.02);
    }
    expect(vec3.norm(world.linkVelocity(link, vec3.create()))).toBeGreaterThan(0.1);
  });

  it("knows which robots can hold a ball", () => {
    for (const name of ["agile-justin", "lwr-arm", "iiwa-14", "panda"]) expect(canHold(loadRobot(name))).toBe(true);
    const { hands, ...panda } = loadRobot("panda");
    expect(canHold({ ...panda, hands: hands.map((hand) => ({ ...hand, mouth: null })) })).toBe(false);
  });
});

describe("a run in the world with forces", () => {
  it("ends with balls in the hand, the same bits each time", async () => {
    const play = async (count: number) => {
      const run = await lockStepRun({ robot, world: "physics", perception: "truth", seed: 1 });
      const results: ThrowResult[] = [];
      for (let id = 0; id < count; id++) results.push(...(await run.throwBalls([id])));
      await run.close();
      return results;
    };
    const results = await play(deep(4, 100));
    const { reachable, caughtOfReachable, gateOfReachable, lateralMm } = summarize(results);
    expect(reachable.rate).toBeGreaterThan(0.5);
    expect(caughtOfReachable.rate).toBeGreaterThan(0.9);
    expect(gateOfReachable.rate).toBeGreaterThan(0.9);
    // The servos' error at the catch, which a world without forces does not have.
    expect(lateralMm!.p50).toBeGreaterThan(0.005);
    expect(lateralMm!.max).toBeLessThan(2);
    expect(await play(1)).toEqual(results.slice(0, 1));
  });
});
