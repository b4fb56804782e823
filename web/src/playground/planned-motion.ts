import { evaluatePositions, evaluateVelocities, type RampArrays } from "../../../src/motion/ramp.js";
import type { PlanAnswer } from "../../../src/planning/request/answer.js";

type Ramp = NonNullable<PlanAnswer["ramps"]>[number];

/** The motion of an answer: where the joints are at any time. */
export class PlannedMotion {
  readonly joints: readonly string[];
  /** When the last joint is at rest [s]. */
  readonly duration: number;
  readonly #ramps: RampArrays;
  readonly #values: Float64Array;

  constructor(ramps: readonly Ramp[]) {
    const array = (pick: (ramp: Ramp) => number): Float64Array => Float64Array.from(ramps, pick);
    this.joints = ramps.map(({ joint }) => joint);
    this.duration = Math.max(0, ...ramps.map(({ T }) => T));
    this.#values = new Float64Array(ramps.length);
    this.#ramps = {
      q0: array(({ q0 }) => q0),
      w0: array(({ w0 }) => w0),
      ab: array(({ ab }) => ab),
      tb: array(({ tb }) => tb),
      a: array(({ a }) => a),
      t1: array(({ t1 }) => t1),
      t2: array(({ t2 }) => t2),
      T: array(({ T }) => T),
      end: array(({ q }) => q),
    };
  }

  /** Positions of `joints` at `time`; until the next call. */
  positions(time: number): Float64Array {
    evaluatePositions(this.#ramps, this.#values.length, time, this.#values);
    return this.#values;
  }

  velocities(time: number): Float64Array {
    evaluateVelocities(this.#ramps, this.#values.length, time, this.#values);
    return this.#values;
  }
}
