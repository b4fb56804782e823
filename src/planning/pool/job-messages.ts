import type { PlanQuestion, PlanReply } from "../../messages/planning.js";
import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { type ErrorDetails, FlycatcherError } from "../../runtime/errors.js";
import { requestOf, resultOf } from "../arm/plan-messages.js";
import { MergedSolution } from "../search/merged-solution.js";
import type { Drill, JobKind, JobResults, PlannerJob } from "./jobs.js";

/** A job on its way to a worker. */
export interface JobMessage {
  /** Number of the job; its result carries the same. */
  readonly ticket: number;
  /** How often it was tried before. */
  readonly attempt: number;
  readonly drill: Drill;
  readonly job: PlannerJob;
}

/** A result on its way back. */
export interface ResultMessage {
  readonly ticket: number;
  /** Time spent on the job [s]. */
  readonly seconds: number;
  readonly outcome: JobOutcome;
}

export type JobOutcome = { readonly result: JobResults[JobKind] } | { readonly failure: JobFailure };

/** An error as plain data. */
interface JobFailure {
  readonly message: string;
  readonly code: ErrorCode | null;
  readonly details: ErrorDetails;
}

/** A job as it was before it passed between threads, which takes the methods off what it clones. */
export function reviveJob(job: PlannerJob): PlannerJob {
  if (job.kind === "arm") return { ...job, request: requestOf(job.request as unknown as PlanQuestion) };
  if (job.kind === "answer") return { ...job, found: job.found.map((solutions) => solutions.map(reviveSolution)) };
  return job;
}

export function reviveResult(kind: JobKind, result: JobResults[JobKind]): JobResults[JobKind] {
  if (kind === "arm") return resultOf(result as unknown as PlanReply);
  if (kind === "search") return (result as JobResults["search"]).map(reviveSolution);
  return result;
}

function reviveSolution(cloned: MergedSolution): MergedSolution {
  const solution = new MergedSolution(cloned.ramps.count);
  solution.addPart(cloned);
  return solution;
}

export function failureOf(error: unknown): JobFailure {
  if (error instanceof FlycatcherError) return { message: error.message, code: error.code, details: error.details };
  return { message: error instanceof Error ? error.message : String(error), code: null, details: {} };
}

/** The error with the same code, text and details. */
export function errorOf({ code, message, details }: JobFailure): Error {
  // The text names the details already.
  return code === null ? new Error(message) : Object.assign(new FlycatcherError(code, message), { details });
}
