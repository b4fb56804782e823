import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { jerkLimitedMotion } from "../../src/motion/jerk-limited-motion.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { beside, differentiated, joined, retimed, sampled, shifted } from "../../src/motion/motion-algebra.js";
import { describeMotion, parseMotion } from "../../src/motion/motion-description.js";
import { checkMotion, motionExtremes, motionKinds } from "../../src/motion/motion-extremes.js";
import { MotionState, type PiecewiseMotion } from "../../src/motion/piecewise-motion.js";
import { motionThrough } from "../../src/motion/quintic-motion.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { motionOfRamps } from "../../src/motion/ramp-motion.js";
import { errorCode } from "../support/error-code.js";
import { randomCase } from "./random-ramps.js";

const of = (...values: number[]) => Float64Array.from(values);

/** A quintic spline through random states of two joints. */
function randomSpline(random: Random): PiecewiseMotion {
  const values = () => [random.uniformIn(-2, 2), random.uniformIn(-2, 2)];
  const knots = [0, 0.4, 1.1, 1.5].map((time) => ({
    time,
    position: values(),
    velocity: values(),
    acceleration: values(),
  }));
  return motionThrough(knots);
}

function at(motion: PiecewiseMotion, t: number): MotionState {
  const state = new MotionState(motion.joints);
  motion.evaluate(t, state);
  return state;
}

