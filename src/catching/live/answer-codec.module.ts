import { gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { FlightStatus } from "../../flight/flight-path.js";
import { type PlanAnswer, PlanSearch } from "../../messages/plan-answer.js";
import { rampFields } from "../../motion/joint-ramps.js";
import type { ArmPlanRequest, CatchPlan } from "../arm-planner.js";
import type { AnsweredQuestion } from "../run-observer.js";

const flight = new Flight();
const down = gravity();

/** Writes a question and its answer, taken at `nowNs`. */
export function writeAnswer(
  { arm, track, askedNs, request, answer }: AnsweredQuestion,
  nowNs: number,
  out: PlanAnswer,
): void {
  const { id, tStart, previous } = request;
  out.id = id;
  out.track = track;
  out.group.write(arm);
  out.search = previous === null ? PlanSearch.cold : PlanSearch.warm;
  out.tSeen.seconds = Math.max(0, request.lastSeen);
  out.tAsked.nanoseconds = askedNs;
  out.tAnswered.nanoseconds = nowNs;
  out.tStart.seconds = tStart;
  out.found = answer.plan !== null;
  out.reason.write(answer.plan === null ? answer.reason : "");
  if (answer.plan === null) writeNone(out);
  else writeCatch(request, answer.plan, out);
}

function writeNone(out: PlanAnswer): void {
  out.tCatch.nanoseconds = 0;
  out.tArrival.nanoseconds = 0;
  out.objective = Number.NaN;
  out.successProbability = Number.NaN;
  out.position.fill(Number.NaN);
  out.count = 0;
}

function writeCatch({ ball }: ArmPlanRequest, plan: CatchPlan, out: PlanAnswer): void {
  const { ramps, tCatch, arrival, objective, successProbability } = plan;
  out.tCatch.seconds = tCatch;
  out.tArrival.seconds = arrival;
  out.objective = objective;
  out.successProbability = successProbability ?? Number.NaN;
  const status = flight.reset(ball, down, Math.min(ball.time, tCatch), Math.max(ball.time, tCatch));
  if (status === FlightStatus.ok) flight.position(tCatch, out.position);
  else out.position.fill(Number.NaN);
  out.count = ramps.count;
  for (let f = 0; f < rampFields.length; f++) out.ramps[rampFields[f]!].set(ramps[rampFields[f]!]);
}
