import { describe, expect, it } from "vitest";
import { MotionCheck } from "../../../src/collision/motion-check.js";
import { Random } from "../../../src/math/random.js";
import { JointRamps, rampFields } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { createObstacle, robotAmong } from "../../../src/robot/loading/obstacles.js";
import type { Robot } from "../../../src/robot/robot.js";
import { MonitorForecast } from "../../../src/safety/forecast/monitor-forecast.js";
import { deep } from "../../support/deep.js";
import { heapBytesPerCall } from "../../support/heap.js";
import { MonitoredRobot, TICK } from "../monitor/monitored-robot.js";
import { armOf, randomRamps } from "./random-ramps.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 1_800_000);

/** When the monitor itself brakes the motion, its ticks beginning `phase` [s] after the start; NaN if it does not. */
function whenBraked(robot: Robot, dofs: readonly number[], ramps: JointRamps, phase: number): number {
  const guarded = new MonitoredRobot(robot, robot.postures.get("ready")!);
  const [q, qd, qdd] = [0, 0, 0].map(() => new Float64Array(dofs.length)) as [Float64Array, Float64Array, Float64Array];
  for (const [i, dof] of dofs.entries()) {
    guarded.state.q[dof] = ramps.q0[i]! + (phase - TICK) * ramps.w0[i]!;
    guarded.state.qd[dof] = ramps.w0[i]!;
  }
  for (let t = phase; t < ramps.duration + 3 * TICK; t += TICK) {
    ramps.evaluate(t, q, qd, qdd);
    for (const [i, dof] of dofs.entries()) {
      guarded.command.q[dof] = q[i]!;
      guarded.command.qd[dof] = qd[i]!;
      guarded.command.qdd[dof] = qdd[i]!;
    }
    guarded.tick();
    if (guarded.monitor.brakes > 0) return t;
  }
  return Number.NaN;
}

describe.each([
  { name: "lwr-arm", spread: 1.6, motions: deep(60, 2000) },
  { name: "panda", spread: 1.2, motions: deep(60, 2000) },
  { name: "agile-justin", spread: 1.2, motions: deep(12, 1000) },
])("the forecast for $name", ({ name, spread, motions }) => {
  const robot = loadRobot(name);
  const dofs = armOf(robot);
  const ready = robot.postures.get("ready")!;

  it(
    "is what the monitor does, at any phase of its ticks",
    () => {
      const random = new Random("forecast");
      const monitor = new MonitorForecast(robot, dofs);
      const contact = new MotionCheck(robot, dofs);
      const seen = { never: 0, braked: 0, doubted: 0 };
      for (let i = 0; i < motions; i++) {
        const ramps = randomRamps(robot, dofs, spread, random);
        const isClear = monitor.isClear(ramps, ready);
        const braked = whenBraked(robot, dofs, ramps, TICK * random.uniform());
        if (isClear) {
          seen.never++;
          expect(braked).toBeNaN();
          expect([monitor.bodyA, monitor.bodyB]).toEqual([-1, -1]);
          expect(contact.isFree(ramps, ready)).toBe(true);
          continue;
        }
        if (Number.isNaN(braked)) seen.doubted++;
        else seen.braked++;
      }
      expect(Math.min(seen.never, seen.braked)).toBeGreaterThan(0);
      expect(seen.doubted).toBeLessThanOrEqual(0.05 * motions);
    },
    patience,
  );
});

