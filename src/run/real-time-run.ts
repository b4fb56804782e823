import { ThrowGenerator, throwSpaceOf } from "../simulation/world/throws.js";
import type { RealTimeOptions } from "./real-time-options.js";
import { Run } from "./run.js";
import { type RealTimeObserver, ThreadsHost } from "./threads-host.js";

/** From the announcement of a throw to its release [ns]. */
const NOTICE_NS = 250e6;
/** The warm-up is over when so many balls were caught one after the other. */
const CAUGHT_IN_A_ROW = 2;
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
  const host = new ThreadsHost(options, observer);
  const source = new ThrowGenerator(throwSpaceOf(host.robot), options.seed);
  const run = new Run(host, { source, settlingNs: 0, noticeNs: NOTICE_NS });
  try {
    await host.start(() => run.control?.isReady === true);
    await warmUpTogether(run, options.warmUpThrows ?? 0);
    host.begin();
  } catch (error) {
    await run.close();
    throw error;
  }
  return run;
}

/** All threads together, with the robot: what each has warmed up by itself is then known to work. */
async function warmUpTogether(run: Run<ThreadsHost>, mostThrows: number): Promise<void> {
  const throws = new ThrowGenerator(throwSpaceOf(run.robot), "warm-up");
  for (let k = 0, inARow = 0; k < mostThrows && inARow < CAUGHT_IN_A_ROW; k++) {
    run.host.announce(`the robot catches a ball, number ${k + 1}`);
    const [result] = await run.throwAll([throws.make(FIRST_WARM_UP + k, 0)]);
    inARow = result?.outcome === "caught" ? inARow + 1 : 0;
  }
}
