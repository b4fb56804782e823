import { type FlightPath, FlightStatus } from "../../flight/ball.js";
import { QuinticPath } from "../../flight/quintic-path.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { BodyKinematics } from "./body-kinematics.js";

/** How torso and platform move: ramps in the order of `BodyKinematics.dofs`, begun at `start` on the path's clock [s]. */
export interface BaseMotion {
  readonly ramps: JointRamps;
  readonly start: number;
}

/** The newest pose of the head, and what belongs to the same moment tl. */
export interface HeadMeasurement {
  /** From the head-pose filter. */
  readonly worldFromHead: pose.Pose;
  /** Neck encoders at tl, in the order of `MovingBasePath.neckDofs` [rad]. */
  readonly neck: Float64Array;
  /** What torso and platform were *commanded* to be at tl, in the order of `BodyKinematics.dofs` [rad or m]. */
  readonly body: Float64Array;
}

interface MovingBaseOptions {
  /** Time between the nodes [s]; 0.01 by default. */
  readonly step?: number;
  /** Longest interval between begin and end [s]; 2 by default. */
  readonly duration?: number;
}

/**
 * A ball as the arm's moving base sees it: position, velocity and acceleration *relative to the base*, in its axes; so the
 * catch problem, which takes the base for fixed, is right while torso and platform move.
 *
 * Where the base is comes from the measured head, back through the stiff neck, plus only what was planned to happen since
 * (thesis, section 3.5.1):
 *
 *   worldFromBase(t) = worldFromHead(tl) · headFromBase(neck(tl)) · FKplan(tl)⁻¹ · FKplan(t).
 *
 * Whatever the body did until tl (torso deflection, wheel slip) is in the measurement; forward kinematics from platform to
 * chest enters only as a difference over t − tl. Without a measurement the plan is believed: worldFromBase = FKplan.
 *
 * With r = x − o, o and ω being the base's origin and angular velocity, and R its axes:
 *
 *   p = Rᵀr, ṗ = Rᵀu, p̈ = Rᵀ(ẍ − ö − ω̇ × r − ω × (ω × r) − 2ω × u), u = ẋ − ȯ − ω × r.
 *
 * These are exact at nodes every 10 ms, and quintic polynomials between them take over all three: the path is twice
 * continuously differentiable, as the solver needs, though ramps have steps of acceleration; each is smoothed within its
 * 10 ms. A step of Δa in the base's motion at the ball makes an error of Δa·step²/58 at most: 50 µm and 0.02 m/s are the
 * worst seen with all body joints at their greatest accelerations; away from the steps it is below 1e-9 m.
 *
 * `reset` for each prediction; it allocates nothing but what the engine boxes, a number a node handed to the flight.
 *
 * @example
 * const path = new MovingBasePath(robot, arm.group.baseLink);
 * if (path.reset(flight, { ramps, start: 0 }, measurement, 0, 1.8) === FlightStatus.ok)
 *   solver.cold({ ...task, path }, budget, solution);
 */
export class MovingBasePath implements FlightPath {
  readonly baseLink: number;
  /** Dofs of the body, which the ramps and the measurement are in the order of. */
  readonly bodyDofs: readonly number[];
  /** Dofs between the base and the head; none where the robot has no head. */
  readonly neckDofs: readonly number[];
  readonly #path: QuinticPath;
  readonly #body: BodyKinematics;
  readonly #headFromBase: KinematicChain | null;
  /** The world from what the plan's kinematics takes for it: the identity where the plan is true. */
  readonly #worldFromPlan: pose.Pose = pose.create();
  readonly #pose: pose.Pose = pose.create();
  #motion: BaseMotion | null = null;
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  readonly #qdd: Float64Array;
  readonly #ball = vec3.create();
  readonly #velocity = vec3.create();
  readonly #acceleration = vec3.create();
  readonly #nodes = [new Float64Array(9), new Float64Array(9)] as const;

  constructor(robot: Robot, baseLink: number, options: MovingBaseOptions = {}) {
    const { step = 0.01, duration = 2 } = options;
    const { model, frames } = robot;
    this.baseLink = baseLink;
    this.#body = new BodyKinematics(model, frames.world, baseLink);
    this.bodyDofs = this.#body.dofs;
    this.neckDofs = frames.head === undefined ? [] : dofsBetween(model, frames.head, baseLink);
    this.#headFromBase =
      frames.head === undefined ? null : new KinematicChain(model, frames.head, baseLink, this.neckDofs);
    this.#path = new QuinticPath(3, step, duration);
    this.#q = new Float64Array(this.bodyDofs.length);
    this.#qd = new Float64Array(this.bodyDofs.length);
    this.#qdd = new Float64Array(this.bodyDofs.length);
  }

  get begin(): number {
    return this.#path.begin;
  }

  get end(): number {
    return this.#path.end;
  }

