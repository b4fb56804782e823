import type { PlannerPriority } from "./jobs.js";

/** What the order of jobs depends on. */
export interface QueuedJob {
  readonly priority: PlannerPriority;
  /** The ball it is about; undefined: none in particular. */
  readonly track: number | undefined;
}

/**
 * The discipline of a planner: live jobs before all others; of one ball only the newest job waits, and no answer comes
 * after a newer one; what waits is limited. Knows nothing of who does the jobs.
 */
export class JobQueue<J extends QueuedJob> {
  readonly #capacity: number;
  readonly #waiting: Record<PlannerPriority, J[]> = { live: [], service: [] };
  /** All that is not settled, in the order it came. */
  readonly #open = new Set<J>();

  /** `capacity` is the number of jobs of either priority that may wait. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Jobs that wait. */
  get length(): number {
    return this.#waiting.live.length + this.#waiting.service.length;
  }

  /** All that is not settled, in the order it came. */
  get open(): ReadonlySet<J> {
    return this.#open;
  }

  /** Adds a job to those that wait; the jobs that it supersedes, which wait no longer. */
  add(job: J, place: "first" | "last" = "last"): J[] {
    const superseded = job.track === undefined ? [] : this.#waitingOf(job.track);
    for (const older of superseded) this.#remove(older);
    this.#open.add(job);
    const queue = this.#waiting[job.priority];
    if (place === "first") queue.unshift(job);
    else queue.push(job);
    return superseded;
  }

  /** Puts a job that has to be done again before all others of its priority. */
  repeat(job: J): void {
    this.#waiting[job.priority].unshift(job);
  }

  /** Takes the next job to do. */
  next(priority: PlannerPriority): J | undefined {
    return this.#waiting[priority].shift();
  }

  /** Whether more jobs of this priority wait than may. */
  isOverfull(priority: PlannerPriority): boolean {
    return this.#waiting[priority].length > this.#capacity;
  }

  /** Jobs about the same ball that came before this one and are still open: its answer puts them out of date. */
  outdatedBy(job: J): J[] {
    const older: J[] = [];
    if (job.track === undefined) return older;
    for (const other of this.#open) {
      if (other === job) break;
      if (other.track === job.track) older.push(other);
    }
    return older;
  }

  /** Takes a job out; false if it was settled before. */
  settle(job: J): boolean {
    this.#remove(job);
    return this.#open.delete(job);
  }

  #waitingOf(track: number): J[] {
    return [...this.#waiting.live, ...this.#waiting.service].filter((job) => job.track === track);
  }

  #remove(job: J): void {
    const queue = this.#waiting[job.priority];
    const index = queue.indexOf(job);
    if (index >= 0) queue.splice(index, 1);
  }
}
