import { availableParallelism } from "node:os";
import { join } from "node:path";
import { MemoryRecording } from "../src/recording/memory-recording.js";
import { findRecordings, replayFiles, throwsFolder } from "../src/report/jobs/replay-files.js";
import { type Replay, replayRecording } from "../src/run/replay/replay-run.js";
import type { ReplayMonitor } from "../src/run/replay/replay-settings.js";
import { recordSimulatedThrows, type SimulatedRecordingOptions } from "../src/run/simulated-recording.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { measureRecorder } from "./recording/recorder.js";
import { dataSetFiles } from "./recording/throw-kinds.js";

/** Throws of the recording by which speed is told: whole ones, from the wait for the ball to the arm's return. */
const THROWS = 20;
/** Replays of it until the engine has settled, and those that count. */
const WARM_UPS = 2;
const REPEATS = 3;
/** Threads of `throws_per_second`. */
const THREADS = 2;

/** How quickly recordings are replayed. Speeds are by the processor's time of this process, not by the wall clock. */
export const suite: BenchSuite = {
  name: "replay",
  description: "offline replay: throws, images and seconds of recording per second; what the recorder writes",
  run,
};

async function run(context: BenchContext): Promise<Metrics> {
  const { seed, progress } = context;
  progress("replaying whole throws, seen as circles");
  const factors = await realTimeFactors(seed);
  progress("replaying the shipped throws in two threads");
  const throws = await throughput();
  progress("finding circles in recorded images");
  const images = await imagesPerSecond();
  return { ...factors, ...throws, ...images, ...(await measureRecorder(context)) };
}

async function inMemory(options: SimulatedRecordingOptions): Promise<MemoryRecording> {
  const made: MemoryRecording[] = [];
  await recordSimulatedThrows(options, (header) => {
    made.push(new MemoryRecording(header));
    return made[0]!;
  });
  return made[0]!;
}

/** A replay, and the seconds of processor time that it took. */
async function timed(recording: MemoryRecording, monitor: ReplayMonitor): Promise<{ replay: Replay; seconds: number }> {
  const before = process.cpuUsage();
  const replay = await replayRecording(recording, { monitor });
  const { user, system } = process.cpuUsage(before);
  return { replay, seconds: (user + system) / 1e6 };
}

async function realTimeFactors(seed: number): Promise<Metrics> {
  const recording = await inMemory({
    robot: "agile-justin",
    perception: "circles",
    world: "kinematic",
    seed,
    throws: THROWS,
    jointPeriodNs: null,
  });
  const motion = await factorsOf(recording, "motion");
  const full = await factorsOf(recording, "full");
  return {
    realtime_factor_motion: median(motion.warm),
    realtime_factor_motion_least: Math.min(...motion.warm),
    realtime_factor_motion_first: motion.first,
    realtime_factor_full: median(full.warm),
    realtime_factor_full_first: full.first,
    recording_seconds: motion.duration,
  };
}

/**
 * Seconds of recording per second of processor time: of the first replay, while the engine still compiles, and of those after
 * it has settled, as with many files.
 */
async function factorsOf(
  recording: MemoryRecording,
  monitor: ReplayMonitor,
): Promise<{ first: number; warm: number[]; duration: number }> {
  const factors: number[] = [];
  let duration = 0;
  for (let k = 0; k < WARM_UPS + REPEATS; k++) {
    const { replay, seconds } = await timed(recording, monitor);
    duration = replay.toNs / 1e9;
    factors.push(duration / seconds);
  }
  return { first: factors[0]!, warm: factors.slice(WARM_UPS), duration };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** The shipped throws, from detections: by the wall clock, and by the processor's time of both threads, their start included. */
async function throughput(): Promise<Metrics> {
  const files = findRecordings([join(throwsFolder, "single"), join(throwsFolder, "occluded")]);
  const workers = Math.min(THREADS, availableParallelism());
  const begun = performance.now();
  const before = process.cpuUsage();
  const report = await replayFiles(files, { changes: {}, monitor: "motion", detail: "brief" }, { workers });
  const seconds = (performance.now() - begun) / 1e3;
  const { user, system } = process.cpuUsage(before);
  const { throws } = report.summary;
  return { throws_per_second: throws / seconds, throws_per_core_second: (1e6 * throws) / (user + system) };
}

async function imagesPerSecond(): Promise<Metrics> {
  const { options } = dataSetFiles().find(({ kind }) => kind === "images")!;
  const recording = await inMemory({ ...options, robot: "agile-justin", imageFrames: 10 });
  await timed(recording, "motion");
  const { replay, seconds } = await timed(recording, "motion");
  return { images_per_second: replay.imagesSearched / seconds };
}
