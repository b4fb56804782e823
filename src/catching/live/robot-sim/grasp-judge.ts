import { closingLead } from "../../../control/hand-closing.js";
import * as vec3 from "../../../math/vec3.js";
import type { RobotHand } from "../../../robot/robot.js";
import type { FlyingBall, HoldOutcome } from "../../../simulation/catch-world.js";
import { type GeometricVerdict, judgeGrasp } from "../../../simulation/verdict.js";
import type { SimulatedRobot } from "./simulated-robot.js";

/** What became of a ball, seen from outside the robot. Times on the world's clock [s]. */
export interface BallVerdict {
  readonly ball: number;
  /** Index of the hand that closed about it, when, and what geometry says of that; null if no hand did. */
  readonly grasp: { readonly hand: number; readonly time: number; readonly verdict: GeometricVerdict } | null;
  /** What physics says; null for a ball that met no hand. */
  readonly hold: HoldOutcome | null;
}

/** A hand counts as told to close from here on: 0 is open, 1 closed. */
const CLOSING = 1e-4;
/** A ball that is on the floor for so long was not caught [s]. */
const AFTERMATH = 0.1;

/** A ball that has not been judged yet. */
interface OpenBall {
  readonly flying: FlyingBall;
  grasp: BallVerdict["grasp"];
}

/** A hand that is told to close, and when its fingers are about the ball [s]. */
interface Closing {
  readonly hand: number;
  readonly begun: number;
  readonly time: number;
}

/**
 * Judges catches from outside, knowing nothing of plans: when a hand is told to close, the ball it got nearest to is its
 * ball; geometry is judged then, physics half a second later.
 */
export class GraspJudge {
  readonly #robot: SimulatedRobot;
  readonly #balls: OpenBall[] = [];
  readonly #isClosed: boolean[];
  #closings: Closing[] = [];

  constructor(robot: SimulatedRobot) {
    this.#robot = robot;
    this.#isClosed = robot.robot.hands.map(() => false);
  }

  watch(flying: FlyingBall): void {
    this.#balls.push({ flying, grasp: null });
  }

  /** To be called after every step of the world. */
  step(): void {
    const { closing, robot, world } = this.#robot;
    const now = world.physics.time;
    for (let h = 0; h < closing.length; h++) {
      const isClosed = closing[h]! > CLOSING;
      if (isClosed && !this.#isClosed[h]) {
        this.#closings.push({ hand: h, begun: now, time: now + closingLead(robot.hands[h]!.closingTime) });
      }
      this.#isClosed[h] = isClosed;
    }
    if (this.#closings.length === 0) return;
    for (const due of this.#closings.filter(({ time }) => time <= now)) this.#judge(due, robot.hands[due.hand]!);
    this.#closings = this.#closings.filter(({ time }) => time > now);
  }

  #judge({ hand: index, begun, time }: Closing, hand: RobotHand): void {
    const { world } = this.#robot;
    const worldFromHand = world.worldFromLink(hand.catchLink);
    const velocity = world.linkVelocity(hand.catchLink, vec3.create());
    const tolerance = { position: hand.positionTolerance, time: hand.timeTolerance };
    let nearest: { ball: OpenBall; verdict: GeometricVerdict } | null = null;
    for (const ball of this.#balls) {
      if (ball.grasp !== null || ball.flying.released > time) continue;
      const verdict = judgeGrasp(ball.flying, { time, worldFromHand, velocity }, tolerance);
      if (nearest === null || verdict.lateral < nearest.verdict.lateral) nearest = { ball, verdict };
    }
    if (nearest === null) return;
    const { ball, verdict } = nearest;
    ball.grasp = { hand: index, time, verdict };
    const watched = { hand: index, catchTime: time, closedTime: begun + hand.closingTime, passesGate: verdict.caught };
    world.watch(ball.flying.id, watched);
  }

  /** Verdicts that have become known; each once. */
  take(): BallVerdict[] {
    const known: BallVerdict[] = [];
    const { world } = this.#robot;
    const now = world.physics.time;
    for (let k = this.#balls.length - 1; k >= 0; k--) {
      const { flying, grasp } = this.#balls[k]!;
      const hold = world.holdOutcome(flying.id);
      const isOver = grasp === null ? now > flying.lands + AFTERMATH : hold !== null;
      if (!isOver) continue;
      this.#balls.splice(k, 1);
      known.push({ ball: flying.id, grasp, hold });
    }
    return known;
  }

  /** A ball was taken away. */
  forget(id: number): void {
    const index = this.#balls.findIndex(({ flying }) => flying.id === id);
    if (index >= 0) this.#balls.splice(index, 1);
  }
}
