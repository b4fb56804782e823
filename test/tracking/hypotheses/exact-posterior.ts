import * as cholesky from "../../../src/math/cholesky.js";
import type { Mat3 } from "../../../src/math/mat3.js";
import type { Vec3 } from "../../../src/math/vec3.js";
import { BallBelief, BELIEF_SIZE, copyBelief, FilterStatus } from "../../../src/tracking/filter/ball-belief.js";
import { BallBirth } from "../../../src/tracking/filter/ball-birth.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { StereoPrediction } from "../../../src/tracking/filter/circle-prediction.js";
import { HandPredictor } from "../../../src/tracking/filter/hand-predictor.js";
import type { CircleScan, PointScan, Scan } from "../../../src/tracking/filter/scan.js";
import type { TrackerSettings } from "../../../src/tracking/hypotheses/tracker-options.js";

/**
 * The posterior over all explanations of some scans by plain enumeration: every way to give every measurement to a ball
 * that is there, to a new one, or to none, weighed by Bayes' rule. Beliefs come from the same filter; everything that makes
 * the tracker a tracker, tables, gates, assignments, queues, pools, is absent. Objects and lists are made as needed.
 */
export function exactPosterior(scans: readonly Scan[], settings: TrackerSettings): number[] {
  const world = new World(settings);
  let explanations: Explanation[] = [{ logWeight: 0, balls: [] }];
  for (const scan of scans) explanations = explanations.flatMap((before) => world.explain(before, scan));
  const most = Math.max(...explanations.map(({ logWeight }) => logWeight));
  const weights = explanations.map(({ logWeight }) => Math.exp(logWeight - most)).sort((a, b) => b - a);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

interface Explanation {
  readonly logWeight: number;
  readonly balls: readonly BallState[];
}

interface BallState {
  /** Its state under each motion, and how probable that is; nothing changes its motion. */
  readonly motions: readonly MotionState[];
  /** Every state there is with its probability; of a ball that is gone there is one. */
  readonly presence: readonly Presence[];
}

interface MotionState {
  readonly filter: BallFilter;
  readonly belief: BallBelief;
  readonly probability: number;
}

interface Presence {
  readonly probability: number;
  readonly isGone: boolean;
  /** Whether it is hidden from the left camera, the right one, both. */
  readonly veils: readonly [boolean, boolean, boolean];
}

/** Standard deviation of three numbers of a belief from `at` on, that nothing else tells about. */
function setSigma({ factor }: BallBelief, at: number, sigma: number): void {
  for (let n = at; n < at + 3; n++) factor[n * (BELIEF_SIZE + 1)] = sigma;
}

function timeOf(scan: Scan): number {
  return scan.kind === "points" ? scan.time : scan.left!.view.time;
}

/** Measurement taken in each camera, or of a point twice the same; −1 for none. */
type Choice = readonly [left: number, right: number];

class World {
  readonly #settings: TrackerSettings;
  readonly #flying: BallFilter;
  readonly #hands: readonly BallFilter[];
  readonly #birth: BallBirth;
  #before = Number.NEGATIVE_INFINITY;
  #interval = 0;

  constructor(settings: TrackerSettings) {
    const { ball, gravity, accelerationNoise, dragSigma } = settings;
    this.#settings = settings;
    this.#flying = new BallFilter({ ball, gravity, accelerationNoise, dragSigma });
    this.#hands = [
      { acceleration: settings.carryAcceleration, correlationTime: settings.carryTime },
      { acceleration: settings.walkAcceleration, correlationTime: settings.walkTime },
      { acceleration: settings.swingAcceleration, correlationTime: settings.swingTime },
    ].map((hand) => new BallFilter({ ball }, new HandPredictor(hand)));
    this.#birth = new BallBirth(this.#flying);
  }

  explain(before: Explanation, scan: Scan): Explanation[] {
    const time = timeOf(scan);
    // New balls come for a fifth of a second at most.
    if (time > this.#before) this.#interval = Math.min(0.2, time - this.#before);
    this.#before = time;
    const balls = before.balls.map((ball) => this.#predict(ball, time));
    return this.#giveToBalls(balls, 0, [], scan).flatMap(({ logWeight, balls: after, taken }) =>
      this.#giveToNew({ logWeight: before.logWeight + logWeight, balls: after }, taken, scan),
    );
  }

  /** Every way in which the balls from number `n` on take measurements that are not taken. */
  #giveToBalls(balls: readonly BallState[], n: number, taken: readonly Choice[], scan: Scan): Given[] {
    if (n === balls.length) return [{ logWeight: 0, balls: [], taken }];
    return choicesOf(scan, taken).flatMap((choice) => {
      const result = this.#take(balls[n]!, choice, scan);
      if (result === null) return [];
      return this.#giveToBalls(balls, n + 1, [...taken, choice], scan).map((rest) => ({
        logWeight: result.logWeight + rest.logWeight,
        balls: [result.ball, ...rest.balls],
        taken: rest.taken,
      }));
    });
  }

  /** Every set of new balls from what is left, by whether the first candidate left over is one. */
  #giveToNew(explanation: Explanation, taken: readonly Choice[], scan: Scan, from = 0): Explanation[] {
    const pairs = pairsOf(scan);
    for (let k = from; k < pairs.length; k++) {
      const pair = pairs[k]!;
      if (taken.some(([left, right]) => left === pair[0] || right === pair[1])) continue;
      const born = this.#bear(pair, scan);
      if (born === null) continue;
      const without = this.#giveToNew(explanation, taken, scan, k + 1);
      const wider = {
        logWeight: explanation.logWeight + born.logWeight,
        balls: [...explanation.balls, born.ball],
      };
      return [...without, ...this.#giveToNew(wider, [...taken, pair], scan, k + 1)];
    }
    return [explanation];
  }

  #predict(ball: BallState, time: number): BallState {
    const { occlusionRate, occlusionTime, deathRate } = this.#settings;
    const duration = time - ball.motions[0]!.belief.time;
    const motions = ball.motions.map((motion) => {
      const belief = new BallBelief();
      motion.filter.predict(motion.belief, time, belief);
      return { ...motion, belief };
    });
    const comes = 1 - Math.exp(-occlusionRate * duration);
    const goes = 1 - Math.exp(-duration / occlusionTime);
    const dies = 1 - Math.exp(-deathRate * duration);
    const change = (from: boolean, to: boolean): number => (from ? (to ? 1 - goes : goes) : to ? comes : 1 - comes);
    const presence = everyPresence.map((to) => {
      const sum = ball.presence.reduce((total, from) => {
        if (from.isGone) return total + (to.isGone ? from.probability : 0);
        if (to.isGone) return total + from.probability * dies;
        const veils = from.veils.reduce((product, veil, n) => product * change(veil, to.veils[n]!), 1);
        return total + from.probability * (1 - dies) * veils;
      }, 0);
      return { ...to, probability: sum };
    });
    return { motions, presence };
  }

  /** A ball takes some measurements of a scan, and none of the others. */
  #take(ball: BallState, choice: Choice, scan: Scan): Taken | null {
    let logWeight = 0;
    let state = ball;
    // All scenes keep to the middle of the image, so that a ball in view is found with the detector's probability.
    const found = this.#settings.detectionProbability;
    for (const camera of scan.kind === "points" ? ([0] as const) : ([0, 1] as const)) {
      const presence = state.presence.map((now) => {
        const seen = now.isGone || now.veils[camera] || now.veils[2] ? 0 : found;
        return { ...now, probability: now.probability * (choice[camera] >= 0 ? seen : 1 - seen) };
      });
      const all = presence.reduce((total, { probability }) => total + probability, 0);
      logWeight += Math.log(all);
      state = { ...state, presence: presence.map((now) => ({ ...now, probability: now.probability / all })) };
    }
    if (choice[0] < 0 && choice[1] < 0) return { logWeight, ball: state };
    const weighed = state.motions.map((motion) => {
      const belief = new BallBelief();
      const log = this.#update(motion.filter, motion.belief, choice, scan, belief) + Math.log(motion.probability);
      return { motion, belief, log };
    });
    const logAll = weighed.reduce((sum, { log }) => logSum(sum, log), Number.NEGATIVE_INFINITY);
    if (!Number.isFinite(logAll)) return null;
    const density =
      this.#logFalse(scan) * (scan.kind === "points" ? 1 : Number(choice[0] >= 0) + Number(choice[1] >= 0));
    const motions = weighed.map(({ motion, belief, log }) => ({
      ...motion,
      belief,
      probability: Math.exp(log - logAll),
    }));
    return { logWeight: logWeight + logAll - density, ball: { ...state, motions } };
  }

  /** Log-likelihood of what was taken; the improved belief to `out`. */
  #update(filter: BallFilter, belief: BallBelief, choice: Choice, scan: Scan, out: BallBelief): number {
    if (scan.kind === "points") {
      const [position, covariance] = pointOf(scan, choice[0]);
      const status = filter.updatePoint(belief, position, covariance, out);
      return status === FilterStatus.ok ? filter.logLikelihood : Number.NEGATIVE_INFINITY;
    }
    const [left, right] = [scan.left!, scan.right!];
    const prediction = new StereoPrediction();
    if (filter.predictStereo(belief, left.view, right.view, prediction) !== FilterStatus.ok)
      return Number.NEGATIVE_INFINITY;
    const [i, j] = choice;
    if (i >= 0 && j >= 0) {
      filter.gateStereo(prediction, left.circles, i, right.circles, j);
      const { logLikelihood } = filter;
      filter.updateStereo(belief, prediction, left.circles, i, right.circles, j, out);
      return logLikelihood;
    }
    const [one, circles, k] =
      i >= 0 ? ([prediction.left, left.circles, i] as const) : ([prediction.right, right.circles, j] as const);
    filter.gateCircle(one, circles, k);
    const { logLikelihood } = filter;
    filter.updateCircle(belief, one, circles, k, out);
    return logLikelihood;
  }

  #bear(pair: Choice, scan: Scan): Taken | null {
    const { birthRate, roomVolume, detectionProbability } = this.#settings;
    const belief = new BallBelief();
    let logEvidence = 0;
    if (scan.kind === "points") {
      const [position, covariance] = pointOf(scan, pair[0]);
      this.#birth.fromPoint(scan.time, position, covariance, belief);
      logEvidence = Math.log(detectionProbability);
    } else {
      const integral = this.#stereoIntegral(pair, scan);
      if (integral === null) return null;
      logEvidence = integral + 2 * Math.log(detectionProbability);
      const [left, right] = [scan.left!, scan.right!];
      this.#birth.fromStereo(left.view, left.circles, pair[0], right.view, right.circles, pair[1], belief);
    }
    const density = this.#logFalse(scan) * (scan.kind === "points" ? 1 : 2);
    return {
      logWeight: Math.log((birthRate * this.#interval) / roomVolume) + logEvidence - density,
      ball: {
        motions: this.#motionsOf(belief),
        presence: everyPresence.map((state, n) => ({ ...state, probability: n === 0 ? 1 : 0 })),
      },
    };
  }

  /** What each motion makes probable of something new at the place of `born`. */
  #motionsOf(born: BallBelief): MotionState[] {
    const { throwSpeed, carrySpeed, flyingPrior, walkPrior, swingPrior } = this.#settings;
    const { carryAcceleration, walkAcceleration, swingAcceleration } = this.#settings;
    const flying = copyBelief(born, new BallBelief());
    setSigma(flying, 3, throwSpeed);
    const hand = (speed: number, acceleration: number): BallBelief => {
      const belief = copyBelief(born, new BallBelief());
      belief.mean[6] = 0;
      setSigma(belief, 3, speed);
      setSigma(belief, 7, acceleration);
      return belief;
    };
    const priors = [1 - walkPrior - swingPrior, walkPrior, swingPrior];
    const beliefs = [
      hand(carrySpeed, carryAcceleration),
      hand(carrySpeed, walkAcceleration),
      hand(throwSpeed, swingAcceleration),
    ];
    return [
      ...beliefs.map((belief, n) => ({ filter: this.#hands[n]!, belief, probability: (1 - flyingPrior) * priors[n]! })),
      { filter: this.#flying, belief: flying, probability: flyingPrior },
    ];
  }

  /** ln ∫ p(z_left | x)·p(z_right | x) dx over the room, by Laplace's method at the fitted position. */
  #stereoIntegral([i, j]: Choice, scan: CircleScan): number | null {
    const [left, right] = [scan.left!, scan.right!];
    const exact = new Float64Array(36);
    const [a, b] = [
      { ...left.view, covariance: exact },
      { ...right.view, covariance: exact },
    ];
    const belief = new BallBelief();
    const status = this.#birth.fromStereo(a, left.circles, i, b, right.circles, j, belief);
    // A pair that does not fit is none; the tracker's gate is as wide.
    if (status !== FilterStatus.ok || !(this.#birth.squaredDistance < 57)) return null;
    let logIntegral = 1.5 * Math.log(2 * Math.PI) - 0.5 * this.#birth.squaredDistance - 3 * Math.log(2 * Math.PI);
    for (let n = 0; n < 3; n++) logIntegral += Math.log(belief.factor[n * (BELIEF_SIZE + 1)]!);
    for (const [circles, k] of [
      [left.circles, i],
      [right.circles, j],
    ] as const) {
      const factor = new Float64Array(9);
      cholesky.factor(circles.covariance.slice(9 * k, 9 * k + 9), 3, factor);
      logIntegral -= 0.5 * cholesky.logDeterminant(factor, 3);
    }
    return logIntegral;
  }

  /** ln of the density of false measurements. */
  #logFalse(scan: Scan): number {
    const { clutterPerImage, falseRadii, clutterPerPointScan, roomVolume } = this.#settings;
    if (scan.kind === "points") return Math.log(clutterPerPointScan / roomVolume);
    const { width, height } = scan.left!.view.camera;
    return Math.log(clutterPerImage / (width * height * (falseRadii[1] - falseRadii[0])));
  }
}

interface Taken {
  readonly logWeight: number;
  readonly ball: BallState;
}

interface Given extends Explanation {
  readonly taken: readonly Choice[];
}

/** What one more ball may take. */
function choicesOf(scan: Scan, taken: readonly Choice[]): Choice[] {
  const free = (camera: 0 | 1, count: number): number[] =>
    [-1, ...Array(count).keys()].filter((n) => n < 0 || !taken.some((choice) => choice[camera] === n));
  if (scan.kind === "points") return free(0, scan.points.count).map((n) => [n, n]);
  const rights = free(1, scan.right!.circles.count);
  return free(0, scan.left!.circles.count).flatMap((left) => rights.map((right): Choice => [left, right]));
}

function pairsOf(scan: Scan): Choice[] {
  if (scan.kind === "points") return [...Array(scan.points.count).keys()].map((n) => [n, n]);
  const rights = [...Array(scan.right!.circles.count).keys()];
  return [...Array(scan.left!.circles.count).keys()].flatMap((left) => rights.map((right): Choice => [left, right]));
}

function pointOf({ points }: PointScan, n: number): [Vec3, Mat3] {
  return [points.position.slice(3 * n, 3 * n + 3) as Vec3, points.covariance.slice(9 * n, 9 * n + 9) as Mat3];
}

const yesNo = [false, true] as const;

/** In view first; gone last. */
const everyPresence: readonly Presence[] = [
  ...yesNo.flatMap((left) =>
    yesNo.flatMap((right) =>
      yesNo.map((both): Presence => ({ probability: 0, isGone: false, veils: [left, right, both] })),
    ),
  ),
  { probability: 0, isGone: true, veils: [false, false, false] },
];

function logSum(a: number, b: number): number {
  const most = Math.max(a, b);
  return most + Math.log(Math.exp(a - most) + Math.exp(b - most));
}
