/**
 * How much of each difficulty of the real head the simulation has: 1 as the robot's sidecar states it, 0 none, 2 twice
 * as much. Each is a factor of its own, so that a demonstration can turn one up and watch what it does: who is given
 * challenges looks at them again and again, and whoever made them may change them during a run.
 */
export interface Challenges {
  /** Vibration of the torso, excited by the arms. */
  readonly vibration: number;
  /** Bending of the torso under the weight of what it carries. */
  readonly deflection: number;
  /** Slip of the platform's wheels. */
  readonly slip: number;
  /** White noise of the IMU. */
  readonly imuNoise: number;
  /** Turn-on bias of the IMU, which is drawn once, and the walk of its biases. */
  readonly imuBias: number;
  /** Noise of joint positions and velocities. */
  readonly encoderNoise: number;
  /** Spread of the delays of IMU samples and images, about their constant part, and images lost on the way. */
  readonly latencyJitter: number;
}

/** The robot as its sidecar has it. */
export const fullChallenges: Challenges = {
  vibration: 1,
  deflection: 1,
  slip: 1,
  imuNoise: 1,
  imuBias: 1,
  encoderNoise: 1,
  latencyJitter: 1,
};

/** A stiff robot with perfect sensors; the constant part of the delays stays. */
export const noChallenges: Challenges = {
  vibration: 0,
  deflection: 0,
  slip: 0,
  imuNoise: 0,
  imuBias: 0,
  encoderNoise: 0,
  latencyJitter: 0,
};

export const challengeNames = Object.keys(fullChallenges) as readonly (keyof Challenges)[];

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
