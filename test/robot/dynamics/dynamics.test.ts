import { describe, expect, it } from "vitest";
import { MatrixStatus } from "../../../src/math/cholesky.js";
import * as matrix from "../../../src/math/matrix.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { kineticEnergy, potentialEnergy } from "../../../src/robot/dynamics/energy.js";
import {
  articulatedBodyDynamics,
  forwardDynamics,
  reducedForwardDynamics,
} from "../../../src/robot/dynamics/forward-dynamics.js";
import { biasForces, inverseDynamics } from "../../../src/robot/dynamics/inverse-dynamics.js";
import { massMatrix } from "../../../src/robot/dynamics/mass-matrix.js";
import { jacobian, WORLD } from "../../../src/robot/kinematics/jacobian.js";
import { forwardKinematics, forwardVelocities } from "../../../src/robot/kinematics/kinematics.js";
import { JointKind, type RobotModel } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { multiplyTransposeLeft, transpose } from "../../support/matrices.js";
import { maxDifference } from "../kinematics/reference-kinematics.js";
import { modelFrom, randomModel, randomVector } from "../random-model.js";

const robots = deep(60, 1000);
const gravity = vec3.create(0.3, -0.5, -9.81);

interface Case {
  readonly state: RobotState;
  readonly qdd: Float64Array;
  readonly n: number;
}

function randomCase(random: Random, coupled: number): Case {
  const state = new RobotState(randomModel(random, { links: 4 + random.integer(16), coupled }));
  const n = state.model.dofCount;
  randomVector(random, 3, state.q);
  randomVector(random, 2, state.qd);
  const qdd = randomVector(random, 5, new Float64Array(n));
  forwardKinematics(state);
  forwardVelocities(state);
  return { state, qdd, n };
}

function overCases(seed: number, coupled: number, check: (c: Case) => void): void {
  const random = new Random(seed);
  for (let k = 0; k < robots; k++) check(randomCase(random, coupled));
}

const scaleOf = (x: Float64Array): number => 1 + Math.hypot(...x);

/** Independent: Σ over links of Jᵀ·(force at the centre of mass), straight from Newton and Euler. */
function torquesByVirtualWork({ state, qdd, n }: Case): Float64Array {
  const { model } = state;
  const tau = new Float64Array(n);
  const h = 1e-5;
  const twistAt = (link: number, t: number): Float64Array => {
    const other = new RobotState(model);
    const velocity = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      other.q[i] = state.q[i]! + t * state.qd[i]! + 0.5 * t * t * qdd[i]!;
      velocity[i] = state.qd[i]! + t * qdd[i]!;
    }
    forwardKinematics(other);
    const centre = model.centreOfMass.subarray(3 * link, 3 * link + 3) as vec3.Vec3;
    const J = jacobian(other, link, centre, WORLD, new Float64Array(6 * n));
    const twist = matrix.multiplyVector(J, velocity, 6, n, new Float64Array(6));
    // Momentum: m·v and R·I·Rᵀ·ω.
    const R = other.worldFromLink[link]!.slice(0, 9);
    const local = multiplyTransposeLeft(R, twist.slice(3), 3, 3, 1);
    const spun = matrix.multiplyVector(
      model.inertia.subarray(9 * link, 9 * link + 9),
      local,
      3,
      3,
      new Float64Array(3),
    );
    const angular = matrix.multiplyVector(R, spun, 3, 3, new Float64Array(3));
    return Float64Array.of(...twist.slice(0, 3).map((v) => model.mass[link]! * v), ...angular);
  };
  for (let link = 1; link < model.linkCount; link++) {
    const before = twistAt(link, -h);
    const wrench = twistAt(link, h).map((momentum, i) => (momentum - before[i]!) / (2 * h));
    for (let i = 0; i < 3; i++) wrench[i] = wrench[i]! - model.mass[link]! * gravity[i]!;
    const centre = model.centreOfMass.subarray(3 * link, 3 * link + 3) as vec3.Vec3;
    const J = jacobian(state, link, centre, WORLD, new Float64Array(6 * n));
    const part = multiplyTransposeLeft(J, wrench, 6, n, 1);
    for (let i = 0; i < n; i++) tau[i] = tau[i]! + part[i]!;
  }
  return tau;
}

