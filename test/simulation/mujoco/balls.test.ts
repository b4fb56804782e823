import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gravity, STANDARD_GRAVITY } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotWorld } from "../../../src/simulation/mujoco/robot-world.js";
import { deep } from "../../support/deep.js";

const robot = loadRobot("lwr-arm");
let world: RobotWorld;

beforeAll(async () => {
  world = await RobotWorld.create(robot, { balls: 2 });
});

afterAll(() => world.close());

/** A ball out of everything's way. */
function ball(position: vec3.Vec3, velocity: vec3.Vec3) {
  return { time: 0, position, velocity, drag: world.ball.drag };
}

describe("a ball", () => {
  it("flies as the flight model has it, within a tenth of a millimetre a second", () => {
    const random = new Random("flights");
    const command = world.holdCommand();
    const flight = new Flight();
    const [position, velocity] = [vec3.create(), vec3.create()];
    let worst = 0;
    let worstSpeed = 0;
    for (let k = 0; k < deep(3, 200); k++) {
      const start = ball(
        vec3.create(5, random.uniformIn(-1, 1), 12),
        vec3.create(random.uniformIn(-9, -4), random.uniformIn(-2, 2), random.uniformIn(1, 6)),
      );
      flight.reset(start, gravity(), 0, 1);
      world.throwBall(0, start, vec3.create(30, -20, 10));
      for (let step = 1; step <= 1000; step++) {
        world.step(command);
        if (step % 50 !== 0) continue;
        const time = step * world.timestep;
        const error = vec3.distance(world.ballPosition(0, position), flight.position(time, vec3.create()));
        const speedError = vec3.distance(world.ballVelocity(0, velocity), flight.velocity(time, vec3.create()));
        worst = Math.max(worst, error);
        worstSpeed = Math.max(worstSpeed, speedError);
      }
      expect(world.hasTouched(0)).toBe(false);
    }
    expect(worst).toBeLessThan(1e-4);
    expect(worstSpeed).toBeLessThan(1e-4);
  });

  it("is lifted by its spin until it touches something", () => {
    const command = world.holdCommand();
    const flight = new Flight();
    const lift = vec3.create(0.2, -0.5, 0.4);
    const start = { ...ball(vec3.create(5, 0, 3), vec3.create(-5, 1, 2)), lift };
    flight.reset(start, gravity(), 0, 1);
    world.throwBall(0, start);
    const position = vec3.create();
    for (let step = 1; step <= 800; step++) world.step(command);
    const time = 800 * world.timestep;
    expect(world.hasTouched(0)).toBe(false);
    expect(vec3.distance(world.ballPosition(0, position), flight.position(time, vec3.create()))).toBeLessThan(1e-4);
    // Without it the ball would be elsewhere by decimetres.
    flight.reset({ ...start, lift: vec3.create() }, gravity(), 0, 1);
    expect(vec3.distance(position, flight.position(time, vec3.create()))).toBeGreaterThan(0.1);
    for (let step = 0; step < 1500 && !world.hasTouched(0); step++) world.step(command);
    expect(world.hasTouched(0)).toBe(true);
    // In the air again after the floor: gravity and drag alone.
    for (let step = 0; step < 30; step++) world.step(command);
    const [before, after] = [world.ballVelocity(0, vec3.create()), vec3.create()];
    world.step(command);
    world.ballVelocity(0, after);
    const drag = world.ball.drag * vec3.norm(before);
    for (let k = 0; k < 2; k++) expect((after[k]! - before[k]!) / world.timestep).toBeCloseTo(-drag * before[k]!, 2);
  });

  it("bounces off the floor with a restitution of 0.44, and never gains energy", () => {
    const command = world.holdCommand();
    const radius = world.ball.diameter / 2;
    const [position, velocity] = [vec3.create(), vec3.create()];
    const bounces: number[] = [];
    let gain = 0;
    for (let k = 0; k < 20; k++) {
      // By a twentieth of a step's way higher each time: the touch begins anywhere within a step.
      world.throwBall(0, ball(vec3.create(4, 0, 0.2 + k * 2.5e-4), vec3.create(0, 0, -5)));
      let [impact, rebound, energy] = [0, 0, Number.POSITIVE_INFINITY];
      for (let step = 0; step < 100; step++) {
        world.step(command);
        const height = world.ballPosition(0, position)[2] - radius;
        const vertical = world.ballVelocity(0, velocity)[2];
        if (!world.hasTouched(0)) impact = vertical;
        if (vertical > 0 && height > 0 && rebound === 0) rebound = vertical;
        if (height < 0.005) continue;
        // Away from the floor all energy is that of height and speed.
        const total = STANDARD_GRAVITY * height + 0.5 * vec3.squaredNorm(velocity);
        gain = Math.max(gain, total - energy);
        energy = total;
      }
      bounces.push(-rebound / impact);
    }
    expect(gain).toBeLessThan(1e-6);
    expect(Math.min(...bounces)).toBeGreaterThan(0.36);
    expect(Math.max(...bounces)).toBeLessThan(0.52);
    const mean = bounces.reduce((sum, e) => sum + e, 0) / bounces.length;
    expect(Math.abs(mean - 0.44)).toBeLessThan(0.02);
  });

  it("comes to rest on the floor", () => {
    const command = world.holdCommand();
    world.throwBall(0, ball(vec3.create(4, 0, 0.5), vec3.create()));
    for (let step = 0; step < 2000; step++) world.step(command);
    expect(world.ballPosition(0, vec3.create())[2]).toBeCloseTo(world.ball.diameter / 2, 2);
    expect(vec3.norm(world.ballVelocity(0, vec3.create()))).toBeLessThan(0.02);
  });

  it("bounces off the palm in the same way", () => {
    const hand = robot.hands[0]!;
    const worldFromHand = world.worldFromLink(hand.catchLink, pose.create());
    const command = world.holdCommand();
    const speed = 6;
    const inwards = pose.rotateVector(worldFromHand, vec3.create(0, 0, -1), vec3.create());
    const mouth = pose.getTranslation(worldFromHand, vec3.create());
    world.throwBall(0, ball(mouth, vec3.scale(inwards, speed, vec3.create())));
    const velocity = vec3.create();
    let rebound = 0;
    for (let step = 0; step < 40; step++) {
      world.step(command);
      rebound = Math.max(rebound, -vec3.dot(world.ballVelocity(0, velocity), inwards));
    }
    expect(rebound / speed).toBeGreaterThan(0.36);
    expect(rebound / speed).toBeLessThan(0.52);
    world.removeBall(0);
  });

  it("spins on in the air, and spin makes it swerve off the floor", () => {
    const command = world.holdCommand();
    world.throwBall(0, ball(vec3.create(4, 0, 0.5), vec3.create()), vec3.create(0, 60, 0));
    const velocity = vec3.create();
    for (let step = 0; step < 450; step++) world.step(command);
    expect(world.ballVelocity(0, velocity)[0]).toBeGreaterThan(0.3);
    expect(Math.abs(velocity[1])).toBeLessThan(0.05);
    world.removeBall(0);
  });

  it("meets another one", () => {
    const command = world.holdCommand();
    world.throwBall(0, ball(vec3.create(4, 0, 5), vec3.create(2, 0, 0)));
    world.throwBall(1, ball(vec3.create(5, 0, 5), vec3.create(-2, 0, 0)));
    for (let step = 0; step < 350; step++) world.step(command);
    expect([world.hasTouched(0), world.hasTouched(1)]).toEqual([true, true]);
    expect(world.ballVelocity(0, vec3.create())[0]).toBeLessThan(0);
    world.removeBall(0);
    world.removeBall(1);
  });

  it("waits out of reach when it is not in play, and does not move", () => {
    const command = world.holdCommand();
    const before = world.ballPosition(1, vec3.create());
    for (let step = 0; step < 500; step++) world.step(command);
    expect(world.ballPosition(1, vec3.create())).toEqual(before);
    expect([world.isInPlay(0), world.freeBall()]).toEqual([false, 0]);
    expect(() => world.throwBall(2, ball(vec3.create(), vec3.create()))).toThrow(
      expect.objectContaining({ code: "FLY_WORLD_REQUEST" }),
    );
  });
});