describe("a piecewise motion", () => {
  const random = new Random("piecewise");

  it("of ramps is what the ramps are, at every time", () => {
    const ramps = new JointRamps(3);
    const single = new JointRamps(1);
    const [q, qd, qdd] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < 2000; i++) {
      const cases = [randomCase(random), randomCase(random), randomCase(random)];
      const pick = (key: "q0" | "w0" | "wmax" | "amax") => Float64Array.from(cases, (c) => c[key]);
      const T = Math.max(...cases.map((c) => c.T));
      ramps.plan(
        pick("q0"),
        pick("w0"),
        Float64Array.from(cases, (c) => c.q0 + c.D),
        T,
        pick("wmax"),
        pick("amax"),
      );
      // A ramp of another duration: the joint waits for the longest, or is that.
      if (i % 2 === 0 && single.plan(of(0.5), of(0.1), of(1), 1.3 * T, of(2), of(30)) === RampStatus.ok)
        ramps.copyFrom(single, 1);
      if (ramps.a.some(Number.isNaN)) continue;
      const motion = motionOfRamps(ramps);
      expect(motion.duration).toBe(ramps.duration);
      for (const t of [-1, 0, T * random.uniform(), T * random.uniform(), T, T + 1]) {
        ramps.evaluate(t, q, qd, qdd);
        const state = at(motion, t);
        for (let j = 0; j < 3; j++) {
          expect(Math.abs(state.position[j]! - q[j]!)).toBeLessThan(1e-9);
          expect(Math.abs(state.velocity[j]! - qd[j]!)).toBeLessThan(1e-9);
        }
        expect(Array.from(motion.positions(t, new Float64Array(3)))).toEqual(Array.from(state.position));
      }
    }
  });

  it("has derivatives that are those of its positions", () => {
    const motion = randomSpline(random);
    const derivatives = [motion, differentiated(motion), differentiated(differentiated(motion))];
    for (let i = 0; i < 200; i++) {
      const t = 0.01 + 1.48 * random.uniform();
      const state = at(motion, t);
      const step = 1e-5;
      for (let j = 0; j < 2; j++) {
        const slope = (at(motion, t + step).position[j]! - at(motion, t - step).position[j]!) / (2 * step);
        expect(Math.abs(slope - state.velocity[j]!)).toBeLessThan(1e-6);
        expect(at(derivatives[1]!, t).position[j]).toBeCloseTo(state.velocity[j]!, 10);
        expect(at(derivatives[2]!, t).position[j]).toBeCloseTo(state.acceleration[j]!, 9);
        expect(at(derivatives[2]!, t).velocity[j]).toBeCloseTo(state.jerk[j]!, 8);
      }
    }
  });

  it("passes the states of its knots", () => {
    const knot = { time: 0.7, position: [1, -2], velocity: [0.3, 0.4], acceleration: [-5, 6] };
    const motion = motionThrough([{ time: 0, position: [0, 0] }, knot, { time: 2, position: [3, 3] }]);
    for (const state of [at(motion, 0.7), at(motion, 0.7 - 1e-12)]) {
      for (let j = 0; j < 2; j++) {
        expect(state.position[j]).toBeCloseTo(knot.position[j]!, 9);
        expect(state.velocity[j]).toBeCloseTo(knot.velocity[j]!, 9);
        expect(state.acceleration[j]).toBeCloseTo(knot.acceleration[j]!, 8);
      }
    }
    expect(Array.from(at(motion, 2).position)).toEqual([3, 3]);
  });

  it("is the same way when retimed, shifted, joined or put beside another", () => {
    const motion = randomSpline(random);
    const slow = retimed(motion, 2);
    const cut = shifted(motion, -0.6);
    const first = jerkLimitedMotion(
      { position: of(0, 0) },
      { position: Float64Array.from(at(motion, 0).position), velocity: Float64Array.from(at(motion, 0).velocity) },
      { maxVelocity: of(5, 5), maxAcceleration: of(20, 20), maxJerk: of(200, 200) },
    ).motion;
    const both = joined([first, motion]);
    const pair = beside([shifted(first, 0.3), motion]);
    expect(both.duration).toBe(first.duration + motion.duration);
    for (let i = 0; i < 200; i++) {
      const t = 1.5 * random.uniform();
      const state = at(motion, t);
      for (let j = 0; j < 2; j++) {
        expect(at(slow, 2 * t).position[j]).toBeCloseTo(state.position[j]!, 10);
        expect(at(slow, 2 * t).jerk[j]! * 8).toBeCloseTo(state.jerk[j]!, 6);
        if (t > 0.6) expect(at(cut, t - 0.6).acceleration[j]).toBeCloseTo(state.acceleration[j]!, 8);
        expect(at(both, first.duration + t).position[j]).toBeCloseTo(state.position[j]!, 9);
        expect(at(pair, t).position[2 + j]).toBeCloseTo(state.position[j]!, 12);
        if (t < first.duration) expect(at(pair, t + 0.3).position[j]).toBeCloseTo(at(first, t).position[j]!, 12);
      }
    }
    expect(errorCode(() => joined([motion, motion]))).toBe("FLY_MOTION_INVALID");
    expect(errorCode(() => shifted(motion, 1))).toBe("FLY_MOTION_INVALID");
    expect(errorCode(() => retimed(motion, 0))).toBe("FLY_MOTION_INVALID");
  });

  it("has the extremes that dense samples approach from within", () => {
    for (let i = 0; i < 60; i++) {
      const motion = randomSpline(random);
      const samples = sampled(motion, 1.5 / 4000);
      for (const kind of motionKinds) {
        // The end state has neither acceleration nor jerk.
        const values = samples.slice(0, -1).map(({ state }) => state[kind][1]!);
        const { least, greatest, leastAt, greatestAt } = motionExtremes(motion, 1, kind);
        const range = greatest - least;
        expect(Math.min(...values)).toBeGreaterThanOrEqual(least - 1e-9 * range);
        expect(Math.max(...values)).toBeLessThanOrEqual(greatest + 1e-9 * range);
        expect(Math.min(...values) - least).toBeLessThan(0.01 * range);
        expect(greatest - Math.max(...values)).toBeLessThan(0.01 * range);
        if (kind === "position") expect(at(motion, leastAt).position[1]).toBeCloseTo(least, 9);
        expect(greatestAt).toBeLessThanOrEqual(motion.duration);
      }
    }
  });

  it("names the limits it does not keep, NaN included", () => {
    const limits = { maxVelocity: of(2), maxAcceleration: of(10), maxJerk: of(100) };
    const { motion } = jerkLimitedMotion({ position: of(0) }, { position: of(1) }, limits);
    expect(checkMotion(motion, { ...limits, lower: of(0), upper: of(1) })).toEqual([]);
    const tight = checkMotion(motion, { upper: of(0.9), maxVelocity: of(1), maxJerk: of(99) });
    expect(tight.map(({ kind, limit }) => [kind, limit])).toEqual([
      ["position", 0.9],
      ["velocity", 1],
      ["jerk", 99],
      ["jerk", -99],
    ]);
    expect(tight[0]!.value).toBeCloseTo(1, 12);
    expect(at(motion, tight[1]!.time).velocity[0]).toBe(tight[1]!.value);
    motion.pieces[4] = Number.NaN;
    expect(checkMotion(motion, limits).length).toBeGreaterThan(0);
  });

  it("is the same motion after a way through JSON", () => {
    const motion = randomSpline(random);
    const { motion: again, joints } = parseMotion(JSON.parse(JSON.stringify(describeMotion(motion, ["a", "b"]))));
    expect(joints).toEqual(["a", "b"]);
    for (let i = 0; i < 50; i++) {
      const t = random.uniformIn(-0.1, 1.5);
      expect(at(again, t)).toEqual(at(motion, t));
    }
    for (let j = 0; j < 2; j++) {
      expect(again.endPosition[j]).toBeCloseTo(motion.endPosition[j]!, 12);
      expect(again.endVelocity[j]).toBeCloseTo(motion.endVelocity[j]!, 11);
    }
  });

  it("refuses JSON that is no motion, with the place", () => {
    const good = describeMotion(randomSpline(random), ["a", "b"]);
    const withPiece = (joint: number, k: number, change: object) => {
      const copy = structuredClone(good);
      Object.assign(copy.pieces[joint]![k]!, change);
      return copy;
    };
    const broken: [unknown, string][] = [
      [3, ""],
      [{ ...good, duration: -1 }, "/duration"],
      [{ ...good, joints: 4 }, "/joints"],
      [{ ...good, joints: ["a", 1] }, "/joints/1"],
      [{ ...good, joints: ["a"] }, "/pieces"],
      [withPiece(1, 0, { start: 1 }), "/pieces/1/0/start"],
      [withPiece(0, 2, { start: 0.1 }), "/pieces/0/2/start"],
      [withPiece(0, 1, { c: [0, 0, 0, null] }), "/pieces/0/1/c/3"],
      [withPiece(0, 1, { c: [] }), "/pieces/0/1/c"],
      [{ ...good, pieces: [[], []] }, "/pieces/0"],
    ];
    for (const [value, path] of broken) {
      expect(() => parseMotion(value)).toThrow(expect.objectContaining({ details: expect.objectContaining({ path }) }));
    }
  });
});
