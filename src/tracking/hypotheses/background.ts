import * as cholesky from "../../math/cholesky.js";
import { type BallBelief, BELIEF_SIZE } from "../filter/ball-belief.js";
import type { Hypothesis, HypothesisSet } from "./hypothesis.js";
import type { NodePool } from "./node-pool.js";
import { Motion, type TrackNode } from "./track-node.js";

/** Places kept; the one not seen for the longest time is replaced. */
const CAPACITY = 128;
/** A place at which nothing was seen for so long is forgotten [s]. */
const MEMORY = 10;
/** Something known for so long [s], calm with this probability and no faster than this [m/s], may become background. */
const KNOWN_FOR = 1;
const CALM = 0.7;
const SPEED = 0.1;
/** Tracks for which there is always room. */
const ROOM = 3;
/** A place is not known better than this [m], and a measurement belongs to it up to this squared distance. */
const PLACE_SIGMA = 0.01;
const GATE = 25;

/**
 * Places of things that stand still: lamps, a clock, a ball on the table. Each is a track as long as there is room for more; when
 * room gets short those that stood still for longest become background, and what is seen there is no new ball. So a room
 * full of round things does not hide a ball. A ball that leaves its place is found as a new one.
 */
export class Background {
  #count = 0;
  readonly #position = new Float64Array(3 * CAPACITY);
  readonly #lastSeen = new Float64Array(CAPACITY);
  readonly #covariance = new Float64Array(9);
  readonly #factor = new Float64Array(9);
  readonly #difference = new Float64Array(3);

  /** Makes room in `set`, if need be: tracks of things that stand still are dropped and their places noted. */
  relieve(set: HypothesisSet, pool: NodePool): void {
    const best = set.items[0]!;
    while (best.count > Math.max(1, best.nodes.length - ROOM)) {
      const victim = longestStill(best, pool, set.time);
      if (victim === null) return;
      this.#add(victim);
      for (let h = 0; h < set.count; h++) drop(set.items[h]!, pool, victim.id);
    }
  }

  /** Whether a new ball would be at a known place, which then was seen again. */
  contains(ball: BallBelief): boolean {
    for (let place = 0; place < this.#count; place++) {
      if (ball.time - this.#lastSeen[place]! > MEMORY || !(this.#squaredDistance(ball, place) < GATE)) continue;
      this.#lastSeen[place] = Math.max(this.#lastSeen[place]!, ball.time);
      return true;
    }
    return false;
  }

  #squaredDistance({ mean, factor }: BallBelief, place: number): number {
    for (let r = 0; r < 3; r++) {
      this.#difference[r] = mean[r]! - this.#position[3 * place + r]!;
      for (let c = 0; c < 3; c++) {
        let sum = r === c ? PLACE_SIGMA * PLACE_SIGMA : 0;
        for (let n = 0; n < 3; n++) sum += factor[r * BELIEF_SIZE + n]! * factor[c * BELIEF_SIZE + n]!;
        this.#covariance[3 * r + c] = sum;
      }
    }
    if (cholesky.factor(this.#covariance, 3, this.#factor) !== cholesky.MatrixStatus.ok)
      return Number.POSITIVE_INFINITY;
    cholesky.solveLower(this.#factor, this.#difference, 3, this.#difference);
    return this.#difference[0]! ** 2 + this.#difference[1]! ** 2 + this.#difference[2]! ** 2;
  }

  #add({ belief, lastMeasurement }: TrackNode): void {
    let place = this.#count;
    if (place < CAPACITY) this.#count++;
    else {
      place = 0;
      for (let n = 1; n < CAPACITY; n++) if (this.#lastSeen[n]! < this.#lastSeen[place]!) place = n;
    }
    for (let axis = 0; axis < 3; axis++) this.#position[3 * place + axis] = belief.mean[axis]!;
    this.#lastSeen[place] = lastMeasurement;
  }
}

/** The track that is known for longest of those that stand still; null if none does. */
function longestStill({ nodes, count }: Hypothesis, pool: NodePool, time: number): TrackNode | null {
  let longest: TrackNode | null = null;
  for (let n = 0; n < count; n++) {
    const node = pool.at(nodes[n]!);
    if (isStill(node, time) && (longest === null || node.bornAt < longest.bornAt)) longest = node;
  }
  return longest;
}

function isStill({ confirmed, logs, bornAt, belief: { mean } }: TrackNode, time: number): boolean {
  if (confirmed || time - bornAt < KNOWN_FOR || Math.exp(logs[Motion.calm]!) < CALM) return false;
  return Math.hypot(mean[3]!, mean[4]!, mean[5]!) < SPEED;
}

function drop(hypothesis: Hypothesis, pool: NodePool, id: number): void {
  let kept = 0;
  for (let n = 0; n < hypothesis.count; n++) {
    const node = hypothesis.nodes[n]!;
    if (pool.at(node).id !== id) hypothesis.nodes[kept++] = node;
  }
  hypothesis.count = kept;
}
