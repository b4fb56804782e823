import * as vec3 from "../math/vec3.js";
import { type BallState, type FlightPath, FlightStatus } from "./ball.js";
import * as dp from "./dormand-prince.js";
import { QuinticPath } from "./quintic-path.js";
import {
  Channels,
  DEFAULT_DURATION,
  DEFAULT_STEP,
  type FlightOptions,
  GREATEST_LOSS,
  VariationalFlight,
} from "./variational-flight.js";

/**
 * The flight of a ball under gravity, quadratic drag and lift, v̇ = g − k·|v|·v + w × v, from a state at some time, forwards and
 * backwards. Made once, `reset` for each prediction; nothing but the constructor allocates.
 *
 * The flight stays in the plane of its velocity v₀ and gravity: v(t) = α(t)·v₀ + β(t)·g with α̇ = −k·|v|·α,
 * β̇ = 1 − k·|v|·β, α(t₀) = 1, β(t₀) = 0. So two scalar functions are integrated and interpolated, not three, and a
 * flight without drag comes out exact: α = 1, β = t − t₀. A ball with lift leaves that plane: its flight is integrated in
 * three dimensions.
 *
 * @example
 * const flight = new Flight();
 * flight.reset({ time: 0, position, velocity, drag: 0.032 }, gravity(), 0, 1.8);
 * flight.position(0.9, ball);
 */
export class Flight implements FlightPath {
  readonly #path: QuinticPath;
  readonly #position = vec3.create();
  readonly #velocity = vec3.create();
  readonly #gravity = vec3.create();
  /** ∫α, α, α̇, ∫β, β, β̇ at two neighbouring nodes. */
  readonly #here = new Float64Array(6);
  readonly #there = new Float64Array(6);
  /** α and β, or their integrals or derivatives, at one time. */
  readonly #pair = new Float64Array(2);
  readonly #slopes = new Float64Array(2);
  readonly #bends = new Float64Array(2);
  /** |v|² = A·α² + B·αβ + C·β²: A, B, C, and k. */
  readonly #speed = new Float64Array(4);
  /** Flights with lift; made for the first of them. */
  #spinning: VariationalFlight | null = null;
  #isSpinning = false;
  readonly #options: FlightOptions;

  constructor(options: FlightOptions = {}) {
    this.#options = options;
    const { step = DEFAULT_STEP, duration = DEFAULT_DURATION } = options;
    this.#path = new QuinticPath(2, step, duration);
  }

  get begin(): number {
    return this.#isSpinning ? this.#spinning!.path.begin : this.#path.begin;
  }

  get end(): number {
    return this.#isSpinning ? this.#spinning!.path.end : this.#path.end;
  }

