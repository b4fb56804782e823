import { maxCircles } from "../../messages/parts.js";
import { Associator } from "./associator.js";
import { BirthFinder } from "./birth-finder.js";
import { BirthStage } from "./birth-stage.js";
import { HypothesisSet } from "./hypothesis.js";
import { KBestAssignments } from "./k-best.js";
import { MotionModels } from "./motion-models.js";
import { NodePool, TrackGrowth } from "./node-pool.js";
import { Presence } from "./presence.js";
import { Pruning } from "./pruning.js";
import { CircleStages, PointStage, type StageParts } from "./scan-stages.js";
import { MAX_BIRTHS, type StoredScan } from "./stored-scan.js";
import { Targets } from "./targets.js";
import { TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** Different nodes in the hypotheses after one scan; less probable hypotheses that would need more are dropped. */
const MAX_NODES_A_SCAN = 160;

/**
 * Multiple hypothesis tracking after Reid ("An algorithm for tracking multiple targets", 1979) in the form of Cox and
 * Hingorani ("An efficient implementation of Reid's multiple hypothesis tracking algorithm", 1996): a scan turns the
 * hypotheses before it into those after it. Time and memory are bounded by the sizes given at construction.
 */
export class HypothesisTree {
  readonly pool: NodePool;
  readonly #settings: TrackerSettings;
  readonly #growth: TrackGrowth;
  readonly #targets: Targets;
  readonly #circles: CircleStages;
  readonly #points: PointStage;
  readonly #finder: BirthFinder;
  readonly #births: BirthStage;
  readonly #pruning: Pruning;
  readonly #predicted: HypothesisSet;
  readonly #explained: HypothesisSet;

  constructor(settings: TrackerSettings) {
    const { maxTracks, maxHypotheses, pruneRatio } = settings;
    this.#settings = settings;
    // Those of the scans kept, those being made, and the predicted ones.
    this.pool = new NodePool((settings.lateScans + 4) * MAX_NODES_A_SCAN);
    const models = new MotionModels(settings);
    this.#growth = new TrackGrowth(this.pool, models, settings, MAX_NODES_A_SCAN - MAX_BIRTHS);
    const rows = Math.max(maxTracks, MAX_BIRTHS);
    const kBest = new KBestAssignments(rows, maxCircles + rows, maxHypotheses, maxHypotheses);
    this.#targets = new Targets(MAX_NODES_A_SCAN, this.pool, models, new Presence(settings), settings);
    const parts: StageParts = {
      settings,
      pool: this.pool,
      models,
      growth: this.#growth,
      targets: this.#targets,
      associator: new Associator(kBest, maxCircles, pruneRatio),
      scratch: new TrackNode(-1),
      maxMeasurements: maxCircles,
    };
    this.#predicted = this.createSet();
    this.#explained = this.createSet();
    this.#circles = new CircleStages(parts, 2 * MAX_NODES_A_SCAN, this.createSet());
    this.#points = new PointStage(parts);
    this.#finder = new BirthFinder(settings, models.flying);
    this.#births = new BirthStage(this.pool, models, kBest, pruneRatio);
    this.#pruning = new Pruning(this.pool, this.#growth, settings.scanDepth);
  }

  /** An empty set of the tree's size. */
  createSet(): HypothesisSet {
    const { maxHypotheses, maxTracks, scanDepth } = this.#settings;
    return new HypothesisSet(maxHypotheses, maxTracks, scanDepth, maxCircles);
  }

  /** Finds the balls that may have appeared in a scan; to be called once its images are stored. */
  findBirths(scan: StoredScan): void {
    this.#finder.find(scan);
  }

  /** The hypotheses after `scan`, from those before it, which is no later. */
  grow(before: HypothesisSet, scan: StoredScan, after: HypothesisSet): void {
    this.#growth.beginScan();
    this.#targets.predict(before, scan, this.#predicted);
    if (scan.kind === "points") this.#points.explain(this.#predicted, scan, this.#explained);
    else this.#circles.explain(this.#predicted, scan, this.#explained);
    this.#births.explain(this.#explained, scan, after);
    // States that are no numbers cannot be predicted: without any hypothesis left the tracker begins anew.
    if (after.count === 0) after.begin();
    after.time = scan.time;
    this.#pruning.apply(after);
  }

  /** Says that the nodes of a set are still wanted, until the next sweep of the pool. */
  keep(set: HypothesisSet): void {
    for (let h = 0; h < set.count; h++) {
      const { nodes, count } = set.items[h]!;
      for (let n = 0; n < count; n++) this.pool.mark(nodes[n]!);
    }
  }
}
