import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Grasp } from "../../messages/world.js";
import type { RobotHand } from "../../robot/robot.js";
import { type EvaluatedGrasp, GraspEvaluator } from "../grasp-evaluator.js";
import { trueFlightOf } from "../true-flight.js";
import type { FlyingBall } from "../world/catch-world.js";
import type { Throw } from "../world/throws.js";
import type { SimulatedRobot } from "./simulated-robot.js";
import type { WorldMessage } from "./world-protocol.js";

/** A hand counts as closing from here on: 0 is open, 1 closed. */
const CLOSING = 1e-4;
/** A ball that passes a hand without fingers so near is one it was to catch [m]. */
const REACH = 0.3;

/**
 * Watches the hands of the simulated robot from outside, knowing nothing of plans: when one closes, the evaluator judges it. One
 * without fingers closes when a ball passes its mouth.
 * What it finds is sent with times on the machine's clock.
 */
export class GraspWatch {
  readonly #robot: SimulatedRobot;
  readonly #evaluator: GraspEvaluator;
  readonly #send: (message: WorldMessage) => void;
  /** When each hand began to close, on the world's clock [s]; NaN while it is open. */
  readonly #closedAt: Float64Array;
  readonly #arms: readonly string[];
  readonly #balls = new Map<number, FlyingBall>();
  readonly #grasps = new Map<number, EvaluatedGrasp>();
  /** Balls that have passed the mouth of a hand without fingers. */
  readonly #passed = new Set<number>();
  readonly #place = vec3.create();

  constructor(robot: SimulatedRobot, send: (message: WorldMessage) => void) {
    const { hands, model } = robot.robot;
    this.#robot = robot;
    this.#send = send;
    this.#evaluator = new GraspEvaluator(robot.world);
    this.#closedAt = new Float64Array(hands.length).fill(Number.NaN);
    this.#arms = hands.map(({ name }) => model.groups.find(({ hand }) => hand === name)?.name ?? name);
  }

  /** `thrown` with its time on the world's clock, whose zero is `zero` on the machine's [s]. */
  watch(flying: FlyingBall, thrown: Throw, zero: number): void {
    const { ball, aim, flightTime, pieces } = trueFlightOf(flying, thrown);
    const shifted = pieces.map((piece) => ({ ...piece, time: piece.time + zero, until: piece.until + zero }));
    this.#evaluator.watch(flying);
    this.#balls.set(ball, flying);
    this.#grasps.delete(ball);
    this.#passed.delete(ball);
    this.#send({ type: "flight", flight: { ball, aim, flightTime, pieces: shifted } });
    this.#send({ type: "released", ball, time: flying.released + zero, lands: flying.lands + zero });
  }

  forget(ball: number): void {
    this.#evaluator.forget(ball);
    this.#balls.delete(ball);
  }

  /** To be called after every step of the world. */
  step(zero: number): void {
    const { closing, world } = this.#robot;
    const now = world.physics.time;
    for (const [h, hand] of this.#robot.robot.hands.entries()) {
      if (hand.dofs.length === 0) this.#watchMouth(h, hand, now);
      else if (!(closing[h]! > CLOSING)) this.#closedAt[h] = Number.NaN;
      else if (Number.isNaN(this.#closedAt[h]!)) this.#closedAt[h] = now;
    }
    for (const grasp of this.#evaluator.step(now, this.#closedAt, null)) {
      this.#grasps.set(grasp.ball, grasp);
      this.#send({ type: "grasp", grasp: this.#messageOf(grasp) });
    }
    for (const fate of this.#evaluator.takeFates(now)) {
      this.#send({ type: "fate", fate });
      this.#sendVerdict(fate.ball, fate.hold, zero);
    }
  }

  /** Whether a ball comes through the plane of the mouth in this step. */
  #watchMouth(h: number, { catchLink }: RobotHand, now: number): void {
    const { world } = this.#robot;
    const place = this.#place;
    for (const ball of this.#balls.keys()) {
      if (this.#passed.has(ball) || !world.ballPlace(ball, place)) continue;
      pose.transformPointInverse(world.worldFromLink(catchLink) as pose.Pose, place, place);
      if (place[2] > 0 || vec3.norm(place) > REACH) continue;
      this.#passed.add(ball);
      this.#closedAt[h] = now;
    }
  }

  #messageOf({ ball, hand, time, verdict, errors }: EvaluatedGrasp): Grasp {
    return { ball, arm: this.#arms[hand]!, time, verdict, errors };
  }

  #sendVerdict(ball: number, hold: EvaluatedHold, zero: number): void {
    const grasp = this.#grasps.get(ball);
    const released = this.#balls.get(ball)?.released ?? 0;
    const hand = grasp === undefined ? null : (this.#robot.robot.hands[grasp.hand]?.name ?? null);
    const time = grasp === undefined ? null : zero + released + grasp.time;
    this.#send({ type: "verdict", ball, hand, time, verdict: grasp?.verdict ?? null, hold });
  }
}

type EvaluatedHold = ReturnType<GraspEvaluator["takeFates"]>[number]["hold"];
