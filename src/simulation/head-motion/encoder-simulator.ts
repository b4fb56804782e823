import { Random } from "../../math/random.js";
import type { Robot } from "../../robot/robot.js";
import type { Challenges } from "./challenges.js";

/** Encoders: the joints' own positions and speeds with white noise; of bending, shaking and slipping they know nothing. */
export class EncoderSimulator {
  readonly #random: Random;
  readonly #encoders: Robot["encoders"];
  readonly #challenges: Challenges;

  constructor({ encoders }: Robot, challenges: Challenges, seed: number | string) {
    this.#random = new Random(seed).fork("encoders");
    this.#encoders = encoders;
    this.#challenges = challenges;
  }

  read(q: Float64Array, qd: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    const positionNoise = this.#challenges.encoderNoise * this.#encoders.positionNoise;
    const velocityNoise = this.#challenges.encoderNoise * this.#encoders.velocityNoise;
    for (let i = 0; i < q.length; i++) {
      outQ[i] = q[i]! + positionNoise * this.#random.normal();
      outQd[i] = qd[i]! + velocityNoise * this.#random.normal();
    }
  }
}
