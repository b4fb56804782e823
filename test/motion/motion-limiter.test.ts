import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { minimalTime } from "../../src/motion/minimal-time.js";
import { MotionLimiter, type MotionLimits } from "../../src/motion/motion-limiter.js";
import { deep } from "../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";

const dt = 0.001;
const rounding = 1e-12;

function randomLimits(random: Random): MotionLimits {
  const of = (low: number, high: number) => Float64Array.of(random.uniformIn(low, high));
  return { lower: of(-2, -0.2), upper: of(0.2, 2), maxVelocity: of(0.2, 6), maxAcceleration: of(1, 60) };
}

/** A target that jumps, runs, swings or is nonsense, at random. */
function randomTarget(random: Random): (t: number) => number {
  const [a, b, w] = [random.uniformIn(-3, 3), random.uniformIn(-8, 8), random.uniformIn(1, 60)];
  const kinds = [
    () => a,
    (t: number) => a + b * t,
    (t: number) => a * Math.sin(w * t),
    (t: number) => (Math.sin(w * t) > 0 ? a : -a),
    (t: number) => (t < 0.3 ? a : Number.NaN),
    () => b * Number.POSITIVE_INFINITY,
    () => random.uniformIn(-3, 3),
  ];
  return kinds[random.integer(kinds.length)]!;
}

/** By how much one tick exceeds the limits, by differences of positions alone; relative to speed and acceleration. */
function excess(limits: MotionLimits, velocity: number, position: number, next: number): number {
  const speed = (next - position) / dt;
  const change = (speed - velocity) / dt;
  return Math.max(
    limits.lower[0]! - next,
    next - limits.upper[0]!,
    Math.abs(speed) / limits.maxVelocity[0]! - 1,
    Math.abs(change) / limits.maxAcceleration[0]! - 1,
  );
}

describe("the motion limiter", () => {
  it("never exceeds a limit, whatever the target does", () => {
    const random = new Random("limiter limits");
    const target = new Float64Array(1);
    for (let n = 0; n < deep(150, 5000); n++) {
      const limits = randomLimits(random);
      const limiter = new MotionLimiter(limits, dt);
      limiter.reset(Float64Array.of(random.uniformIn(limits.lower[0]!, limits.upper[0]!)), Float64Array.of(0));
      const follow = randomTarget(random);
      let [velocity, worst, mismatch] = [0, 0, 0];
      for (let k = 0; k < 600; k++) {
        target[0] = follow(k * dt);
        const position = limiter.position[0]!;
        limiter.step(target);
        worst = Math.max(worst, excess(limits, velocity, position, limiter.position[0]!));
        velocity = (limiter.position[0]! - position) / dt;
        mismatch = Math.max(mismatch, Math.abs(limiter.velocity[0]! - velocity));
      }
      expect(worst).toBeLessThan(1e-8);
      expect(mismatch).toBeLessThan(1e-9);
    }
  });

  it("meets a target at rest exactly, without overshoot, hardly later than any motion could", () => {
    const random = new Random("limiter convergence");
    for (let n = 0; n < deep(300, 20_000); n++) {
      const limits = randomLimits(random);
      const limiter = new MotionLimiter(limits, dt);
      const start = random.uniformIn(limits.lower[0]!, limits.upper[0]!);
      const goal = random.uniformIn(limits.lower[0]!, limits.upper[0]!);
      limiter.reset(Float64Array.of(start), Float64Array.of(0));
      const fastest = minimalTime(0, goal - start, limits.maxVelocity[0]!, limits.maxAcceleration[0]!);
      const ticks = Math.ceil(fastest / dt) + 3;
      const target = Float64Array.of(goal);
      let overshoot = 0;
      for (let k = 0; k < ticks; k++) {
        limiter.step(target);
        overshoot = Math.max(overshoot, (limiter.position[0]! - goal) * Math.sign(goal - start));
      }
      expect(overshoot).toBeLessThanOrEqual(rounding);
      expect(Math.abs(limiter.position[0]! - goal)).toBeLessThanOrEqual(rounding);
      for (let k = 0; k < 5; k++) limiter.step(target);
      expect(limiter.position[0]).toBe(goal);
      expect(Math.abs(limiter.velocity[0]!)).toBeLessThanOrEqual(rounding);
    }
  });

  it("overruns a target that jumps too near by the braking distance alone", () => {
    const limits = limitsOf({ upper: 10, lower: -10, speed: 2, acceleration: 10 });
    const limiter = new MotionLimiter(limits, dt);
    limiter.reset(Float64Array.of(0), Float64Array.of(2));
    const target = Float64Array.of(0.05);
    let farthest = 0;
    for (let k = 0; k < 1000; k++) {
      limiter.step(target);
      farthest = Math.max(farthest, limiter.position[0]!);
    }
    const braking = (2 * 2) / (2 * 10);
    expect(farthest).toBeLessThanOrEqual(braking);
    expect(farthest).toBeGreaterThan(braking - 2 * dt * 2);
    expect(limiter.position[0]).toBe(0.05);
  });

  it("brakes from above its speed limit and from beyond its position limit back into both", () => {
    const limits = limitsOf({ lower: -1, upper: 1, speed: 1, acceleration: 5 });
    const limiter = new MotionLimiter(limits, dt);
    limiter.reset(Float64Array.of(1.2), Float64Array.of(1.5));
    let velocity = 1.5;
    for (let k = 0; k < 3000; k++) {
      limiter.step(Float64Array.of(3));
      expect(Math.abs(limiter.velocity[0]! - velocity)).toBeLessThanOrEqual(5 * dt * (1 + 1e-9));
      velocity = limiter.velocity[0]!;
    }
    expect(limiter.position[0]).toBe(1);
  });

  it("refuses limits that are none", () => {
    const good = { lower: -1, upper: 1, speed: 1, acceleration: 5 };
    for (const bad of [{ upper: -2 }, { lower: Number.NaN }, { speed: 0 }, { acceleration: Number.POSITIVE_INFINITY }])
      expect(() => new MotionLimiter(limitsOf({ ...good, ...bad }), dt)).toThrow("cannot be limited");
    expect(() => new MotionLimiter(limitsOf(good), 0)).toThrow("cannot be limited");
  });

  it("allocates nothing", () => {
    const limits: MotionLimits = {
      lower: Float64Array.of(-1, -1),
      upper: Float64Array.of(1, 1),
      maxVelocity: Float64Array.of(3, 3),
      maxAcceleration: Float64Array.of(30, 30),
    };
    const limiter = new MotionLimiter(limits, dt);
    const target = new Float64Array(2);
    const bytes = heapBytesPerCall((k) => {
      target[0] = Math.sin(k * 0.01);
      target[1] = Math.cos(k * 0.01);
      limiter.step(target);
    });
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});

function limitsOf({ lower, upper, speed, acceleration }: Record<string, number>): MotionLimits {
  const of = (x: number | undefined) => Float64Array.of(x ?? Number.NaN);
  return { lower: of(lower), upper: of(upper), maxVelocity: of(speed), maxAcceleration: of(acceleration) };
}
