import { randomUUID } from "node:crypto";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";

/** Work that was asked for and goes on in other threads. */
export interface Job {
  readonly id: string;
  state: "running" | "done" | "failed" | "cancelled";
  /** Share done, from 0 to 1. */
  progress: number;
  problem?: { readonly code: ErrorCode; readonly detail: string };
}

/** So many jobs are remembered. */
const KEPT = 20;

/** The jobs of one kind that run, and the last ones that ran. */
export class JobList<J extends Job> {
  readonly #jobs = new Map<string, J>();
  readonly #kind: string;
  readonly #unknown: ErrorCode;

  /** `kind` is what a job is called; `unknown` the code of the error where there is none of an identity. */
  constructor(kind: string, unknown: ErrorCode) {
    this.#kind = kind;
    this.#unknown = unknown;
  }

  get all(): readonly J[] {
    return [...this.#jobs.values()];
  }

  get running(): number {
    return this.all.filter(({ state }) => state === "running").length;
  }

  get(id: string): J {
    const job = this.#jobs.get(id);
    if (job !== undefined) return job;
    throw new FlycatcherError(this.#unknown, `there is no such ${this.#kind}`, { found: id });
  }

  /** A job that begins to run; the oldest that is over is forgotten. */
  add(create: (begun: { id: string; state: "running"; progress: number }) => J): J {
    const job = create({ id: randomUUID(), state: "running", progress: 0 });
    this.#jobs.set(job.id, job);
    for (const [id, { state }] of this.#jobs) if (this.#jobs.size > KEPT && state !== "running") this.#jobs.delete(id);
    return job;
  }

  delete(id: string): void {
    this.#jobs.delete(id);
  }
}
