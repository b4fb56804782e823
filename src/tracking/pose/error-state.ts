/**
 * The error state of the head-pose filter and its covariance. Where each error lies:
 *
 * | at | error | in |
 * |---|---|---|
 * | 0 | position of the IMU [m] | world axes |
 * | 3 | velocity of the IMU [m/s] | world axes |
 * | 6 | orientation [rad]: true = estimate · exp(error) | the IMU's axes |
 * | 9 | gyro bias [rad/s] | the IMU's axes |
 * | 12 | accelerometer bias [m/s²] | the IMU's axes |
 * | 15 | offset of the kinematic position [m]: true = kinematics + offset | world axes |
 * | 18 | offset of the kinematic orientation [rad]: true = exp(offset) · kinematics | world axes |
 */
export const Part = {
  position: 0,
  velocity: 3,
  orientation: 6,
  gyroBias: 9,
  accelerometerBias: 12,
  offsetPosition: 15,
  offsetOrientation: 18,
} as const;

/** Number of errors. */
export const ERROR_SIZE = 21;

const N = ERROR_SIZE;

/** How errors go over from one IMU sample to the next: the blocks that differ from the identity. */
export class ErrorTransition {
  /** Time step [s]. */
  step = 0;
  /** Orientation by orientation: exp(−ω·Δ). [9] */
  readonly orientation = new Float64Array(9);
  /** Velocity by orientation: −R·[f]×·Δ. [9] */
  readonly velocityByOrientation = new Float64Array(9);
  /** Velocity by accelerometer bias: −R·Δ. [9] */
  readonly velocityByBias = new Float64Array(9);
}

/** P ← F·P·Fᵀ, by the blocks of F alone. */
export function transportCovariance(F: ErrorTransition, P: Float64Array): void {
  transform(F, P, N, 1);
  transform(F, P, 1, N);
}

/**
 * F·P on the rows of P, or P·Fᵀ on its columns: `along` is the distance between the numbers that F mixes, `across` that
 * between the lines it does so for. Position and velocity come first, for they need the other errors as they were.
 */
function transform(F: ErrorTransition, P: Float64Array, along: number, across: number): void {
  const { step, orientation: T, velocityByOrientation: V, velocityByBias: B } = F;
  const half = 0.5 * step;
  for (let line = 0; line < N; line++) {
    const o = line * across;
    const x = P[o + 6 * along]!;
    const y = P[o + 7 * along]!;
    const z = P[o + 8 * along]!;
    const bx = P[o + 12 * along]!;
    const by = P[o + 13 * along]!;
    const bz = P[o + 14 * along]!;
    for (let i = 0, r = 0; i < 3; i++, r += 3) {
      const push = V[r]! * x + V[r + 1]! * y + V[r + 2]! * z + B[r]! * bx + B[r + 1]! * by + B[r + 2]! * bz;
      const p = o + i * along;
      const v = p + 3 * along;
      P[p] = P[p]! + step * P[v]! + half * push;
      P[v] = P[v]! + push;
      P[p + 6 * along] = T[r]! * x + T[r + 1]! * y + T[r + 2]! * z - step * P[p + 9 * along]!;
    }
  }
}

/** What a time step adds to the variance of each error. */
export class StepNoise {
  /** Time step [s]. */
  step = 0;
  /** Of velocity [m²/s²], of which position gets its share. */
  velocity = 0;
  /** [rad²] */
  orientation = 0;
  /** [rad²/s²] */
  gyroBias = 0;
  /** [m²/s⁴] */
  accelerometerBias = 0;
  /** [m²] */
  offsetPosition = 0;
  /** [rad²] */
  offsetOrientation = 0;
}

/** P ← P + Q of one step: velocity noise is white acceleration, integrated to position. */
export function addStepNoise(noise: StepNoise, P: Float64Array): void {
  const { step } = noise;
  for (let i = 0; i < 3; i++) {
    const p = i * (N + 1);
    const v = p + 3 * (N + 1);
    const coupling = 0.5 * step * noise.velocity;
    P[p] = P[p]! + (step * step * noise.velocity) / 3;
    P[p + 3] = P[p + 3]! + coupling;
    P[p + 3 * N] = P[p + 3 * N]! + coupling;
    P[v] = P[v]! + noise.velocity;
    addTo(P, Part.orientation + i, noise.orientation);
    addTo(P, Part.gyroBias + i, noise.gyroBias);
    addTo(P, Part.accelerometerBias + i, noise.accelerometerBias);
    addTo(P, Part.offsetPosition + i, noise.offsetPosition);
    addTo(P, Part.offsetOrientation + i, noise.offsetOrientation);
  }
}

function addTo(P: Float64Array, at: number, variance: number): void {
  P[at * (N + 1)] = P[at * (N + 1)]! + variance;
}

/** Scratch of `correct`: P·Hᵀ. */
const gain = new Float64Array(N);

/** A scalar measurement; an object of numbers, because V8 boxes numbers handed to a function that it does not inline. */
export interface ScalarMeasurement {
  /** The measured difference between estimate and kinematics, and the variance of its noise. */
  value: number;
  variance: number;
  /** Sum, over the updates so far, of squared innovations by their variances. */
  distance: number;
}

/**
 * One Kalman update by a scalar, H having three numbers of `h`, from `row` on, at `at` and −1 at `offset`: measured is
 * h·error − offset error + noise. Adds what it learns to `error`, which all updates at one time share.
 */
export function correct(
  P: Float64Array,
  h: Float64Array,
  row: number,
  at: number,
  offset: number,
  measurement: ScalarMeasurement,
  error: Float64Array,
): void {
  const h0 = h[row]!;
  const h1 = h[row + 1]!;
  const h2 = h[row + 2]!;
  for (let i = 0; i < N; i++) {
    const r = i * N;
    gain[i] = h0 * P[r + at]! + h1 * P[r + at + 1]! + h2 * P[r + at + 2]! - P[r + offset]!;
  }
  const s = h0 * gain[at]! + h1 * gain[at + 1]! + h2 * gain[at + 2]! - gain[offset]! + measurement.variance;
  const known = h0 * error[at]! + h1 * error[at + 1]! + h2 * error[at + 2]! - error[offset]!;
  const innovation = measurement.value - known;
  const scale = 1 / s;
  for (let i = 0; i < N; i++) {
    const k = gain[i]! * scale;
    error[i] = error[i]! + k * innovation;
    // Both halves get the same number: the covariance stays symmetric to the bit.
    for (let j = 0; j <= i; j++) {
      const entry = P[i * N + j]! - k * gain[j]!;
      P[i * N + j] = entry;
      P[j * N + i] = entry;
    }
  }
  measurement.distance += innovation * innovation * scale;
}
