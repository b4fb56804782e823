import { placeOf } from "../../channels/view.js";
import { CatchMode } from "../../messages/plan-request.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { ALL_CHECKS } from "../problem/checks.js";
import type { MergedSolution } from "../search/merged-solution.js";
import { Verdict } from "../search/verify.js";
import type { CatchQuestion, CatchSearch, SolverName } from "./catch-question.js";
import { KEEP_OUT_NUMBERS, writeKeepOut } from "./keep-out-numbers.js";
import { Drill, JobKind, jobLimits, PlannerJob, type PlannerResult, SolverCode } from "./planner-packets.module.js";

/** What a job says beside its question. */
export interface JobOrder {
  readonly search: CatchSearch;
  readonly solver: SolverName;
  /** On the run's clock [s]; Infinity for none. */
  readonly deadline: number;
  readonly drill: keyof typeof Drill;
}

/** Writes a whole job, as one part that has not been tried before; refuses what does not fit. */
export function writeJob(question: CatchQuestion, order: JobOrder, job: PlannerJob): void {
  checkSizes(question, order.search);
  job.ticket = 0;
  job.attempt = 0;
  job.part = 0;
  job.parts = 1;
  job.solver = SolverCode[order.solver];
  job.drill = Drill[order.drill];
  job.deadline = order.deadline;
  writeTask(question, job);
  writeSearch(order.search, question.q0.length + 1, job);
}

/** What lies before the large arrays. */
const headBytes = PlannerJob.layout.members.find(({ name }) => name === "warmStart")!.offset;

/** As `copyPacket`, but of the large arrays only what is in use: a warm job is then a tenth of the packet. */
export function copyJob(from: Readonly<PlannerJob>, to: PlannerJob): void {
  const source = placeOf(from);
  const target = placeOf(to);
  target.memory.u8.set(source.memory.u8.subarray(source.offset, source.offset + headBytes), target.offset);
  const isGiven = from.kind === JobKind.polish || from.kind === JobKind.warm;
  copyNumbers(from.warmStart, from.warmStartCount, to.warmStart);
  copyNumbers(from.givenStarts, isGiven ? from.starts * (from.dofs + 1) : 0, to.givenStarts);
  copyNumbers(from.success, from.successCount, to.success);
  copyNumbers(from.keepOut, from.keepOutCount * KEEP_OUT_NUMBERS, to.keepOut);
}

function copyNumbers(from: Float64Array, count: number, to: Float64Array): void {
  for (let k = 0; k < count; k++) to[k] = from[k]!;
}

/** Makes of a cold search the polishing of the starts that were found for it. */
export function giveStarts(result: Readonly<PlannerResult>, job: PlannerJob): void {
  job.kind = JobKind.polish;
  job.starts = result.seedCount;
  copyNumbers(result.seeds, result.seedCount * (job.dofs + 1), job.givenStarts);
}

function writeTask(question: CatchQuestion, job: PlannerJob): void {
  const { ball, posture, success, keepOut } = question;
  job.arm = question.arm;
  job.mode = CatchMode[question.mode];
  job.dofs = question.q0.length;
  job.checks = question.checks;
  job.q0.set(question.q0);
  job.w0.set(question.w0);
  job.maxVelocity.set(question.maxVelocity);
  job.maxAcceleration.set(question.maxAcceleration);
  job.ballTime = ball.time;
  job.position.set(ball.position);
  job.velocity.set(ball.velocity);
  job.drag = ball.drag;
  job.gravity.set(question.gravity);
  job.flightBegin = question.flightBegin;
  job.flightEnd = question.flightEnd;
  job.earliest = question.earliest;
  job.latest = question.latest;
  job.postureCount = posture?.length ?? 0;
  if (posture !== null) job.posture.set(posture);
  job.keepOutCount = keepOut.length;
  writeKeepOut(keepOut, job.keepOut);
  job.successCount = success?.values.length ?? 0;
  job.successFrom = success?.from ?? 0;
  job.successStep = success?.step ?? 0;
  if (success !== null) job.success.set(success.values);
}

