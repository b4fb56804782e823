import { FlycatcherError } from "../../runtime/errors.js";

/** One joint of a sweep: swings about a middle. */
interface Swing {
  /** [rad] */
  readonly middle: number;
  readonly amplitude: number;
  /** [Hz]; far below the 5 Hz to which everything is band-limited. */
  readonly frequency: number;
  /** [rad] */
  readonly phase: number;
}

/**
 * How the neck moves while an arm stands: every joint swings about its middle, growing from rest and dying away to rest, so
 * that a marker wanders over the whole image and the IMU feels rotations of all kinds. Before and after, the head rests for a
 * while: filters need data from beyond what they keep.
 */
export class HeadSweep {
  readonly swings: readonly Swing[];
  /** [s] */
  readonly rest: number;
  readonly rise: number;
  readonly duration: number;

  /** @param moving how long the head moves [s], `rise` of it to grow and to die away */
  constructor(swings: readonly Swing[], moving: number, rise: number, rest: number) {
    if (!(moving >= 2 * rise && rise > 0 && rest >= 0)) {
      throw new FlycatcherError("FLY_INTERNAL", "a sweep must be longer than its rise and fall");
    }
    this.swings = swings;
    this.rest = rest;
    this.rise = rise;
    this.duration = moving + 2 * rest;
  }

  /** Position, speed and acceleration of every joint at a time from the sweep's start [s]. */
  evaluate(time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    const { w, w1, w2 } = this.#envelope(time);
    for (const [i, { middle, amplitude, frequency, phase }] of this.swings.entries()) {
      const rate = 2 * Math.PI * frequency;
      const s = amplitude * Math.sin(rate * time + phase);
      const c = amplitude * rate * Math.cos(rate * time + phase);
      q[i] = middle + w * s;
      qd[i] = w1 * s + w * c;
      qdd[i] = w2 * s + 2 * w1 * c - w * rate * rate * s;
    }
  }

  /** From 0 to 1 and back, with three continuous derivatives so that nothing of it is fast: x⁴(35 − 84x + 70x² − 20x³). */
  #envelope(time: number): { w: number; w1: number; w2: number } {
    const end = this.duration - this.rest;
    const isRising = time < this.duration / 2;
    const x = Math.min(1, Math.max(0, (isRising ? time - this.rest : end - time) / this.rise));
    const y = x * (1 - x);
    const slope = (140 * y * y * y) / this.rise;
    return {
      w: x ** 4 * (35 + x * (-84 + x * (70 - 20 * x))),
      w1: isRising ? slope : -slope,
      w2: (420 * y * y * (1 - 2 * x)) / (this.rise * this.rise),
    };
  }
}
