import { Random } from "../math/random.js";
import type { Robot } from "../robot/robot.js";
import type { Challenges } from "./head-motion/challenges.js";

/** What befalls a frame on its way from the cameras. */
export interface FrameFate {
  readonly isLost: boolean;
  /** How much later than usual it arrives [ns]. */
  readonly delayNs: number;
}

/** Draws what befalls each frame, in their order. Both cameras draw from the same seed: they lose the same frames. */
export class FrameFates {
  readonly #random: Random;
  readonly #challenges: Challenges;
  readonly #droppedFrames: number;
  readonly #jitter: number;

  constructor({ sidecar }: Robot, challenges: Challenges, seed: number | string) {
    const { droppedFrames = 0, imageLatencyJitter = 0 } = sidecar.simulation?.noise ?? {};
    this.#random = new Random(seed).fork("frames");
    this.#challenges = challenges;
    this.#droppedFrames = droppedFrames;
    this.#jitter = imageLatencyJitter;
  }

  next(): FrameFate {
    const { latencyJitter } = this.#challenges;
    const isLost = this.#random.uniform() < latencyJitter * this.#droppedFrames;
    const delay = latencyJitter * this.#jitter * Math.abs(this.#random.normal());
    return { isLost, delayNs: Math.round(delay * 1e9) };
  }
}
