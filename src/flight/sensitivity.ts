import type { Vec3 } from "../math/vec3.js";
import { type BallState, FlightStatus } from "./ball.js";
import { b1, b3, b4, b5, b6, stages } from "./dormand-prince.js";
import { DEFAULT_DURATION, DEFAULT_STEP, type FlightOptions, GREATEST_LOSS } from "./flight.js";
import { QuinticPath } from "./quintic-path.js";

/** Unknowns of a flight: position, velocity at its reference time, drag. */
export const STATE_SIZE = 7;

/** Velocity (3), its derivative by each component of the first velocity (3 × 3), and by the drag (3). */
const CHANNELS = 15;
const FIRST_DERIVATIVE = 3;
const DRAG_DERIVATIVE = 12;

/**
 * How a flight depends on the state it starts from: the derivatives of position and velocity at t by position and
 * velocity at the reference time and by the drag k. They solve the variational equations along the flight,
 * δv̇ = J·δv − |v|·v·δk with J = −k·(|v|·I + v·vᵀ/|v|), and δp = δp₀ + ∫δv: three times three numbers for the velocity,
 * three for the drag, integrated together with the flight itself.
 */
export class FlightSensitivity {
  readonly #path: QuinticPath;
  readonly #gravity = new Float64Array(3);
  #drag = 0;
  /** Value, slope and bend of each channel at two neighbouring nodes. */
  readonly #here = new Float64Array(3 * CHANNELS);
  readonly #there = new Float64Array(3 * CHANNELS);
  /** Slopes and bends at the stages of a step; one more of each for its end. */
  readonly #slopes = Array.from({ length: 7 }, () => new Float64Array(CHANNELS));
  readonly #bends = Array.from({ length: 7 }, () => new Float64Array(CHANNELS));
  readonly #now = new Float64Array(CHANNELS);

  constructor(options: FlightOptions = {}) {
    const { step = DEFAULT_STEP, duration = DEFAULT_DURATION } = options;
    this.#path = new QuinticPath(CHANNELS, step, duration);
  }

