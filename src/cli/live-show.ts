import { liveDefaults } from "../catching/live/live-options.js";
import { LiveStage } from "../catching/stage/live-stage.module.js";
import { LockStepStage } from "../catching/stage/lock-step-stage.module.js";
import type { Stage } from "../catching/stage/stage.js";
import type { EventMessage, StageMessage } from "../catching/stage/stage-messages.js";
import type { Config } from "../runtime/config-schema.js";
import { createLogger } from "../runtime/logger.js";
import type { RunningService } from "../service/start-service.js";
import { interruption } from "./interruption.js";
import type { RealTimeDemo } from "./live-realtime.js";
import { formatSummary, formatThrow, notMeasured } from "./live-report.js";
import type { SceneKinds } from "./live-world.js";

/** A demonstration with service and page. */
export interface LiveShow {
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
  print(`Flycatcher starts ${show.demo.robot} …`);
  const stage = await startStage(show);
  const service = await startService(show.config, stage);
  print(announce(service, show));
  const over = playUntil(stage, show.throws);
  await Promise.race([over, interrupted]);
  const { summary } = stage.snapshot().hello;
  await stage.close();
  await service.close();
  print(`\n${formatSummary(summary, notMeasured)}`);
}

function startStage({ demo, lockStep, throws }: LiveShow): Promise<Stage> {
  const { throws: _, output: __, historyFolder: ___, ...live } = demo;
  const options = { ...liveDefaults, ...live, automatic: throws > 0 };
  if (lockStep === null) return LiveStage.start(options);
  const { robot, arms, balls, mode, body, afterCatch, seed, latestCatch, starts, automatic } = options;
  return LockStepStage.start({
    robot,
    ...(arms !== undefined && { arms }),
    ...lockStep,
    balls,
    mode,
    body,
    afterCatch,
    seed,
    latestCatch,
    starts,
    automatic,
    speed: 1,
  });
}

/** Loaded late: the other commands do not wait for the service's libraries. */
async function startService(config: Config, stage: Stage): Promise<RunningService> {
  const { startService: start } = await import("../service/start-service.js");
  const logger = createLogger({ ...config.log, level: config.log.level === "info" ? "warn" : config.log.level });
  return start({ config: { ...config, parts: ["planning", "service"] }, logger, stage });
}

/** Prints what happens; settles after so many throws. */
function playUntil(stage: Stage, throws: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    stage.watch({
      hear: (message: StageMessage) => {
        if (message.type === "event") tellEvent(message);
        if (message.type !== "throw") return;
        print(formatThrow(message.result));
        if (++count >= throws) void stage.change({ automatic: false }).then(() => resolve());
      },
    });
  });
}

function tellEvent({ time, severity, source, text }: EventMessage): void {
  if (severity === "warning" || severity === "error")
    process.stderr.write(`${time.toFixed(3)} s  ${source}: ${text}\n`);
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
