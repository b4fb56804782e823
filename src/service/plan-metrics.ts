import type { PlanService } from "../planning/pool/plan-service.js";
import type { PlanAnswer } from "../planning/request/answer.js";
import type { PlanRequest } from "../planning/request/request.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { MetricsRegistry } from "./metrics.js";
import { codedError } from "./problem.js";

/** Upper edges of the buckets [s]: from a plan with few starts to one that uses up a long budget. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** A plan service that counts and times what passes through it. */
export class MeasuredPlanService implements PlanService {
  readonly #inner: PlanService;
  readonly #count: (answer: PlanAnswer) => void;
  readonly #refuse: (code: string) => void;

  constructor(inner: PlanService, metrics: MetricsRegistry, admission: PlanAdmission) {
    this.#inner = inner;
    const plans = metrics.counter({
      name: "flycatcher_plans_total",
      help: "Plans made, by mode and outcome.",
      labels: ["mode", "status"],
    });
    const seconds = metrics.histogram(
      { name: "flycatcher_plan_seconds", help: "Time spent planning.", labels: ["mode"] },
      durationBounds,
    );
    const refused = metrics.counter({
      name: "flycatcher_plans_refused_total",
      help: "Planning requests without a plan, by error code.",
      labels: ["code"],
    });
    metrics.gauge({ name: "flycatcher_plans_under_way", help: "Planning requests now in the service." }, () =>
      Number(admission.count),
    );
    this.#count = ({ mode, status, statistics }) => {
      plans.increment([mode, status]);
      seconds.observe(statistics.milliseconds / 1000, [mode]);
    };
    this.#refuse = (code) => refused.increment([code]);
  }

  get concurrency(): number {
    return this.#inner.concurrency;
  }

  async plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    try {
      const answer = await this.#inner.plan(request, signal);
      this.#count(answer);
      return answer;
    } catch (error) {
      this.#refuse(codedError(error).code);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** Counts what is under way, and turns away what is too much: so that no queue ever grows beyond its bound. */
export class PlanAdmission {
  readonly #most: () => number;
  #count = 0;

  /** `most`: requests that may be under way at a time, those that wait included. */
  constructor(most: () => number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Lets a request in, or throws. Every `enter` needs its `leave`. */
  enter(): void {
    const most = this.#most();
    if (this.#count >= most) {
      throw new FlycatcherError("FLY_PLAN_OVERLOADED", "Too many planning requests at once", {
        expected: `at most ${most} at a time`,
      });
    }
    this.#count++;
  }

  leave(): void {
    this.#count--;
  }
}
