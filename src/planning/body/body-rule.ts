import type { FlightPath } from "../../flight/ball.js";
import * as cholesky from "../../math/cholesky.js";
import { MatrixStatus } from "../../math/cholesky.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import { reachableDistance } from "../../motion/minimal-time.js";
import { RampStatus } from "../../motion/ramp.js";
import { jacobian } from "../../robot/kinematics/jacobian.js";
import { dofsBetween, forwardKinematics } from "../../robot/kinematics/kinematics.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { createNearestApproach, findNearestApproach, type NearestApproach } from "./nearest-approach.js";

/** What torso and platform do for a catch. */
export interface BodyDecision {
  /** Whether they move nearer; else they stay or, where they moved at the start, come to rest. */
  readonly moves: boolean;
  /** In the order of `BodyRule.dofs`, from t = 0 on; to be executed in any case. */
  readonly ramps: JointRamps;
  /** Where the ball's path is nearest to the hand as it stands at the start. */
  readonly approach: NearestApproach;
  /** Least distance of the path to the hand once the body has moved, the arm standing still [m]. */
  readonly distanceAfter: number;
}

/** How the robot stands and moves at t = 0: a number for every dof of the model. */
interface BodyStart {
  readonly q: Float64Array;
  readonly qd: Float64Array;
}

/** Shares of the limits of speed and acceleration that the body may use; 1 by default. */
interface BodyLimits {
  readonly velocityScale?: number;
  readonly accelerationScale?: number;
}

/** A dof that may move: its index in `BodyRule.dofs`, and how far [rad or m]. */
interface Member {
  readonly index: number;
  readonly farthest: number;
}

interface Part {
  readonly gain: number;
  readonly members: readonly Member[];
}

/** From the body's arrival until the ball is nearest [s]: time for what shakes to calm down and for the last replans. */
const DEFAULT_SETTLE = 0.1;
/** Damping of the least squares [m]: against the lever arms of some 0.3 to 0.6 m that a torso has. */
const DEFAULT_DAMPING = 0.2;
/** Halvings of a displacement that leads beyond a limit or does not help. */
const HALVINGS = 5;
/** Least gain that is worth moving a body for [m]. */
const LEAST_GAIN = 0.005;
/** No motion is shorter than this [s]. */
const SHORTEST = 0.05;
/** Share of the farthest reach that is left, so that rounding makes no ramp too fast. */
const SLACK = 1e-6;

/**
 * The rule by which torso and platform help an arm (thesis, section 3.5.1: "a simple heuristic that brings the hand's
 * start position closer to the predicted ball trajectory"). Decided once, on the first valid prediction, for one ball:
 *
 * 1. d is the vector from the hand, as it stands at the start, to the nearest point of the ball's path, at time t*.
 * 2. Every part of the sidecar's `bodyRule` takes its share, gain·d, by damped least squares on the hand's Jacobian,
 *    Δq = Jᵀ(J·Jᵀ + λ²)⁻¹·gain·d, scaled down so that no joint goes farther than `maxDisplacement`. For a prismatic
 *    platform that is the component of d along its axis. Coupled joints are in J, so the chest keeps its pitch.
 * 3. All joints arrive together, `settle` before t*; what a part cannot do by then within its limits of speed and
 *    acceleration is scaled down.
 * 4. A motion that would leave a position limit, of a coupled joint too, or not bring the hand nearer to the path is
 *    halved, some times, and then left.
 *
 * `parameters` of the sidecar's rule may set `settle` [s] and `damping` λ [m].
 */
export class BodyRule {
  /** Dofs of the body as indices of the model, in model order: all between the world and the arm's base. */
  readonly dofs: readonly number[];
  readonly #robot: Robot;
  readonly #tipLink: number;
  readonly #parts: readonly Part[];
  readonly #settle: number;
  readonly #damping: number;
  readonly #state: RobotState;
  readonly #jacobian: Float64Array;
  readonly #q0: Float64Array;
  readonly #w0: Float64Array;
  readonly #target: Float64Array;
  readonly #maxVelocity: Float64Array;
  readonly #maxAcceleration: Float64Array;

