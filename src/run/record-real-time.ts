import { setTimeout as pause } from "node:timers/promises";
import type { ThrowResult } from "../catching/run-summary.js";
import { colourSettings } from "../nodes/detector-images.js";
import type { RecorderReport } from "../recording/recorder/prioritised-writer.js";
import type { RecordingHeader } from "../recording/recording.js";
import { outcomeOf } from "../recording/throw-outcome.js";
import { defined } from "../runtime/defined.js";
import { type RealTimeOptions, realTimeDefaults } from "./real-time-options.js";
import { realTimeRun } from "./real-time-run.js";
import type { Run } from "./run.js";
import { RunRecorder } from "./run-recorder.js";
import { settingsIn } from "./run-settings.js";
import { simulatedHeader } from "./simulated-recording.js";

export interface RealTimeRecordingOptions extends Omit<Partial<RealTimeOptions>, "robot"> {
  readonly robot: string;
  /** The new file. */
  readonly path: string;
  readonly throws: number;
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly jointPeriodNs?: number;
  readonly onThrow?: (result: ThrowResult) => void;
  /** Settles when no more balls are to be thrown. */
  readonly interrupted?: Promise<unknown>;
}

export interface RecordedRealTimeRun {
  readonly results: readonly ThrowResult[];
  readonly recorder: RecorderReport;
}

/** What a header says beside the run's settings. */
export type HeaderFacts = Pick<RealTimeRecordingOptions, "throws" | "title" | "labels" | "jointPeriodNs">;

/** Joints of a run in real time are recorded every so often unless said otherwise [ns]. */
const JOINT_PERIOD_NS = 20_000_000;
/** From the recording's beginning to the first ball [ms]: a replay has the head's readings from there on, and has to settle. */
const LEAD_MS = 2000;

/** Runs the live demo in real time with the recorder beside it. */
export async function recordRealTimeRun(options: RealTimeRecordingOptions): Promise<RecordedRealTimeRun> {
  const recorder = await RunRecorder.prepare();
  try {
    return await runBeside(recorder, options);
  } catch (error) {
    await recorder.abandon();
    throw error;
  }
}

async function runBeside(recorder: RunRecorder, options: RealTimeRecordingOptions): Promise<RecordedRealTimeRun> {
  const { path, throws, title: _, labels: __, jointPeriodNs: ___, onThrow, interrupted, ...live } = options;
  const settings: RealTimeOptions = { ...realTimeDefaults, ...live };
  const run = await realTimeRun(settings);
  const stopping = { isAsked: false };
  void interrupted?.then(() => {
    stopping.isAsked = true;
  });
  const results: ThrowResult[] = [];
  try {
    await recorder.begin({
      path,
      header: headerOf(run, settings, options),
      clock: run.clock,
      rings: run.host.recordedRings(),
    });
    await Promise.race([pause(LEAD_MS), interrupted ?? new Promise(() => undefined)]);
    for (let first = 0; first < throws && !stopping.isAsked; first += settings.balls) {
      const ids = Array.from({ length: Math.min(settings.balls, throws - first) }, (_, k) => first + k);
      const thrown = await run.throwBalls(ids);
      for (const result of thrown) {
        recorder.write({ topic: "results", timeNs: run.clock.nowNs(), ...outcomeOf(result) });
        onThrow?.(result);
      }
      results.push(...thrown);
    }
  } finally {
    await run.close();
  }
  return { results, recorder: await recorder.end() };
}

export function headerOf(
  { times, clock, ballColour }: Run,
  settings: RealTimeOptions,
  options: HeaderFacts,
): RecordingHeader {
  const { robot, perception, balls, seed, arms, ball } = settings;
  const { throws, title, labels, jointPeriodNs = JOINT_PERIOD_NS } = options;
  const { header } = simulatedHeader({
    ...settingsIn(settings),
    ...(ballColour && { detector: colourSettings(ballColour) }),
    ...{ robot, perception, world: "physics", seed, balls, throws, jointPeriodNs },
    ...defined({ arms, ball, title, labels }),
  });
  const startedAt = new Date(Number(clock.utcOfZeroNs / 1_000_000n)).toISOString();
  return { ...header, clock: "real-time", startedAt, run: { ...header.run!, times } };
}
