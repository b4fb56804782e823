/** Filters reach so many output periods to either side; beyond, the kernel is below 1e-5 of its peak. */
const REACH = 10;
/** Points of Simpson's rule over the band, even. */
const PANELS = 400;
/** The kernel is faded out from this part of its half width on. */
const TAPER_FROM = 0.6;

/**
 * A zero-phase low-pass for decimation, Meyer's: flat to a quarter of the output rate R, zero from three quarters on, and
 * in between
 *
 *   H(f) = cos(π/2 · ν(x)),   x = (f − R/4)/(R/2),   ν(x) = x⁴(35 − 84x + 70x² − 20x³),
 *
 * so that H²(f) + H²(R − f) = 1: −3 dB at R/2, and white noise that is filtered and then taken at R is white again, with the
 * same density (Meyer, "Principe d'incertitude, bases hilbertiennes et algèbres d'opérateurs", 1986). Standard deviations
 * computed for independent samples are therefore true for the samples used. With R = 10 Hz it is the 5 Hz filter of the
 * thesis, and vibration above 7.5 Hz is gone.
 */
export class BandLimit {
  readonly outputRate: number;
  /** Half the length of the kernel [s]. */
  readonly halfWidth: number;

  constructor(outputRate: number) {
    this.outputRate = outputRate;
    this.halfWidth = REACH / outputRate;
  }

  /** Response at a frequency [Hz]. */
  response(frequency: number): number {
    const x = (Math.abs(frequency) - this.outputRate / 4) / (this.outputRate / 2);
    if (x <= 0) return 1;
    if (x >= 1) return 0;
    return Math.cos((Math.PI / 2) * x ** 4 * (35 + x * (-84 + x * (70 - 20 * x))));
  }

  /**
   * Taps for samples at `rate` [Hz], from −halfWidth to halfWidth: Σ taps[k]·x[n + k − reach] is the filtered signal, or
   * its first or second derivative [1/s, 1/s²].
   */
  taps(rate: number): FilterTaps {
    const reach = Math.floor(this.halfWidth * rate);
    const count = reach + 1;
    const waves = this.#kernel(rate, count);
    const taps = [0, 1, 2].map(() => new Float64Array(2 * reach + 1));
    for (let k = 0; k < count; k++) {
      const [w, w1, w2] = taper(k / rate / this.halfWidth);
      const [h, h1, h2] = [waves[0]![k]!, waves[1]![k]!, waves[2]![k]!];
      const first = h1 * w + (h * w1) / this.halfWidth;
      const second = h2 * w + (2 * h1 * w1) / this.halfWidth + (h * w2) / this.halfWidth ** 2;
      // Correlation, not convolution: an odd kernel changes sign.
      const values = [h * w, -first, second];
      for (let order = 0; order < 3; order++) {
        taps[order]![reach + k] = values[order]! / rate;
        taps[order]![reach - k] = ((order === 1 ? -1 : 1) * values[order]!) / rate;
      }
    }
    const gain = taps[0]!.reduce((sum, tap) => sum + tap, 0);
    return { reach, value: taps[0]!.map((tap) => tap / gain), slope: taps[1]!, curvature: taps[2]! };
  }

  /** The untapered kernel 2∫H(f)·cos(2πft)df and two derivatives at t = k/rate, by Simpson's rule over the band. */
  #kernel(rate: number, count: number): Float64Array[] {
    const step = (0.75 * this.outputRate) / PANELS;
    const sums = [0, 1, 2].map(() => new Float64Array(count));
    for (let panel = 0; panel <= PANELS; panel++) {
      const w = 2 * Math.PI * panel * step;
      const simpson = panel === 0 || panel === PANELS ? 1 : panel % 2 === 1 ? 4 : 2;
      const weight = (2 * step * simpson * this.response(panel * step)) / 3;
      for (let k = 0; k < count; k++) {
        const cosine = weight * Math.cos((w * k) / rate);
        sums[0]![k] = sums[0]![k]! + cosine;
        sums[1]![k] = sums[1]![k]! - w * weight * Math.sin((w * k) / rate);
        sums[2]![k] = sums[2]![k]! - w * w * cosine;
      }
    }
    return sums;
  }
}

export interface FilterTaps {
  /** Samples to either side of the middle one. */
  readonly reach: number;
  readonly value: Float64Array;
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
}

/** A cosine from 1 at `TAPER_FROM` to 0 at the kernel's end, x = 1, with two derivatives: so that nothing jumps there. */
function taper(x: number): readonly [number, number, number] {
  if (x <= TAPER_FROM) return [1, 0, 0];
  const k = Math.PI / (1 - TAPER_FROM);
  const angle = k * (x - TAPER_FROM);
  return [0.5 + 0.5 * Math.cos(angle), -0.5 * k * Math.sin(angle), -0.5 * k * k * Math.cos(angle)];
}

/** Filters the samples of one quantity where the taps fit, every `stride` samples from `first` on. */
export function decimate(
  samples: Float64Array,
  taps: Float64Array,
  first: number,
  stride: number,
  out: Float64Array,
): void {
  const reach = (taps.length - 1) / 2;
  for (let i = 0; i < out.length; i++) {
    const from = first + i * stride - reach;
    let sum = 0;
    for (let k = 0; k < taps.length; k++) sum += taps[k]! * samples[from + k]!;
    out[i] = sum;
  }
}
