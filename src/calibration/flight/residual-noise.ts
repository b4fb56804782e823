import { type FittedFlight, FlightLikelihood } from "./flight-likelihood.js";

/** The noise that makes the samples of flights most probable. */
export interface ResidualNoise {
  /** By which the stated standard deviations are to be multiplied, and how surely. */
  readonly scale: number;
  readonly scaleSigma: number;
  /** White acceleration beside the model [m/s²/√Hz], and how surely. */
  readonly acceleration: number;
  readonly accelerationSigma: number;
}

/** Acceleration noise [m/s²/√Hz] that is tried, against the scale of the measurements' noise, by powers of ten. */
const FIRST = -4;
const LAST = 2;
const PER_DECADE = 3;
/** Golden sections about the best of them. */
const SECTIONS = 10;
/** Distance of the points by which the likelihood's curvature is measured, in decades. */
const CURVATURE_STEP = 0.1;
/** Rounds in which the scale of the measurements' noise settles: two but for the lift, whose spread does not follow it. */
const ROUNDS = 3;

/** Measurement noise and acceleration noise by maximum likelihood, for flights whose lift has this spread [1/s]. */
export function residualNoise(flights: readonly FittedFlight[], lift: number): ResidualNoise {
  const tried = new TriedLikelihoods(flights, lift);
  let best = FIRST;
  for (let k = 0; k <= (LAST - FIRST) * PER_DECADE; k++) {
    const exponent = FIRST + k / PER_DECADE;
    if (tried.at(exponent).logLikelihood > tried.at(best).logLikelihood) best = exponent;
  }
  best = tried.refine(best);
  const here = tried.at(best);
  const beside = [best + CURVATURE_STEP, best - CURVATURE_STEP].map((exponent) => tried.at(exponent).logLikelihood);
  const curvature = (2 * here.logLikelihood - beside[0]! - beside[1]!) / CURVATURE_STEP ** 2;
  // At the lower end the noise is not told from none, and a decade is what is not known of it.
  const decades = curvature > 0 && best > FIRST + CURVATURE_STEP ? Math.min(1, 1 / Math.sqrt(curvature)) : 1;
  const acceleration = here.scale * 10 ** best;
  return {
    scale: here.scale,
    scaleSigma: here.scale / Math.sqrt(2 * here.count),
    acceleration,
    accelerationSigma: acceleration * Math.LN10 * decades,
  };
}

interface Likelihood {
  readonly logLikelihood: number;
  /** The scale that is best with this ratio. */
  readonly scale: number;
  readonly count: number;
}

/** Likelihoods by the power of ten of the ratio of acceleration noise to scale. */
class TriedLikelihoods {
  readonly #lift: number;
  readonly #filters: readonly FlightLikelihood[];
  readonly #known = new Map<number, Likelihood>();

  constructor(flights: readonly FittedFlight[], lift: number) {
    this.#filters = flights.map((flight) => new FlightLikelihood(flight));
    this.#lift = lift;
  }

  at(exponent: number): Likelihood {
    const known = this.#known.get(exponent) ?? this.#compute(exponent);
    this.#known.set(exponent, known);
    return known;
  }

  /** The scale is a fixed point: innovations with it have variance one. */
  #compute(exponent: number): Likelihood {
    let best: Likelihood = { logLikelihood: Number.NEGATIVE_INFINITY, scale: 1, count: 1 };
    let scale = 1;
    for (let round = 0; round < ROUNDS; round++) {
      const sums = { squares: 0, logs: 0, count: 0 };
      const noise = { scale, acceleration: scale * 10 ** exponent, lift: this.#lift };
      for (const filter of this.#filters) filter.add(noise, sums);
      const logLikelihood = -0.5 * (sums.squares + sums.logs);
      if (logLikelihood > best.logLikelihood) best = { logLikelihood, scale, count: sums.count };
      scale *= Math.sqrt(sums.squares / sums.count);
    }
    return best;
  }

  /** The best exponent near one of the grid. */
  refine(near: number): number {
    const golden = (Math.sqrt(5) - 1) / 2;
    let [low, high] = [Math.max(FIRST, near - 1 / PER_DECADE), near + 1 / PER_DECADE];
    for (let k = 0; k < SECTIONS; k++) {
      const [a, b] = [high - golden * (high - low), low + golden * (high - low)];
      if (this.at(a).logLikelihood > this.at(b).logLikelihood) high = b;
      else low = a;
    }
    return 0.5 * (low + high);
  }
}
