import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pose from "../src/math/pose.js";
import { Random } from "../src/math/random.js";
import * as vec3 from "../src/math/vec3.js";
import { forwardDynamics } from "../src/robot/dynamics/forward-dynamics.js";
import { inverseDynamics } from "../src/robot/dynamics/inverse-dynamics.js";
import { massMatrix } from "../src/robot/dynamics/mass-matrix.js";
import { DampedInverseKinematics, DampedStatus } from "../src/robot/inverse-kinematics/damped-inverse-kinematics.js";
import { SrsArm } from "../src/robot/inverse-kinematics/srs-inverse-kinematics.js";
import { KinematicChain } from "../src/robot/kinematics/chain.js";
import { jacobian, WORLD } from "../src/robot/kinematics/jacobian.js";
import { forwardKinematics } from "../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../src/robot/loading/load-robot.js";
import { robotsFolder } from "../src/robot/loading/robot-folders.js";
import { RobotState } from "../src/robot/state.js";
import { MujocoRobot } from "../test/support/mujoco.js";
import { type BenchContext, type BenchSuite, type Metrics, percentiles, timeMicroseconds } from "./harness.js";

/** Random inputs are made beforehand and cycled through, so that no run is of one lucky configuration. */
const INPUTS = 1024;
const gravity = vec3.create(0, 0, -9.81);

/**
 * Metrics, all in microseconds per call and each as _p50, _p95, _p99, _max:
 * - `fk_us`, `jacobian_us`: tip of a 7-DOF arm by `KinematicChain` (lwr-arm); the second includes the first;
 * - `analytic_ik_us`: all branches of one pose by `SrsArm`; `damped_ik_us`: `DampedInverseKinematics` from a random seed;
 * - `rnea_us`: forward kinematics and inverse dynamics of a 7-DOF arm (iiwa-14, which has no fingers);
 * - `iiwa_…`, `lwr_…` (19 dofs), `justin_…` (46 dofs): the whole robot from q, every figure after the first
 *   (`…_fk_us`) without forward kinematics; `…_mujoco_…`: MuJoCo (WebAssembly) on the same URDF in the same run.
 */
export const suite: BenchSuite = {
  name: "robot",
  description: "kinematics, dynamics and inverse kinematics of 7-DOF arms and of the whole Agile Justin",
  run: async (context) => {
    const metrics: Metrics = {};
    armKinematics(context, metrics);
    armDynamics(context, metrics);
    for (const [robot, prefix] of [
      ["iiwa-14", "iiwa"],
      ["lwr-arm", "lwr"],
      ["agile-justin", "justin"],
    ] as const) {
      wholeRobot(context, robot, prefix, metrics);
      await peer(context, robot, prefix, metrics);
    }
    return metrics;
  },
};

function armKinematics(context: BenchContext, metrics: Metrics): void {
  const { model } = loadRobot("lwr-arm");
  const group = model.groups.find(({ name }) => name === "arm");
  if (group === undefined) throw new Error("lwr-arm has no group arm");
  const chain = new KinematicChain(model, group.baseLink, group.tipLink, group.dofs);
  const random = new Random(context.seed);
  const configurations = inputs(() => randomPositions(random, chain.lower, chain.upper));
  const J = new Float64Array(6 * 7);
  time(context, metrics, "fk_us", (i) => chain.update(configurations[i]!));
  time(context, metrics, "jacobian_us", (i) => {
    chain.update(configurations[i]!);
    chain.jacobian(J);
  });
  inverseKinematics(context, chain, configurations, metrics);
}

function inverseKinematics(
  context: BenchContext,
  chain: KinematicChain,
  configurations: readonly Float64Array[],
  metrics: Metrics,
): void {
  const result = SrsArm.fromChain(chain);
  if (!result.ok) throw new Error(result.reason);
  const { arm } = result;
  const targets = configurations.map((q) => {
    chain.update(q);
    return pose.copy(chain.baseFromTip, pose.create());
  });
  const elbowAngles = configurations.map((q) => arm.elbowAngleOf(q));
  const out = new Float64Array(SrsArm.maxSolutions * SrsArm.jointCount);
  let solutions = 0;
  time(context, metrics, "analytic_ik_us", (i) => {
    solutions = arm.solve(targets[i]!, elbowAngles[i]!, out);
  });
  if (solutions === 0) throw new Error("a reachable pose was not solved");

  const damped = new DampedInverseKinematics(chain);
  const q = new Float64Array(7);
  const samples = timeMicroseconds(
    (i) => void damped.solve(targets[i % INPUTS]!, configurations[(i + 1) % INPUTS]!, q),
    {
      samples: context.full ? 20_000 : 3000,
    },
  );
  Object.assign(metrics, percentiles("damped_ik_us", samples));
  const converged = targets.filter((target, i) => {
    const seed = configurations[(i + 1) % INPUTS]!;
    return damped.solve(target, seed, q) === DampedStatus.converged;
  });
  metrics.damped_ik_converged_ratio = converged.length / INPUTS;
}

