import type { PlannerPriority } from "./planner-interface.js";

/** What can wait in a queue. */
interface Waiting {
  readonly priority: PlannerPriority;
  readonly track: number | undefined;
}

/** Questions that wait for a worker, in their order, live ones apart. */
export class RequestQueue<R extends Waiting> {
  readonly #waiting: Record<PlannerPriority, R[]> = { live: [], service: [] };

  get length(): number {
    return this.#waiting.live.length + this.#waiting.service.length;
  }

  lengthOf(priority: PlannerPriority): number {
    return this.#waiting[priority].length;
  }

  add(request: R): void {
    this.#waiting[request.priority].push(request);
  }

  /** Puts it before all others of its priority. */
  addFirst(request: R): void {
    this.#waiting[request.priority].unshift(request);
  }

  next(priority: PlannerPriority): R | undefined {
    return this.#waiting[priority].shift();
  }

  /** False if it does not wait. */
  remove(request: R): boolean {
    const queue = this.#waiting[request.priority];
    const index = queue.indexOf(request);
    if (index >= 0) queue.splice(index, 1);
    return index >= 0;
  }
}
