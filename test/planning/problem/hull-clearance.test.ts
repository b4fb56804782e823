import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { HullClearance } from "../../../src/planning/problem/hull-clearance.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { hullRobot } from "../../collision/hull-robot.js";
import { TrueDistances } from "../../collision/true-distance.js";
import { randomModel } from "../../robot/random-model.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 900_000);

const cap = 0.15;
const margin = 0.03;

interface Arm {
  readonly robot: Robot;
  readonly chain: KinematicChain;
  readonly posture: Float64Array;
}

function armsOf(robot: Robot): Arm[] {
  return robot.model.groups
    .filter(({ hand }) => hand !== undefined)
    .map(({ baseLink, tipLink, dofs }) => ({
      robot,
      chain: new KinematicChain(robot.model, baseLink, tipLink, dofs),
      posture: robot.postures.get("ready")!,
    }));
}

const arms = listRobots().flatMap((name) => armsOf(loadRobot(name)));
const named = arms.map((arm) => ({
  name: `${arm.robot.name} to ${arm.robot.model.linkNames[arm.chain.tipLink]}`,
  arm,
}));
const rightArm = named.find(({ name }) => name === "agile-justin to catchRight")!.arm;

/** The arm's posture, each joint up to `spread` away and within its limits [rad]. */
function nearby({ chain, posture }: Arm, spread: number, random: Random): Float64Array {
  return Float64Array.from(chain.dofs, (dof, i) => {
    const q = posture[dof]! + random.uniformIn(-spread, spread);
    return Math.min(chain.upper[i]!, Math.max(chain.lower[i]!, q));
  });
}

/** For each body of the clearance, the nearest of its true distances to what it is checked against. */
function trueClearances({ robot, chain, posture }: Arm, names: readonly string[], q: Float64Array): number[] {
  const state = new RobotState(robot.model);
  state.q.set(posture);
  for (const [i, dof] of chain.dofs.entries()) state.q[dof] = q[i]!;
  forwardKinematics(state);
  const truth = new TrueDistances(robot).place(state);
  const carrier = robot.hulls.map(({ link }) => carrierOf(robot, chain, link));
  const bodies = names.map((name) => robot.hulls.findIndex((hull) => hull.name === name));
  const least = bodies.map(() => cap);
  for (const [a, b] of robot.pairs) {
    if (carrier[a] === carrier[b]) continue;
    const owner = bodies.indexOf(carrier[a]! > carrier[b]! ? a : b);
    if (owner >= 0 && truth.areWithin(a, b, least[owner]!)) least[owner] = truth.between(a, b);
  }
  return least;
}

function carrierOf({ model }: Robot, chain: KinematicChain, link: number): number {
  for (let i = link; i > 0; i = model.parentLink[i]!) if (chain.joints.includes(i)) return chain.joints.indexOf(i);
  return -1;
}

/**
 * Holds the derivatives against central differences; counts those that are not 0, and the kinks (another pair, another
 * feature or the cap takes over within the step), where there is nothing to compare.
 */
function compareSlopes(
  clearance: HullClearance,
  chain: KinematicChain,
  configurations: readonly Float64Array[],
): { slopes: number; kinks: number; depths: number } {
  const { count } = clearance;
  const n = chain.dofCount + 1;
  const [values, before, after] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const jacobian = new Float64Array(count * n);
  const step = 1e-6;
  const seen = { slopes: 0, kinks: 0, depths: 0 };
  for (const q of configurations) {
    chain.update(q);
    jacobian.fill(Number.NaN);
    clearance.evaluateWithJacobian(chain, values, jacobian, 0, n);
    for (let k = 0; k < chain.dofCount; k++) {
      chain.update(q.with(k, q[k]! - step));
      clearance.evaluate(chain, before, 0);
      chain.update(q.with(k, q[k]! + step));
      clearance.evaluate(chain, after, 0);
      for (let body = 0; body < count; body++) {
        const slope = (after[body]! - before[body]!) / (2 * step);
        const bend = Math.abs(after[body]! + before[body]! - 2 * values[body]!) / step;
        if (slope !== 0) seen.slopes++;
        if (slope !== 0 && values[body]! < -0.15) seen.depths++;
        if (bend > 1e-3) seen.kinks++;
        else expect(Math.abs(jacobian[body * n + k]! - slope)).toBeLessThan(1e-3);
      }
    }
    for (let body = 0; body < count; body++) expect(jacobian[body * n + n - 1]).toBe(0);
  }
  return seen;
}