  /**
   * The flight of a ball in `world` as seen from the base, over [begin, end] at least. The body's motion is known from its
   * start on, so `begin` must not be before it. Keeps `motion` for `worldFromBase`, and copies nothing else.
   */
  reset(
    flight: FlightPath,
    motion: BaseMotion,
    measurement: HeadMeasurement | null,
    begin: number,
    end: number,
  ): FlightStatus {
    const status = this.#path.cover(begin, begin, end);
    if (status !== FlightStatus.ok) return status;
    if (!(begin >= motion.start) || motion.ramps.count !== this.bodyDofs.length) return FlightStatus.invalid;
    if (!this.#locate(measurement)) return FlightStatus.invalid;
    this.#motion = motion;
    return this.#fill(flight, motion);
  }

  /** Pose of the base in the world at `t`, as the last `reset` has it. */
  worldFromBase(t: number, out: pose.Pose): pose.Pose {
    this.#moveTo(t);
    this.#body.chain.update(this.#q);
    return pose.compose(this.#worldFromPlan, this.#body.chain.baseFromTip, out);
  }

  /** Writes where the body's dofs are at `t` into a posture of the whole robot. */
  placeBody(t: number, posture: Float64Array): void {
    this.#moveTo(t);
    for (let i = 0; i < this.bodyDofs.length; i++) posture[this.bodyDofs[i]!] = this.#q[i]!;
  }

  #moveTo(t: number): void {
    if (this.#motion !== null) this.#motion.ramps.positions(t - this.#motion.start, this.#q);
  }

  position(t: number, out: vec3.Vec3): vec3.Vec3 {
    this.#path.values(t, out);
    return out;
  }

  velocity(t: number, out: vec3.Vec3): vec3.Vec3 {
    this.#path.slopes(t, out);
    return out;
  }

  acceleration(t: number, out: vec3.Vec3): vec3.Vec3 {
    this.#path.bends(t, out);
    return out;
  }

  evaluate(t: number, position: vec3.Vec3, velocity: vec3.Vec3, acceleration: vec3.Vec3): void {
    this.#path.evaluate(t, position, velocity, acceleration);
  }

  /** worldFromHead · headFromBase · FKplan(tl)⁻¹; false if it is not finite or there is no head to measure. */
  #locate(measurement: HeadMeasurement | null): boolean {
    const out = this.#worldFromPlan;
    if (measurement === null) {
      pose.identity(out);
      return true;
    }
    if (this.#headFromBase === null) return false;
    this.#headFromBase.update(measurement.neck);
    this.#body.chain.update(measurement.body);
    pose.invert(this.#body.chain.baseFromTip, this.#pose);
    pose.compose(this.#headFromBase.baseFromTip, this.#pose, this.#pose);
    pose.compose(measurement.worldFromHead, this.#pose, out);
    let sum = 0;
    for (let k = 0; k < 12; k++) sum += out[k]!;
    return Number.isFinite(sum);
  }

  #fill(flight: FlightPath, { ramps, start }: BaseMotion): FlightStatus {
    const { count, begin, step } = this.#path;
    const arrival = ramps.duration + start;
    let from = this.#nodes[0];
    let to = this.#nodes[1];
    let isMoving = true;
    let sum = 0;
    for (let node = 0; node <= count; node++) {
      const t = begin + node * step;
      // From the arrival on the body stands: what the first node after it computed stays true.
      if (isMoving) {
        ramps.evaluate(t - start, this.#q, this.#qd, this.#qdd);
        this.#body.update(this.#q, this.#qd, this.#qdd);
        isMoving = t < arrival;
      }
      flight.evaluate(t, this.#ball, this.#velocity, this.#acceleration);
      this.#see(to);
      if (node > 0) this.#path.write(node - 1, from, to);
      // All that goes into a node goes into its bends: a NaN anywhere makes this one.
      sum += to[2]!;
      const swap = from;
      from = to;
      to = swap;
    }
    return Number.isFinite(sum) ? FlightStatus.ok : FlightStatus.invalid;
  }

  /** The ball in hand as seen from the base: value, slope and bend of the three coordinates. */
  #see(node: Float64Array): void {
    const W = this.#worldFromPlan;
    const { velocity: s, acceleration: c } = this.#body;
    const T = this.#body.chain.baseFromTip;
    const p = pose.transformPointInverse(W, this.#ball, this.#ball);
    const v = pose.rotateVectorInverse(W, this.#velocity, this.#velocity);
    const a = pose.rotateVectorInverse(W, this.#acceleration, this.#acceleration);
    const wx = s[3]!;
    const wy = s[4]!;
    const wz = s[5]!;
    const rx = p[0] - T[9];
    const ry = p[1] - T[10];
    const rz = p[2] - T[11];
    // ω × r, and u = ẋ − ȯ − ω × r
    const ex = wy * rz - wz * ry;
    const ey = wz * rx - wx * rz;
    const ez = wx * ry - wy * rx;
    const ux = v[0] - s[0]! - ex;
    const uy = v[1] - s[1]! - ey;
    const uz = v[2] - s[2]! - ez;
    // ω × r + 2u, so that ω × of it is the centrifugal and the Coriolis term together.
    const fx = ex + 2 * ux;
    const fy = ey + 2 * uy;
    const fz = ez + 2 * uz;
    const ax = a[0] - c[0]! - (c[4]! * rz - c[5]! * ry) - (wy * fz - wz * fy);
    const ay = a[1] - c[1]! - (c[5]! * rx - c[3]! * rz) - (wz * fx - wx * fz);
    const az = a[2] - c[2]! - (c[3]! * ry - c[4]! * rx) - (wx * fy - wy * fx);
    for (let k = 0; k < 3; k++) {
      const x = T[k]!;
      const y = T[3 + k]!;
      const z = T[6 + k]!;
      node[3 * k] = x * rx + y * ry + z * rz;
      node[3 * k + 1] = x * ux + y * uy + z * uz;
      node[3 * k + 2] = x * ax + y * ay + z * az;
    }
  }
}