  /** As `Flight.reset`. */
  reset(state: BallState, gravity: Vec3, begin: number, end: number): FlightStatus {
    const path = this.#path;
    this.#drag = state.drag;
    this.#gravity.set(gravity);
    this.#start(state);
    const status = path.cover(state.time, begin, end);
    let sum = state.drag;
    for (let n = 0; n < 9; n++) sum += Math.abs(this.#here[n]!);
    if (!Number.isFinite(sum)) return FlightStatus.invalid;
    return status === FlightStatus.ok ? this.#fill(state) : status;
  }

  #fill(state: BallState): FlightStatus {
    const path = this.#path;
    for (let segment = path.before; segment < path.count; segment++) {
      if (!this.#advance(1)) return FlightStatus.diverged;
      path.write(segment, this.#here, this.#there);
      this.#here.set(this.#there);
    }
    this.#start(state);
    for (let segment = path.before - 1; segment >= 0; segment--) {
      if (!this.#advance(-1)) return FlightStatus.diverged;
      path.write(segment, this.#there, this.#here);
      this.#here.set(this.#there);
    }
    return FlightStatus.ok;
  }

  #start(state: BallState): void {
    const slopes = this.#slopes[6]!;
    slopes.fill(0);
    slopes.set(state.velocity);
    for (let c = 0; c < 3; c++) slopes[FIRST_DERIVATIVE + 4 * c] = 1;
    this.#bend(slopes, this.#bends[6]!);
    for (let n = 0; n < CHANNELS; n++) {
      this.#here[3 * n] = n < 3 ? state.position[n]! : 0;
      this.#here[3 * n + 1] = slopes[n]!;
      this.#here[3 * n + 2] = this.#bends[6]![n]!;
    }
  }

  /** Derivatives of all slopes: acceleration, and the variational equations. */
  #bend(slopes: Float64Array, out: Float64Array): void {
    const k = this.#drag;
    const x = slopes[0]!;
    const y = slopes[1]!;
    const z = slopes[2]!;
    const speed = Math.sqrt(x * x + y * y + z * z);
    // At rest v·vᵀ/|v| vanishes, whichever way it is approached.
    const perSpeed = speed > 0 ? 1 / speed : 0;
    for (let n = 0; n < 3; n++) out[n] = this.#gravity[n]! - k * speed * slopes[n]!;
    for (let n = FIRST_DERIVATIVE; n < CHANNELS; n += 3) {
      const along = (x * slopes[n]! + y * slopes[n + 1]! + z * slopes[n + 2]!) * perSpeed;
      // The drag's own channels also feel the force that its change makes.
      const force = k * along + (n === DRAG_DERIVATIVE ? speed : 0);
      out[n] = -k * speed * slopes[n]! - force * x;
      out[n + 1] = -k * speed * slopes[n + 1]! - force * y;
      out[n + 2] = -k * speed * slopes[n + 2]! - force * z;
    }
  }

  /** One step of Dormand and Prince from `here` to `there`; false if the air takes too much speed in it. */
  #advance(direction: 1 | -1): boolean {
    const h = direction * this.#path.step;
    const first = this.#slopes[0]!;
    for (let n = 0; n < CHANNELS; n++) {
      first[n] = this.#here[3 * n + 1]!;
      this.#bends[0]![n] = this.#here[3 * n + 2]!;
    }
    for (let stage = 1; stage <= 6; stage++) {
      const row = stages[stage - 1]!;
      const slopes = this.#slopes[stage]!;
      for (let n = 0; n < CHANNELS; n++) {
        let sum = 0;
        for (let j = 0; j < stage; j++) sum += row[j]! * this.#bends[j]![n]!;
        slopes[n] = first[n]! + h * sum;
      }
      this.#bend(slopes, this.#bends[stage]!);
    }
    this.#finishStep(h);
    const end = this.#slopes[6]!;
    const speed = Math.sqrt(end[0]! * end[0]! + end[1]! * end[1]! + end[2]! * end[2]!);
    return Math.abs(this.#drag * h) * speed < GREATEST_LOSS;
  }

  #finishStep(h: number): void {
    const s1 = this.#slopes[0]!;
    const s3 = this.#slopes[2]!;
    const s4 = this.#slopes[3]!;
    const s5 = this.#slopes[4]!;
    const s6 = this.#slopes[5]!;
    for (let n = 0; n < CHANNELS; n++) {
      const mean = b1 * s1[n]! + b3 * s3[n]! + b4 * s4[n]! + b5 * s5[n]! + b6 * s6[n]!;
      this.#there[3 * n] = this.#here[3 * n]! + h * mean;
      this.#there[3 * n + 1] = this.#slopes[6]![n]!;
      this.#there[3 * n + 2] = this.#bends[6]![n]!;
    }
  }

  /** Position at `t` [m]. */
  position(t: number, out: Vec3): Vec3 {
    this.#path.values(t, this.#now);
    for (let n = 0; n < 3; n++) out[n as 0 | 1 | 2] = this.#now[n]!;
    return out;
  }

  /** ∂(position at t) / ∂(state at the reference time), 3 × 7 row-major: columns position, velocity, drag. */
  positionJacobian(t: number, out: Float64Array): Float64Array {
    this.#path.values(t, this.#now);
    this.#writeRows(out, 0, 1);
    return out;
  }

  /** State transition matrix ∂(state at t) / ∂(state at the reference time), 7 × 7 row-major. */
  transition(t: number, out: Float64Array): Float64Array {
    this.#path.values(t, this.#now);
    this.#writeRows(out, 0, 1);
    this.#path.slopes(t, this.#now);
    this.#writeRows(out, 3 * STATE_SIZE, 0);
    out.fill(0, 6 * STATE_SIZE, 7 * STATE_SIZE);
    out[STATE_SIZE * STATE_SIZE - 1] = 1;
    return out;
  }

  /** Three rows of a Jacobian from the channels in `now`; `unit` is the derivative by the first position. */
  #writeRows(out: Float64Array, offset: number, unit: 0 | 1): void {
    for (let r = 0; r < 3; r++) {
      const row = offset + r * STATE_SIZE;
      for (let c = 0; c < 3; c++) {
        out[row + c] = r === c ? unit : 0;
        out[row + 3 + c] = this.#now[FIRST_DERIVATIVE + 3 * c + r]!;
      }
      out[row + 6] = this.#now[DRAG_DERIVATIVE + r]!;
    }
  }
}
