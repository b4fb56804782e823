import type { ArmPlanAnswer, ArmPlanner, ArmPlanRequest } from "./arm-planner.js";

/** Who is told of a question, when it was asked, and its answer. */
export type AnswerListener = (request: ArmPlanRequest, askedNs: number, answer: ArmPlanAnswer, nowNs: number) => void;

/** A planner that somebody listens to. */
export class ObservedArmPlanner implements ArmPlanner {
  readonly #planner: ArmPlanner;
  readonly #listener: AnswerListener;
  #asked: { readonly request: ArmPlanRequest; readonly nowNs: number } | null = null;

  constructor(planner: ArmPlanner, listener: AnswerListener) {
    this.#planner = planner;
    this.#listener = listener;
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    this.#asked = { request, nowNs };
    this.#planner.submit(request, nowNs);
  }

  collect(nowNs: number): ArmPlanAnswer | null {
    const answer = this.#planner.collect(nowNs);
    if (answer !== null && this.#asked !== null) {
      this.#listener(this.#asked.request, this.#asked.nowNs, answer, nowNs);
    }
    return answer;
  }
}