  /**
   * The flight through `state` under `gravity` [m/s²], over [begin, end] at least. Only an `ok` flight may be evaluated.
   * Copies its arguments.
   */
  reset(state: BallState, gravity: vec3.Vec3, begin: number, end: number): FlightStatus {
    this.#isSpinning = state.lift !== undefined && !(vec3.squaredNorm(state.lift) === 0);
    if (this.#isSpinning) {
      this.#spinning ??= new VariationalFlight(Channels.flight, this.#options);
      return this.#spinning.reset(state, gravity, begin, end);
    }
    vec3.copy(state.position, this.#position);
    vec3.copy(state.velocity, this.#velocity);
    vec3.copy(gravity, this.#gravity);
    this.#speed[0] = vec3.squaredNorm(state.velocity);
    this.#speed[1] = 2 * vec3.dot(state.velocity, gravity);
    this.#speed[2] = vec3.squaredNorm(gravity);
    this.#speed[3] = state.drag;
    const status = this.#path.cover(state.time, begin, end);
    const sum = vec3.squaredNorm(state.position) + this.#speed[0]! + this.#speed[2]! + state.drag;
    if (!Number.isFinite(sum)) return FlightStatus.invalid;
    return status === FlightStatus.ok ? this.#fill(this.#path.before, this.#path.count) : status;
  }

  /** Steps forwards, then backwards, from the state. The two nodes change roles after each step. */
  #fill(before: number, count: number): FlightStatus {
    let here = this.#here;
    let there = this.#there;
    this.#start(here);
    for (let segment = before; segment < count; segment++) {
      if (!this.#advance(here, there, 1)) return FlightStatus.diverged;
      this.#path.write(segment, here, there);
      const swap = here;
      here = there;
      there = swap;
    }
    this.#start(here);
    for (let segment = before - 1; segment >= 0; segment--) {
      if (!this.#advance(here, there, -1)) return FlightStatus.diverged;
      this.#path.write(segment, there, here);
      const swap = here;
      here = there;
      there = swap;
    }
    return FlightStatus.ok;
  }

  #start(here: Float64Array): void {
    here[0] = 0;
    here[1] = 1;
    here[2] = -this.#speed[3]! * Math.sqrt(this.#speed[0]!);
    here[3] = 0;
    here[4] = 0;
    here[5] = 1;
  }

  /**
   * One step of Dormand and Prince; false if the air takes too much speed in it. α_i and β_i are p_i and q_i here, their
   * derivatives u_i and w_i; r_i = k·|v|. Written out in plain numbers: this is most of the cost of a flight.
   */
  #advance(from: Float64Array, to: Float64Array, direction: 1 | -1): boolean {
    const h = direction * this.#path.step;
    const A = this.#speed[0]!;
    const B = this.#speed[1]!;
    const C = this.#speed[2]!;
    const k = this.#speed[3]!;
    const p1 = from[1]!;
    const q1 = from[4]!;
    const u1 = from[2]!;
    const w1 = from[5]!;
    const p2 = p1 + h * (dp.a21 * u1);
    const q2 = q1 + h * (dp.a21 * w1);
    const r2 = k * Math.sqrt(p2 * (A * p2 + B * q2) + C * q2 * q2);
    const u2 = -r2 * p2;
    const w2 = 1 - r2 * q2;
    const p3 = p1 + h * (dp.a31 * u1 + dp.a32 * u2);
    const q3 = q1 + h * (dp.a31 * w1 + dp.a32 * w2);
    const r3 = k * Math.sqrt(p3 * (A * p3 + B * q3) + C * q3 * q3);
    const u3 = -r3 * p3;
    const w3 = 1 - r3 * q3;
    const p4 = p1 + h * (dp.a41 * u1 + dp.a42 * u2 + dp.a43 * u3);
    const q4 = q1 + h * (dp.a41 * w1 + dp.a42 * w2 + dp.a43 * w3);
    const r4 = k * Math.sqrt(p4 * (A * p4 + B * q4) + C * q4 * q4);
    const u4 = -r4 * p4;
    const w4 = 1 - r4 * q4;
    const p5 = p1 + h * (dp.a51 * u1 + dp.a52 * u2 + dp.a53 * u3 + dp.a54 * u4);
    const q5 = q1 + h * (dp.a51 * w1 + dp.a52 * w2 + dp.a53 * w3 + dp.a54 * w4);
    const r5 = k * Math.sqrt(p5 * (A * p5 + B * q5) + C * q5 * q5);
    const u5 = -r5 * p5;
    const w5 = 1 - r5 * q5;
    const p6 = p1 + h * (dp.a61 * u1 + dp.a62 * u2 + dp.a63 * u3 + dp.a64 * u4 + dp.a65 * u5);
    const q6 = q1 + h * (dp.a61 * w1 + dp.a62 * w2 + dp.a63 * w3 + dp.a64 * w4 + dp.a65 * w5);
    const r6 = k * Math.sqrt(p6 * (A * p6 + B * q6) + C * q6 * q6);
    const p7 = p1 + h * (dp.b1 * u1 + dp.b3 * u3 + dp.b4 * u4 + dp.b5 * u5 - dp.b6 * r6 * p6);
    const q7 = q1 + h * (dp.b1 * w1 + dp.b3 * w3 + dp.b4 * w4 + dp.b5 * w5 + dp.b6 * (1 - r6 * q6));
    const r7 = k * Math.sqrt(p7 * (A * p7 + B * q7) + C * q7 * q7);
    to[0] = from[0]! + h * (dp.b1 * p1 + dp.b3 * p3 + dp.b4 * p4 + dp.b5 * p5 + dp.b6 * p6);
    to[1] = p7;
    to[2] = -r7 * p7;
    to[3] = from[3]! + h * (dp.b1 * q1 + dp.b3 * q3 + dp.b4 * q4 + dp.b5 * q5 + dp.b6 * q6);
    to[4] = q7;
    to[5] = 1 - r7 * q7;
    return Math.abs(r7 * h) < GREATEST_LOSS;
  }

  position(t: number, out: vec3.Vec3): vec3.Vec3 {
    if (this.#isSpinning) {
      this.#spinning!.path.values(t, out);
      return out;
    }
    this.#path.values(t, this.#pair);
    this.#combine(this.#pair, out);
    return vec3.add(out, this.#position, out);
  }

  velocity(t: number, out: vec3.Vec3): vec3.Vec3 {
    if (this.#isSpinning) {
      this.#spinning!.path.slopes(t, out);
      return out;
    }
    this.#path.slopes(t, this.#pair);
    return this.#combine(this.#pair, out);
  }

  acceleration(t: number, out: vec3.Vec3): vec3.Vec3 {
    if (this.#isSpinning) {
      this.#spinning!.path.bends(t, out);
      return out;
    }
    this.#path.bends(t, this.#pair);
    return this.#combine(this.#pair, out);
  }

  evaluate(t: number, position: vec3.Vec3, velocity: vec3.Vec3, acceleration: vec3.Vec3): void {
    if (this.#isSpinning) {
      this.#spinning!.path.evaluate(t, position, velocity, acceleration);
      return;
    }
    this.#path.evaluate(t, this.#pair, this.#slopes, this.#bends);
    this.#combine(this.#pair, position);
    vec3.add(position, this.#position, position);
    this.#combine(this.#slopes, velocity);
    this.#combine(this.#bends, acceleration);
  }

  /** pair[0]·v₀ + pair[1]·g */
  #combine(pair: Float64Array, out: vec3.Vec3): vec3.Vec3 {
    const alpha = pair[0]!;
    const beta = pair[1]!;
    out[0] = alpha * this.#velocity[0] + beta * this.#gravity[0];
    out[1] = alpha * this.#velocity[1] + beta * this.#gravity[1];
    out[2] = alpha * this.#velocity[2] + beta * this.#gravity[2];
    return out;
  }
}
