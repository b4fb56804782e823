import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot } from "../../../src/robot/robot.js";
import { BrakingIntervals, decelerationsOf } from "../../../src/safety/braking/braking-intervals.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";

const robot = loadRobot("lwr-arm");
const n = robot.model.dofCount;

interface Motion {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
}

function randomMotion(random: Random): Motion {
  const { maxVelocity } = robot.model;
  const speed = random.uniform() < 0.1 ? 1.5 : 1;
  return {
    q: Float64Array.from({ length: n }, () => random.uniformIn(-2, 2)),
    qd: maxVelocity.map((limit) => speed * random.uniformIn(-limit, limit)),
    qdd: maxVelocity.map(() => (random.uniform() < 0.3 ? 0 : random.uniformIn(-200, 200))),
  };
}

/**
 * Least and greatest position of one dof in a random run of the brake's rules, in small steps: off by the errors at first, an
 * acceleration between none and the commanded one, the speed limit, the brake at any time and at least as strong.
 */
function simulate(random: Random, braking: BrakingIntervals, { q, qd, qdd }: Motion, dof: number): [number, number] {
  const step = braking.reactionTime / 200;
  const extreme = random.uniform() < 0.5;
  const error = (size: number): number =>
    extreme ? size * (random.uniform() < 0.5 ? 1 : -1) : random.uniformIn(-size, size);
  let position = q[dof]! + error(braking.positionError);
  let speed = qd[dof]! + error(braking.velocityError);
  const upwards = Math.max(braking.speedLimit[dof]!, qd[dof]!) + braking.velocityError;
  const downwards = Math.max(braking.speedLimit[dof]!, -qd[dof]!) + braking.velocityError;
  const brakeTime = extreme ? braking.reactionTime : random.uniformIn(0, braking.reactionTime);
  const strength = extreme ? 1 : random.uniformIn(1, 2);
  let [least, greatest] = [position, position];
  for (let time = 0; time < brakeTime - 1e-12; time += step) {
    const share = extreme ? Math.round(random.uniform()) : random.uniform();
    const next = Math.max(
      -downwards,
      Math.min(upwards, speed + step * qdd[dof]! * (extreme && share === 0 ? 1 : share)),
    );
    position += 0.5 * step * (speed + next);
    speed = next;
    least = Math.min(least, position);
    greatest = Math.max(greatest, position);
  }
  const end = position + (speed * Math.abs(speed)) / (2 * strength * braking.deceleration[dof]!);
  return [Math.min(least, end), Math.max(greatest, end)];
}

