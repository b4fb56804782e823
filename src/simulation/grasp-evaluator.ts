import { closingLead } from "../control/hand-motion.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import { relativePose, stateAt } from "../robot/kinematics/kinematics.js";
import type { RobotHand } from "../robot/robot.js";
import { evaluateGrasp, type GeometricVerdict } from "./verdict.js";
import type { CatchWorld, FlyingBall, HoldOutcome } from "./world/catch-world.js";

/** What a closed hand got. */
export interface EvaluatedGrasp {
  readonly ball: number;
  /** Index of the hand. */
  readonly hand: number;
  /** When, since the ball's release [s]. */
  readonly time: number;
  readonly verdict: GeometricVerdict;
  /** Where the error comes from; null where the joints' commands are not known. */
  readonly errors: ErrorSplit | null;
}

/** What became of a ball. */
interface EvaluatedBall {
  readonly ball: number;
  readonly hold: HoldOutcome | null;
}

interface OpenBall {
  readonly flying: FlyingBall;
  grasp: EvaluatedGrasp | null;
  /** Whether what became of it was told. */
  isTold: boolean;
}

/** A ball that is on the floor for so long was not caught [s]. */
const AFTERMATH = 0.1;

/**
 * Judges grasps against the true world, knowing nothing of plans: a hand that has closed about its middle is evaluated against
 * the ball it got nearest to, by geometry; then the world is asked what becomes of that ball.
 */
export class GraspEvaluator {
  readonly #world: CatchWorld;
  readonly #arms: readonly CatchArm[];
  readonly #balls: OpenBall[] = [];
  /** When each hand that was evaluated last had been told to close [s]. */
  readonly #evaluatedAt: Float64Array;

  /** `arms` as they are believed to be tell where an error comes from; without them that is not told. */
  constructor(world: CatchWorld, arms: readonly CatchArm[] = []) {
    this.#world = world;
    this.#arms = arms;
    this.#evaluatedAt = new Float64Array(world.robot.hands.length).fill(Number.NaN);
  }

  watch(flying: FlyingBall): void {
    this.#balls.push({ flying, grasp: null, isTold: false });
  }

  forget(ball: number): void {
    const at = this.#balls.findIndex(({ flying }) => flying.id === ball);
    if (at >= 0) this.#balls.splice(at, 1);
  }

  /** After a step of the world to `now` [s]: grasps of hands told to close at `closedAt`, the joints being told `command`. */
  step(now: number, closedAt: Float64Array, command: Float64Array | null): readonly EvaluatedGrasp[] {
    let evaluated: EvaluatedGrasp[] | null = null;
    for (let h = 0; h < closedAt.length; h++) {
      const hand = this.#world.robot.hands[h]!;
      const time = closedAt[h]! + closingLead(hand);
      if (!(now >= time) || this.#evaluatedAt[h] === closedAt[h]) continue;
      this.#evaluatedAt[h] = closedAt[h]!;
      const grasp = this.#evaluate(h, hand, closedAt[h]!, time, command);
      if (grasp !== null) evaluated = [...(evaluated ?? []), grasp];
    }
    return evaluated ?? NONE;
  }

  #evaluate(
    h: number,
    hand: RobotHand,
    closedAt: number,
    time: number,
    command: Float64Array | null,
  ): EvaluatedGrasp | null {
    const world = this.#world;
    const worldFromHand = world.worldFromLink(hand.catchLink);
    const velocity = world.linkVelocity(hand.catchLink, vec3.create());
    let nearest: { ball: OpenBall; verdict: GeometricVerdict } | null = null;
    for (const ball of this.#balls) {
      if (ball.grasp !== null || ball.flying.released > time) continue;
      const verdict = evaluateGrasp(ball.flying, { time, worldFromHand, velocity }, hand);
      if (nearest === null || verdict.lateral < nearest.verdict.lateral) nearest = { ball, verdict };
    }
    if (nearest === null) return null;
    const { ball, verdict } = nearest;
    const { id, released } = ball.flying;
    const errors = command === null ? null : this.#split(hand, ball.flying, time, command);
    ball.grasp = { ball: id, hand: h, time: time - released, verdict, errors };
    ball.isTold = false;
    const closedTime = closedAt + hand.closingTime;
    world.watch(id, { hand: h, catchTime: time, closedTime, passesGate: verdict.caught });
    return ball.grasp;
  }

  /** What the hand's error is made of. */
  #split(hand: RobotHand, ball: FlyingBall, time: number, command: Float64Array): ErrorSplit | null {
    const arm = this.#arms.find((candidate) => candidate.hand.name === hand.name);
    if (arm === undefined) return null;
    const world = this.#world;
    const base = world.worldFromLink(arm.group.baseLink);
    const worldFromHand = world.worldFromLink(hand.catchLink);
    const told = placeHand(arm, command, base);
    const followed = placeHand(arm, world.q, base);
    const { lateral } = evaluateGrasp(ball, { time, worldFromHand: told, velocity: vec3.create() }, hand);
    return { prediction: lateral, servo: distance(told, followed), calibration: distance(followed, worldFromHand) };
  }

  /** What has become known of balls by `now` [s]: what physics says of a grasp, and balls that met no hand. Each once. */
  takeFates(now: number): readonly EvaluatedBall[] {
    let known: EvaluatedBall[] | null = null;
    for (const open of this.#balls) {
      const { flying, grasp, isTold } = open;
      const hold = grasp === null ? null : this.#world.holdOutcome(flying.id);
      const isOver = grasp === null ? now > flying.lands + AFTERMATH : hold !== null;
      if (isTold || !isOver) continue;
      open.isTold = true;
      known = [...(known ?? []), { ball: flying.id, hold }];
    }
    return known ?? NO_BALLS;
  }
}

const NONE: readonly EvaluatedGrasp[] = [];
const NO_BALLS: readonly EvaluatedBall[] = [];

/** Where the error of a hand at the catch comes from, all [m]. */
export interface ErrorSplit {
  /**
   * How far from the ball's line the hand would have been had the arm done exactly as told: what was wrong about the
   * ball, the head and the chest.
   */
  readonly prediction: number;
  /** How far the hand was from where it was told to be, by the joints' positions. */
  readonly servo: number;
  /** How far the hand was from where its joints say it is. */
  readonly calibration: number;
}

/** The hand of an arm as our kinematics has it at joint positions `q`, in model order, on the base as it truly is. */
function placeHand({ robot, group }: CatchArm, q: Float64Array, trueBase: Readonly<pose.Pose>): pose.Pose {
  const state = stateAt(robot.model, q);
  const baseFromHand = relativePose(state, group.baseLink, group.tipLink, pose.create());
  return pose.compose(trueBase as pose.Pose, baseFromHand, baseFromHand);
}

function distance(a: Readonly<pose.Pose>, b: Readonly<pose.Pose>): number {
  return Math.hypot(a[9] - b[9], a[10] - b[10], a[11] - b[11]);
}
