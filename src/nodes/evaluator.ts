import { JointCommand } from "../messages/control.js";
import { BallFate, Grasp, RemoveBall, TrueFlight } from "../messages/world.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import { type EvaluatedGrasp, GraspEvaluator } from "../simulation/grasp-evaluator.js";
import { flyingBallOf } from "../simulation/true-flight.js";
import type { CatchWorld } from "../simulation/world/catch-world.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";

export const evaluatorPorts = {
  in: { commands: JointCommand, flights: TrueFlight, removals: RemoveBall },
  out: { grasps: Grasp, fates: BallFate },
} as const;

/** Judges every grasp against the true world, and tells what becomes of each ball. */
export class EvaluatorNode implements Node {
  readonly #ports: PortsOf<typeof evaluatorPorts>;
  readonly #evaluator: GraspEvaluator;
  /** Names of the arms, by the index of their hand. */
  readonly #arms: readonly string[];

  constructor(ports: PortsOf<typeof evaluatorPorts>, world: CatchWorld, arms: readonly CatchArm[]) {
    this.#ports = ports;
    this.#evaluator = new GraspEvaluator(world, arms);
    this.#arms = world.robot.hands.map(({ name }) => arms.find(({ hand }) => hand.name === name)?.group.name ?? name);
  }

  step(nowNs: number): number {
    const { in: from, out } = this.#ports;
    if (from.removals.waiting > 0) takeEach(from.removals, nowNs, ({ id }) => this.#evaluator.forget(id));
    if (from.flights.waiting > 0) {
      takeEach(from.flights, nowNs, (flight) => this.#evaluator.watch(flyingBallOf(flight)));
    }
    for (let command = from.commands.take(nowNs); command !== null; command = from.commands.take(nowNs)) {
      const { time, closedAt, q } = command;
      for (const grasp of this.#evaluator.step(time, closedAt, q)) out.grasps.put(this.#message(grasp), nowNs);
    }
    for (const fate of this.#evaluator.takeFates(nowNs / 1e9)) out.fates.put(fate, nowNs);
    return WHEN_CALLED;
  }

  #message({ ball, hand, time, verdict, errors }: EvaluatedGrasp): Grasp {
    return { ball, arm: this.#arms[hand]!, time, verdict, errors };
  }
}
