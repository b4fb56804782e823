import type { PlanAnswer } from "../planning/request/answer.js";
import type { PlanService } from "../planning/request/plan-service.js";
import type { PlanRequest } from "../planning/request/request.js";

/**
 * A plan service that is still starting: its workers load robots and practise for some seconds, and the HTTP service need
 * not wait for that. Requests that come early wait; `obstacle` says so to whoever asks whether the service is ready.
 */
export class StartingPlanService implements PlanService {
  readonly #started: Promise<PlanService>;
  #service: PlanService | undefined;
  #obstacle: string | undefined = "the planners are starting";

  constructor(starting: PlanService | Promise<PlanService>) {
    this.#started = Promise.resolve(starting);
    this.#started.then(
      (service) => {
        this.#service = service;
        this.#obstacle = undefined;
      },
      (error: unknown) => {
        this.#obstacle = `the planners did not start: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  }

  /** Why it cannot plan yet; undefined if it can. */
  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  get concurrency(): number {
    return this.#service?.concurrency ?? 1;
  }

  async plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    return (await this.#started).plan(request, signal);
  }

  async close(): Promise<void> {
    const service = await this.#started.catch(() => undefined);
    await service?.close();
  }
}