describe("inverse dynamics", () => {
  it("equals Jᵀ times the change of momentum of every link, couplings included", () => {
    overCases(21, 0.3, (c) => {
      const tau = inverseDynamics(c.state, c.qdd, gravity, new Float64Array(c.n));
      const expected = torquesByVirtualWork(c);
      expect(maxDifference(tau, expected) / scaleOf(expected)).toBeLessThan(1e-7);
    });
  });

  it("is mass matrix times q̈ plus bias", () => {
    overCases(22, 0.3, ({ state, qdd, n }) => {
      const tau = inverseDynamics(state, qdd, gravity, new Float64Array(n));
      const M = massMatrix(state, new Float64Array(n * n));
      const sum = matrix.multiplyVector(M, qdd, n, n, new Float64Array(n));
      const bias = biasForces(state, gravity, new Float64Array(n));
      for (let i = 0; i < n; i++) sum[i] = sum[i]! + bias[i]!;
      expect(maxDifference(tau, sum) / scaleOf(tau)).toBeLessThan(1e-11);
    });
  });

  it("holds a pendulum: m·g·l·sin(angle)", () => {
    const [mass, length] = [2, 0.7];
    const model = modelFrom([
      { parent: -1, kind: JointKind.fixed },
      { parent: 0, kind: JointKind.revolute, axis: [0, 1, 0], mass, centreOfMass: [0, 0, -length] },
    ]);
    const state = new RobotState(model);
    state.q[0] = 0.4;
    forwardKinematics(state);
    const [tau] = biasForces(state, vec3.create(0, 0, -9.81), new Float64Array(1));
    expect(tau).toBeCloseTo(mass * 9.81 * length * Math.sin(0.4), 12);
  });
});

describe("mass matrix", () => {
  it("is symmetric, and gives the kinetic energy that the links have one by one", () => {
    overCases(23, 0.3, ({ state, n }) => {
      const M = massMatrix(state, new Float64Array(n * n));
      expect(maxDifference(M, transpose(M, n, n))).toBeLessThan(1e-12);
      const momentum = matrix.multiplyVector(M, state.qd, n, n, new Float64Array(n));
      const energy = 0.5 * momentum.reduce((sum, p, i) => sum + p * state.qd[i]!, 0);
      expect(Math.abs(energy - kineticEnergy(state)) / (1 + energy)).toBeLessThan(1e-12);
    });
  });

  it("with couplings is GᵀMG of the same robot without", () => {
    const random = new Random(24);
    for (let k = 0; k < robots; k++) {
      const coupled = randomModel(random, { links: 14, coupled: 0.4 });
      const { model: free, G } = uncoupled(coupled);
      const state = new RobotState(coupled);
      const other = new RobotState(free);
      const [n, m] = [coupled.dofCount, free.dofCount];
      randomVector(random, 3, state.q);
      forwardKinematics(state);
      for (let j = 0; j < m; j++) other.q[j] = state.jointPosition[free.dofJoint[j]!]!;
      forwardKinematics(other);
      const full = massMatrix(other, new Float64Array(m * m));
      const MG = matrix.multiply(full, G, m, m, n, new Float64Array(m * n));
      const expected = multiplyTransposeLeft(G, MG, m, n, n);
      const found = massMatrix(state, new Float64Array(n * n));
      expect(maxDifference(found, expected) / scaleOf(expected)).toBeLessThan(1e-12);
    }
  });
});

/** The same tree with every joint independent, and G with joint positions = G·q + offsets. */
function uncoupled(model: RobotModel): { model: RobotModel; G: Float64Array } {
  const moving = [...model.jointKind.keys()].filter((i) => model.jointKind[i] !== JointKind.fixed);
  const free = modelFrom(
    model.linkNames.map((_, i) => ({
      parent: model.parentLink[i]!,
      kind: model.jointKind[i] as JointKind,
      axis: [...model.jointAxis.subarray(3 * i, 3 * i + 3)] as [number, number, number],
      placement: model.parentFromJoint[i]!,
      mass: model.mass[i]!,
      centreOfMass: [...model.centreOfMass.subarray(3 * i, 3 * i + 3)] as [number, number, number],
      inertia: model.inertia.slice(9 * i, 9 * i + 9) as Float64Array & { readonly length: 9 },
    })) as never,
  );
  const G = new Float64Array(moving.length * model.dofCount);
  moving.forEach((link, row) => {
    for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
      const at = row * model.dofCount + model.termDof[k]!;
      G[at] = G[at]! + model.termFactor[k]!;
    }
  });
  return { model: free, G };
}

