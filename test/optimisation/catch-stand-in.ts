import { RampFunctions } from "../../src/motion/ramp-functions.js";
import type { Evaluation, NonlinearProblem } from "../../src/optimisation/problem-interface.js";

const joints = 7;
const n = joints + 1;
const gravity = -9.81;
const degree = Math.PI / 180;

/** Chest-fixed frame: x forward, z up. The right shoulder's base, and the joints' limits [rad, rad/s, rad/s²]. */
const shoulder = Float64Array.of(0, -0.18, 1.35);
/** The shoulder's z axis points to the right (−y) and 30° down. */
const chestFromShoulder = Float64Array.of(1, 0, 0, 0, -0.5, -Math.sqrt(0.75), 0, Math.sqrt(0.75), -0.5);
const limits = [170, 120, 170, 120, 170, 120, 170].map((value) => value * degree);
const maxSpeed = Float64Array.from([110, 110, 130, 130, 130, 150, 150], (value) => value * degree);
const maxAcceleration = maxSpeed.map((value) => value / 0.1);
/** Distance of each joint from the one before along that one's z axis, and to the catch frame [m]. */
const offsets = [0, 0.31, 0, 0.4, 0, 0.39, 0] as const;
const handOffset = 0.198;
/** Keep-out half spaces normal·p ≥ offset, and vertical cylinders (x, y, radius). */
const walls = [
  [0, 0, 1, 0.5],
  [0, 0, -1, -2.3],
  [1, 0, 0, -0.2],
  [0, 1, 0, -1.2],
  [-1, 0, 0, -1.2],
  [0, -1, 0, -0.6],
] as const;
const cylinders = [
  [0, 0, 0.25],
  [-0.1, 0.3, 0.3],
] as const;

export type StandInMode = "soft" | "latest";

/** What changes from one problem to the next. */
export interface StandInTask {
  readonly mode: StandInMode;
  /** State of the joints at t = 0. */
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  /** State of the ball at t = 0: position, velocity. */
  readonly ball: Float64Array;
}

/**
 * The catch problem in small, written out by hand: a seven-joint arm, a ball on a parabola, the ramps. 8 unknowns,
 * 5 equalities, 30 inequalities, with the structure and the scales of the real one; the solver is tuned on it.
 */
export class CatchStandIn implements NonlinearProblem {
  readonly n = n;
  readonly equalityCount = 5;
  readonly inequalityCount = 3 * joints + 1 + walls.length + cylinders.length;
  readonly lower = new Float64Array(n);
  readonly upper = new Float64Array(n);
  readonly ramps = new RampFunctions(joints);
  readonly #w0 = new Float64Array(joints);
  readonly #ball = new Float64Array(6);
  #mode: StandInMode = "soft";
  /** Joint axes and origins in the chest, three numbers each; then the hand's rotation and position. */
  readonly #axes = new Float64Array(3 * joints);
  readonly #origins = new Float64Array(3 * joints);
  readonly #rotation = new Float64Array(9);
  readonly #position = new Float64Array(3);
  /** Ball position, direction of flight and its change. */
  readonly #ballAt = new Float64Array(3);
  readonly #ballVelocity = new Float64Array(3);
  readonly #flight = new Float64Array(3);
  readonly #flightByTime = new Float64Array(3);
  readonly #normal = new Float64Array(3);

  begin({ mode, q0, w0, ball }: StandInTask): void {
    this.#mode = mode;
    this.#w0.set(w0);
    this.#ball.set(ball);
    this.ramps.begin(q0, w0, maxSpeed, maxAcceleration);
    for (let i = 0; i < joints; i++) {
      this.lower[i] = -limits[i]!;
      this.upper[i] = limits[i]!;
    }
    this.lower[joints] = Math.max(0.05, this.ramps.stoppingTime);
    this.upper[joints] = 1.8;
  }

  evaluate(x: Float64Array, out: Evaluation): void {
    this.#updateArm(x);
    this.#updateBall(x);
    this.ramps.evaluate(x);
    out.jacobian.fill(0);
    this.#fillObjective(x, out);
    this.#fillPose(out, out.jacobian);
    this.#fillRamps(x, out, out.jacobian);
    this.#fillKeepOut(out, out.jacobian);
  }

