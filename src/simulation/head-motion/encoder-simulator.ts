import { Random } from "../../math/random.js";
import type { Robot } from "../../robot/robot.js";
import type { Challenges } from "./challenges.js";

/** Encoders: the joints' own positions and speeds with white noise; of bending, shaking and slipping they know nothing. */
export class EncoderSimulator {
  readonly #random: Random;
  readonly #positionNoise: number;
  readonly #velocityNoise: number;

  constructor({ encoders }: Robot, challenges: Challenges, seed: number | string) {
    this.#random = new Random(seed).fork("encoders");
    this.#positionNoise = challenges.encoderNoise * encoders.positionNoise;
    this.#velocityNoise = challenges.encoderNoise * encoders.velocityNoise;
  }

  read(q: Float64Array, qd: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    for (let i = 0; i < q.length; i++) {
      outQ[i] = q[i]! + this.#positionNoise * this.#random.normal();
      outQd[i] = qd[i]! + this.#velocityNoise * this.#random.normal();
    }
  }
}
