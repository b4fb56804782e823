import type { ThrowResult } from "../catching/run-summary.js";
import { defaultBall } from "../flight/ball.js";
import type { Occlusion } from "../nodes/simulated-camera.js";
import { readingDofs } from "../recording/reading-dofs.js";
import { buildRecordedRobot, recordedRobotOf } from "../recording/recorded-robot.js";
import {
  RECORDING_VERSION,
  type RecordedRobot,
  type RecordingHeader,
  type RecordingSink,
} from "../recording/recording.js";
import type { Robot } from "../robot/robot.js";
import type { Config } from "../runtime/config-schema.js";
import { packageVersion } from "../runtime/package-root.js";
import type { WorldKind } from "../simulation/simulated-world.js";
import type { PerceptionKind } from "./graph.js";
import { lockStepRun } from "./lock-step-host.js";
import type { ThrowEnd, ThrowSource } from "./run.js";
import { recordedRun, type SettingChanges } from "./run-settings.js";

export interface SimulatedRecordingOptions extends SettingChanges {
  /** Name of a robot, the path of its `robot.json`, or all that it is made of. */
  readonly robot: string | RecordedRobot;
  readonly perception: PerceptionKind;
  readonly world: WorldKind;
  readonly seed: number | string;
  /** Balls in the air at a time, and throws in all. */
  readonly balls?: number;
  readonly throws?: number;
  /** Number of the first throw of the series. */
  readonly first?: number;
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly configuration?: Config;
  /** Whether images are kept; circles found in them always are. */
  readonly images?: "kept" | "dropped";
  /** Of how many frames at most. */
  readonly imageFrames?: number;
  /** Time between two records of all joints [ns]; that of a tick makes even the monitor's replay exact; null: none. */
  readonly jointPeriodNs?: number | null;
  /** Where throws come from; default: the seed's series. */
  readonly throwSource?: (robot: Robot) => ThrowSource;
  readonly occlusions?: readonly Occlusion[];
  readonly settlingNs?: number;
  readonly end?: ThrowEnd;
}

/** Joints are recorded for pictures at this period unless said otherwise [ns]. */
const PICTURE_PERIOD_NS = 40_000_000;

/** The first thing in the recording of such a run, and the robot that it will be of. */
export function simulatedHeader(options: SimulatedRecordingOptions): { header: RecordingHeader; robot: Robot } {
  const source = typeof options.robot === "string" ? recordedRobotOf(options.robot) : options.robot;
  const robot = buildRecordedRobot(source);
  const { perception, world, seed, balls = 1, throws = 1, jointPeriodNs = PICTURE_PERIOD_NS } = options;
  const needsHead = perception === "circles" || perception === "images";
  const header: RecordingHeader = {
    formatVersion: RECORDING_VERSION,
    software: { name: "flycatcher", version: packageVersion },
    startedAt: null,
    clock: "lock-step",
    title: options.title ?? `${throws} throws at ${source.name}, ${balls} at a time`,
    labels: options.labels ?? [],
    robot: source,
    perception,
    world,
    seed,
    ball: options.ball ?? defaultBall,
    run: recordedRun(robot, options),
    configuration: options.configuration ?? null,
    readings: needsHead ? readingDofs(robot) : null,
    jointPeriodNs,
  };
  return { header, robot };
}

/**
 * Simulates throws in lock-step and writes all of it to what `open` makes of the header; the sink is the caller's to
 * close. The same options give the same items, bit by bit.
 */
export async function recordSimulatedThrows(
  options: SimulatedRecordingOptions,
  open: (header: RecordingHeader) => RecordingSink | Promise<RecordingSink>,
  onProgress: (done: number) => void = () => undefined,
): Promise<ThrowResult[]> {
  const { header, robot } = simulatedHeader(options);
  const { images = "dropped", balls = 1, throws = 1, first = 0, end = "robot waits again" } = options;
  const { imageFrames = Number.POSITIVE_INFINITY } = options;
  const sink = await open(header);
  const { run, seed } = header;
  const catching = await lockStepRun({
    ...run!,
    robot,
    ball: header.ball,
    world: options.world,
    perception: options.perception,
    balls,
    seed: seed ?? 1,
    recorder: { sink, header, images, imageFrames },
    occlusions: options.occlusions,
    throws: options.throwSource?.(robot),
    settlingNs: options.settlingNs,
    ...(options.thrower !== undefined && { thrower: options.thrower }),
  });
  try {
    const results: ThrowResult[] = [];
    for (let k = 0; k < throws; k += balls) {
      const ids = Array.from({ length: Math.min(balls, throws - k) }, (_, ball) => first + k + ball);
      results.push(...(await catching.throwBalls(ids, end)));
      onProgress((k + ids.length) / throws);
      // Lets whoever shows progress do so.
      await new Promise(setImmediate);
    }
    return results;
  } finally {
    await catching.close();
  }
}