  evaluateValues(x: Float64Array, out: Evaluation): void {
    this.#updateArm(x);
    this.#updateBall(x);
    this.ramps.evaluate(x);
    this.#fillObjective(x, out);
    this.#fillPose(out, null);
    this.#fillRamps(x, out, null);
    this.#fillKeepOut(out, null);
  }

  #updateArm(q: Float64Array): void {
    const r = this.#rotation;
    const p = this.#position;
    r.set(chestFromShoulder);
    p.set(shoulder);
    for (let i = 0; i < joints; i++) {
      this.#advanceAlongZ(offsets[i]!);
      const column = i % 2 === 0 ? 2 : 1;
      const sign = i === 3 ? -1 : 1;
      for (let k = 0; k < 3; k++) {
        this.#axes[3 * i + k] = sign * r[3 * k + column]!;
        this.#origins[3 * i + k] = p[k]!;
      }
      this.#turn(column, sign * q[i]!);
    }
    this.#advanceAlongZ(handOffset);
  }

  #advanceAlongZ(distance: number): void {
    for (let k = 0; k < 3; k++) this.#position[k] = this.#position[k]! + distance * this.#rotation[3 * k + 2]!;
  }

  /** rotation ← rotation · R about its own z (column 2) or y (column 1) axis. */
  #turn(column: number, angle: number): void {
    const r = this.#rotation;
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    const first = column === 2 ? 0 : 2;
    const second = column === 2 ? 1 : 0;
    for (let k = 0; k < 9; k += 3) {
      const a = r[k + first]!;
      const b = r[k + second]!;
      r[k + first] = c * a + s * b;
      r[k + second] = c * b - s * a;
    }
  }

  #updateBall(x: Float64Array): void {
    const t = x[joints]!;
    const velocity = this.#ballVelocity;
    for (let k = 0; k < 3; k++) {
      const pull = k === 2 ? gravity : 0;
      this.#ballAt[k] = this.#ball[k]! + t * (this.#ball[3 + k]! + 0.5 * t * pull);
      velocity[k] = this.#ball[3 + k]! + t * pull;
    }
    const speed = Math.sqrt(velocity[0]! ** 2 + velocity[1]! ** 2 + velocity[2]! ** 2);
    const along = velocity[2]! / speed;
    for (let k = 0; k < 3; k++) {
      this.#flight[k] = velocity[k]! / speed;
      this.#flightByTime[k] = (gravity * ((k === 2 ? 1 : 0) - this.#flight[k]! * along)) / speed;
    }
  }

  #fillObjective(x: Float64Array, out: Evaluation): void {
    const { gradient } = out;
    gradient.fill(0);
    if (this.#mode === "latest") {
      out.objective = -x[joints]!;
      gradient[joints] = -1;
      return;
    }
    let sum = 0;
    for (let i = 0; i < joints; i++) {
      const scaled = this.ramps.magnitude[i]! / maxAcceleration[i]!;
      const weight = scaled / (joints * maxAcceleration[i]!);
      sum += scaled * scaled;
      gradient[i] = weight * this.ramps.magnitudeByTarget[i]!;
      gradient[joints] = gradient[joints]! + weight * this.ramps.magnitudeByTime[i]!;
    }
    out.objective = sum / (2 * joints);
  }

  #fillPose(out: Evaluation, jacobian: Float64Array | null): void {
    const values = out.constraints;
    const facing = 5 + 3 * joints;
    for (let k = 0; k < 3; k++) values[k] = this.#position[k]! - this.#ballAt[k]!;
    values[3] = this.#alongFlight(0);
    values[4] = this.#alongFlight(1);
    values[facing] = -this.#alongFlight(2);
    if (jacobian === null) return;
    for (let i = 0; i < joints; i++) {
      for (let k = 0; k < 3; k++) jacobian[k * n + i] = this.#handVelocity(i, k);
      for (let column = 0; column < 2; column++) jacobian[(3 + column) * n + i] = this.#turnAlongFlight(i, column);
      jacobian[facing * n + i] = -this.#turnAlongFlight(i, 2);
    }
    for (let k = 0; k < 3; k++) jacobian[k * n + joints] = -this.#ballVelocity[k]!;
    for (let column = 0; column < 3; column++) {
      const row = column < 2 ? 3 + column : facing;
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += this.#rotation[3 * k + column]! * this.#flightByTime[k]!;
      jacobian[row * n + joints] = column < 2 ? sum : -sum;
    }
  }

  #alongFlight(column: number): number {
    const r = this.#rotation;
    const d = this.#flight;
    return r[column]! * d[0]! + r[3 + column]! * d[1]! + r[6 + column]! * d[2]!;
  }

  /** Component k of (axis i) × (hand − origin i). */
  #handVelocity(i: number, k: number): number {
    const a = (k + 1) % 3;
    const b = (k + 2) % 3;
    const leverA = this.#position[a]! - this.#origins[3 * i + a]!;
    const leverB = this.#position[b]! - this.#origins[3 * i + b]!;
    return this.#axes[3 * i + a]! * leverB - this.#axes[3 * i + b]! * leverA;
  }

  /** (axis i × hand axis) · flight. */
  #turnAlongFlight(i: number, column: number): number {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const a = (k + 1) % 3;
      const b = (k + 2) % 3;
      const turn =
        this.#axes[3 * i + a]! * this.#rotation[3 * b + column]! -
        this.#axes[3 * i + b]! * this.#rotation[3 * a + column]!;
      sum += turn * this.#flight[k]!;
    }
    return sum;
  }

  /** Reachable intervals and overshoot. */
  #fillRamps(x: Float64Array, out: Evaluation, jacobian: Float64Array | null): void {
    const { ramps } = this;
    for (let i = 0; i < joints; i++) {
      const low = 5 + i;
      const high = low + joints;
      const turn = high + joints;
      const sign = this.#w0[i]! < 0 ? -1 : 1;
      out.constraints[low] = x[i]! - ramps.lowest[i]!;
      out.constraints[high] = ramps.highest[i]! - x[i]!;
      out.constraints[turn] = limits[i]! - sign * ramps.overshoot[i]!;
      if (jacobian === null) continue;
      jacobian[low * n + i] = 1;
      jacobian[low * n + joints] = -ramps.lowestByTime[i]!;
      jacobian[high * n + i] = -1;
      jacobian[high * n + joints] = ramps.highestByTime[i]!;
      jacobian[turn * n + i] = -sign * ramps.overshootByTarget[i]!;
      jacobian[turn * n + joints] = -sign * ramps.overshootByTime[i]!;
    }
  }

  #fillKeepOut(out: Evaluation, jacobian: Float64Array | null): void {
    const p = this.#position;
    const normal = this.#normal;
    let row = 6 + 3 * joints;
    for (let w = 0; w < walls.length; w++, row++) {
      const wall = walls[w]!;
      for (let k = 0; k < 3; k++) normal[k] = wall[k]!;
      out.constraints[row] = wall[0] * p[0]! + wall[1] * p[1]! + wall[2] * p[2]! - wall[3];
      if (jacobian !== null) this.#fillHandRow(jacobian, row);
    }
    for (let c = 0; c < cylinders.length; c++, row++) {
      const dx = p[0]! - cylinders[c]![0];
      const dy = p[1]! - cylinders[c]![1];
      const distance = Math.sqrt(dx * dx + dy * dy);
      normal[0] = dx / distance;
      normal[1] = dy / distance;
      normal[2] = 0;
      out.constraints[row] = distance - cylinders[c]![2];
      if (jacobian !== null) this.#fillHandRow(jacobian, row);
    }
  }

  /** Row of derivatives of normal · hand position. */
  #fillHandRow(jacobian: Float64Array, row: number): void {
    for (let i = 0; i < joints; i++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += this.#normal[k]! * jacobian[k * n + i]!;
      jacobian[row * n + i] = sum;
    }
  }
}