function armDynamics(context: BenchContext, metrics: Metrics): void {
  const state = new RobotState(loadRobot("iiwa-14").model);
  const { lower, upper, dofCount } = state.model;
  const random = new Random(context.seed);
  const positions = inputs(() => randomPositions(random, lower, upper));
  const velocities = inputs(() => randomVector(random, dofCount, 2));
  const accelerations = inputs(() => randomVector(random, dofCount, 5));
  const tau = new Float64Array(dofCount);
  time(context, metrics, "rnea_us", (i) => {
    state.q.set(positions[i]!);
    state.qd.set(velocities[i]!);
    forwardKinematics(state);
    inverseDynamics(state, accelerations[i]!, gravity, tau);
  });
}

function wholeRobot(context: BenchContext, robot: string, prefix: string, metrics: Metrics): void {
  const state = new RobotState(loadRobot(robot).model);
  const { lower, upper, dofCount, linkCount } = state.model;
  const random = new Random(context.seed);
  const positions = inputs(() => randomPositions(random, lower, upper));
  const tau = inputs(() => randomVector(random, dofCount, 5));
  state.qd.set(randomVector(random, dofCount, 2));
  const origin = vec3.create();
  const vector = new Float64Array(dofCount);
  const matrix = new Float64Array(6 * dofCount + dofCount * dofCount);
  time(context, metrics, `${prefix}_fk_us`, (i) => {
    state.q.set(positions[i]!);
    forwardKinematics(state);
  });
  time(context, metrics, `${prefix}_jacobian_us`, () => jacobian(state, linkCount - 1, origin, WORLD, matrix));
  time(context, metrics, `${prefix}_rnea_us`, (i) => inverseDynamics(state, tau[i]!, gravity, vector));
  time(context, metrics, `${prefix}_mass_matrix_us`, () => massMatrix(state, matrix));
  // Articulated bodies where there are no couplings; the reduced mass matrix and Cholesky where there are (justin).
  time(context, metrics, `${prefix}_forward_dynamics_us`, (i) => forwardDynamics(state, tau[i]!, gravity, vector));
}

/** MuJoCo on the same URDF; `mj_inverse` contains kinematics, mass matrix and inverse dynamics. */
async function peer(context: BenchContext, robot: string, prefix: string, metrics: Metrics): Promise<void> {
  const urdf = readFileSync(join(robotsFolder, robot, `${robot}.urdf`), "utf8");
  const reference = await MujocoRobot.load(urdf);
  const names = reference.jointNames();
  for (const [i, name] of names.entries()) reference.setJoint(name, 0.1 * Math.sin(i), 0.5 * Math.cos(i), 1);
  time(context, metrics, `${prefix}_mujoco_kinematics_us`, () => reference.computeKinematics());
  time(context, metrics, `${prefix}_mujoco_inverse_us`, () => reference.compute());
  reference.delete();
}

/** Batches of 50 calls: most take less than the clock's grain. */
function time(context: BenchContext, metrics: Metrics, name: string, work: (input: number) => void): void {
  context.progress(name);
  const samples = timeMicroseconds((index) => work(index % INPUTS), {
    samples: context.full ? 20_000 : 1000,
    batch: 50,
    warmup: 10_000,
  });
  Object.assign(metrics, percentiles(name, samples));
}

function inputs(make: () => Float64Array): Float64Array[] {
  return Array.from({ length: INPUTS }, make);
}

function randomPositions(random: Random, lower: Float64Array, upper: Float64Array): Float64Array {
  return lower.map((low, i) => random.uniformIn(Math.max(low, -Math.PI), Math.min(upper[i]!, Math.PI)));
}

function randomVector(random: Random, size: number, range: number): Float64Array {
  return new Float64Array(size).map(() => random.uniformIn(-range, range));
}