describe("forward dynamics", () => {
  it("undoes inverse dynamics, by articulated bodies and by the reduced mass matrix", () => {
    overCases(25, 0, ({ state, qdd, n }) => {
      const tau = inverseDynamics(state, qdd, gravity, new Float64Array(n));
      const out = new Float64Array(n);
      expect(articulatedBodyDynamics(state, tau, gravity, out)).toBe(MatrixStatus.ok);
      expect(maxDifference(out, qdd)).toBeLessThan(1e-8);
      expect(reducedForwardDynamics(state, tau, gravity, out)).toBe(MatrixStatus.ok);
      expect(maxDifference(out, qdd)).toBeLessThan(1e-7);
    });
  });

  it("undoes inverse dynamics for coupled robots", () => {
    const random = new Random(26);
    let tried = 0;
    for (let k = 0; k < robots; k++) {
      const { state, qdd, n } = randomCase(random, 0.3);
      if (!state.dynamics.isCoupled) continue;
      tried++;
      const tau = inverseDynamics(state, qdd, gravity, new Float64Array(n));
      const out = new Float64Array(n);
      expect(forwardDynamics(state, tau, gravity, out)).toBe(MatrixStatus.ok);
      expect(maxDifference(out, qdd)).toBeLessThan(1e-6);
    }
    expect(tried).toBeGreaterThan(robots / 4);
  });

  it("says so when a dof moves no mass", () => {
    const model = modelFrom([
      { parent: -1, kind: JointKind.fixed },
      { parent: 0, kind: JointKind.revolute, mass: 1, centreOfMass: [0.1, 0, 0] },
      { parent: 1, kind: JointKind.revolute },
    ]);
    const state = new RobotState(model);
    forwardKinematics(state);
    const out = new Float64Array(2);
    expect(forwardDynamics(state, out, gravity, out)).toBe(MatrixStatus.notPositiveDefinite);
    expect(reducedForwardDynamics(state, out, gravity, out)).toBe(MatrixStatus.notPositiveDefinite);
  });

  it.each([0, 0.3])("keeps the energy of a free motion (share of coupled joints %f)", (coupled) => {
    const random = new Random(27);
    for (let k = 0; k < 10; k++) {
      const { state, n } = randomCase(random, coupled);
      state.qd.fill(0.3);
      const energyOf = (): number => {
        forwardKinematics(state);
        forwardVelocities(state);
        return kineticEnergy(state) + potentialEnergy(state, gravity);
      };
      const start = energyOf();
      const swing = kineticEnergy(state);
      let moved = 0;
      for (let step = 0; step < 200; step++) {
        rungeKutta(state, n, 5e-4);
        energyOf();
        moved = Math.max(moved, Math.abs(kineticEnergy(state) - swing));
      }
      expect(moved).toBeGreaterThan(1e-2);
      expect(Math.abs(energyOf() - start) / moved).toBeLessThan(1e-6);
    }
  });
});

/** One fourth-order step of the free robot. */
function rungeKutta(state: RobotState, n: number, dt: number): void {
  const zero = new Float64Array(n);
  const [q0, v0] = [state.q.slice(), state.qd.slice()];
  const slopes: { v: Float64Array; a: Float64Array }[] = [];
  for (const fraction of [0, 0.5, 0.5, 1]) {
    const last = slopes.at(-1);
    for (let i = 0; i < n; i++) {
      state.q[i] = q0[i]! + fraction * dt * (last?.v[i] ?? 0);
      state.qd[i] = v0[i]! + fraction * dt * (last?.a[i] ?? 0);
    }
    forwardKinematics(state);
    const a = new Float64Array(n);
    forwardDynamics(state, zero, gravity, a);
    slopes.push({ v: state.qd.slice(), a });
  }
  const [k1, k2, k3, k4] = slopes as [{ v: Float64Array; a: Float64Array }, ...never[]];
  const mix = (key: "v" | "a", i: number): number =>
    (dt / 6) * (k1[key][i]! + 2 * k2![key][i]! + 2 * k3![key][i]! + k4![key][i]!);
  for (let i = 0; i < n; i++) {
    state.q[i] = q0[i]! + mix("v", i);
    state.qd[i] = v0[i]! + mix("a", i);
  }
}

it("dynamics allocates nothing", () => {
  const { state, qdd, n } = randomCase(new Random(28), 0);
  const tau = new Float64Array(n);
  const M = new Float64Array(n * n);
  const work = (): void => {
    inverseDynamics(state, qdd, gravity, tau);
    massMatrix(state, M);
    forwardDynamics(state, tau, gravity, qdd);
    reducedForwardDynamics(state, tau, gravity, qdd);
  };
  expect(heapBytesPerCall(work)).toBeLessThan(boxedNumbers);
});
