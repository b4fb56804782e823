import { FlycatcherError } from "../runtime/errors.js";

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

  /** Lets a request in, or throws. Whoever was let in must `leave`. */
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
