import type { MotionModels } from "./motion-models.js";
import type { NodePool } from "./node-pool.js";
import type { TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** Below this probability of flying, a track that was confirmed as thrown is so no more: it was caught, or has landed. */
const NO_LONGER_FLYING = 0.5;

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

  /** Weighs the motions anew and says whether the track flies. */
  finish(node: TrackNode): void {
    this.#models.settle(node);
    const { confirmProbability, confirmScans } = this.#settings;
    const flying = node.flyingProbability;
    if (node.confirmed) node.confirmed = flying >= NO_LONGER_FLYING;
    else node.confirmed = flying >= confirmProbability && node.scans >= confirmScans;
  }

  /** Whether the track is to be given up. */
  isLost(node: TrackNode): boolean {
    const { goneProbability, longestCoast, floorHeight } = this.#settings;
    if (!(node.gone < goneProbability && node.time - node.lastMeasurement <= longestCoast)) return true;
    return node.logFlying > node.logCarried && node.flying.mean[2]! < floorHeight - FLOOR_TOLERANCE;
  }
}
