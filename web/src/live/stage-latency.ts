import type { ThrowLog } from "./throw-log.js";

/** The stages from an image to a moving arm, with what each may take (thesis, section 3.5: 35, 60 and 17 ms). */
export const stages = [
  { name: "Image", budget: null, text: "the cameras expose" },
  { name: "Detection", budget: 0.06, text: "camera 40 ms, circles 20 ms" },
  { name: "Prediction", budget: 0.075, text: "camera 40 ms, tracking 35 ms" },
  { name: "Plan", budget: 0.06, text: "first search 60 ms, again 15 ms" },
  { name: "Command", budget: 0.017, text: "transport to control" },
  { name: "Catch", budget: null, text: "ball and hand meet" },
] as const;

/** When one stage of one frame began and was done [s]. */
export interface StageSpan {
  readonly stage: (typeof stages)[number]["name"];
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
