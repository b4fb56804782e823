import { formatHistory } from "../recording/format/migrations.js";
import { openRecording, type RecordingFile } from "../recording/format/open-recording.js";
import type { ReadLimits } from "../recording/mcap/read-budget.js";

/** What a recording says of itself. */
export interface RecordingFacts {
  readonly title: string;
  readonly robot: string | null;
  readonly perception: string;
  readonly labels: readonly string[];
  /** [s] */
  readonly duration: number;
  readonly problems: readonly string[];
}

/** What a thread that reads a recording is given. */
export interface FactsOrder {
  readonly path: string;
  readonly limits: ReadLimits;
}

/** So many problems of a recording are named. */
const MOST_PROBLEMS = 1000;

/** Opens a recording and says what is in it. */
export async function factsOf(path: string): Promise<RecordingFacts> {
  const recording = await openRecording(path);
  try {
    return describe(recording);
  } finally {
    await recording.close();
  }
}

/** The same of a file that may be anything: reads all of it, within limits, and refuses one whose items are far apart in time. */
export async function checkedFactsOf({ path, limits }: FactsOrder): Promise<RecordingFacts> {
  const recording = await openRecording(path, formatHistory, limits);
  try {
    await recording.checkTimes();
    return describe(recording);
  } finally {
    await recording.close();
  }
}

function describe(recording: RecordingFile): RecordingFacts {
  const { title, robot, perception, labels } = recording.header;
  const { problems, endNs } = recording;
  return {
    title,
    robot: robot?.name ?? null,
    perception,
    labels,
    duration: endNs / 1e9,
    problems: problems.slice(0, MOST_PROBLEMS),
  };
}
