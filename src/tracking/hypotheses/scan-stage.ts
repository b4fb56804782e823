import { chiSquareQuantile } from "../../math/error-function.js";
import type { Associator } from "./associator.js";
import type { MotionModels } from "./motion-models.js";
import type { NodePool, TrackGrowth } from "./node-pool.js";
import type { Targets } from "./targets.js";
import type { TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** What the stages of a scan share. */
export interface StageParts {
  readonly settings: TrackerSettings;
  readonly pool: NodePool;
  readonly models: MotionModels;
  readonly targets: Targets;
  readonly growth: TrackGrowth;
  readonly associator: Associator;
  /** A node that belongs to no track. */
  readonly scratch: TrackNode;
  readonly maxMeasurements: number;
}

/** What explains the measurements of a scan by tracks: the parts that it works with, and how a measurement is weighed. */
export abstract class ScanStage {
  protected readonly settings: TrackerSettings;
  protected readonly pool: NodePool;
  protected readonly models: MotionModels;
  protected readonly targets: Targets;
  protected readonly growth: TrackGrowth;
  protected readonly associator: Associator;
  /** Greatest squared distance of a measurement with 3 or 6 numbers, by that count. */
  protected readonly gate = new Float64Array(7);
  /** Log-likelihoods of what was weighed last: under each motion with its probability, and of both. */
  protected readonly weighed = new Float64Array(3);

  constructor(parts: StageParts) {
    this.settings = parts.settings;
    this.pool = parts.pool;
    this.models = parts.models;
    this.targets = parts.targets;
    this.growth = parts.growth;
    this.associator = parts.associator;
    this.gate[3] = chiSquareQuantile(parts.settings.gateProbability, 3);
    this.gate[6] = chiSquareQuantile(parts.settings.gateProbability, 6);
  }

  /**
   * Fills `weighed` from the filters' last likelihoods; false outside the gate of both motions. An improbable motion has a
   * narrower gate: what counts is the likelihood with the motion's probability.
   */
  protected mix(node: TrackNode, flyingDistance: number, carriedDistance: number, freedom: 3 | 6): boolean {
    const weighed = this.weighed;
    weighed[0] = node.logFlying + this.models.flying.logLikelihood;
    weighed[1] = node.logCarried + this.models.carried.logLikelihood;
    const most = Math.max(weighed[0]!, weighed[1]!);
    weighed[2] = most + Math.log(Math.exp(weighed[0]! - most) + Math.exp(weighed[1]! - most));
    const gate = this.gate[freedom]!;
    return flyingDistance - 2 * node.logFlying < gate || carriedDistance - 2 * node.logCarried < gate;
  }
}
