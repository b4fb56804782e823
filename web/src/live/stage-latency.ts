import type { LatencyBudgets } from "../../../src/messages/session.js";
import { milliseconds } from "../dom/format.js";
import type { ThrowLog } from "./throw-log.js";

/** The stages from an image to a moving arm, in order. */
export const stageNames = ["Image", "Detection", "Prediction", "Plan", "Command", "Catch"] as const;
export type StageName = (typeof stageNames)[number];

/** A stage with what it may take [s], as the run says; null where there is no such thing, or it is not known. */
export interface Stage {
  readonly name: StageName;
  readonly budget: number | null;
  readonly text: string;
}

export function stagesOf(budgets: LatencyBudgets | undefined): readonly Stage[] {
  if (budgets === undefined) return stageNames.map((name) => ({ name, budget: null, text: "" }));
  const { camera, detection, tracking, firstPlan, replan, transport } = budgets;
  return [
    { name: "Image", budget: null, text: "the cameras expose" },
    {
      name: "Detection",
      budget: camera + detection,
      text: `camera ${milliseconds(camera)}, circles ${milliseconds(detection)}`,
    },
    {
      name: "Prediction",
      budget: camera + tracking,
      text: `camera ${milliseconds(camera)}, tracking ${milliseconds(tracking)}`,
    },
    {
      name: "Plan",
      budget: firstPlan,
      text: `first search ${milliseconds(firstPlan)}, again ${milliseconds(replan)}`,
    },
    { name: "Command", budget: transport, text: "transport to control" },
    { name: "Catch", budget: null, text: "ball and hand meet" },
  ];
}

/** When one stage of one frame began and was done [s]. */
export interface StageSpan {
  readonly stage: StageName;
  readonly begin: number;
  readonly end: number;
}

/** Every stage that a throw has gone through, in order of time. */
export function spansOf(log: ThrowLog): StageSpan[] {
  const tCatch = log.newestCatch?.tCatch ?? null;
  const spans: StageSpan[] = [];
  const exposures = new Set<number>();
  const expose = (time: number): void => {
    if (exposures.has(time)) return;
    exposures.add(time);
    spans.push({ stage: "Image", begin: time, end: time });
  };
  for (const { tExposure, time } of log.circles) {
    expose(tExposure);
    spans.push({ stage: "Detection", begin: tExposure, end: time });
  }
  for (const { tExposure, time } of log.predictions) {
    expose(tExposure);
    spans.push({ stage: "Prediction", begin: tExposure, end: time });
  }
  for (const plan of log.plans.filter(({ tCatch }) => tCatch !== null)) {
    const cause = log.predictions.findLast(({ time, track }) => time <= plan.time && track === plan.track);
    if (cause !== undefined) spans.push({ stage: "Plan", begin: cause.time, end: plan.time });
    const handover = log.handovers.find(({ plan: id, part }) => id === plan.id && part === plan.part);
    if (handover !== undefined) spans.push({ stage: "Command", begin: plan.time, end: handover.time });
  }
  if (tCatch !== null) spans.push({ stage: "Catch", begin: tCatch, end: tCatch });
  return tCatch === null ? spans : spans.filter(({ begin }) => begin <= tCatch);
}

/** Median and longest time of a stage over a throw [s]; null where it did not come up. */
export function latencyOf(
  spans: readonly StageSpan[],
  stage: StageSpan["stage"],
): { readonly median: number; readonly longest: number } | null {
  const times = spans
    .filter((span) => span.stage === stage)
    .map(({ begin, end }) => end - begin)
    .sort((a, b) => a - b);
  const longest = times.at(-1);
  return longest === undefined ? null : { median: times[Math.floor(times.length / 2)]!, longest };
}
