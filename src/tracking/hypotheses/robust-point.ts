import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { BallBelief, copyBelief, FilterStatus } from "../filter/ball-belief.js";
import type { BallFilter } from "../filter/ball-filter.js";
import { logAdd } from "./belief-mixture.js";
import type { TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/**
 * The update with a point of motion capture that may be an outlier. Most points are as good as stated. Now and then the system
 * sees half a marker, or takes one for another: then points are off by several sigmas, for a while, and by about the same offset.
 * So a point is of one of three kinds: as stated; newly off, with a larger sigma; or off as the one before, which still shows
 * how the ball moves. The likelihood is that of all three; the belief is improved as with the most probable.
 */
export class RobustPoint {
  /** Log-likelihood of the point used last, and its squared distance: the least of the kinds, by their probabilities. */
  logLikelihood = Number.NaN;
  squaredDistance = Number.NaN;
  readonly #bias: number;
  readonly #biasTime: number;
  readonly #rate: number;
  readonly #time: number;
  readonly #scale: number;
  readonly #covariance = mat3.create();
  readonly #wide = mat3.create();
  readonly #shifted = vec3.create();
  readonly #tried = new BallBelief();
  readonly #logs = new Float64Array(3);

  constructor({ outlierRate, outlierTime, outlierFactor, pointBias, pointBiasTime }: TrackerSettings) {
    this.#bias = pointBias;
    this.#biasTime = pointBiasTime;
    this.#rate = outlierRate;
    this.#time = outlierTime;
    this.#scale = outlierFactor * outlierFactor;
  }

  /** Improves the state of motion `m` of `node` with a point of `time` [s], to `out`. */
  apply(
    filter: BallFilter,
    node: TrackNode,
    m: number,
    time: number,
    point: vec3.Vec3,
    stated: mat3.Mat3,
    out: BallBelief,
  ): FilterStatus {
    const covariance = this.#wide;
    const logs = this.#logs;
    const duration = time - node.lastMeasurement;
    this.#widen(stated, duration);
    const stays = node.outliers[m]! * Math.exp(-duration / this.#time);
    const begins = (1 - stays) * -Math.expm1(-this.#rate * duration);
    const status = filter.updatePoint(node.motions[m]!, point, covariance, out);
    this.squaredDistance = filter.squaredDistance;
    logs[USUAL] = filter.logLikelihood + Math.log(1 - stays - begins);
    logs[NEW] = logs[SAME] = Number.NEGATIVE_INFINITY;
    // A larger sigma gains at most half the squared distance.
    if (0.5 * this.squaredDistance > -Math.log(begins)) {
      for (let n = 0; n < 9; n++) this.#covariance[n as 0] = this.#scale * covariance[n]!;
      logs[NEW] = this.#weigh(filter, node.motions[m]!, point, Math.log(begins), out);
    }
    if (stays > LEAST_STAYS) {
      for (let n = 0; n < 9; n++) this.#covariance[n as 0] = 2 * covariance[n]!;
      for (let n = 0; n < 3; n++) this.#shifted[n as 0] = point[n]! - node.offsets[3 * m + n]!;
      logs[SAME] = this.#weigh(filter, node.motions[m]!, this.#shifted, Math.log(stays), this.#tried);
    }
    this.logLikelihood = logAdd(logs[USUAL]!, logAdd(logs[NEW]!, logs[SAME]!));
    return this.#choose(filter, node.motions[m]!, point, covariance, status, out);
  }

  /**
   * Part of a point's error lasts: errors of calibration, a marker seen from one side. Points that follow quickly tell less
   * than their number says. An error of variance σ² and correlation ρ between neighbours weighs in the mean of many as white noise of
   * variance σ²·(1 + ρ)/(1 − ρ).
   */
  #widen(stated: mat3.Mat3, duration: number): void {
    const correlation = Math.exp(-duration / this.#biasTime);
    const variance = Math.min((stated[0]! + stated[4]! + stated[8]!) / 3, this.#bias * this.#bias);
    const more = (variance * 2 * correlation) / (1 - correlation);
    for (let n = 0; n < 9; n++) this.#wide[n as 0] = stated[n]! + (n % 4 === 0 ? more : 0);
  }

  /** ln of the probability of a kind, with that of the point. */
  #weigh(filter: BallFilter, belief: BallBelief, point: vec3.Vec3, log: number, out: BallBelief): number {
    if (filter.updatePoint(belief, point, this.#covariance, out) !== FilterStatus.ok) return Number.NEGATIVE_INFINITY;
    this.squaredDistance = Math.min(this.squaredDistance, filter.squaredDistance - 2 * log);
    return filter.logLikelihood + log;
  }

  /** `out` holds the update as newly off where that was weighed, else as stated. */
  #choose(
    filter: BallFilter,
    belief: BallBelief,
    point: vec3.Vec3,
    covariance: mat3.Mat3,
    status: FilterStatus,
    out: BallBelief,
  ): FilterStatus {
    const [usual, fresh, same] = this.#logs as unknown as readonly [number, number, number];
    if (fresh === Number.NEGATIVE_INFINITY && same === Number.NEGATIVE_INFINITY) return status;
    if (same > fresh && same > usual) {
      copyBelief(this.#tried, out);
      return FilterStatus.ok;
    }
    return fresh > usual ? FilterStatus.ok : filter.updatePoint(belief, point, covariance, out);
  }

  /** Notes on `node`, after its update by `apply`, how probably the point is an outlier under motion `m`, and by what offset. */
  note(node: TrackNode, m: number, point: vec3.Vec3): void {
    const [usual, fresh, same] = this.#logs as unknown as readonly [number, number, number];
    node.outliers[m] = 1 - Math.exp(usual - this.logLikelihood);
    if (!(fresh > usual && fresh > same)) return;
    for (let n = 0; n < 3; n++) node.offsets[3 * m + n] = point[n]! - node.motions[m]!.mean[n]!;
  }
}

/** The kinds of a point. */
const USUAL = 0;
const NEW = 1;
const SAME = 2;

/** Below this probability a point is not taken as off like the one before. */
const LEAST_STAYS = 1e-3;
