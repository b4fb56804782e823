/** How the thread of a placement stands. */
export interface PlacementState {
  readonly state: "starting" | "running" | "stopped" | "failed";
  /** Threads that took the place of another one. */
  readonly restarts: number;
  /** Whether it runs without a sign of life. */
  readonly isSilent: boolean;
}

const notStarted: PlacementState = { state: "starting", restarts: 0, isSilent: false };

/** How the threads of a run stand, and what each was started with. */
export class PlacementStates {
  readonly #states = new Map<string, PlacementState>();
  readonly #data = new Map<string, unknown>();

  of(placement: string): PlacementState {
    return this.#states.get(placement) ?? notStarted;
  }

  /** What the newest thread was started with. */
  dataOf(placement: string): unknown {
    return this.#data.get(placement);
  }

  starting(placement: string, data: unknown): void {
    const before = this.#states.get(placement);
    this.#data.set(placement, data);
    const restarts = before === undefined ? 0 : before.restarts + 1;
    this.#states.set(placement, { state: "starting", restarts, isSilent: false });
  }

  become(placement: string, state: PlacementState["state"]): void {
    this.#states.set(placement, { ...this.of(placement), state });
  }

  /** A thread gives no sign of life, or does again. */
  hear(placement: string, life: "silent" | "heard"): void {
    this.#states.set(placement, { ...this.of(placement), isSilent: life === "silent" });
  }
}