describe("a forecast", () => {
  const robot = loadRobot("lwr-arm");
  const dofs = armOf(robot);
  const ready = robot.postures.get("ready")!;

  it("gives the same result whatever was asked before", () => {
    const random = new Random("history");
    const motions = Array.from({ length: 20 }, () => randomRamps(robot, dofs, 1.6, random));
    const resultOf = (monitor: MonitorForecast, ramps: JointRamps) => {
      const isClear = monitor.isClear(ramps, ready);
      return [isClear, monitor.bodyA, monitor.bodyB, monitor.samples];
    };
    const one = new MonitorForecast(robot, dofs);
    const forwards = motions.map((ramps) => resultOf(one, ramps));
    expect(motions.map((ramps) => resultOf(new MonitorForecast(robot, dofs), ramps))).toEqual(forwards);
    expect([...motions].reverse().map((ramps) => resultOf(one, ramps))).toEqual(forwards.reverse());
  });

  it("of more margin, more error or less brake never lets pass what it did not", () => {
    const random = new Random("stricter");
    const plain = new MonitorForecast(robot, dofs);
    const stricter = [
      new MonitorForecast(robot, dofs, { margin: 0.03 }),
      new MonitorForecast(robot, dofs, { braking: { reactionTime: 0.02 } }),
      new MonitorForecast(robot, dofs, { braking: { trustedDeceleration: 0.5 } }),
    ];
    for (let i = 0; i < deep(40, 500); i++) {
      const ramps = randomRamps(robot, dofs, 1.6, random);
      if (plain.isClear(ramps, ready)) continue;
      for (const monitor of stricter) expect(monitor.isClear(ramps, ready)).toBe(false);
    }
  });

  it("sees obstacles", () => {
    const random = new Random("obstacles");
    const wall = createObstacle({ name: "wall", type: "half-space", normal: [-1, 0, 0], offset: -0.7 });
    const plain = new MonitorForecast(robot, dofs);
    const walled = new MonitorForecast(robotAmong(robot, [wall]), dofs);
    let stopped = 0;
    for (let i = 0; i < 60; i++) {
      const ramps = randomRamps(robot, dofs, 1, random);
      if (!plain.isClear(ramps, ready) || walled.isClear(ramps, ready)) continue;
      stopped++;
      expect([walled.bodyA, walled.bodyB]).toContain(robot.hulls.length);
    }
    expect(stopped).toBeGreaterThan(2);
  });

  it("sees bodies too near that the motion does not touch", () => {
    const justin = loadRobot("agile-justin");
    const posture = justin.postures.get("ready")!.slice();
    for (const joint of ["leftArm2", "leftArm4", "leftArm6"]) posture[justin.model.dofNames.indexOf(joint)] = -2.09;
    const neck = justin.model.groups.find(({ name }) => name === "neck")!.dofs;
    const ramps = new JointRamps(neck.length);
    ramps.hold(new Float64Array(neck.length));
    const monitor = new MonitorForecast(justin, neck);
    expect(monitor.isClear(ramps, posture)).toBe(false);
    expect(monitor.samples).toBe(0);
    expect(monitor.isClear(ramps, justin.postures.get("ready")!)).toBe(true);
    expect(monitor.isClear(ramps, posture)).toBe(false);
  });

  it("refuses what is not finite or does not fit, and never lets it pass", () => {
    const monitor = new MonitorForecast(robot, dofs);
    const ramps = randomRamps(robot, dofs, 0.3, new Random("invalid"));
    expect(monitor.isClear(new JointRamps(3), ready)).toBe(false);
    expect(monitor.isClear(ramps, ready.subarray(1))).toBe(false);
    for (const field of rampFields.filter((name) => name !== "ab")) {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
        const broken = new JointRamps(dofs.length);
        broken.copyFrom(ramps);
        broken[field][4] = bad;
        expect(monitor.isClear(broken, ready), `${field} = ${bad}`).toBe(false);
      }
    }
    expect(
      monitor.isClear(
        ramps,
        ready.map(() => Number.NaN),
      ),
    ).toBe(false);
  });

  it("promises nothing for motions beyond the limits of joints or speeds", () => {
    const monitor = new MonitorForecast(robot, dofs);
    const ramps = randomRamps(robot, dofs, 0.3, new Random("limits"));
    expect(monitor.isClear(ramps, ready)).toBe(true);
    const last = dofs[6]!;
    const moved = new JointRamps(dofs.length);
    const [wmax, amax] = [new Float64Array(7).fill(20), new Float64Array(7).fill(200)];
    const rest = new Float64Array(7);
    const go = (way: number, duration: number): boolean => {
      const target = Float64Array.from(dofs, (dof) => ready[dof]! + (dof === last ? way : 0));
      expect(moved.plan(pickReady(), rest, target, duration, wmax, amax)).toBe(RampStatus.ok);
      return monitor.isClear(moved, ready);
    };
    const pickReady = (): Float64Array => Float64Array.from(dofs, (dof) => ready[dof]!);
    const wayToLimit = robot.model.upper[last]! - ready[last]!;
    expect(go(wayToLimit, 2)).toBe(true);
    expect(go(wayToLimit + 0.05, 2)).toBe(false);
    expect(go(2.5 * robot.model.maxVelocity[last]! * 0.1, 0.15)).toBe(false);
  });

  it("leaves hardly any garbage: the numbers V8 boxes when calling", () => {
    const random = new Random("heap");
    const monitor = new MonitorForecast(robot, dofs);
    const motions = Array.from({ length: 20 }, () => randomRamps(robot, dofs, 0.5, random));
    const bytes = heapBytesPerCall((i) => void monitor.isClear(motions[i % motions.length]!, ready), 1000, 1024);
    expect(bytes).toBeLessThan(1024);
  });
});
