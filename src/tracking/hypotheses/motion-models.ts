import * as vec3 from "../../math/vec3.js";
import { type BallBelief, FilterStatus, STATE_SIZE } from "../filter/ball-belief.js";
import { BallFilter } from "../filter/ball-filter.js";
import { triangularize } from "../filter/triangularize.js";
import type { TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** What a change of motion, a throw or a catch, may do to the velocity at once, one standard deviation [m/s]. */
const CHANGE_OF_VELOCITY = 0.5;

/** Position and velocity. */
const MOVING = 6;
const COLUMNS = MOVING + 3;

/**
 * The two ways an object moves: it flies, under gravity and drag and nothing else; or something carries it, a hand, the
 * floor, a lamp's cord: about straight on, with the accelerations of a hand. Each track carries the state under both and
 * the probability of each, which its measurements decide. Flying says where the ball must be within millimetres, carrying
 * allows for centimetres: so a ball that follows gravity soon counts as flying, and nothing else can for long.
 */
export class MotionModels {
  readonly flying: BallFilter;
  readonly carried: BallFilter;
  readonly #settings: TrackerSettings;
  readonly #logThrow: number;
  readonly #logCatch: number;
  readonly #columns = new Float64Array(MOVING * COLUMNS);

  constructor(settings: TrackerSettings) {
    const { ball, gravity, dragSigma, accelerationNoise, carryNoise, poseInflation } = settings;
    this.#settings = settings;
    this.#logThrow = Math.log(settings.throwProbability);
    this.#logCatch = Math.log(settings.catchProbability);
    this.flying = new BallFilter({ ball, gravity, dragSigma, accelerationNoise, poseInflation });
    this.carried = new BallFilter({
      ball: { ...ball, drag: 0 },
      gravity: vec3.create(),
      accelerationNoise: carryNoise,
      poseInflation,
    });
  }

  /** Both states at `time`, to `out`; false if there are none. */
  predict(node: TrackNode, time: number, out: TrackNode): boolean {
    const flying = this.flying.predict(node.flying, time, out.flying);
    const carried = this.carried.predict(node.carried, time, out.carried);
    return flying === FilterStatus.ok && carried === FilterStatus.ok;
  }

  /**
   * The states of something new: its position [m] is known, of its velocity only what each motion makes probable.
   * `position` and `factor` (3 × 3, lower) are read from `at` and 3·`at` on.
   */
  begin(node: TrackNode, time: number, position: Float64Array, factor: Float64Array, at: number): void {
    const { throwSpeed, carrySpeed, flyingPrior } = this.#settings;
    fillBelief(node.flying, time, position, factor, at, throwSpeed);
    this.#setFlyingDrag(node.flying);
    fillBelief(node.carried, time, position, factor, at, carrySpeed);
    node.logFlying = Math.log(flyingPrior);
    node.logCarried = Math.log(1 - flyingPrior);
  }

  /**
   * Makes the two probabilities sum to one. A motion that has become very improbable begins again from the other one's
   * state, so that it is at hand when the ball is thrown or caught.
   */
  settle(node: TrackNode): void {
    const most = Math.max(node.logFlying, node.logCarried);
    const total = most + Math.log(Math.exp(node.logFlying - most) + Math.exp(node.logCarried - most));
    node.logFlying -= total;
    node.logCarried -= total;
    if (node.logFlying < this.#logThrow) {
      this.#revive(node.carried, node.flying);
      this.#setFlyingDrag(node.flying);
      node.logFlying = this.#logThrow;
    } else if (node.logCarried < this.#logCatch) {
      this.#revive(node.flying, node.carried);
      node.logCarried = this.#logCatch;
    }
  }

  #setFlyingDrag(belief: BallBelief): void {
    belief.mean[6] = this.flying.ball.drag;
    belief.factor[STATE_SIZE * STATE_SIZE - 1] = this.flying.dragSigma;
  }

  /** Position and velocity of the other motion, the velocity less sure; drag zero and known. */
  #revive(from: BallBelief, to: BallBelief): void {
    const columns = this.#columns.fill(0);
    for (let r = 0; r < MOVING; r++) {
      for (let c = 0; c <= r; c++) columns[r * COLUMNS + c] = from.factor[r * STATE_SIZE + c]!;
      if (r >= 3) columns[r * COLUMNS + MOVING + r - 3] = CHANGE_OF_VELOCITY;
    }
    triangularize(columns, MOVING, COLUMNS);
    to.time = from.time;
    to.factor.fill(0);
    to.mean[6] = 0;
    for (let r = 0; r < MOVING; r++) {
      to.mean[r] = from.mean[r]!;
      for (let c = 0; c <= r; c++) to.factor[r * STATE_SIZE + c] = columns[r * COLUMNS + c]!;
    }
  }
}

function fillBelief(
  belief: BallBelief,
  time: number,
  position: Float64Array,
  factor: Float64Array,
  at: number,
  speed: number,
): void {
  belief.time = time;
  belief.factor.fill(0);
  for (let r = 0; r < 3; r++) {
    belief.mean[r] = position[at + r]!;
    belief.mean[3 + r] = 0;
    for (let c = 0; c <= r; c++) belief.factor[r * STATE_SIZE + c] = factor[3 * at + 3 * r + c]!;
    belief.factor[(3 + r) * STATE_SIZE + 3 + r] = speed;
  }
  belief.mean[6] = 0;
}
