import { type Challenges, challengeNames } from "./challenges.js";

/** How strong each challenge is, in shared memory: those of the sensors that are simulated on our side look at it with every sample. */
export class SharedChallenges implements Challenges {
  readonly #strengths: Float64Array;

  static memory(challenges: Challenges): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(8 * challengeNames.length);
    new SharedChallenges(memory).set(challenges);
    return memory;
  }

  constructor(memory: SharedArrayBuffer) {
    this.#strengths = new Float64Array(memory);
  }

  /** Changes those that are given. */
  set(challenges: Partial<Challenges>): void {
    for (const [k, name] of challengeNames.entries()) {
      const strength = challenges[name];
      if (strength !== undefined) this.#strengths[k] = strength;
    }
  }

  #of(name: keyof Challenges): number {
    return this.#strengths[challengeNames.indexOf(name)]!;
  }

  get vibration(): number {
    return this.#of("vibration");
  }
  get deflection(): number {
    return this.#of("deflection");
  }
  get slip(): number {
    return this.#of("slip");
  }
  get imuNoise(): number {
    return this.#of("imuNoise");
  }
  get imuBias(): number {
    return this.#of("imuBias");
  }
  get encoderNoise(): number {
    return this.#of("encoderNoise");
  }
  get latencyJitter(): number {
    return this.#of("latencyJitter");
  }
}
