import { defaultThrows } from "../../runtime/config-schema.js";

/**
 * How much of each difficulty of a real head and of real images the simulation has: 1 as the robot's sidecar states it, or as
 * in photographs, 0 none, 2 twice as much. Each is a factor of its own, so that a demonstration can turn one up and watch what it does: who is given
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
  /** Seams, panels and prints on balls, and balls that are less bright. */
  readonly ballTexture: number;
  /** Highlights and stronger shading of balls. */
  readonly ballGloss: number;
  /** Noise of images that grows with the light. */
  readonly shotNoise: number;
  /** Dark corners of images. */
  readonly vignetting: number;
  /** Lens out of focus. */
  readonly defocus: number;
  /** Lamps that flicker. */
  readonly flicker: number;
  /** Blocks and lost detail of image and video codecs. */
  readonly compression: number;
  /** People in the images: the thrower, and others who walk about. */
  readonly people: number;
}

/** Those of the robot: of head, joints and delays. */
const robotChallenges = {
  vibration: 1,
  deflection: 1,
  slip: 1,
  imuNoise: 1,
  imuBias: 1,
  encoderNoise: 1,
  latencyJitter: 1,
};

/** Those of images: on for standard throws, off for clean ones. */
export const imageChallengeNames = [
  "ballTexture",
  "ballGloss",
  "shotNoise",
  "vignetting",
  "defocus",
  "flicker",
  "compression",
  "people",
] as const satisfies readonly (keyof Challenges)[];

/** The robot as its sidecar has it, in images as standard or clean throws have them. */
export function challengesOf(kind: "standard" | "clean"): Challenges {
  const strength = kind === "standard" ? 1 : 0;
  const images = Object.fromEntries(imageChallengeNames.map((name) => [name, strength]));
  return { ...robotChallenges, ...images } as unknown as Challenges;
}

/** Those of a run that is told nothing else. */
export const fullChallenges: Challenges = challengesOf(defaultThrows);

export const challengeNames = Object.keys(fullChallenges) as readonly (keyof Challenges)[];

/** A stiff robot with perfect sensors and plain images; the constant part of the delays stays. */
export const noChallenges = Object.fromEntries(challengeNames.map((name) => [name, 0])) as unknown as Challenges;

/** The same challenges, whatever they become, on a robot that does not bend, shake or slip. */
export function withStiffness(challenges: Challenges): Challenges {
  return Object.create(challenges, { vibration: { value: 0 }, deflection: { value: 0 }, slip: { value: 0 } });
}

/** Memory that threads share for how strong each challenge is. */
export function challengeMemory(challenges: Challenges): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(8 * challengeNames.length);
  setChallenges(memory, challenges);
  return memory;
}

/** Changes those that are given. */
export function setChallenges(memory: SharedArrayBuffer, challenges: Partial<Challenges>): void {
  const strengths = new Float64Array(memory);
  for (const [k, name] of challengeNames.entries()) strengths[k] = challenges[name] ?? strengths[k]!;
}

/** The challenges as they are in shared memory: simulated sensors look at them with every sample. */
export function sharedChallenges(memory: SharedArrayBuffer): Challenges {
  const strengths = new Float64Array(memory);
  const getters = challengeNames.map((name, k) => [name, { get: () => strengths[k]!, enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(getters)) as Challenges;
}
