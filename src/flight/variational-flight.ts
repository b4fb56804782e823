import type { Vec3 } from "../math/vec3.js";
import { type BallState, FlightStatus } from "./ball.js";
import { b1, b3, b4, b5, b6, stages } from "./dormand-prince.js";
import { QuinticPath } from "./quintic-path.js";

/** Time between the nodes of a flight [s]: interpolation between them is then good to some 1e-10 m. */
export const DEFAULT_STEP = 0.025;

/** Longest flight there is memory for by default [s]. */
export const DEFAULT_DURATION = 3;

/**
 * Greatest share of its speed that the air may take from a ball in one step. A throw loses 1 %; past this the method is
 * no longer accurate, and backwards in time the speed is about to become infinite.
 */
export const GREATEST_LOSS = 0.2;

export interface FlightOptions {
  /** Time between nodes [s]. */
  readonly step?: number;
  /** Longest interval between begin and end [s]. */
  readonly duration?: number;
}

/** Velocity (3), its derivative by each component of the first velocity (3 × 3), by the drag (3), and by the lift (3 × 3). */
export const Channels = { flight: 3, state: 15, lift: 24 } as const;
export type Channels = (typeof Channels)[keyof typeof Channels];

/** Where derivatives begin. */
export const Derivative = { velocity: 3, drag: 12, lift: 15 } as const;

/**
 * A flight in three dimensions, v̇ = g − k·|v|·v + w × v, with its derivatives by the state it starts from as far as `channels`
 * go. They solve the variational equations along the flight, δv̇ = J·δv + w × δv − |v|·v·δk + δw × v with
 * J = −k·(|v|·I + v·vᵀ/|v|), integrated together with the flight itself.
 */
export class VariationalFlight {
  readonly path: QuinticPath;
  readonly #channels: number;
  readonly #gravity = new Float64Array(3);
  readonly #lift = new Float64Array(3);
  #drag = 0;
  /** Value, slope and bend of each channel at two neighbouring nodes. */
  readonly #here: Float64Array;
  readonly #there: Float64Array;
  /** Slopes and bends at the stages of a step; one more of each for its end. */
  readonly #slopes: readonly Float64Array[];
  readonly #bends: readonly Float64Array[];

  constructor(channels: Channels, options: FlightOptions = {}) {
    const { step = DEFAULT_STEP, duration = DEFAULT_DURATION } = options;
    this.#channels = channels;
    this.path = new QuinticPath(channels, step, duration);
    this.#here = new Float64Array(3 * channels);
    this.#there = new Float64Array(3 * channels);
    this.#slopes = Array.from({ length: 7 }, () => new Float64Array(channels));
    this.#bends = Array.from({ length: 7 }, () => new Float64Array(channels));
  }

  /** As `Flight.reset`. */
  reset(state: BallState, gravity: Vec3, begin: number, end: number): FlightStatus {
    const { path } = this;
    this.#drag = state.drag;
    this.#lift.fill(0);
    if (state.lift !== undefined) this.#lift.set(state.lift);
    this.#gravity.set(gravity);
    this.#start(state);
    const status = path.cover(state.time, begin, end);
    let sum = state.drag + this.#lift[0]! + this.#lift[1]! + this.#lift[2]!;
    for (let n = 0; n < 9; n++) sum += Math.abs(this.#here[n]!);
    if (!Number.isFinite(sum)) return FlightStatus.invalid;
    return status === FlightStatus.ok ? this.#fill(state) : status;
  }

  #fill(state: BallState): FlightStatus {
    const { path } = this;
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
    if (this.#channels > 3) for (let c = 0; c < 3; c++) slopes[Derivative.velocity + 4 * c] = 1;
    this.#bend(slopes, this.#bends[6]!);
    for (let n = 0; n < this.#channels; n++) {
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
    const a = this.#lift[0]!;
    const b = this.#lift[1]!;
    const c = this.#lift[2]!;
    out[0] = this.#gravity[0]! - k * speed * x + b * z - c * y;
    out[1] = this.#gravity[1]! - k * speed * y + c * x - a * z;
    out[2] = this.#gravity[2]! - k * speed * z + a * y - b * x;
    for (let n: number = Derivative.velocity; n < this.#channels; n += 3) {
      const [dx, dy, dz] = [slopes[n]!, slopes[n + 1]!, slopes[n + 2]!];
      const along = (x * dx + y * dy + z * dz) * perSpeed;
      // The drag's own channels also feel the force that its change makes.
      const force = k * along + (n === Derivative.drag ? speed : 0);
      out[n] = -k * speed * dx - force * x + b * dz - c * dy;
      out[n + 1] = -k * speed * dy - force * y + c * dx - a * dz;
      out[n + 2] = -k * speed * dz - force * z + a * dy - b * dx;
    }
    if (this.#channels === Channels.lift) addLiftForces(x, y, z, out);
  }

  /** One step of Dormand and Prince from `here` to `there`; false if the air takes too much speed in it. */
  #advance(direction: 1 | -1): boolean {
    const h = direction * this.path.step;
    const first = this.#slopes[0]!;
    for (let n = 0; n < this.#channels; n++) {
      first[n] = this.#here[3 * n + 1]!;
      this.#bends[0]![n] = this.#here[3 * n + 2]!;
    }
    for (let stage = 1; stage <= 6; stage++) {
      const row = stages[stage - 1]!;
      const slopes = this.#slopes[stage]!;
      for (let n = 0; n < this.#channels; n++) {
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
    for (let n = 0; n < this.#channels; n++) {
      const mean = b1 * s1[n]! + b3 * s3[n]! + b4 * s4[n]! + b5 * s5[n]! + b6 * s6[n]!;
      this.#there[3 * n] = this.#here[3 * n]! + h * mean;
      this.#there[3 * n + 1] = this.#slopes[6]![n]!;
      this.#there[3 * n + 2] = this.#bends[6]![n]!;
    }
  }
}

/** δw × v for a unit of each component of δw. */
function addLiftForces(x: number, y: number, z: number, out: Float64Array): void {
  const o = Derivative.lift;
  out[o + 1] = out[o + 1]! - z;
  out[o + 2] = out[o + 2]! + y;
  out[o + 3] = out[o + 3]! + z;
  out[o + 5] = out[o + 5]! - x;
  out[o + 6] = out[o + 6]! - y;
  out[o + 7] = out[o + 7]! + x;
}
