import type { ControlCycle } from "../control/control-cycle.js";
import { closingLead } from "../control/hand-closing.js";
import * as vec3 from "../math/vec3.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchWorld, FlyingBall } from "../simulation/catch-world.js";
import { type ErrorSplit, HandErrors } from "../simulation/error-split.js";
import { type GeometricVerdict, type GraspTolerance, judgeGrasp } from "../simulation/verdict.js";
import type { CatchAttempt } from "./catch-attempt.js";

/** What a closed hand got. */
export interface JudgedGrasp {
  readonly arm: string;
  /** When, since the ball's release [s]. */
  readonly time: number;
  readonly verdict: GeometricVerdict;
  readonly errors: ErrorSplit;
  /** What the arm was about as the hand closed. */
  readonly attempt: CatchAttempt | null;
}

/** Judges every grasp of a run against the true world, and bids the world watch what becomes of the ball. */
export class GraspReferee {
  readonly #world: CatchWorld;
  readonly #control: ControlCycle;
  /** Grasps of the balls in hand, by ball. */
  readonly #grasps = new Map<number, JudgedGrasp>();
  /** When each hand was last judged [s]. */
  readonly #judgedAt = new Map<string, number>();

  constructor(world: CatchWorld, control: ControlCycle) {
    this.#world = world;
    this.#control = control;
  }

  /** Other balls are about to be thrown. */
  forget(): void {
    this.#grasps.clear();
  }

  /** The grasp of a ball; null as long as no hand has closed about it. */
  graspOf(ball: number): JudgedGrasp | null {
    return this.#grasps.get(ball) ?? null;
  }

  /**
   * Judges a grasp at the first tick at which the hand has closed about its middle: against the ball it got nearest to.
   * `attempt` is what the arm is about.
   */
  look(arm: CatchArm, balls: readonly FlyingBall[], attempt: CatchAttempt | null, now: number): void {
    const { group, hand } = arm;
    const closedAt = this.#control.motion.of(group.name).handClosedAt;
    const time = closedAt + closingLead(hand.closingTime);
    if (!(now >= time) || this.#judgedAt.get(group.name) === closedAt) return;
    this.#judgedAt.set(group.name, closedAt);
    const worldFromHand = this.#world.worldFromLink(hand.catchLink);
    const velocity = this.#world.linkVelocity(hand.catchLink, vec3.create());
    const tolerance = { position: hand.positionTolerance, time: hand.timeTolerance };
    let nearest: { ball: FlyingBall; verdict: GeometricVerdict } | null = null;
    for (const ball of balls) {
      if (this.#grasps.has(ball.id)) continue;
      const verdict = judgeGrasp(ball, { time, worldFromHand, velocity }, tolerance);
      if (nearest === null || verdict.lateral < nearest.verdict.lateral) nearest = { ball, verdict };
    }
    if (nearest === null) return;
    const { ball, verdict } = nearest;
    const errors = this.#split(arm, ball, time, tolerance);
    this.#grasps.set(ball.id, { arm: group.name, time: time - ball.released, verdict, errors, attempt });
    this.#world.watch(ball.id, {
      hand: this.#world.robot.hands.indexOf(hand),
      catchTime: time,
      closedTime: closedAt + hand.closingTime,
      passesGate: verdict.caught,
    });
  }

  /** What the hand's error is made of. */
  #split(arm: CatchArm, ball: FlyingBall, time: number, tolerance: GraspTolerance): ErrorSplit {
    const { group, hand } = arm;
    const base = this.#world.worldFromLink(group.baseLink);
    const worldFromHand = this.#world.worldFromLink(hand.catchLink);
    const hands = new HandErrors(arm.robot, arm);
    const { told, servo, calibration } = hands.split(this.#control.command.q, this.#world.q, base, worldFromHand);
    const { lateral } = judgeGrasp(ball, { time, worldFromHand: told, velocity: vec3.create() }, tolerance);
    return { prediction: lateral, servo, calibration };
  }
}
