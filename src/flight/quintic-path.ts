import { FlightStatus } from "./ball.js";

/**
 * Some functions of time ("channels"), each a chain of quintic polynomials that take over value, slope and bend (first
 * and second derivative) at nodes a fixed step apart: twice continuously differentiable, and with an error that falls
 * with the sixth power of the step, |f⁽⁶⁾|·(step/2)⁶/720.
 *
 * Nodes are arrays of 3·channels numbers: value, slope, bend of channel 0, of channel 1, …
 */
export class QuinticPath {
  readonly channels: number;
  /** [s] */
  readonly step: number;
  /** Time of the first node [s]. */
  begin = 0;
  /** Segments in use, and how many of them lie before the reference time. */
  count = 0;
  before = 0;
  readonly #capacity: number;
  /** Six coefficients per segment and channel, lowest power of (t − node) first. */
  readonly #coefficients: Float64Array;

  /** With nodes every `step` [s], and memory for `duration` [s]. */
  constructor(channels: number, step: number, duration: number) {
    if (!(step > 0 && duration > 0 && duration < Infinity)) {
      throw new RangeError(`expected a positive step and duration, found ${step} and ${duration}`);
    }
    this.channels = channels;
    // One more at each end, since the interval is rounded outwards to nodes.
    this.#capacity = Math.ceil(duration / step) + 2;
    this.step = step;
    this.#coefficients = new Float64Array(6 * channels * this.#capacity);
  }

  get end(): number {
    return this.begin + this.count * this.step;
  }

  /** Places the nodes: one at `reference`, the others so that they cover [begin, end]. The segments are still to be written. */
  cover(reference: number, begin: number, end: number): FlightStatus {
    this.before = Math.max(0, Math.ceil((reference - begin) / this.step));
    this.count = this.before + Math.max(0, Math.ceil((end - reference) / this.step));
    if (this.count === 0) this.count = 1;
    this.begin = reference - this.before * this.step;
    if (!(Number.isFinite(this.begin + this.count) && begin <= end)) return FlightStatus.invalid;
    return this.count > this.#capacity ? FlightStatus.tooLong : FlightStatus.ok;
  }

  /** Lays segment number `segment` between two nodes, `from` the earlier one. */
  write(segment: number, from: Float64Array, to: Float64Array): void {
    const h = this.step;
    const perStep = 1 / h;
    const scale = perStep * perStep * perStep;
    const c = this.#coefficients;
    let o = 6 * this.channels * segment;
    for (let n = 0; n < 3 * this.channels; n += 3, o += 6) {
      const value = from[n]!;
      const slope = from[n + 1]!;
      const bend = from[n + 2]!;
      // What the parabola from the first node lacks at the second, in value, slope·h and bend·h².
      const d = to[n]! - value - h * (slope + 0.5 * h * bend);
      const e = h * (to[n + 1]! - slope - h * bend);
      const f = h * h * (to[n + 2]! - bend);
      c[o] = value;
      c[o + 1] = slope;
      c[o + 2] = 0.5 * bend;
      c[o + 3] = scale * (10 * d - 4 * e + 0.5 * f);
      c[o + 4] = scale * perStep * (-15 * d + 7 * e - f);
      c[o + 5] = scale * perStep * perStep * (6 * d - 3 * e + 0.5 * f);
    }
  }

  /** The segment that `t` lies in: the first or the last for times outside. */
  #segmentAt(t: number): number {
    const segment = Math.floor((t - this.begin) / this.step);
    return segment > 0 ? Math.min(segment, this.count - 1) : 0;
  }

  /** Values of all channels at `t`. */
  values(t: number, out: Float64Array): void {
    const segment = this.#segmentAt(t);
    const u = t - this.begin - segment * this.step;
    const c = this.#coefficients;
    for (let n = 0, o = 6 * this.channels * segment; n < this.channels; n++, o += 6) {
      out[n] = c[o]! + u * (c[o + 1]! + u * (c[o + 2]! + u * (c[o + 3]! + u * (c[o + 4]! + u * c[o + 5]!))));
    }
  }

  /** Slopes of all channels at `t`. */
  slopes(t: number, out: Float64Array): void {
    const segment = this.#segmentAt(t);
    const u = t - this.begin - segment * this.step;
    const c = this.#coefficients;
    for (let n = 0, o = 6 * this.channels * segment; n < this.channels; n++, o += 6) {
      out[n] = c[o + 1]! + u * (2 * c[o + 2]! + u * (3 * c[o + 3]! + u * (4 * c[o + 4]! + u * 5 * c[o + 5]!)));
    }
  }

  /** Bends of all channels at `t`. */
  bends(t: number, out: Float64Array): void {
    const segment = this.#segmentAt(t);
    const u = t - this.begin - segment * this.step;
    const c = this.#coefficients;
    for (let n = 0, o = 6 * this.channels * segment; n < this.channels; n++, o += 6) {
      out[n] = 2 * c[o + 2]! + u * (6 * c[o + 3]! + u * (12 * c[o + 4]! + u * 20 * c[o + 5]!));
    }
  }

  /** All three of all channels at `t`. */
  evaluate(t: number, values: Float64Array, slopes: Float64Array, bends: Float64Array): void {
    const segment = this.#segmentAt(t);
    const u = t - this.begin - segment * this.step;
    const c = this.#coefficients;
    for (let n = 0, o = 6 * this.channels * segment; n < this.channels; n++, o += 6) {
      const c2 = c[o + 2]!;
      const c3 = c[o + 3]!;
      const c4 = c[o + 4]!;
      const c5 = c[o + 5]!;
      values[n] = c[o]! + u * (c[o + 1]! + u * (c2 + u * (c3 + u * (c4 + u * c5))));
      slopes[n] = c[o + 1]! + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)));
      bends[n] = 2 * c2 + u * (6 * c3 + u * (12 * c4 + u * 20 * c5));
    }
  }
}