describe.each(named)("the clearance of $name", ({ arm }) => {
  const { chain } = arm;
  const clearance = new HullClearance(arm.robot, chain, arm.posture);
  const { count } = clearance;
  const n = chain.dofCount + 1;
  const values = new Float64Array(count);
  const jacobian = new Float64Array(count * n);

  it(
    "is the least true distance of each body to the others",
    () => {
      const random = new Random("clearance");
      const seen = { exact: 0, capped: 0, overlapping: 0 };
      for (let i = 0; i < deep(60, 3000); i++) {
        const q = nearby(arm, i % 2 === 0 ? 0.7 : 2, random);
        const expected = trueClearances(arm, clearance.names, q);
        chain.update(q);
        clearance.evaluate(chain, values, 0);
        for (const [body, value] of values.entries()) {
          const truth = expected[body]!;
          if (value < -0.04 && truth < 0) seen.overlapping++;
          // Pairs that are never nearer than the margin are left out; where cores overlap, only the sign is comparable.
          if (value > margin) expect(truth).toBeGreaterThan(margin - 1e-9);
          if (truth > 0 && truth < margin) expect(Math.abs(value - truth)).toBeLessThan(1e-9);
          if (truth < 0) expect(value).toBeLessThanOrEqual(truth + 1e-9);
          if (value < cap) seen.exact++;
          else seen.capped++;
        }
      }
      expect(Math.min(seen.exact, seen.capped)).toBeGreaterThan(10);
    },
    patience,
  );

  it(
    "has the derivative of finite differences",
    () => {
      const random = new Random("derivative");
      const configurations = Array.from({ length: deep(200, 5000) }, (_, i) =>
        nearby(arm, i % 2 === 0 ? 0.7 : 2, random),
      );
      const { slopes, kinks } = compareSlopes(clearance, chain, configurations);
      expect(slopes).toBeGreaterThan(100);
      expect(kinks).toBeLessThan(0.01 * slopes);
    },
    patience,
  );

  it("is the same with and without derivative, and whatever was evaluated before", () => {
    const random = new Random("history");
    const configurations = Array.from({ length: 50 }, () => nearby(arm, 1, random));
    const valuesAt = (q: Float64Array) => {
      chain.update(q);
      clearance.evaluate(chain, values, 0);
      return [...values];
    };
    const forwards = configurations.map(valuesAt);
    const backwards = [...configurations].reverse().map(valuesAt).reverse();
    expect(backwards).toEqual(forwards);
    for (const [i, q] of configurations.entries()) {
      chain.update(q);
      clearance.evaluateWithJacobian(chain, values, jacobian, 0, n);
      expect([...values]).toEqual(forwards[i]);
    }
  });

  it("is NaN for a configuration that is not finite", () => {
    chain.update(new Float64Array(chain.dofCount).fill(Number.NaN));
    clearance.evaluateWithJacobian(chain, values, jacobian, 0, n);
    for (const value of values) expect(value).toBeNaN();
  });

  it("is evaluated without allocation", () => {
    const random = new Random("heap");
    const configurations = Array.from({ length: 100 }, () => nearby(arm, 1.5, random));
    const bytes = heapBytesPerCall(
      (i) => {
        chain.update(configurations[i % configurations.length]!);
        clearance.evaluateWithJacobian(chain, values, jacobian, 0, n);
        clearance.evaluate(chain, values, 0);
      },
      5000,
      boxedNumbers,
    );
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});

describe("a clearance", () => {
  const { robot, chain, posture } = rightArm;

  it("has a value for each body that the arm moves, from the upper arm to the hand", () => {
    const { names, pairCount } = new HullClearance(robot, chain, posture);
    expect(names).toEqual(["rightArm2", "rightArm3", "rightArm4", "rightArm5", "rightArm6", "rightArm7", "rightHand"]);
    expect(pairCount).toBeGreaterThan(100);
    expect(pairCount).toBeLessThan(robot.pairs.length);
  });

  it("writes from its row on, and leaves the rest alone", () => {
    const clearance = new HullClearance(robot, chain, posture);
    const n = chain.dofCount + 1;
    const values = new Float64Array(clearance.count + 3).fill(7);
    const jacobian = new Float64Array((clearance.count + 3) * n).fill(7);
    chain.update(Float64Array.from(chain.dofs, (dof) => posture[dof]!));
    clearance.evaluateWithJacobian(chain, values, jacobian, 2, n);
    expect([values[0], values[1], values.at(-1)]).toEqual([7, 7, 7]);
    expect(values.subarray(2, -1).every((value) => value <= cap)).toBe(true);
    expect(jacobian.subarray(0, 2 * n).every((value) => value === 7)).toBe(true);
    expect(jacobian.subarray(-n).every((value) => value === 7)).toBe(true);
  });

  it("sees the other arm where the posture puts it", () => {
    const clearance = new HullClearance(robot, chain, posture);
    const values = new Float64Array(clearance.count);
    const q = Float64Array.from(chain.dofs, (dof) => posture[dof]!);
    const across = posture.slice();
    const left = robot.model.groups.find(({ name }) => name === "leftArm")!.dofs;
    // The left arm reaches over to the right: shoulder turned inwards, elbow nearly straight.
    const reach = [-0.178, 1.6, -2.3, -0.6, 0, 0.3, 0];
    for (const [i, dof] of left.entries()) across[dof] = reach[i]!;
    for (const standing of [posture, across, posture]) {
      clearance.setPosture(chain, standing);
      chain.update(q);
      clearance.evaluate(chain, values, 0);
      const truth = trueClearances({ robot, chain, posture: standing }, clearance.names, q);
      for (const [body, value] of values.entries()) {
        if (truth[body]! < margin || value < margin) expect(value).toBeCloseTo(truth[body]!, 9);
      }
    }
  });

  it(
    "has the derivative of finite differences on chains with sliding and coupled joints, and in overlaps",
    () => {
      const random = new Random("any chain");
      const total = { slopes: 0, kinks: 0, depths: 0 };
      for (let i = 0; i < deep(30, 500); i++) {
        const model = randomModel(random, { links: 7, coupled: 0.2 });
        const serial = { ...model, parentLink: model.parentLink.map((_, link) => link - 1) };
        const any = new KinematicChain(serial, 0, serial.linkCount - 1, [...serial.dofJoint.keys()]);
        const clearance = new HullClearance(hullRobot(serial, random, 0.5), any, new Float64Array(serial.dofCount));
        const configurations = Array.from({ length: 10 }, () => any.lower.map(() => random.uniformIn(-1, 1)));
        const { slopes, kinks, depths } = compareSlopes(clearance, any, configurations);
        total.slopes += slopes;
        total.kinks += kinks;
        total.depths += depths;
      }
      expect(total.slopes).toBeGreaterThan(1000);
      expect(total.depths).toBeGreaterThan(100);
      expect(total.kinks).toBeLessThan(0.01 * total.slopes);
    },
    patience,
  );

  it("leads out of an overlap of cores: mere steps up the worst body's slope free most arms", () => {
    const clearance = new HullClearance(robot, chain, posture);
    const n = chain.dofCount;
    const values = new Float64Array(clearance.count);
    const jacobian = new Float64Array(clearance.count * n);
    const random = new Random("way out");
    let [tried, freed] = [0, 0];
    while (tried < 60) {
      const q = nearby(rightArm, 3, random);
      chain.update(q);
      clearance.evaluate(chain, values, 0);
      if (Math.min(...values) > -0.1) continue;
      tried++;
      for (let step = 0; step < 300 && Math.min(...values) < 0; step++) {
        clearance.evaluateWithJacobian(chain, values, jacobian, 0, n);
        const worst = values.indexOf(Math.min(...values));
        const slope = jacobian.subarray(worst * n, worst * n + n);
        const length = Math.hypot(...slope);
        for (let k = 0; k < n; k++) q[k] = q[k]! + (0.02 * slope[k]!) / length;
        chain.update(q);
        clearance.evaluate(chain, values, 0);
      }
      if (Math.min(...values) >= 0) freed++;
    }
    expect(freed).toBeGreaterThan(0.7 * tried);
  });

  it("can be built for a narrower cap and another margin", () => {
    const narrow = new HullClearance(robot, chain, posture, { cap: 0.05, margin: 0.06 });
    const values = new Float64Array(narrow.count);
    chain.update(Float64Array.from(chain.dofs, (dof) => posture[dof]!));
    narrow.evaluate(chain, values, 0);
    expect(Math.max(...values)).toBe(0.05);
    const wide = new HullClearance(robot, chain, posture, { margin: 0.5 });
    expect(wide.pairCount).toBeGreaterThan(narrow.pairCount);
  });
});
