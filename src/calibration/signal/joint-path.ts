import type { NeckMotion } from "../measurements/spatial-motion.js";
import type { BandLimit, FilterTaps } from "./band-limit.js";

/** Nodes a second: quintic pieces between them follow an oscillation of 2 Hz to 1e-7, one of 5 Hz to 1e-4. */
const NODE_RATE = 25;

/** Evenly sampled joint positions. */
interface EvenJoints {
  /** Time of the first sample [s] and their distance. */
  readonly start: number;
  readonly period: number;
  /** Samples of each joint [rad]. */
  readonly positions: readonly Float64Array[];
}

/**
 * Joint positions, band-limited, as a smooth function of time with three derivatives: nodes with position, speed and
 * acceleration, from the samples by the kernel's own derivatives, and quintic pieces between them.
 */
export class JointPath {
  /** Where the path is defined [s]. */
  readonly begin: number;
  readonly end: number;
  readonly nodeCount: number;
  readonly #spacing: number;
  /** Position, speed, acceleration of each joint at each node. [3·jointCount·nodeCount] */
  readonly #nodes: Float64Array;
  readonly #jointCount: number;

  constructor({ start, period, positions }: EvenJoints, filter: BandLimit) {
    const rate = 1 / period;
    const { reach, value, slope, curvature } = cachedTaps(filter, rate);
    const stride = Math.max(1, Math.round(rate / NODE_RATE));
    const sampleCount = positions[0]!.length;
    const count = Math.max(0, Math.floor((sampleCount - 1 - 2 * reach) / stride) + 1);
    this.nodeCount = count;
    this.#jointCount = positions.length;
    this.#spacing = stride * period;
    this.begin = start + reach * period;
    this.end = this.begin + Math.max(0, count - 1) * this.#spacing;
    this.#nodes = new Float64Array(3 * positions.length * count);
    for (const [joint, samples] of positions.entries()) {
      for (let i = 0; i < count; i++) {
        const from = i * stride;
        let [p, v, a] = [0, 0, 0];
        for (let k = 0; k < value.length; k++) {
          const sample = samples[from + k]!;
          p += value[k]! * sample;
          v += slope[k]! * sample;
          a += curvature[k]! * sample;
        }
        const at = 3 * (i * positions.length + joint);
        this.#nodes[at] = p;
        this.#nodes[at + 1] = v;
        this.#nodes[at + 2] = a;
      }
    }
  }

  /** Whether the path is defined at this time [s]. */
  covers(time: number): boolean {
    return time >= this.begin && time <= this.end;
  }

  /** Positions of all joints and their derivatives; beyond the ends, the last piece goes on. */
  evaluate(time: number, out: NeckMotion): void {
    const h = this.#spacing;
    const piece = Math.min(Math.max(0, Math.floor((time - this.begin) / h)), this.nodeCount - 2);
    const s = (time - this.begin) / h - piece;
    for (let joint = 0; joint < this.#jointCount; joint++) this.#evaluateJoint(joint, piece, s, out);
  }

  /** Quintic through both nodes: p + v·s + a·s²/2 + s³(c3 + s(c4 + s·c5)), in units of the spacing. */
  #evaluateJoint(joint: number, piece: number, s: number, out: NeckMotion): void {
    const h = this.#spacing;
    const x = this.#nodes;
    const i = 3 * (piece * this.#jointCount + joint);
    const k = i + 3 * this.#jointCount;
    const p = x[i]!;
    const v = h * x[i + 1]!;
    const a = h * h * x[i + 2]!;
    const dp = x[k]! - p - v - 0.5 * a;
    const dv = h * x[k + 1]! - v - a;
    const da = h * h * x[k + 2]! - a;
    const c3 = 10 * dp - 4 * dv + 0.5 * da;
    const c4 = -15 * dp + 7 * dv - da;
    const c5 = 6 * dp - 3 * dv + 0.5 * da;
    out.q[joint] = p + s * (v + s * (0.5 * a + s * (c3 + s * (c4 + s * c5))));
    out.qd[joint] = (v + s * (a + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
    out.qdd[joint] = (a + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
    out.qddd[joint] = (6 * c3 + s * (24 * c4 + s * 60 * c5)) / (h * h * h);
  }
}

/** Taps are dear and the same for every hold of a recording. */
const known = new Map<string, FilterTaps>();

export function cachedTaps(filter: BandLimit, rate: number): FilterTaps {
  // The rate comes from a fitted raster: a change in its seventh digit does not change the taps that matter.
  const key = `${filter.outputRate}/${rate.toPrecision(6)}`;
  const taps = known.get(key) ?? filter.taps(Number(rate.toPrecision(6)));
  if (known.size > 64) known.clear();
  known.set(key, taps);
  return taps;
}
