import { FlycatcherError } from "../runtime/errors.js";
import { MotionExecution } from "./motion-execution.js";

/** Joints that get their motions together: an arm, or torso and platform. */
export interface MotionPart {
  readonly name: string;
  /** As indices of the model. */
  readonly dofs: readonly number[];
}

/**
 * The motion of a whole robot: that of its parts, each with plans of its own, put together to one command for all joints.
 * Joints of no part stay where they are, or where somebody else puts them.
 */
export class RobotMotion {
  readonly parts: readonly MotionPart[];
  /** The command of the last tick, in model order: position, velocity, acceleration. */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
  readonly #executions: readonly MotionExecution[];

  /** Begins at rest in `posture`; `tickPeriod` [s] is that of the loop. */
  constructor(posture: Float64Array, parts: readonly MotionPart[], tickPeriod?: number) {
    refuseShared(parts);
    this.parts = parts;
    this.q = Float64Array.from(posture);
    this.qd = new Float64Array(posture.length);
    this.qdd = new Float64Array(posture.length);
    this.#executions = parts.map(
      ({ dofs }) =>
        new MotionExecution(
          Float64Array.from(dofs, (dof) => posture[dof]!),
          tickPeriod,
        ),
    );
  }

  /** The motions of one part. */
  of(name: string): MotionExecution {
    const execution = this.#executions[this.parts.findIndex((part) => part.name === name)];
    if (execution !== undefined) return execution;
    throw new FlycatcherError("FLY_INTERNAL", `no part ${name} moves here`);
  }

  /** The command at `time` [s], which must not go back. */
  tick(time: number): void {
    for (let p = 0; p < this.parts.length; p++) {
      const execution = this.#executions[p]!;
      const { dofs } = this.parts[p]!;
      execution.tick(time);
      for (let i = 0; i < dofs.length; i++) {
        const dof = dofs[i]!;
        this.q[dof] = execution.q[i]!;
        this.qd[dof] = execution.qd[i]!;
        this.qdd[dof] = execution.qdd[i]!;
      }
    }
  }

  /** Whether the command of the last tick stays for good, unless a plan comes. */
  get isAtRest(): boolean {
    for (let p = 0; p < this.#executions.length; p++) if (!this.#executions[p]!.isAtRest) return false;
    return true;
  }

  /** In place of `tick`, where all is at rest. */
  pass(time: number): void {
    for (let p = 0; p < this.#executions.length; p++) this.#executions[p]!.pass(time);
  }

  /** The commands of all parts at `t` [s], as far as they are known, into arrays of all joints. */
  commandedAt(t: number, outQ: Float64Array, outQd: Float64Array): void {
    for (let p = 0; p < this.parts.length; p++) {
      const execution = this.#executions[p]!;
      const { dofs } = this.parts[p]!;
      const q = new Float64Array(dofs.length);
      const qd = new Float64Array(dofs.length);
      execution.commandedAt(t, q, qd);
      for (let i = 0; i < dofs.length; i++) {
        outQ[dofs[i]!] = q[i]!;
        outQd[dofs[i]!] = qd[i]!;
      }
    }
  }

  /** All parts forget their motions and hold where `q` has them: the robot was stopped there. */
  rest(q: Float64Array): void {
    this.q.set(q);
    this.qd.fill(0);
    this.qdd.fill(0);
    for (let p = 0; p < this.parts.length; p++) {
      const { dofs } = this.parts[p]!;
      this.#executions[p]!.rest(Float64Array.from(dofs, (dof) => q[dof]!));
    }
  }
}

function refuseShared(parts: readonly MotionPart[]): void {
  const dofs = parts.flatMap((part) => part.dofs);
  if (new Set(dofs).size === dofs.length) return;
  throw new FlycatcherError("FLY_INTERNAL", "two parts cannot move the same joint");
}
