import { quantiles } from "../../math/statistics.js";
import { JointFlights, type MeasuredFlight, type SharedPrior } from "./joint-flights.js";
import { LIFT, liftedPath, OWN } from "./lifted-path.js";
import { type ResidualNoise, residualNoise } from "./residual-noise.js";

/** A number and its standard deviation. */
export interface Estimate {
  readonly value: number;
  readonly sigma: number;
}

/** How balls fly in a room, as learnt from throws. */
export interface FlightIdentification {
  /** Flights that were used, and those left out because no model of ours explains them. */
  readonly flights: number;
  readonly leftOut: number;
  readonly samples: number;
  /** [m/s²] */
  readonly gravity: readonly [Estimate, Estimate, Estimate];
  /** [1/m] */
  readonly drag: Estimate;
  /** Spread of each component of the lift w over the flights [1/s]. */
  readonly lift: Estimate;
  /** White acceleration beside gravity, drag and lift [m/s²/√Hz], and with lift counted to it. */
  readonly accelerationNoise: Estimate;
  readonly accelerationNoiseWithoutLift: Estimate;
  /** By which stated standard deviations of measurements are to be multiplied. */
  readonly noiseScale: Estimate;
}

/** Fewer flights do not tell shared numbers from a flight's own. */
export const LEAST_FLIGHTS = 3;
/** Fewer samples, or less time [s], do not make a flight. */
const LEAST_SAMPLES = 8;
const LEAST_DURATION = 0.25;
/** Rounds in which the lift's spread and the flights that count are found. */
const ROUNDS = 8;
/** Lift before anything is known, and the least that is told from none [1/s]. */
const FIRST_LIFT = 0.3;
const LEAST_LIFT = 0.003;
/** A flight whose chi-square is so many times the median's is none: it bounced, or its marker is off centre. */
const WORST_MISFIT = 6;
/** Samples at the ends farther off than this, in standard deviations of the flight's own residuals, are not of the flight. */
const TRIM = 4;

/** What the recording's own ball and the earth say before. */
export const usualPrior = { dragSigma: 0.1, gravity: [0, 0, -9.81], gravitySigma: 1 } as const;

/** Learns how balls fly; null where there are too few flights, or they do not determine it. */
export function identifyFlights(measured: readonly MeasuredFlight[], prior: SharedPrior): FlightIdentification | null {
  const trimmed = measured.map((flight) => trimEnds(flight, prior)).filter(isLongEnough);
  const used = withoutMisfits(trimmed, prior);
  if (used.length < LEAST_FLIGHTS) return null;
  const joint = new JointFlights(used, prior);
  const lift = fitLift(joint);
  if (lift === null) return null;
  const noise = residualNoise(joint.blocks, lift.value);
  const plain = new JointFlights(used, prior);
  if (!plain.solve(0)) return null;
  return summaryOf(joint, measured.length - used.length, lift, noise, residualNoise(plain.blocks, 0));
}

function isLongEnough({ time }: MeasuredFlight): boolean {
  return time.length >= LEAST_SAMPLES && time.at(-1)! - time[0]! >= LEAST_DURATION;
}

/** The flight without samples at its ends that are of a hand, a bounce or another ball. */
function trimEnds(flight: MeasuredFlight, prior: SharedPrior): MeasuredFlight {
  let current = flight;
  for (let round = 0; round < 3 && isLongEnough(current); round++) {
    const count = current.time.length;
    const core = cut(current, Math.floor(count * 0.2), Math.ceil(count * 0.8));
    const joint = new JointFlights([core], prior);
    if (!joint.solve(0)) return current;
    const [begin, end] = goodRange(missesOf(current, core, joint));
    if (begin === 0 && end === count) return current;
    current = cut(current, begin, end);
  }
  return current;
}

/** The part about the middle in which at most one sample in a row is off. */
function goodRange(misses: readonly boolean[]): [begin: number, end: number] {
  const middle = Math.floor(misses.length / 2);
  let [begin, end] = [middle, middle];
  while (begin > 0 && !(misses[begin - 1] && (misses[begin - 2] ?? true))) begin--;
  while (end < misses.length && !(misses[end] && (misses[end + 1] ?? true))) end++;
  return [begin, end];
}

/** Which samples are off the path of the flight's middle part, continued to both sides. */
function missesOf(flight: MeasuredFlight, core: MeasuredFlight, inner: JointFlights): boolean[] {
  const { parameters, residual } = inner.blocks[0]!;
  const own = Math.sqrt(residual.reduce((sum, value) => sum + value * value, 0) / residual.length);
  const modelled = flightPositions(core.time[0]!, flight.time, parameters);
  return Array.from(flight.time, (_, k) => {
    let most = 0;
    for (let n = 0; n < 3; n++) {
      const sigma = Math.max(own, Math.sqrt(flight.variance[3 * k + n]!));
      most = Math.max(most, Math.abs(flight.position[3 * k + n]! - modelled[3 * k + n]!) / sigma);
    }
    return most > TRIM;
  });
}