  /** The rule for one arm; null where the sidecar has none that moves anything below it. */
  static of(robot: Robot, group: JointGroup, limits: BodyLimits = {}): BodyRule | null {
    const rule = new BodyRule(robot, group, limits);
    return rule.#parts.some(({ members }) => members.length > 0) ? rule : null;
  }

  private constructor(robot: Robot, group: JointGroup, { velocityScale = 1, accelerationScale = 1 }: BodyLimits) {
    const { model, sidecar, frames } = robot;
    const { parts = [], parameters = {} } = sidecar.bodyRule ?? {};
    this.#robot = robot;
    this.#tipLink = group.tipLink;
    this.dofs = dofsBetween(model, frames.world, group.baseLink);
    this.#parts = parts.map(({ group: name, gain, maxDisplacement }) => {
      const dofs = model.groups.find((other) => other.name === name)?.dofs ?? [];
      return { gain, members: membersOf(this.dofs, dofs, maxDisplacement) };
    });
    this.#settle = parameters.settle ?? DEFAULT_SETTLE;
    this.#damping = parameters.damping ?? DEFAULT_DAMPING;
    this.#state = new RobotState(model);
    this.#jacobian = new Float64Array(6 * model.dofCount);
    this.#q0 = new Float64Array(this.dofs.length);
    this.#w0 = new Float64Array(this.dofs.length);
    this.#target = new Float64Array(this.dofs.length);
    this.#maxVelocity = Float64Array.from(this.dofs, (dof) => velocityScale * model.maxVelocity[dof]!);
    this.#maxAcceleration = Float64Array.from(this.dofs, (dof) => accelerationScale * model.maxAcceleration[dof]!);
  }

  /** What to do about a ball that flies along `flight` (in the world), to be caught between `from` and `to` [s]. */
  decide(start: BodyStart, flight: FlightPath, from: number, to: number): BodyDecision {
    const ramps = new JointRamps(this.dofs.length);
    this.#begin(start);
    const hand = this.#hand(vec3.create());
    const approach = findNearestApproach(flight, hand, from, to, createNearestApproach());
    const duration = approach.time - this.#settle;
    const displacement = this.#share(vec3.subtract(approach.position, hand, vec3.create()), duration);
    for (let k = 0, scale = 1; k < HALVINGS && duration > SHORTEST; k++, scale /= 2) {
      if (!this.#plan(displacement, scale, duration, ramps)) continue;
      const distanceAfter = this.#distanceAt(ramps.end, flight, from, to);
      if (distanceAfter <= approach.distance - LEAST_GAIN) return { moves: true, ramps, approach, distanceAfter };
    }
    ramps.stop(this.#q0, this.#w0, this.#maxVelocity, this.#maxAcceleration);
    return { moves: false, ramps, approach, distanceAfter: this.#distanceAt(ramps.end, flight, from, to) };
  }

  /** What the body does if it does not help: it stays or, where it moves at the start, comes to rest. */
  rest(start: BodyStart): JointRamps {
    this.#begin(start);
    return new JointRamps(this.dofs.length).stop(this.#q0, this.#w0, this.#maxVelocity, this.#maxAcceleration);
  }

  #begin({ q, qd }: BodyStart): void {
    this.#state.q.set(q);
    for (const [i, dof] of this.dofs.entries()) {
      this.#q0[i] = q[dof]!;
      this.#w0[i] = qd[dof]!;
    }
    forwardKinematics(this.#state);
  }

  /** Position of the hand in the world, for the kinematics in hand. */
  #hand(out: vec3.Vec3): vec3.Vec3 {
    const { worldFromLink } = this.#state;
    pose.getTranslation(worldFromLink[this.#tipLink]!, out);
    return pose.transformPointInverse(worldFromLink[this.#robot.frames.world]!, out, out);
  }

  /** The displacement of every dof that its part takes of the `wanted` one of the hand, as far as it gets in `duration`. */
  #share(wanted: vec3.Vec3, duration: number): Float64Array {
    const displacement = new Float64Array(this.dofs.length);
    jacobian(this.#state, this.#tipLink, vec3.create(), this.#robot.frames.world, this.#jacobian);
    for (const { gain, members } of this.#parts) {
      const columns = members.map(({ index }) => this.#column(this.dofs[index]!));
      const pull = dampedForce(columns, wanted, this.#damping);
      const wish = columns.map((column) => gain * vec3.dot(column, pull));
      const shares = wish.map((D, m) => this.#reachableShare(members[m]!, D, duration));
      for (const [m, { index }] of members.entries()) displacement[index]! += Math.min(1, ...shares) * wish[m]!;
    }
    return displacement;
  }

  /** How the hand moves in the world with a dof. */
  #column(dof: number): vec3.Vec3 {
    const n = this.#robot.model.dofCount;
    return vec3.create(this.#jacobian[dof]!, this.#jacobian[n + dof]!, this.#jacobian[2 * n + dof]!);
  }

  /** The share of the displacement `D` that a dof may and can do in `duration`. */
  #reachableShare({ index, farthest }: Member, D: number, duration: number): number {
    if (D === 0) return 1;
    const [vmax, amax] = [this.#maxVelocity[index]!, this.#maxAcceleration[index]!];
    const reach = reachableDistance(D > 0 ? 1 : -1, duration, this.#w0[index]!, vmax, amax);
    return Math.max(0, Math.min(farthest / Math.abs(D), (reach / D) * (1 - SLACK)));
  }

  /** Ramps for a share of the displacement; false if they exceed a limit. */
  #plan(displacement: Float64Array, scale: number, duration: number, ramps: JointRamps): boolean {
    for (let i = 0; i < displacement.length; i++) this.#target[i] = this.#q0[i]! + scale * displacement[i]!;
    const [vmax, amax] = [this.#maxVelocity, this.#maxAcceleration];
    const status = ramps.plan(this.#q0, this.#w0, this.#target, duration, vmax, amax);
    return status === RampStatus.ok && this.#staysWithin(ramps);
  }

  /** Whether no joint that the body's dofs move, coupled ones included, leaves its limits on the way. */
  #staysWithin(ramps: JointRamps): boolean {
    const { model } = this.#robot;
    const [low, high] = [new Float64Array(ramps.count), new Float64Array(ramps.count)];
    ramps.extremes(low, high);
    for (let joint = 1; joint < model.linkCount; joint++) {
      let [least, greatest, moves] = [model.jointOffset[joint]!, model.jointOffset[joint]!, false];
      for (let k = model.termStart[joint]!; k < model.termStart[joint + 1]!; k++) {
        const i = this.dofs.indexOf(model.termDof[k]!);
        if (i < 0) continue;
        const factor = model.termFactor[k]!;
        moves = true;
        least += Math.min(factor * low[i]!, factor * high[i]!);
        greatest += Math.max(factor * low[i]!, factor * high[i]!);
      }
      if (moves && !(least >= model.jointLower[joint]! && greatest <= model.jointUpper[joint]!)) return false;
    }
    return true;
  }

  /** Least distance of the path to the hand with the body at `q`. */
  #distanceAt(q: Float64Array, flight: FlightPath, from: number, to: number): number {
    for (const [i, dof] of this.dofs.entries()) this.#state.q[dof] = q[i]!;
    forwardKinematics(this.#state);
    return findNearestApproach(flight, this.#hand(vec3.create()), from, to, createNearestApproach()).distance;
  }
}

function membersOf(body: readonly number[], dofs: readonly number[], farthest: readonly number[]): Member[] {
  return dofs
    .map((dof, k) => ({ index: body.indexOf(dof), farthest: farthest[k] ?? 0 }))
    .filter((member) => member.index >= 0 && member.farthest > 0);
}

/** (J·Jᵀ + λ²)⁻¹·d for the columns of J. */
function dampedForce(columns: readonly vec3.Vec3[], d: vec3.Vec3, damping: number): vec3.Vec3 {
  const normal = new Float64Array(9);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      normal[3 * r + c] = r === c ? damping * damping : 0;
      for (const column of columns) normal[3 * r + c]! += column[r]! * column[c]!;
    }
  }
  const out = vec3.create();
  if (cholesky.factor(normal, 3, normal) === MatrixStatus.ok) cholesky.solve(normal, d, 3, out);
  return out;
}
