import { realTimeDefaults } from "../run/real-time-options.js";
import { runSettingsOf } from "../run/run-settings.js";
import type { Config } from "../runtime/config-schema.js";
import { createLogger } from "../runtime/logger.js";
import { StageSlot } from "../service/stage-slot.js";
import type { RunningService } from "../service/start-service.js";
import { LiveStage, type LiveStageOptions } from "../view/live-stage.module.js";
import { LockStepStage } from "../view/lock-step-stage.module.js";
import type { Stage } from "../view/stage.js";
import type { StageMessage } from "../view/stage-messages.js";
import { LiveStageRecorder } from "../view/stage-recorder.module.js";
import { type RealTimeDemo, tellEvent } from "./live-realtime.js";
import { formatSummary, formatThrow } from "./live-report.js";
import type { SceneKinds } from "./live-world.js";
import { interruption } from "./terminal.js";

/** Folder for recordings that are begun on the page. */
const RECORDINGS = "recordings";

/** A demonstration with service and page. */
interface LiveShow {
  readonly config: Config;
  readonly demo: RealTimeDemo;
  /** Throws after which it ends; Infinity: when it is interrupted. */
  readonly throws: number;
  /** In lock-step: the world and how it is seen; null: in real time. */
  readonly lockStep: SceneKinds | null;
}

/**
 * The live demo with the service and the page beside it: starts, says where the page is, throws, prints a line a throw, and
 * ends with a table. Interrupted, it stops the robot first.
 */
export async function runLiveShow(show: LiveShow): Promise<void> {
  const interrupted = interruption();
  // The service first: its threads and libraries are not to disturb a robot that moves.
  const live = new StageSlot("starting");
  const service = await startService(show.config, live);
  print(announce(service, show));
  const starting = startStage(show);
  if (typeof (await Promise.race([starting, interrupted])) === "string")
    print("Stopping as soon as the robot has started …");
  const { stage, close } = await starting;
  live.fill(stage);
  print("The robot waits for balls.");
  const over = playUntil(stage, show.throws);
  await Promise.race([over, interrupted]);
  const { summary } = stage.snapshot().hello;
  await close();
  await service.close();
  print(`\n${formatSummary(summary, null)}`);
}

interface StartedStage {
  readonly stage: Stage;
  readonly close: () => Promise<void>;
}

async function startStage({ config, demo, lockStep, throws }: LiveShow): Promise<StartedStage> {
  const { throws: _, output: __, historyFolder: ___, ...live } = demo;
  const options = { ...realTimeDefaults, ...live, automatic: throws > 0 };
  if (lockStep === null) return startLiveStage(options);
  const { robot, arms, balls, seed } = options;
  const stage = await LockStepStage.start({
    ...runSettingsOf(config),
    robot,
    ...(arms !== undefined && { arms }),
    ...lockStep,
    balls,
    seed,
    automatic: options.automatic,
    speed: 1,
  });
  return { stage, close: () => stage.close() };
}

async function startLiveStage(options: LiveStageOptions): Promise<StartedStage> {
  const recorder = new LiveStageRecorder(RECORDINGS, options);
  const stage = await LiveStage.start({ ...options, recorder }, { event: tellEvent });
  const close = async (): Promise<void> => {
    await stage.close();
    await recorder.close();
  };
  return { stage, close };
}

/** Loaded late: the other commands do not wait for the service's libraries. */
async function startService(config: Config, live: StageSlot): Promise<RunningService> {
  const { startService: start } = await import("../service/start-service.js");
  const logger = createLogger({ ...config.log, level: config.log.level === "info" ? "warn" : config.log.level });
  return start({ config: { ...config, parts: ["planning", "service"] }, logger, live });
}

/** Prints what happens; settles after so many throws. */
function playUntil(stage: Stage, throws: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    stage.watch({
      hear: (message: StageMessage) => {
        if (message.type !== "throw") return;
        print(formatThrow(message.result));
        if (++count >= throws) void stage.change({ automatic: false }).then(() => resolve());
      },
    });
  });
}

function announce({ address, takenPort }: RunningService, { lockStep, config }: LiveShow): string {
  const moved = takenPort === undefined ? "" : ` (port ${takenPort} is taken)`;
  const clock = lockStep === null ? "in real time" : "in lock-step";
  const foxglove = config.service.foxglove ? `Foxglove Studio opens ${address.replace("http", "ws")}/foxglove\n` : "";
  return `Watch it ${clock} at ${address}${moved}; Ctrl-C stops the robot, then the run.\n${foxglove}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
