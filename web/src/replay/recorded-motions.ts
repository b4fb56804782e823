import { evaluatePositions, type RampArrays } from "../../../src/motion/ramp.js";

interface Motion {
  readonly part: string;
  readonly joints: readonly number[];
  readonly tStart: number;
  readonly ramps: RampArrays;
}

/** The commands that control carried out, for recordings that keep no joint positions: a posture, and motions from it. */
export class RecordedMotions {
  readonly #start: readonly number[];
  readonly #motions: Motion[] = [];

  constructor(start: readonly number[]) {
    this.#start = start;
  }

  /** A motion that control took over; in the order of their starts. */
  add(motion: Motion): void {
    this.#motions.push(motion);
  }

  /** Positions of all joints at `time` [s]. */
  at(time: number): number[] {
    const joints = [...this.#start];
    const inForce = new Map<string, Motion>();
    for (const motion of this.#motions) if (motion.tStart <= time) inForce.set(motion.part, motion);
    for (const { joints: moved, tStart, ramps } of inForce.values()) {
      const positions = new Float64Array(moved.length);
      evaluatePositions(ramps, moved.length, time - tStart, positions);
      for (const [k, joint] of moved.entries()) joints[joint] = positions[k]!;
    }
    return joints;
  }
}
