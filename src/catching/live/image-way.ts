import { Random } from "../../math/random.js";
import type { Robot } from "../../robot/robot.js";
import type { Challenges } from "../../simulation/head-motion/challenges.js";

/**
 * What befalls a frame on its way from the cameras: it may be lost, or later than others. Drawn from the frame's number, so that
 * both cameras, each in a thread of its own, have it the same.
 */
export class ImageWay {
  readonly #random: Random;
  readonly #challenges: Challenges;
  readonly #droppedFrames: number;
  readonly #latencyJitter: number;

  constructor({ sidecar }: Robot, challenges: Challenges, seed: number | string) {
    const { droppedFrames = 0, imageLatencyJitter = 0 } = sidecar.simulation?.noise ?? {};
    this.#random = new Random(seed).fork("frames");
    this.#challenges = challenges;
    this.#droppedFrames = droppedFrames;
    this.#latencyJitter = imageLatencyJitter;
  }

  isLost(frame: number): boolean {
    const share = this.#challenges.latencyJitter * this.#droppedFrames;
    return share > 0 && this.#random.fork(`lost ${frame}`).uniform() < share;
  }

  /** How much later than usual it arrives [s]. */
  delay(frame: number): number {
    const spread = this.#challenges.latencyJitter * this.#latencyJitter;
    return spread > 0 ? spread * Math.abs(this.#random.fork(`late ${frame}`).normal()) : 0;
  }
}
