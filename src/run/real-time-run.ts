import { Thrower, throwerDefaults } from "../simulation/world/thrower.js";
import { ThrowGenerator, throwSpaceOf } from "../simulation/world/throws.js";
import type { RealTimeObserver } from "./real-time-observer.js";
import type { RealTimeOptions } from "./real-time-options.js";
import { Run } from "./run.js";
import { ThreadsHost } from "./threads-host.js";

/** From the announcement of a throw to its release, at least [ns]. */
const NOTICE_NS = 250e6;
/** Number of the first ball of the warm-up: far from all others. */
const FIRST_WARM_UP = 1_000_000_000;

/**
 * A run in real time: a robot, simulated in a process of its own by default, and the nodes in threads.
 *
 * @example
 * const run = await realTimeRun({ ...realTimeDefaults, robot: "agile-justin" });
 * const [result] = await run.throwBalls([0]);
 * await run.close();
 */
export async function realTimeRun(
  options: RealTimeOptions,
  observer: RealTimeObserver = {},
): Promise<Run<ThreadsHost>> {
  const run = createRealTimeRun(options, observer);
  await startRealTimeRun(run, options);
  return run;
}

/** The same, not started yet: what it publishes can be subscribed to. */
export function createRealTimeRun(options: RealTimeOptions, observer: RealTimeObserver): Run<ThreadsHost> {
  const host = new ThreadsHost(options, observer);
  const source = new ThrowGenerator(throwSpaceOf(host.robot), options.seed, options.ball);
  const thrower = new Thrower(options.thrower ?? throwerDefaults, options.seed);
  return new Run(host, { source, settlingNs: 0, noticeNs: NOTICE_NS, thrower });
}

/** Starts the robot and the threads, and warms them up. A run that does not start is closed. */
export async function startRealTimeRun(run: Run<ThreadsHost>, options: RealTimeOptions): Promise<void> {
  const { host } = run;
  try {
    await host.start(() => run.control?.isReady === true);
    await warmUpTogether(run, options);
    host.begin();
  } catch (error) {
    await run.close();
    throw error;
  }
}

/**
 * All threads together, with the robot: what each has warmed up by itself is then known to work, at a speed the machine holds. The
 * first throw alone decides only if its load is normal.
 */
async function warmUpTogether(
  run: Run<ThreadsHost>,
  { warmUpThrows = 0, ball }: Pick<RealTimeOptions, "warmUpThrows" | "ball">,
): Promise<void> {
  const { host, robot } = run;
  if (warmUpThrows === 0) return;
  const throws = new ThrowGenerator(throwSpaceOf(robot), "warm-up", ball);
  await host.warmUp.part("trial throw", async () => {
    for (let k = 0; k < warmUpThrows; k++) {
      await run.throwAll([throws.make(FIRST_WARM_UP + k, 0)]);
      if (k === 0 ? host.speed.isColdLoadNormal : host.speed.choose() === "kept") return;
    }
  });
}
