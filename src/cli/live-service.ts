import type { PageMessage } from "../messages/page.js";
import { realTimeDefaults } from "../run/real-time-options.js";
import { runSettingsOf } from "../run/run-settings.js";
import type { Config } from "../runtime/config-schema.js";
import { createLogger } from "../runtime/logger.js";
import { SessionSlot } from "../service/session-slot.js";
import type { RunningService } from "../service/start-service.js";
import { StopLine } from "../transport/stop-line.js";
import { LiveSession, type LiveSessionOptions } from "../view/live-session.module.js";
import { LockStepSession } from "../view/lock-step-session.module.js";
import { ServiceLog } from "../view/service-log.js";
import type { Session } from "../view/session.js";
import { LiveSessionRecorder } from "../view/session-recorder.module.js";
import { eventPrinter, type RealTimeDemo } from "./live-realtime.js";
import { formatSummary, formatThrow } from "./live-report.js";
import type { SceneKinds } from "./live-world.js";
import { StartProgress } from "./start-progress.js";
import { endInTime, interruption, print } from "./terminal.js";

/** Folder for recordings that are begun on the page. */
const RECORDINGS = "recordings";

/** A demonstration with service and page. */
interface ServedRun {
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
export async function runServed(show: ServedRun): Promise<void> {
  const stopLine = new StopLine();
  // The robot brakes before anything else is ended.
  const interrupted = interruption(() => stopLine.ask());
  // The service first: its threads and libraries are not to disturb a robot that moves.
  const live = new SessionSlot("starting");
  const log = new ServiceLog();
  const service = await startService(show.config, { live, log, stopLine: stopLine.memory });
  print(announce(service, show));
  const { session, started, close } = await openSession(show, stopLine.memory);
  const end = () => endInTime(Promise.all([close(), service.close()]));
  live.fill(session);
  log.attach(session);
  try {
    if (typeof (await Promise.race([started, interrupted])) === "string") print("Stopping …");
    else print("The robot waits for balls.");
  } catch (error) {
    await end();
    throw error;
  }
  service.stop?.supervise();
  await Promise.race([playUntil(session, show.throws), interrupted]);
  const { summary } = session.snapshot().hello;
  await end();
  print(`\n${formatSummary(summary, null)}`);
}

interface OpenSession {
  readonly session: Session;
  /** Settles when the robot waits for balls. */
  readonly started: Promise<void>;
  readonly close: () => Promise<void>;
}

async function openSession(
  { config, demo, lockStep, throws }: ServedRun,
  stopLine: SharedArrayBuffer,
): Promise<OpenSession> {
  const { throws: _, seconds: ____, output: __, historyFolder: ___, ...live } = demo;
  const options = {
    ...realTimeDefaults,
    ...live,
    automatic: throws > 0 && live.cameras?.pipes === undefined,
    stopLine,
  };
  if (lockStep === null) return openLiveSession(options);
  const { robot, arms, balls, seed, automatic } = options;
  const speed = options.speed === "auto" ? 1 : options.speed;
  const session = await LockStepSession.start({
    ...runSettingsOf(config),
    ...lockStep,
    ...{ robot, arms, balls, seed, automatic, speed, stopLine },
  });
  return { session, started: Promise.resolve(), close: () => session.close() };
}

function openLiveSession(options: LiveSessionOptions): OpenSession {
  const recorder = new LiveSessionRecorder(RECORDINGS, options);
  const progress = new StartProgress().show;
  const session = LiveSession.open({ ...options, recorder }, { event: eventPrinter(), progress });
  const close = async (): Promise<void> => {
    await session.close();
    await recorder.close();
  };
  return { session, started: session.started, close };
}

/** Loaded late: the other commands do not wait for the service's libraries. */
async function startService(
  config: Config,
  {
    live,
    log,
    stopLine,
  }: { readonly live: SessionSlot; readonly log: ServiceLog; readonly stopLine: SharedArrayBuffer },
): Promise<RunningService> {
  const { startService: start } = await import("../service/start-service.js");
  const level = config.log.level === "info" ? "warn" : config.log.level;
  const logger = createLogger({ ...config.log, level }, undefined, log.add);
  return start({ config: { ...config, parts: ["planning", "service"] }, logger, live, stopLine });
}

/** Prints what happens; settles after so many throws. */
function playUntil(session: Session, throws: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    session.subscribe({
      onMessage: (message: PageMessage) => {
        if (message.type !== "throw") return;
        print(formatThrow(message.result));
        if (++count >= throws) void session.change({ automatic: false }).then(() => resolve());
      },
    });
  });
}

function announce({ address, takenPort, stop }: RunningService, { lockStep, config }: ServedRun): string {
  const moved = takenPort === undefined ? "" : ` (port ${takenPort} is taken)`;
  const clock = lockStep === null ? "in real time" : "in lock-step";
  const foxglove = config.service.foxglove ? `Foxglove Studio opens ${address.replace("http", "ws")}/foxglove\n` : "";
  const stopAt = stop === null ? "" : `Any request to ${stop.address.url}, or a datagram "stop", stops the robot.\n`;
  return `Watch it ${clock} at ${address}${moved}; Ctrl-C stops the robot, then the run.\n${stopAt}${foxglove}`;
}