function flightPositions(begin: number, times: Float64Array, parameters: Float64Array): Float64Array {
  const out = new Float64Array(3 * times.length);
  const from = times.findIndex((time) => time >= begin);
  liftedPath(begin, times.subarray(from), parameters, out.subarray(3 * from));
  for (let k = 0; k < from; k++)
    liftedPath(begin, times.subarray(k, k + 1), parameters, out.subarray(3 * k, 3 * k + 3));
  return out;
}

function cut({ time, position, variance }: MeasuredFlight, begin: number, end: number): MeasuredFlight {
  return {
    time: time.slice(begin, end),
    position: position.slice(3 * begin, 3 * end),
    variance: variance.slice(3 * begin, 3 * end),
  };
}

function withoutMisfits(flights: readonly MeasuredFlight[], prior: SharedPrior): readonly MeasuredFlight[] {
  const misfits = flights.map((flight) => {
    const joint = new JointFlights([flight], prior);
    return joint.solve(FIRST_LIFT) ? chiSquareOf(joint) / (3 * flight.time.length - OWN) : Number.POSITIVE_INFINITY;
  });
  const bound = WORST_MISFIT * (misfits.toSorted((a, b) => a - b)[misfits.length >> 1] ?? 0);
  return flights.filter((_, k) => misfits[k]! <= bound);
}

function chiSquareOf({ blocks }: JointFlights): number {
  const of = (residual: Float64Array, variance: Float64Array): number =>
    residual.reduce((sum, value, k) => sum + value ** 2 / variance[k]!, 0);
  return blocks.reduce((sum, { residual, flight }) => sum + of(residual, flight.variance), 0);
}

/**
 * The spread of lifts over the flights, by MacKay's fixed point: each lift found counts against how much of it the samples
 * determine. The median takes the place of the mean, since a few flights that hit something have any lift.
 */
function fitLift(joint: JointFlights): Estimate | null {
  let sigma = FIRST_LIFT;
  let count = 1;
  for (let round = 0; round < ROUNDS; round++) {
    if (!joint.solve(sigma)) return null;
    const scale = noiseVarianceOf(joint);
    const sizes: number[] = [];
    for (const { parameters, ownCovariance } of joint.blocks) {
      for (let n = LIFT; n < LIFT + 3; n++) {
        const determined = 1 - (ownCovariance[n * (OWN + 1)]! * scale) / sigma ** 2;
        if (determined > LEAST_DETERMINED) sizes.push(Math.abs(parameters[n]!) / Math.sqrt(determined));
      }
    }
    count = Math.max(1, sizes.length);
    const [median = 0] = quantiles(sizes, [0.5]);
    sigma = Math.max(LEAST_LIFT, (Number.isFinite(median) ? median : 0) / MEDIAN_OF_NORMAL);
  }
  // The median of so many has 1.17 times the error of their root mean square, each counted once.
  return joint.solve(sigma) ? { value: sigma, sigma: (MEDIAN_COST * sigma) / Math.sqrt(count) } : null;
}

/** Share of a lift that the samples must determine for it to count. */
const LEAST_DETERMINED = 0.3;
/** Of the size of a standard normal number. */
const MEDIAN_OF_NORMAL = 0.6745;
/** Standard deviation of `median / 0.6745` of n normal numbers' sizes, times √n, against sigma. */
const MEDIAN_COST = 1.17;

/** Chi-square per degree of freedom, by which the stated variances are off; no less than they say. */
function noiseVarianceOf(joint: JointFlights): number {
  const coordinates = joint.blocks.reduce((sum, { residual }) => sum + residual.length, 0);
  return Math.max(1, chiSquareOf(joint) / Math.max(1, coordinates - OWN * joint.blocks.length));
}

function summaryOf(
  joint: JointFlights,
  leftOut: number,
  lift: Estimate,
  noise: ResidualNoise,
  plain: ResidualNoise,
): FlightIdentification {
  const shared = (n: number): Estimate => {
    const at = n * (joint.shared.length + 1);
    const variance = Math.max(joint.covariance[at]! * noise.scale ** 2, joint.scatterCovariance[at]!);
    return { value: joint.shared[n]!, sigma: Math.sqrt(variance) };
  };
  return {
    flights: joint.blocks.length,
    leftOut,
    samples: joint.blocks.reduce((sum, { flight }) => sum + flight.time.length, 0),
    drag: shared(0),
    gravity: [shared(1), shared(2), shared(3)],
    lift,
    accelerationNoise: { value: noise.acceleration, sigma: noise.accelerationSigma },
    accelerationNoiseWithoutLift: { value: plain.acceleration, sigma: plain.accelerationSigma },
    noiseScale: { value: noise.scale, sigma: noise.scaleSigma },
  };
}
