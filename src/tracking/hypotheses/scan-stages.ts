import { chiSquareQuantile } from "../../math/error-function.js";
import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { maxCircles } from "../../messages/parts.js";
import type { CircleSet } from "../circles/circle-set.js";
import { BallBelief, FilterStatus } from "../filter/ball-belief.js";
import type { BallFilter } from "../filter/ball-filter.js";
import type { CirclePrediction, StereoPrediction } from "../filter/circle-prediction.js";
import { type Associator, ChoiceTable, NONE, type Resolver } from "./associator.js";
import { logAdd } from "./belief-mixture.js";
import { logClutterDensity } from "./birth-finder.js";
import type { HypothesisSet } from "./hypothesis.js";
import type { MotionModels } from "./motion-models.js";
import type { NodePool, TrackGrowth } from "./node-pool.js";
import { noteMissed, noteSeen, seenProbability } from "./presence.js";
import { RobustPoint } from "./robust-point.js";
import type { StoredScan } from "./stored-scan.js";
import { circleOf, type Target, type Targets } from "./targets.js";
import { MAX_MOTIONS, NOTHING, TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** What the stages of a scan share. */
export interface StageParts {
  readonly settings: TrackerSettings;
  readonly pool: NodePool;
  readonly models: MotionModels;
  readonly targets: Targets;
  readonly growth: TrackGrowth;
  readonly associator: Associator;
}

/** What explains the measurements of a scan by tracks: the parts that it works with, and how a measurement is weighed. */
export abstract class ScanStage {
  protected readonly parts: StageParts;
  /** Greatest squared distance of a measurement with 3 or 6 numbers, by that count. */
  protected readonly gate = new Float64Array(7);
  /** Log-likelihoods of what was weighed last: under each motion with its probability, and of all together. */
  protected readonly weighed = new Float64Array(MAX_MOTIONS);
  protected weighedTotal = 0;
  #isWithinGate = false;

  constructor(parts: StageParts) {
    this.parts = parts;
    this.gate[3] = chiSquareQuantile(parts.settings.gateProbability, 3);
    this.gate[6] = chiSquareQuantile(parts.settings.gateProbability, 6);
  }

  protected beginWeighing(): void {
    this.weighedTotal = Number.NEGATIVE_INFINITY;
    this.#isWithinGate = false;
  }

  /**
   * Takes the likelihood of a measurement under motion `m`. An improbable motion has a narrower gate: what counts is the
   * likelihood with the motion's probability.
   */
  protected weighMotion(
    node: TrackNode,
    m: number,
    logLikelihood: number,
    squaredDistance: number,
    freedom: 3 | 6,
  ): void {
    const log = node.logs[m]! + logLikelihood;
    this.weighed[m] = log;
    this.weighedTotal = logAdd(this.weighedTotal, log);
    if (squaredDistance - 2 * node.logs[m]! < this.gate[freedom]!) this.#isWithinGate = true;
  }

  /** Whether what was weighed is within the gate of some motion. */
  protected get isWithinGate(): boolean {
    return this.#isWithinGate;
  }

  /** Gives motion `m` what was weighed last, or nothing where its update failed. */
  protected believe(node: TrackNode, m: number, status: FilterStatus): void {
    node.logs[m] = status === FilterStatus.ok ? this.weighed[m]! : Number.NEGATIVE_INFINITY;
  }
}

const LEFT = 0;
const RIGHT = 1;

/**
 * Explains the circles of one or two images, one image after the other. What a track takes in the left image, its half,
 * is only noted; what both give it is then weighed and used together, with the common error of the head's pose: the
 * likelihood of a right circle is that of the pair given the left one, p(z_left, z_right)/p(z_left).
 */
export class CircleStages extends ScanStage {
  readonly #left: ChoiceTable;
  readonly #right: ChoiceTable;
  readonly #between: HypothesisSet;
  /** Of each half: its target, and its left circle or `NOTHING`. */
  readonly #halfTarget: Int32Array;
  readonly #halfCircle: Int32Array;
  /** And ln p(z_left), zero where nothing was taken; and the log ratio of the choice. */
  readonly #halfLikelihood: Float64Array;
  readonly #halfRatio: Float64Array;
  /** The node with what the left image says of its presence. */
  readonly #scratch = new TrackNode(-1);
  #scan: StoredScan | null = null;
  readonly #leftResolver: Resolver = { resolve: (target, circle) => this.#makeHalf(target, circle) };
  readonly #rightResolver: Resolver = { resolve: (half, circle) => this.#makeChild(half, circle) };

  constructor(parts: StageParts, maxHalves: number, between: HypothesisSet) {
    super(parts);
    this.#between = between;
    this.#left = new ChoiceTable(parts.targets.items.length, maxCircles);
    this.#right = new ChoiceTable(maxHalves, maxCircles);
    this.#halfTarget = new Int32Array(maxHalves);
    this.#halfCircle = new Int32Array(maxHalves);
    this.#halfLikelihood = new Float64Array(maxHalves);
    this.#halfRatio = new Float64Array(maxHalves);
  }

  /** @param input hypotheses of targets; `output` becomes the same explained, of nodes after the scan. */
  explain(input: HypothesisSet, scan: StoredScan, output: HypothesisSet): void {
    this.#scan = scan;
    this.#right.reset(scan.images[RIGHT]!.circles.count);
    this.#weighLeft(scan);
    this.parts.associator.associate(input, this.#left, LEFT, this.#leftResolver, this.#between);
    this.#weighRight(scan);
    this.parts.associator.associate(this.#between, this.#right, RIGHT, this.#rightResolver, output);
  }

  /** Fills the left table. Without a left image every target takes nothing, at no cost. */
  #weighLeft(scan: StoredScan): void {
    const { circles, isPresent, view } = scan.images[LEFT]!;
    const table = this.#left;
    table.reset(circles.count);
    for (let t = 0; t < this.parts.targets.count; t++) {
      const item = table.add();
      if (!isPresent) continue;
      const target = this.parts.targets.items[t]!;
      const seen = seenProbability(this.parts.pool.at(target.node), LEFT, target.found[LEFT]!);
      table.setMissing(item, Math.log(1 - seen));
      if (!(seen > 0)) continue;
      const logSeen = Math.log(seen) - logClutterDensity(this.parts.settings, view.camera);
      for (let i = 0; i < circles.count; i++) {
        if (this.#weighCircle(target, LEFT, i)) table.setTaking(item, i, logSeen + this.weighedTotal);
      }
    }
  }

  #makeHalf(target: number, circle: number): number {
    const half = this.#right.add();
    if (half === NONE) return NONE;
    this.#halfTarget[half] = target;
    this.#halfCircle[half] = circle;
    this.#halfLikelihood[half] = 0;
    this.#halfRatio[half] = this.#left.logRatio(target, circle);
    if (circle !== NOTHING) {
      this.#weighCircle(this.parts.targets.items[target]!, LEFT, circle);
      this.#halfLikelihood[half] = this.weighedTotal;
    }
    return half;
  }

  #weighRight(scan: StoredScan): void {
    const { circles, isPresent, view } = scan.images[RIGHT]!;
    if (!isPresent) return;
    const table = this.#right;
    for (let half = 0; half < table.items; half++) {
      const target = this.parts.targets.items[this.#halfTarget[half]!]!;
      const seen = seenProbability(this.#afterLeft(half), RIGHT, target.found[RIGHT]!);
      table.setMissing(half, Math.log(1 - seen));
      if (!(seen > 0)) continue;
      const logSeen = Math.log(seen) - logClutterDensity(this.parts.settings, view.camera);
      for (let j = 0; j < circles.count; j++) {
        if (!this.#weigh(target, this.#halfCircle[half]!, j)) continue;
        table.setTaking(half, j, logSeen + this.weighedTotal - this.#halfLikelihood[half]!);
      }
    }
  }

  /** The target of a half as the left image leaves it: presence only. */
  #afterLeft(half: number): TrackNode {
    const target = this.parts.targets.items[this.#halfTarget[half]!]!;
    this.#scratch.copyFacts(this.parts.pool.at(target.node));
    if (this.#scan!.images[LEFT]!.isPresent) noteTaken(this.#scratch, LEFT, this.#halfCircle[half]!, target);
    return this.#scratch;
  }

  /** Likelihood of what is taken in both images, of which no more than one is `NOTHING`. */
  #weigh(target: Target, i: number, j: number): boolean {
    if (i === NOTHING) return this.#weighCircle(target, RIGHT, j);
    return j === NOTHING ? this.#weighCircle(target, LEFT, i) : this.#weighPair(target, i, j);
  }

  /** Likelihood of one circle, to `#weighed`; false outside the gate of both motions. */
  #weighCircle(target: Target, camera: number, i: number): boolean {
    if (!this.#isNear(target, camera, i, 3)) return false;
    const { models, pool } = this.parts;
    const { circles } = this.#scan!.images[camera]!;
    const node = pool.at(target.node);
    this.beginWeighing();
    for (let m = 0; m < node.motionCount; m++) {
      const filter = models.filter(m);
      const distance = filter.gateCircle(circleOf(target.motions[m]!, camera), circles, i);
      this.weighMotion(node, m, filter.logLikelihood, distance, 3);
    }
    return this.isWithinGate;
  }

  #weighPair(target: Target, i: number, j: number): boolean {
    if (!this.#isNear(target, RIGHT, j, 6)) return false;
    const { models, pool } = this.parts;
    const left = this.#scan!.images[LEFT]!.circles;
    const right = this.#scan!.images[RIGHT]!.circles;
    const node = pool.at(target.node);
    this.beginWeighing();
    for (let m = 0; m < node.motionCount; m++) {
      const filter = models.filter(m);
      const distance = filter.gateStereo(target.motions[m]!, left, i, right, j);
      this.weighMotion(node, m, filter.logLikelihood, distance, 6);
    }
    return this.isWithinGate;
  }

  /** Whether a circle may be within the gate of some motion: a quick look, for most circles are far from most balls. */
  #isNear(target: Target, camera: number, i: number, freedom: number): boolean {
    const { circles } = this.#scan!.images[camera]!;
    const { logs, motionCount } = this.parts.pool.at(target.node);
    const gate = this.gate[freedom]!;
    for (let m = 0; m < motionCount; m++) {
      if (isWithin(circleOf(target.motions[m]!, camera), circles, i, gate + 2 * logs[m]!)) return true;
    }
    return false;
  }

  /** The node of a track that took a left circle, a right circle, both or none. */
  #makeChild(half: number, j: number): number {
    const target = this.parts.targets.items[this.#halfTarget[half]!]!;
    const i = this.#halfCircle[half]!;
    const predicted = this.parts.pool.at(target.node);
    const node = this.parts.growth.child(predicted);
    if (node === null) return NONE;
    const scan = this.#scan!;
    if (scan.images[LEFT]!.isPresent) noteTaken(node, LEFT, i, target);
    if (scan.images[RIGHT]!.isPresent) noteTaken(node, RIGHT, j, target);
    node.taken[LEFT] = i;
    node.taken[RIGHT] = j;
    node.score += this.#halfRatio[half]! + this.#right.logRatio(half, j);
    if (i !== NOTHING || j !== NOTHING) {
      node.lastMeasurement = scan.time;
      node.scans++;
      if (i !== NOTHING && j !== NOTHING) node.fullScans++;
      this.#use(target, predicted, node, i, j);
    }
    this.parts.growth.finish(node);
    return node.index;
  }

  /** Improves the state under each motion with what was taken. */
  #use(target: Target, predicted: TrackNode, node: TrackNode, i: number, j: number): void {
    this.#weigh(target, i, j);
    for (let m = 0; m < predicted.motionCount; m++) {
      const filter = this.parts.models.filter(m);
      const status = update(filter, predicted.motions[m]!, target.motions[m]!, this.#scan!, i, j, node.motions[m]!);
      this.believe(node, m, status);
    }
  }
}

/** False where already the distance in u, v or r alone, never more than that in all of them, is beyond the gate. */
function isWithin({ mean, covariance }: CirclePrediction, circles: CircleSet, i: number, gate: number): boolean {
  const du = circles.u[i]! - mean[0]!;
  const dv = circles.v[i]! - mean[1]!;
  const dr = circles.r[i]! - mean[2]!;
  return (
    du * du < gate * (covariance[0]! + circles.covariance[9 * i]!) &&
    dv * dv < gate * (covariance[4]! + circles.covariance[9 * i + 4]!) &&
    dr * dr < gate * (covariance[8]! + circles.covariance[9 * i + 8]!)
  );
}

function noteTaken(node: TrackNode, camera: number, circle: number, target: Target): void {
  if (circle === NOTHING) noteMissed(node, camera, target.found[camera]!);
  else noteSeen(node, camera);
}

function update(
  filter: BallFilter,
  belief: BallBelief,
  prediction: StereoPrediction,
  scan: StoredScan,
  i: number,
  j: number,
  out: BallBelief,
): FilterStatus {
  const left: CircleSet = scan.images[LEFT]!.circles;
  const right: CircleSet = scan.images[RIGHT]!.circles;
  if (i !== NOTHING && j !== NOTHING) return filter.updateStereo(belief, prediction, left, i, right, j, out);
  if (i !== NOTHING) return filter.updateCircle(belief, prediction.left, left, i, out);
  return filter.updateCircle(belief, prediction.right, right, j, out);
}

/** Motion capture counts as the first camera where a ball may be hidden from it. */
const CAPTURE = 0;

/** Explains the points of a scan of motion capture. */
export class PointStage extends ScanStage {
  readonly #table: ChoiceTable;
  readonly #logClutter: number;
  readonly #point = vec3.create();
  readonly #covariance = mat3.create();
  readonly #tried = new BallBelief();
  readonly #update: RobustPoint;
  #scan: StoredScan | null = null;
  readonly #resolver: Resolver = { resolve: (target, point) => this.#makeChild(target, point) };

  constructor(parts: StageParts) {
    super(parts);
    this.#table = new ChoiceTable(parts.targets.items.length, maxCircles);
    this.#logClutter = Math.log(parts.settings.clutterPerPointScan / parts.settings.roomVolume);
    this.#update = new RobustPoint(parts.settings);
  }

  explain(input: HypothesisSet, scan: StoredScan, output: HypothesisSet): void {
    this.#scan = scan;
    const table = this.#table;
    table.reset(scan.points.count);
    for (let t = 0; t < this.parts.targets.count; t++) {
      const item = table.add();
      const seen = seenProbability(this.#nodeOf(t), CAPTURE, this.parts.settings.detectionProbability);
      table.setMissing(item, Math.log(1 - seen));
      for (let i = 0; i < scan.points.count; i++) {
        if (this.#weigh(t, i)) table.setTaking(item, i, Math.log(seen) - this.#logClutter + this.weighedTotal);
      }
    }
    this.parts.associator.associate(input, table, CAPTURE, this.#resolver, output);
  }

  #nodeOf(target: number) {
    return this.parts.pool.at(this.parts.targets.items[target]!.node);
  }

  #load(i: number): void {
    const { position, covariance } = this.#scan!.points;
    for (let n = 0; n < 3; n++) this.#point[n as 0] = position[3 * i + n]!;
    for (let n = 0; n < 9; n++) this.#covariance[n as 0] = covariance[9 * i + n]!;
  }

  #weigh(target: number, i: number): boolean {
    const node = this.#nodeOf(target);
    this.#load(i);
    this.beginWeighing();
    for (let m = 0; m < node.motionCount; m++) {
      const update = this.#update;
      const filter = this.parts.models.filter(m);
      update.apply(filter, node, m, this.#scan!.time, this.#point, this.#covariance, this.#tried);
      this.weighMotion(node, m, update.logLikelihood, update.squaredDistance, 3);
    }
    return this.isWithinGate;
  }

  #makeChild(target: number, i: number): number {
    const predicted = this.#nodeOf(target);
    const node = this.parts.growth.child(predicted);
    if (node === null) return NONE;
    node.taken[0] = i;
    node.taken[1] = NOTHING;
    node.score += this.#table.logRatio(target, i);
    if (i === NOTHING) {
      noteMissed(node, CAPTURE, this.parts.settings.detectionProbability);
    } else {
      noteSeen(node, CAPTURE);
      node.lastMeasurement = this.#scan!.time;
      node.scans++;
      node.fullScans++;
      this.#weigh(target, i);
      for (let m = 0; m < predicted.motionCount; m++) {
        const filter = this.parts.models.filter(m);
        const { time } = this.#scan!;
        const out = node.motions[m]!;
        this.believe(node, m, this.#update.apply(filter, predicted, m, time, this.#point, this.#covariance, out));
        this.#update.note(node, m, this.#point);
      }
    }
    this.parts.growth.finish(node);
    return node.index;
  }
}