describe("braking intervals", () => {
  it("do not fall at either end when position, velocity or acceleration rise, however fast the dof is", () => {
    const random = new Random("monotone");
    const braking = new BrakingIntervals(robot);
    const make = (): Float64Array => new Float64Array(n);
    const [low, high, lowRaised, highRaised] = [make(), make(), make(), make()];
    let fall = 0;
    for (let round = 0; round < deep(1000, 50_000); round++) {
      const motion = randomMotion(random);
      for (let dof = 0; dof < n; dof++) motion.qd[dof] = 3 * motion.qd[dof]!;
      const raise = (values: Float64Array, size: number): Float64Array =>
        values.map((value) => value + (random.uniform() < 0.5 ? size * random.uniform() : 0));
      braking.compute(motion.q, motion.qd, motion.qdd, low, high);
      braking.compute(raise(motion.q, 0.1), raise(motion.qd, 5), raise(motion.qdd, 100), lowRaised, highRaised);
      for (let dof = 0; dof < n; dof++) {
        fall = Math.max(fall, low[dof]! - lowRaised[dof]!, high[dof]! - highRaised[dof]!);
      }
    }
    expect(fall).toBeLessThan(1e-12);
  });

  it("of measured states have half of the errors", () => {
    const [low, high] = [new Float64Array(n), new Float64Array(n)];
    const still = new Float64Array(n);
    const errors = { positionError: 0.004, velocityError: 0 };
    new BrakingIntervals(robot, errors, "measured").compute(still, still, still, low, high);
    for (let dof = 0; dof < n; dof++) expect([low[dof], high[dof]]).toEqual([-high[dof]!, expect.closeTo(0.002, 9)]);
  });

  it("hold every position until standstill, and are reached", () => {
    const random = new Random("brakes");
    const braking = new BrakingIntervals(robot, { reactionTime: 0.01 });
    const [low, high] = [new Float64Array(n), new Float64Array(n)];
    let tightest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < deep(300, 20_000); round++) {
      const motion = randomMotion(random);
      braking.compute(motion.q, motion.qd, motion.qdd, low, high);
      for (let dof = 0; dof < n; dof++) {
        for (let run = 0; run < 4; run++) {
          const [least, greatest] = simulate(random, braking, motion, dof);
          // The simulation adds up hundreds of rounded steps.
          if (!(least >= low[dof]! - 1e-12 && greatest <= high[dof]! + 1e-12)) {
            throw new Error(`dof ${dof}: ${least} … ${greatest} outside ${low[dof]} … ${high[dof]}`);
          }
          tightest = Math.min(tightest, least - low[dof]! + high[dof]! - greatest);
        }
      }
    }
    // Some run begins at one end of its error: the other end is then 2·1e-3 away, and the speeds' errors add to it.
    expect(tightest).toBeLessThan(0.004);
  });

  it("are the braking distance, for one dof at known speed", () => {
    const braking = new BrakingIntervals(robot, { reactionTime: 0.005, positionError: 0, velocityError: 0 });
    const [low, high] = [new Float64Array(n), new Float64Array(n)];
    const d = braking.deceleration[0]!;
    const qd = new Float64Array(n);
    qd[0] = 1;
    braking.compute(new Float64Array(n), qd, new Float64Array(n), low, high);
    expect(high[0]).toBeCloseTo(0.005 + 1 / (2 * d), 12);
    expect(low[0]).toBeCloseTo(0, 12);
    expect([low[1], high[1]]).toEqual([0, 0]);
  });

  it("trust a brake only as far as they are told", () => {
    const end = (trustedDeceleration: number): number => {
      const braking = new BrakingIntervals(robot, {
        trustedDeceleration,
        reactionTime: 0,
        positionError: 0,
        velocityError: 0,
      });
      const [low, high] = [new Float64Array(n), new Float64Array(n)];
      const still = new Float64Array(n);
      braking.compute(
        still,
        still.map(() => 1),
        still,
        low,
        high,
      );
      return high[0]!;
    };
    expect(end(0.5) / end(1)).toBeCloseTo(2, 9);
  });

  it("end at stops only if there are some", () => {
    const [low, high] = [new Float64Array(n), new Float64Array(n)];
    const q = robot.model.upper.slice();
    const qd = robot.model.maxVelocity.slice();
    new BrakingIntervals(robot).compute(q, qd, new Float64Array(n), low, high);
    expect(high[0]).toBeGreaterThan(q[0]! + 0.02);
    q[0] = q[0]! - 0.001;
    const stops = new BrakingIntervals(robot, { limits: "stops", stopTolerance: 0.002 });
    stops.compute(q, qd, new Float64Array(n), low, high);
    expect(high[0]).toBe(robot.model.upper[0]! + 0.002);
    q[0] = robot.model.upper[0]! + 0.01;
    stops.compute(q, qd, new Float64Array(n), low, high);
    expect(high[0]).toBeGreaterThan(q[0]!);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("pass %s on", (value) => {
    for (const wrong of ["q", "qd", "qdd"] as const) {
      const motion = randomMotion(new Random("nonsense"));
      motion[wrong][2] = value;
      const [low, high] = [new Float64Array(n), new Float64Array(n)];
      new BrakingIntervals(robot).compute(motion.q, motion.qd, motion.qdd, low, high);
      expect(Number.isFinite(high[2]! - low[2]!)).toBe(false);
      expect(Number.isFinite(high[1]! - low[1]!)).toBe(true);
    }
  });

  it("allocate nothing", () => {
    const random = new Random("heap");
    const motions = Array.from({ length: 20 }, () => randomMotion(random));
    const braking = new BrakingIntervals(robot);
    const [low, high] = [new Float64Array(n), new Float64Array(n)];
    const bytes = heapBytesPerCall(
      (i) => {
        const { q, qd, qdd } = motions[i % motions.length]!;
        braking.compute(q, qd, qdd, low, high);
      },
      20_000,
      boxedNumbers,
    );
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});

describe("the deceleration counted on", () => {
  const { model } = robot;
  const withLimits = (deceleration: number, acceleration: number, speed: number): Robot => ({
    ...robot,
    maxDeceleration: new Float64Array(n).fill(deceleration),
    model: {
      ...model,
      maxAcceleration: new Float64Array(n).fill(acceleration),
      maxVelocity: new Float64Array(n).fill(speed),
    },
  });

  it.each([
    ["the robot's", 20, 10, 2, 20],
    ["its acceleration, if that is unknown", Infinity, 10, 2, 10],
    ["a stop from full speed within half a second, if both are", Infinity, Infinity, 2, 4],
    ["a slow guess, if nothing is known", Infinity, Infinity, Infinity, 1],
  ])("is %s", (_, deceleration, acceleration, speed, expected) => {
    expect(decelerationsOf(withLimits(deceleration, acceleration, speed))[0]).toBe(expected);
  });
});
