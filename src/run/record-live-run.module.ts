import { setTimeout as pause } from "node:timers/promises";
import { type LiveOptions, liveDefaults } from "../catching/live/live-options.js";
import { LiveRun } from "../catching/live/live-run.module.js";
import type { WorldMessage } from "../catching/live/robot-sim/world-protocol.js";
import type { ThrowResult } from "../catching/run-summary.js";
import type { TapRequest } from "../recording/recorder/channel-tap.module.js";
import { LiveRecorder } from "../recording/recorder/live-recorder.module.js";
import { resultItem } from "../recording/recorder/packet-items.module.js";
import type { RecorderReport } from "../recording/recorder/prioritised-writer.js";
import type { ItemOf, RecordingHeader } from "../recording/recording.js";
import type { RealTimeClock } from "../runtime/clock.js";
import { throwSpaceOf } from "../simulation/throw-space.js";
import { ThrowGenerator } from "../simulation/throws.js";
import { type SimulatedRecordingOptions, simulatedHeader } from "./simulated-recording.js";

export interface LiveRecordingOptions extends Omit<Partial<LiveOptions>, "robot"> {
  readonly robot: string;
  readonly path: string;
  readonly throws: number;
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly jointPeriodNs?: number;
  readonly onThrow?: (result: ThrowResult) => void;
  /** Settles when no more balls are to be thrown. */
  readonly interrupted?: Promise<unknown>;
}

export interface RecordedLiveRun {
  readonly results: readonly ThrowResult[];
  readonly recorder: RecorderReport;
}

/** What a header tells beside the run's settings. */
export type HeaderFacts = Pick<LiveRecordingOptions, "throws" | "title" | "labels" | "jointPeriodNs">;

/** Joints of a live run are recorded every so often unless said otherwise [ns]. */
const JOINT_PERIOD_NS = 20_000_000;

/** From the recording's beginning to the first ball [ms]: a replay hears of the head from there on, and has to settle. */
const LEAD_MS = 2000;

/** The channels of a run that are worth keeping; the true world is told by the flights of the balls. */
const tapped = [
  "circlesLeft",
  "circlesRight",
  "imu",
  "poses",
  "predictions",
  "answers",
  "plans",
  "handovers",
  "monitor",
  "events",
  "status",
] as const;

/** Runs the live demo in real time with the recorder beside it. */
export async function recordLiveRun(options: LiveRecordingOptions): Promise<RecordedLiveRun> {
  const recorder = await LiveRecorder.prepare();
  try {
    return await runBeside(recorder, options);
  } catch (error) {
    await recorder.abandon();
    throw error;
  }
}

async function runBeside(recorder: LiveRecorder, options: LiveRecordingOptions): Promise<RecordedLiveRun> {
  const { path, throws, title, labels, jointPeriodNs, onThrow, interrupted, ...live } = options;
  const settings: LiveOptions = { ...liveDefaults, ...live };
  const truths: WorldMessage[] = [];
  const run = await LiveRun.start(settings, { world: (message) => truths.push(message) });
  const stopping = { isAsked: false };
  void interrupted?.then(() => {
    stopping.isAsked = true;
  });
  const results: ThrowResult[] = [];
  try {
    await recorder.begin({ path, header: headerOf(run, settings, options), clock: run.clock, taps: tapsOf(run) });
    await Promise.race([pause(LEAD_MS), interrupted ?? new Promise(() => undefined)]);
    const thrower = new ThrowGenerator(throwSpaceOf(run.robot), settings.seed);
    for (let first = 0; first < throws && !stopping.isAsked; first += settings.balls) {
      const ids = Array.from({ length: Math.min(settings.balls, throws - first) }, (_, k) => first + k);
      const thrown = await run.throwBalls(ids);
      for (const message of truths.splice(0)) {
        const truth = truthItem(message, thrower, run.clock);
        if (truth !== null) recorder.write(truth);
      }
      for (const result of thrown) {
        recorder.write(resultItem(result, run.clock.nowNs()));
        onThrow?.(result);
      }
      results.push(...thrown);
    }
  } finally {
    await run.stop();
  }
  return { results, recorder: await recorder.end() };
}

export function tapsOf({ channels, link }: LiveRun): TapRequest[] {
  const { handles } = channels;
  return [
    ...tapped.map((name) => ({ name, channel: handles[name] })),
    { name: "commands", channel: link.udp.commands.handle },
    { name: "states", channel: link.udp.states.handle },
  ];
}

export function headerOf({ times, clock }: LiveRun, settings: LiveOptions, options: HeaderFacts): RecordingHeader {
  const { robot, perception, balls, seed, mode, arms, body, afterCatch, latestCatch, starts } = settings;
  const { throws, title, labels, jointPeriodNs = JOINT_PERIOD_NS } = options;
  const simulated: SimulatedRecordingOptions = {
    ...{ robot, perception, world: "physics", seed, balls, throws, mode, body, afterCatch, latestCatch, starts },
    jointPeriodNs,
    ...(arms !== undefined && { arms }),
    ...(title !== undefined && { title }),
    ...(labels !== undefined && { labels }),
  };
  const { header } = simulatedHeader(simulated);
  const startedAt = new Date(Number(clock.utcOfZeroNs / 1_000_000n)).toISOString();
  return { ...header, clock: "real-time", startedAt, run: { ...header.run!, times } };
}

/** How a ball truly flew, when its world says that it was let go; null for all else that the world says. */
function truthItem(
  message: WorldMessage,
  thrower: ThrowGenerator,
  { origin }: RealTimeClock,
): ItemOf<"truth/flights"> | null {
  if (message.type !== "released") return null;
  const zero = Number(origin.monotonicZeroNs) / 1e9;
  const time = message.time - zero;
  const { state, aim, flightTime } = thrower.make(message.ball, time);
  const { position, velocity, drag } = state;
  return {
    topic: "truth/flights",
    timeNs: Math.max(0, Math.round(1e9 * time)),
    ball: message.ball,
    aim,
    flightTime,
    pieces: [{ time, until: message.lands - zero, position, velocity, drag }],
  };
}
