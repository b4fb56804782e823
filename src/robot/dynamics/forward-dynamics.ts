import * as cholesky from "../../math/cholesky.js";
import { MatrixStatus } from "../../math/cholesky.js";
import type { Vec3 } from "../../math/vec3.js";
import type { RobotState } from "../state.js";
import { articulatedBodyDynamics } from "./articulated-body.js";
import { biasForces } from "./inverse-dynamics.js";
import { massMatrix } from "./mass-matrix.js";

/**
 * Accelerations q̈ that the torques `tau` cause at `state.q`, `state.qd` under `gravity` [m/s²], written to `out`
 * [dofCount]. A robot without couplings is solved by the articulated-body algorithm in O(bodies); one with couplings
 * by the reduced mass matrix and Cholesky, since a coupled joint's torque is not its own. Needs forward kinematics.
 *
 * Returns `MatrixStatus.notPositiveDefinite`, leaving `out` unspecified, if some dof moves no mass.
 *
 * @example
 * const state = new RobotState(loadRobot("lwr-arm").model);
 * forwardKinematics(state);
 * const accelerations = new Float64Array(state.model.dofCount);
 * forwardDynamics(state, new Float64Array(state.model.dofCount), gravity(), accelerations); // it falls
 */
export function forwardDynamics(state: RobotState, tau: Float64Array, gravity: Vec3, out: Float64Array): MatrixStatus {
  return state.dynamics.isCoupled
    ? reducedForwardDynamics(state, tau, gravity, out)
    : articulatedBodyDynamics(state, tau, gravity, out);
}

/** Forward dynamics by M·q̈ = τ − bias for any robot. */
export function reducedForwardDynamics(
  state: RobotState,
  tau: Float64Array,
  gravity: Vec3,
  out: Float64Array,
): MatrixStatus {
  const n = state.model.dofCount;
  const { dofVector, dofMatrix } = state.dynamics;
  biasForces(state, gravity, dofVector);
  for (let i = 0; i < n; i++) dofVector[i] = tau[i]! - dofVector[i]!;
  massMatrix(state, dofMatrix);
  const status = cholesky.factor(dofMatrix, n, dofMatrix);
  if (status === MatrixStatus.ok) cholesky.solve(dofMatrix, dofVector, n, out);
  return status;
}
