import { Random } from "../../math/random.js";
import type { Vec3 } from "../../math/vec3.js";
import type { KinematicChain } from "../../robot/kinematics/chain.js";

/** Configurations kept, drawn once per arm from a fixed seed. */
const SAMPLES = 4096;
/** A turn of the hand by a radian counts as this far [m] when samples are compared. */
const TURN_LENGTH = 0.3;

/**
 * Random configurations of an arm with the hand's place and direction in each: where to start when there is no analytic
 * inverse kinematics.
 */
export class WorkspaceSamples {
  readonly #dofs: number;
  readonly #configurations: Float64Array;
  /** Hand position, then its z axis, in the base. [6·SAMPLES] */
  readonly #hands = new Float64Array(SAMPLES * 6);
  /** Indices and costs of the nearest found so far, nearest first. */
  readonly #indices: Int32Array;
  readonly #costs: Float64Array;

  constructor(chain: KinematicChain, lower: Float64Array, upper: Float64Array, maxResults = 16) {
    const random = new Random("workspace samples");
    this.#dofs = chain.dofCount;
    this.#configurations = new Float64Array(SAMPLES * this.#dofs);
    this.#indices = new Int32Array(maxResults);
    this.#costs = new Float64Array(maxResults);
    for (let s = 0; s < SAMPLES; s++) this.#draw(s, chain, lower, upper, random);
  }

  #draw(s: number, chain: KinematicChain, lower: Float64Array, upper: Float64Array, random: Random): void {
    const q = this.#configurations.subarray(s * this.#dofs, (s + 1) * this.#dofs);
    for (let i = 0; i < this.#dofs; i++)
      q[i] = random.uniformIn(Math.max(lower[i]!, -Math.PI), Math.min(upper[i]!, Math.PI));
    chain.update(q);
    const tip = chain.baseFromTip;
    this.#hands.set([tip[9], tip[10], tip[11], tip[2], tip[5], tip[8]], 6 * s);
  }

  /**
   * Writes up to `count` configurations to `out`, those whose hand is nearest to `ball` and faces `velocity` best; returns
   * how many.
   */
  nearest(ball: Vec3, velocity: Vec3, count: number, out: Float64Array): number {
    const wanted = Math.min(count, this.#indices.length);
    let found = 0;
    for (let s = 0; s < SAMPLES; s++) {
      const cost = this.#cost(s, ball, velocity);
      if (found === wanted && !(cost < this.#costs[found - 1]!)) continue;
      let at = found < wanted ? found++ : found - 1;
      for (; at > 0 && this.#costs[at - 1]! > cost; at--) {
        this.#costs[at] = this.#costs[at - 1]!;
        this.#indices[at] = this.#indices[at - 1]!;
      }
      this.#costs[at] = cost;
      this.#indices[at] = s;
    }
    for (let k = 0; k < found; k++) {
      const from = this.#indices[k]! * this.#dofs;
      for (let i = 0; i < this.#dofs; i++) out[k * this.#dofs + i] = this.#configurations[from + i]!;
    }
    return found;
  }

  #cost(s: number, ball: Vec3, velocity: Vec3): number {
    const hand = this.#hands;
    const at = 6 * s;
    const distance = Math.hypot(hand[at]! - ball[0], hand[at + 1]! - ball[1], hand[at + 2]! - ball[2]);
    const speed = Math.hypot(velocity[0], velocity[1], velocity[2]);
    const along = hand[at + 3]! * velocity[0] + hand[at + 4]! * velocity[1] + hand[at + 5]! * velocity[2];
    return distance + TURN_LENGTH * Math.acos(Math.min(1, Math.max(-1, -along / speed)));
  }
}
