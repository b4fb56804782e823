import type { PlanService } from "../planning/pool/plan-service.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { MetricsRegistry } from "./metrics.js";
import { codedError } from "./problem.js";

/** Upper edges of the buckets [s]: from a plan with few starts to one that uses up a long budget. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The same plan service; what passes through it is counted and timed. */
export function measured(inner: PlanService, metrics: MetricsRegistry, admission: PlanAdmission): PlanService {
  const plans = metrics.counter({
    name: "flycatcher_plans_total",
    help: "Plans made, by mode and outcome.",
    labels: ["mode", "status"],
  });
  const seconds = metrics.histogram(
    { name: "flycatcher_plan_seconds", help: "Time spent planning.", labels: ["mode"] },
    durationBounds,
  );
  const motions = metrics.counter({
    name: "flycatcher_motions_total",
    help: "Motions planned, by planner and outcome.",
    labels: ["planner", "status"],
  });
  const motionSeconds = metrics.histogram(
    { name: "flycatcher_motion_seconds", help: "Time spent planning motions.", labels: ["planner"] },
    durationBounds,
  );
  const refused = metrics.counter({
    name: "flycatcher_plans_refused_total",
    help: "Planning requests without a plan, by error code.",
    labels: ["code"],
  });
  const underWay = { name: "flycatcher_plans_under_way", help: "Planning requests now in the service." };
  metrics.gauge(underWay, () => Number(admission.count));
  return {
    get concurrency() {
      return inner.concurrency;
    },
    async plan(request, signal) {
      try {
        const answer = await inner.plan(request, signal);
        plans.increment([answer.mode, answer.status]);
        seconds.observe(answer.statistics.milliseconds / 1000, [answer.mode]);
        return answer;
      } catch (error) {
        refused.increment([codedError(error).code]);
        throw error;
      }
    },
    async move(request, signal) {
      try {
        const answer = await inner.move(request, signal);
        motions.increment([answer.statistics.planner, answer.status]);
        motionSeconds.observe(answer.statistics.milliseconds / 1000, [answer.statistics.planner]);
        return answer;
      } catch (error) {
        refused.increment([codedError(error).code]);
        throw error;
      }
    },
    close: () => inner.close(),
  };
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
