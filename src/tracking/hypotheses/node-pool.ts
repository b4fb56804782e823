import type { MotionModels } from "./motion-models.js";
import { TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** The nodes of all track trees, made once. Nodes no hypothesis refers to any more are swept up after each scan. */
export class NodePool {
  readonly nodes: readonly TrackNode[];
  readonly #free: Int32Array;
  readonly #inUse: Uint8Array;
  readonly #marked: Uint8Array;
  /** Nodes not in use. */
  available: number;

  constructor(capacity: number) {
    this.nodes = Array.from({ length: capacity }, (_, index) => new TrackNode(index));
    this.#free = Int32Array.from({ length: capacity }, (_, n) => capacity - 1 - n);
    this.#inUse = new Uint8Array(capacity);
    this.#marked = new Uint8Array(capacity);
    this.available = capacity;
  }

  at(index: number): TrackNode {
    return this.nodes[index]!;
  }

  /** A node of unspecified content, or null if all are in use. */
  acquire(): TrackNode | null {
    if (this.available === 0) return null;
    const index = this.#free[--this.available]!;
    this.#inUse[index] = 1;
    return this.nodes[index]!;
  }

  /** Says that a node is still wanted, until the next sweep. */
  mark(index: number): void {
    this.#marked[index] = 1;
  }

  /** Takes back all nodes that are not marked, in an order that depends on nothing but what is marked. */
  sweep(): void {
    let free = 0;
    for (let index = this.nodes.length - 1; index >= 0; index--) {
      this.#inUse[index] = this.#inUse[index]! & this.#marked[index]!;
      this.#marked[index] = 0;
      if (this.#inUse[index] === 0) this.#free[free++] = index;
    }
    this.available = free;
  }
}

/**
 * Below this probability of flying, a track that was confirmed as thrown is so no more: it was caught, or has landed. One
 * measurement far off makes a flight improbable for a moment; two in a row do not happen to a ball that flies.
 */
const NO_LONGER_FLYING = 0.02;

/** A flying ball is given up this far below the floor [m]: the floor is not known better, nor the ball. */
const FLOOR_TOLERANCE = 0.1;

/** What happens to a track's node at the end of a scan, whatever was measured. */
export class TrackGrowth {
  readonly #pool: NodePool;
  readonly #models: MotionModels;
  readonly #settings: TrackerSettings;

  readonly #maxChildren: number;
  #children = 0;

  constructor(pool: NodePool, models: MotionModels, settings: TrackerSettings, maxChildren: number) {
    this.#maxChildren = maxChildren;
    this.#pool = pool;
    this.#models = models;
    this.#settings = settings;
  }

  beginScan(): void {
    this.#children = 0;
  }

  /** A child of a predicted node, to be given what it takes; null if the scan has as many as it may. */
  child(predicted: TrackNode): TrackNode | null {
    if (this.#children++ >= this.#maxChildren) return null;
    const node = this.#pool.acquire();
    node?.copy(predicted);
    return node;
  }

  /** Weighs the motions again and says whether the track flies. */
  finish(node: TrackNode): void {
    this.#models.settle(node);
    const { confirmProbability, confirmScans, confirmTime } = this.#settings;
    const flying = node.flyingProbability;
    if (node.confirmed) node.confirmed = flying >= NO_LONGER_FLYING;
    else if (flying >= confirmProbability && node.scans >= confirmScans) {
      node.confirmed = node.time - node.release >= confirmTime;
    }
    this.#models.summarize(node);
  }

  /** Whether the track is to be given up. */
  isLost(node: TrackNode): boolean {
    const { goneProbability, longestCoast, floorHeight } = this.#settings;
    if (!(node.gone < goneProbability && node.time - node.lastMeasurement <= longestCoast)) return true;
    return node.isFlying && node.belief.mean[2]! < floorHeight - FLOOR_TOLERANCE;
  }
}
