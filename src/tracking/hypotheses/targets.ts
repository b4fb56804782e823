import { FilterStatus } from "../filter/ball-belief.js";
import { type CirclePrediction, StereoPrediction } from "../filter/circle-prediction.js";
import type { HypothesisSet } from "./hypothesis.js";
import type { MotionModels } from "./motion-models.js";
import type { NodePool } from "./node-pool.js";
import { advancePresence } from "./presence.js";
import type { StoredScan } from "./stored-scan.js";
import { CAMERAS, MAX_MOTIONS, mostProbable, type TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** Share of its probability to be found that a ball keeps whose outline another, nearer ball overlaps. */
const FOUND_IF_OVERLAPPED = 0.5;

/** A ball expected beyond the border may still be found there, cut off or not quite where it was expected. */
const LEAST_SHARE = 0.01;

/** Not a target of this scan. */
const NO_TARGET = -1;

/** A track node at the time of the scan, before it has taken anything, and where the cameras would see it. */
export class Target {
  /** The predicted node. */
  node = 0;
  /** Under each motion of the node. */
  readonly motions: readonly StereoPrediction[] = Array.from({ length: MAX_MOTIONS }, () => new StereoPrediction());
  /** Probability that the ball would be found in each camera if nothing hid it. [camera] */
  readonly found = new Float64Array(CAMERAS);
}

/** The tracks of all hypotheses as the scan finds them; each node that several hypotheses share is one target. */
export class Targets {
  readonly items: readonly Target[];
  count = 0;
  readonly #pool: NodePool;
  readonly #models: MotionModels;
  readonly #settings: TrackerSettings;
  readonly #targetOfNode: Int32Array;

  constructor(capacity: number, pool: NodePool, models: MotionModels, settings: TrackerSettings) {
    this.items = Array.from({ length: capacity }, () => new Target());
    this.#pool = pool;
    this.#models = models;
    this.#settings = settings;
    this.#targetOfNode = new Int32Array(pool.nodes.length);
  }

  /** Brings the tracks of `input` to the scan's time; `output` holds the same hypotheses with targets for nodes. */
  predict(input: HypothesisSet, scan: StoredScan, output: HypothesisSet): void {
    this.count = 0;
    this.#targetOfNode.fill(NO_TARGET);
    output.count = 0;
    output.time = scan.time;
    for (let h = 0; h < input.count; h++) {
      const hypothesis = output.items[output.count]!;
      hypothesis.copy(input.items[h]!);
      hypothesis.used[0]!.fill(0);
      hypothesis.used[1]!.fill(0);
      hypothesis.count = this.#dropForgotten(hypothesis.nodes, hypothesis.count, scan.time);
      if (this.#replaceNodes(hypothesis.nodes, hypothesis.count, scan.time)) output.count++;
    }
    if (scan.kind === "circles") this.#lookAt(scan);
  }

  /** After a long silence tracks are not predicted but given up; returns how many are left. */
  #dropForgotten(nodes: Int32Array, count: number, time: number): number {
    let kept = 0;
    for (let n = 0; n < count; n++) {
      if (time - this.#pool.at(nodes[n]!).lastMeasurement <= this.#settings.longestCoast) nodes[kept++] = nodes[n]!;
    }
    return kept;
  }

  /** False if there is no room for all of them. */
  #replaceNodes(nodes: Int32Array, count: number, time: number): boolean {
    for (let n = 0; n < count; n++) {
      const node = nodes[n]!;
      if (this.#targetOfNode[node] === NO_TARGET) this.#targetOfNode[node] = this.#add(this.#pool.at(node), time);
      const target = this.#targetOfNode[node]!;
      if (target === NO_TARGET) return false;
      nodes[n] = target;
    }
    return true;
  }

  #add(node: TrackNode, time: number): number {
    if (this.count === this.items.length) return NO_TARGET;
    const predicted = this.#pool.acquire();
    if (predicted === null || !this.#models.predict(node, time, predicted)) return NO_TARGET;
    predicted.copyFacts(node);
    advancePresence(predicted, time - node.time, this.#settings);
    const target = this.items[this.count]!;
    target.node = predicted.index;
    return this.count++;
  }

  #lookAt(scan: StoredScan): void {
    for (let t = 0; t < this.count; t++) {
      const target = this.items[t]!;
      const node = this.#pool.at(target.node);
      for (let m = 0; m < node.motionCount; m++) this.#lookAtMotion(node, m, scan, target.motions[m]!);
    }
    for (let camera = 0; camera < CAMERAS; camera++) {
      if (!scan.images[camera]!.isPresent) continue;
      const { width, height } = scan.images[camera]!.view.camera;
      for (let t = 0; t < this.count; t++) {
        const circle = this.#expected(t, camera);
        this.items[t]!.found[camera] = this.#settings.detectionProbability * shareInImage(circle, width, height);
      }
      for (let t = 0; t < this.count; t++) {
        const { found } = this.items[t]!;
        if (this.#isOverlapped(t, camera)) found[camera] = FOUND_IF_OVERLAPPED * found[camera]!;
      }
    }
  }

  #lookAtMotion(node: TrackNode, m: number, scan: StoredScan, out: StereoPrediction): void {
    const filter = this.#models.filter(m);
    const belief = node.motions[m]!;
    if (scan.hasBothImages) {
      filter.predictStereo(belief, scan.images[0]!.view, scan.images[1]!.view, out);
    } else {
      const camera = scan.images[0]!.isPresent ? 0 : 1;
      filter.predictCircle(belief, scan.images[camera]!.view, circleOf(out, camera));
    }
  }

  /** The outline under the most probable motion. */
  #expected(t: number, camera: number): CirclePrediction {
    const target = this.items[t]!;
    return circleOf(target.motions[mostProbable(this.#pool.at(target.node))]!, camera);
  }

  #isOverlapped(t: number, camera: number): boolean {
    const circle = this.#expected(t, camera);
    const { id } = this.#pool.at(this.items[t]!.node);
    for (let other = 0; other < this.count; other++) {
      if (this.#pool.at(this.items[other]!.node).id === id) continue;
      if (isBehind(circle, this.#expected(other, camera))) return true;
    }
    return false;
  }
}

export function circleOf(prediction: StereoPrediction, camera: number): CirclePrediction {
  return camera === 0 ? prediction.left : prediction.right;
}

/** How surely the whole outline lies within the image: from 0 to 1 over its radius and the uncertainty of its place. */
function shareInImage(circle: CirclePrediction, width: number, height: number): number {
  if (circle.status !== FilterStatus.ok) return 0;
  const u = circle.mean[0]!;
  const v = circle.mean[1]!;
  const spread = Math.sqrt(Math.max(circle.covariance[0]!, circle.covariance[4]!));
  const inside = Math.min(u + 0.5, v + 0.5, width - 0.5 - u, height - 0.5 - v);
  const share = (inside + spread) / (circle.mean[2]! + 2 * spread);
  return Math.min(1, Math.max(LEAST_SHARE, share));
}

/** Whether the outlines overlap and the other one is nearer, that is larger. */
function isBehind(circle: CirclePrediction, other: CirclePrediction): boolean {
  if (circle.status !== FilterStatus.ok || other.status !== FilterStatus.ok) return false;
  const reach = circle.mean[2]! + other.mean[2]!;
  const du = circle.mean[0]! - other.mean[0]!;
  const dv = circle.mean[1]! - other.mean[1]!;
  return other.mean[2]! > circle.mean[2]! && du * du + dv * dv < reach * reach;
}
