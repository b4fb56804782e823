import { spread } from "../catching/run-summary.js";
import * as vec3 from "../math/vec3.js";
import type { BallPrediction } from "../messages/prediction.js";
import type { Quantiles } from "../messages/session.js";
import { type ItemOf, itemsOf, type RecordedItem } from "../recording/recording.js";

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

function predictionsOf(items: readonly RecordedItem[]): BallPrediction[] {
  return itemsOf(items, "predictions").flatMap(({ balls }) => balls);
}

function isOfSameTime(a: BallPrediction, b: BallPrediction): boolean {
  return Math.abs(a.lastSeen - b.lastSeen) < SAME_TIME && Math.abs(a.state.time - b.state.time) < SAME_TIME;
}

function distance(a: BallPrediction, b: BallPrediction): number {
  return vec3.distance(a.state.position, b.state.position);
}

function comparePlans(recorded: readonly RecordedItem[], made: readonly RecordedItem[]): RealTimeComparison["plans"] {
  const [before, after] = [itemsOf(recorded, "plans"), itemsOf(made, "plans")];
  const took = ({ answeredNs, askedNs }: ItemOf<"plans">): number => (answeredNs - askedNs) / 1e6;
  return {
    recorded: before.length,
    made: after.length,
    tookMs: spread(before.map(took)),
    modelledMs: spread(after.map(took)),
  };
}