function writeSearch(search: CatchSearch, n: number, job: PlannerJob): void {
  job.kind = JobKind[search.kind];
  job.iterations = search.iterations;
  job.warmStartCount = 0;
  switch (search.kind) {
    case "cold":
      job.starts = search.starts;
      return;
    case "polish":
      job.starts = search.starts.length / n;
      job.givenStarts.set(search.starts);
      return;
    case "warm":
      job.starts = 1;
      job.givenStarts.set(search.start);
      job.warmStartCount = search.warmStart.length;
      job.warmStart.set(search.warmStart);
  }
}

function checkSizes(question: CatchQuestion, search: CatchSearch): void {
  const dofs = question.q0.length;
  const n = dofs + 1;
  checkCount("q0", dofs, 1, jobLimits.joints);
  for (const name of ["w0", "maxVelocity", "maxAcceleration"] as const)
    checkCount(name, question[name].length, dofs, dofs);
  checkCount("checks", question.checks, 0, ALL_CHECKS);
  checkCount("keepOut", question.keepOut.length, 0, jobLimits.keepOut);
  if (question.posture !== null) checkCount("posture", question.posture.length, 1, jobLimits.dofs);
  if (question.success !== null) checkCount("success", question.success.values.length, 2, jobLimits.successKnots);
  checkCount("iterations", search.iterations, 0, 2 ** 32 - 1);
  if (search.kind === "cold") checkCount("starts", search.starts, 0, 2 ** 32 - 1);
  if (search.kind === "polish") checkCount("starts", search.starts.length / n, 1, jobLimits.starts);
  if (search.kind === "warm") checkCount("start", search.start.length, n, n);
}

function checkCount(path: string, found: number, least: number, most: number): void {
  if (Number.isInteger(found) && found >= least && found <= most) return;
  throw new FlycatcherError("FLY_POOL_JOB_SIZE", "A planning job cannot hold this question", {
    path,
    expected: least === most ? `${least}` : `${least} to ${most}`,
    found: String(found),
  });
}

const verdicts = Object.values(Verdict);

/** Writes all of the solution; what is left of the packet is the caller's. */
export function writeResult(solution: MergedSolution, result: PlannerResult): void {
  result.found = solution.found;
  result.optimal = solution.optimal;
  result.cutShort = solution.cutShort;
  result.refusal = verdicts.indexOf(solution.refusal);
  result.start = solution.start;
  result.leastViolatedStart = solution.leastViolatedStart;
  result.refusalStart = solution.refusalStart;
  result.starts = solution.starts;
  result.iterations = solution.iterations;
  result.evaluations = solution.evaluations;
  result.objective = solution.objective;
  result.cost = solution.cost;
  result.clearance = solution.clearance;
  result.arrival = solution.arrival;
  result.leastViolation = solution.leastViolation;
  result.leastViolated.set(solution.leastViolated);
  result.seedCount = 0;
  result.warmStartCount = solution.found ? solution.warmStart.length : 0;
  if (!solution.found) return;
  result.x.set(solution.x);
  solution.ramps.writeTo(result.ramps, 0);
  result.warmStart.set(solution.warmStart);
}

/** Takes over what `writeResult` wrote; `out` is fresh, or was reset. */
export function readResult(result: Readonly<PlannerResult>, out: MergedSolution): void {
  out.found = result.found;
  out.optimal = result.optimal;
  out.cutShort = result.cutShort;
  out.refusal = verdicts[result.refusal]!;
  out.start = result.start;
  out.leastViolatedStart = result.leastViolatedStart;
  out.refusalStart = result.refusalStart;
  out.starts = result.starts;
  out.iterations = result.iterations;
  out.evaluations = result.evaluations;
  out.objective = result.objective;
  out.cost = result.cost;
  out.clearance = result.clearance;
  out.arrival = result.arrival;
  out.leastViolation = result.leastViolation;
  if (result.leastViolatedStart >= 0) take(result.leastViolated, out.leastViolated);
  if (result.found) readCatch(result, out);
}

function readCatch(result: Readonly<PlannerResult>, out: MergedSolution): void {
  take(result.x, out.x);
  out.ramps.readFrom(result.ramps, 0);
  // A catch's ramps end at its joint positions; worked out from the ramps they would differ in the last bit.
  for (let i = 0; i < out.ramps.count; i++) out.ramps.end[i] = out.x[i]!;
  out.setWarmStart(result.warmStart.subarray(0, result.warmStartCount));
}

/** Fills `out` from the beginning of a longer array. */
function take(from: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = from[i]!;
}
