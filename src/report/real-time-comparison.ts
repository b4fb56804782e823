import { type Quantiles, spread } from "../catching/run-summary.js";
import type { ItemOf, RecordedItem, RecordedPrediction } from "../recording/recorded-messages.js";

/**
 * A run in real time against its replay in lock-step. They cannot have the same bits: then threads took the time they took,
 * and now the times that the run was configured with pass instead.
 */
export interface RealTimeComparison {
  readonly predictions: {
    readonly recorded: number;
    readonly made: number;
    /** Those that both made of the same exposures, and how far apart they put the ball [mm]. */
    readonly paired: number;
    readonly apartMm: Quantiles | null;
  };
  readonly plans: {
    readonly recorded: number;
    readonly made: number;
    /** From question to answer [ms]: as it was, and as the replay has it. */
    readonly tookMs: Quantiles | null;
    readonly modelledMs: Quantiles | null;
  };
}

/** Times that are the same, but for their being whole nanoseconds in packets [s]. */
const SAME_TIME = 1e-6;

export function compareWithRealTime(
  recorded: readonly RecordedItem[],
  made: readonly RecordedItem[],
  untilNs: number,
): RealTimeComparison {
  const then = recorded.filter(({ timeNs }) => timeNs <= untilNs);
  const now = made.filter(({ timeNs }) => timeNs <= untilNs);
  return { predictions: comparePredictions(then, now), plans: comparePlans(then, now) };
}

function comparePredictions(
  recorded: readonly RecordedItem[],
  made: readonly RecordedItem[],
): RealTimeComparison["predictions"] {
  const before = predictionsOf(recorded);
  const after = predictionsOf(made);
  const distances = before.flatMap((prediction) => {
    const same = after.filter((other) => isOfSameTime(prediction, other)).map((other) => distance(prediction, other));
    return same.length === 0 ? [] : [1e3 * Math.min(...same)];
  });
  return { recorded: before.length, made: after.length, paired: distances.length, apartMm: spread(distances) };
}

function predictionsOf(items: readonly RecordedItem[]): RecordedPrediction[] {
  return items.flatMap((item) => (item.topic === "predictions" ? item.predictions : []));
}

function isOfSameTime(a: RecordedPrediction, b: RecordedPrediction): boolean {
  return Math.abs(a.lastSeen - b.lastSeen) < SAME_TIME && Math.abs(a.time - b.time) < SAME_TIME;
}

function distance({ position: a }: RecordedPrediction, { position: b }: RecordedPrediction): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

function comparePlans(recorded: readonly RecordedItem[], made: readonly RecordedItem[]): RealTimeComparison["plans"] {
  const isPlan = (item: RecordedItem): item is ItemOf<"plans"> => item.topic === "plans";
  const [before, after] = [recorded.filter(isPlan), made.filter(isPlan)];
  const took = ({ timeNs, askedNs }: ItemOf<"plans">): number => (timeNs - askedNs) / 1e6;
  return {
    recorded: before.length,
    made: after.length,
    tookMs: spread(before.map(took)),
    modelledMs: spread(after.map(took)),
  };
}
