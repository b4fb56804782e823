import { maxCircles } from "../../messages/parts.js";
import { Associator } from "./associator.js";
import { Background } from "./background.js";
import { BirthFinder } from "./birth-finder.js";
import { BirthStage } from "./birth-stage.js";
import { HypothesisSet } from "./hypothesis.js";
import { KBestAssignments } from "./k-best.js";
import { MotionModels } from "./motion-models.js";
import { NodePool, TrackGrowth } from "./node-pool.js";
import { prune } from "./pruning.js";
import { CircleStages, PointStage, type StageParts } from "./scan-stages.js";
import { MAX_BIRTHS, type StoredScan } from "./stored-scan.js";
import { Targets } from "./targets.js";
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
  readonly #parts: StageParts;
  readonly #circles: CircleStages;
  readonly #points: PointStage;
  readonly #finder: BirthFinder;
  readonly #background = new Background();
  readonly #births: BirthStage;
  readonly #predicted: HypothesisSet;
  readonly #explained: HypothesisSet;

  constructor(settings: TrackerSettings) {
    const { maxTracks, maxHypotheses, pruneRatio } = settings;
    // Those of the scans kept, those being made, and the predicted ones.
    this.pool = new NodePool((settings.lateScans + 4) * MAX_NODES_A_SCAN);
    const models = new MotionModels(settings);
    const rows = Math.max(maxTracks, MAX_BIRTHS);
    const kBest = new KBestAssignments(rows, maxCircles + rows, maxHypotheses, maxHypotheses);
    this.#parts = {
      settings,
      pool: this.pool,
      models,
      growth: new TrackGrowth(this.pool, models, settings, MAX_NODES_A_SCAN - MAX_BIRTHS),
      targets: new Targets(MAX_NODES_A_SCAN, this.pool, models, settings),
      associator: new Associator(kBest, maxCircles, pruneRatio),
    };
    this.#predicted = this.createSet();
    this.#explained = this.createSet();
    this.#circles = new CircleStages(this.#parts, 2 * MAX_NODES_A_SCAN, this.createSet());
    this.#points = new PointStage(this.#parts);
    this.#finder = new BirthFinder(settings, models.flying, this.#background);
    this.#births = new BirthStage(this.pool, models, kBest, pruneRatio);
  }

  /** An empty set of the tree's size. */
  createSet(): HypothesisSet {
    const { maxHypotheses, maxTracks, scanDepth } = this.#parts.settings;
    return new HypothesisSet(maxHypotheses, maxTracks, scanDepth, maxCircles);
  }

  /** Finds the balls that may have appeared in a scan; to be called once its images are stored. */
  findBirths(scan: StoredScan): void {
    this.#finder.find(scan);
  }

  /** The hypotheses after `scan`, from those before it, which is no later. */
  grow(before: HypothesisSet, scan: StoredScan, after: HypothesisSet): void {
    const { growth, targets, settings } = this.#parts;
    growth.beginScan();
    targets.predict(before, scan, this.#predicted);
    if (scan.kind === "points") this.#points.explain(this.#predicted, scan, this.#explained);
    else this.#circles.explain(this.#predicted, scan, this.#explained);
    this.#births.explain(this.#explained, scan, scan.time - before.time, after);
    // States that are no numbers cannot be predicted: without any hypothesis left the tracker begins again.
    if (after.count === 0) after.begin();
    after.time = scan.time;
    prune(after, this.pool, growth, settings.scanDepth);
    this.#background.relieve(after, this.pool);
  }

  /** Says that the nodes of a set are still wanted, until the next sweep of the pool. */
  keep(set: HypothesisSet): void {
    for (let h = 0; h < set.count; h++) {
      const { nodes, count } = set.items[h]!;
      for (let n = 0; n < count; n++) this.pool.mark(nodes[n]!);
    }
  }
}
