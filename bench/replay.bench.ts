import { availableParallelism } from "node:os";
import { join } from "node:path";
import { dataSetFiles } from "../src/recording/data-set/throw-kinds.js";
import { MemoryRecording } from "../src/recording/memory-recording.js";
import { findRecordings, replayFiles, throwsFolder } from "../src/recording/replay/replay-files.js";
import { type Replay, replayRecording } from "../src/recording/replay/replay-run.js";
import type { ReplayMonitor } from "../src/recording/replay/replay-settings.js";
import { recordSimulatedThrows, type SimulatedRecordingOptions } from "../src/recording/simulated-recording.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { measureRecorder } from "./recording/recorder.js";

/** Throws of the recording by which speed is told: whole ones, from the wait for the ball to the arm's return. */
const THROWS = 20;
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
  // Once for the engine to compile what is hot.
  await timed(recording, "motion");
  const motion = await timed(recording, "motion");
  const full = await timed(recording, "full");
  const duration = motion.replay.toNs / 1e9;
  return {
    realtime_factor_motion: duration / motion.seconds,
    realtime_factor_full: duration / full.seconds,
    recording_seconds: duration,
  };
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
