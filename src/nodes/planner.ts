import { gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";
import { PlanQuestion, PlanReply } from "../messages/planning.js";
import type { ArmPlanRequest, ArmPlanResult } from "../planning/arm/arm-plan.js";
import { requestOf } from "../planning/arm/plan-messages.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";
import { QueueOutPort } from "../transport/queue.js";

export const plannerPorts = { in: { questions: PlanQuestion }, out: { answers: PlanReply } } as const;

/** What plans for one arm: in this thread, or in another, whose answer is then promised. */
export interface PlanningArm {
  plan(request: ArmPlanRequest): ArmPlanResult | Promise<ArmPlanResult>;
  /** See `Node`. */
  warmUp?(): void;
}

export interface PlannerNodeOptions {
  readonly arm: string;
  /**
   * How long a search, or a solve from the plan before, takes to be answered, whatever planning really took [ns]; null: as long as
   * it takes. The edge back to the question takes `edgeNs` of it.
   */
  readonly durations: { readonly coldNs: number; readonly warmNs: number; readonly edgeNs: number } | null;
  /** Without durations: the run's clock, for the time that planning took [ns]. */
  readonly clock?: () => number;
}

/** Plans for one arm. */
export class PlannerNode implements Node {
  readonly #ports: PortsOf<typeof plannerPorts>;
  readonly #planner: PlanningArm;
  readonly #options: PlannerNodeOptions;
  readonly #flight = new Flight();

  constructor(ports: PortsOf<typeof plannerPorts>, planner: PlanningArm, options: PlannerNodeOptions) {
    this.#ports = ports;
    this.#planner = planner;
    this.#options = options;
  }

  warmUp(): void {
    this.#planner.warmUp?.();
  }

  step(nowNs: number): number {
    takeEach(this.#ports.in.questions, nowNs, (question) => {
      if (question.arm === this.#options.arm) this.#answer(question, nowNs);
    });
    return WHEN_CALLED;
  }

  #answer(question: PlanQuestion, nowNs: number): void {
    const { answers } = this.#ports.out;
    const { durations, clock } = this.#options;
    const dueNs = nowNs + (durations === null ? 0 : question.previous === null ? durations.coldNs : durations.warmNs);
    const readyNs = dueNs - (durations?.edgeNs ?? 0);
    const answer = this.#planner.plan(requestOf(question));
    const answeredNs = durations === null && clock !== undefined ? clock() : dueNs;
    if (!(answer instanceof Promise)) answers.put(this.#message(question, answer, nowNs, answeredNs), readyNs);
    else if (answers instanceof QueueOutPort) {
      answers.promise(
        answer.then((settled) => this.#message(question, settled, nowNs, dueNs)),
        readyNs,
      );
    }
  }

  #message(question: PlanQuestion, answer: ArmPlanResult, askedNs: number, answeredNs: number): PlanReply {
    const { arm, id, track, lastSeen, tStart, previous } = question;
    return {
      arm,
      id,
      track,
      search: previous === null ? "cold" : "warm",
      tSeen: lastSeen,
      askedNs,
      answeredNs,
      tStart,
      plan: answer.plan,
      position: answer.plan === null ? null : this.#positionAt(question.ball, answer.plan.tCatch),
      approach: answer.plan === null ? answer.approach : null,
      reason: answer.plan === null ? answer.reason : null,
    };
  }

  #positionAt(ball: PlanQuestion["ball"], time: number): Vec3 {
    this.#flight.reset(ball, gravity(), Math.min(ball.time, time), Math.max(ball.time, time));
    return this.#flight.position(time, vec3.create());
  }
}
