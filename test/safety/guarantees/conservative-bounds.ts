import { SweptPairs } from "../../../src/collision/pairs/swept-pairs.js";
import type { Random } from "../../../src/math/random.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { BrakingIntervals } from "../../../src/safety/braking/braking-intervals.js";
import { bruteForceDistance, type Point } from "../../collision/brute-force-distance.js";
import { randomWithin } from "../../collision/random-configurations.js";
import { hullShape, type PlacedShape } from "../../collision/reference/convex-shape.js";
import { distanceInterval } from "../../collision/reference/min-norm-point.js";

export interface ConservativeCount {
  /** (state, interval, sample) triples looked at, each for one pair. */
  readonly triples: number;
  /** Of them those whose true distance is below the reported bound, less `ROUNDING`. */
  readonly violations: number;
  /** Samples outside the interval that must hold them. */
  readonly escapes: number;
}

/** What a true distance may be below a bound [m]. */
const ROUNDING = 1e-9;
/** Samples of one state's intervals. */
const SAMPLES = 8;

/**
 * Random states of a robot, the monitor's bounds for their braking intervals, and random configurations between the state
 * and standstill: is any pair of bodies nearer than its bound? By the reference distance, until `wanted` triples are seen.
 * `believed` is the robot that the monitor takes it for.
 */
export function countViolations(
  robot: Robot,
  random: Random,
  wanted: number,
  believed: Robot = robot,
): ConservativeCount {
  const braking = new BrakingIntervals(believed);
  const pairs = new SweptPairs(believed);
  const motion = new RandomMotion(robot, braking, random);
  const bodies = new TrueBodies(robot);
  const [low, high] = [new Float64Array(robot.model.dofCount), new Float64Array(robot.model.dofCount)];
  let [triples, violations, escapes] = [0, 0, 0];
  for (let round = 0; triples < wanted; round++) {
    motion.draw();
    braking.compute(motion.q, motion.qd, motion.qdd, low, high);
    if (round % 2 === 0) pairs.updateAll(low, high);
    else pairs.update(low, high);
    for (let sample = 0; sample < SAMPLES; sample++) {
      const q = sample % 2 === 0 ? motion.stateWhileBraking() : motion.between(low, high);
      if (!q.every((x, i) => x >= low[i]! && x <= high[i]!)) escapes++;
      bodies.place(q);
      for (let pair = 0; pair < pairs.count; pair++) {
        const bound = pairs.lowerBound[pair]!;
        if (!(bodies.distance(pair, bound) >= bound - ROUNDING)) violations++;
      }
      triples += pairs.count;
    }
  }
  return { triples, violations, escapes };
}

/** A state within the limits with a commanded acceleration, and what may become of it if the robot brakes. */
class RandomMotion {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
  readonly #robot: Robot;
  readonly #braking: BrakingIntervals;
  readonly #random: Random;

  constructor(robot: Robot, braking: BrakingIntervals, random: Random) {
    this.#robot = robot;
    this.#braking = braking;
    this.#random = random;
    this.q = new Float64Array(robot.model.dofCount);
    this.qd = new Float64Array(robot.model.dofCount);
    this.qdd = new Float64Array(robot.model.dofCount);
  }

  draw(): void {
    const { lower, upper, maxVelocity, maxAcceleration } = this.#robot.model;
    const random = this.#random;
    randomWithin(lower, upper, random, this.q);
    const share = random.uniform();
    for (let i = 0; i < this.q.length; i++) {
      this.qd[i] = share * Math.min(maxVelocity[i]!, 10) * random.uniformIn(-1, 1);
      this.qdd[i] = Math.min(maxAcceleration[i]!, 100) * random.uniformIn(-1, 1);
    }
  }

  /** Every dof goes on as commanded for a part of the reaction time and has braked for a while; measured with errors. */
  stateWhileBraking(): Float64Array {
    const random = this.#random;
    const { reactionTime, deceleration, speedLimit, positionError, velocityError } = this.#braking;
    const reaction = reactionTime * random.uniform();
    const later = random.uniform() < 0.3 ? Number.POSITIVE_INFINITY : 0.3 * random.uniform();
    return this.q.map((measured, i) => {
      const w = this.qd[i]! + velocityError * random.uniformIn(-1, 1);
      const a = this.qdd[i]! * random.uniform();
      const cap = Math.max(speedLimit[i]!, Math.abs(w));
      const time = Math.min(reaction, later);
      const top = Math.min(cap, Math.max(-cap, w + a * time));
      const rampTime = a === 0 ? time : Math.min(time, Math.abs((top - w) / a));
      const before = rampTime * (w + 0.5 * a * rampTime) + (time - rampTime) * top;
      const brakeTime = Math.min(Math.max(0, later - reaction), Math.abs(top) / deceleration[i]!);
      const braked = brakeTime * (top - 0.5 * Math.sign(top) * deceleration[i]! * brakeTime);
      return measured + positionError * random.uniformIn(-1, 1) + before + braked;
    });
  }

  /** Anywhere in the intervals, as often as not at an end of each. */
  between(low: Float64Array, high: Float64Array): Float64Array {
    return low.map((least, i) => {
      const choice = this.#random.uniform();
      return choice < 0.3 ? least : choice < 0.6 ? high[i]! : this.#random.uniformIn(least, high[i]!);
    });
  }
}

/** The robot's bodies at a configuration, and their true distances. */
class TrueBodies {
  readonly #robot: Robot;
  readonly #state: RobotState;
  readonly #bodies: readonly PlacedShape[];

  constructor(robot: Robot) {
    this.#robot = robot;
    this.#state = new RobotState(robot.model);
    this.#bodies = robot.hulls.map(({ points, radius, link }) => ({
      shape: hullShape(points, radius),
      worldFromShape: this.#state.worldFromLink[link]!,
    }));
  }

  place(q: Float64Array): void {
    this.#state.q.set(q);
    forwardKinematics(this.#state);
  }

  /** True distance of a pair [m], or less than that where it is proven to be above `enough`. */
  distance(pair: number, enough: number): number {
    const [a, b] = this.#robot.pairs[pair]!;
    const [first, second] = [this.#bodies[a]!, this.#bodies[b]!];
    const { lower, upper } = distanceInterval(first, second, { sufficient: enough });
    if (lower >= enough || upper - lower < 0.1 * ROUNDING) return lower;
    return bruteForceDistance(this.#points(a), this.#points(b)) - first.shape.radius - second.shape.radius;
  }

  #points(body: number): Point[] {
    const { points, link } = this.#robot.hulls[body]!;
    const m = this.#state.worldFromLink[link]!;
    return Array.from({ length: points.length / 3 }, (_, i): Point => {
      const [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
      return [
        m[0] * x + m[1] * y + m[2] * z + m[9],
        m[3] * x + m[4] * y + m[5] * z + m[10],
        m[6] * x + m[7] * y + m[8] * z + m[11],
      ];
    });
  }
}
