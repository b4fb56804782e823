import { setTimeout as pause } from "node:timers/promises";
import { realTimeDefaults } from "../src/run/real-time-options.js";
import { realTimeRun } from "../src/run/real-time-run.js";
import type { Run } from "../src/run/run.js";
import type { ThreadsHost } from "../src/run/threads-host.js";
import { StolenTime } from "../src/runtime/stolen-time.js";
import { load, startLoadedService } from "./control/http-load.js";
import { ImageToCommand } from "./control/image-to-command.js";
import { startReference } from "./control/reference-loop.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";

/** Length of the measurement [s]. */
const SLICE = 20;
const WHOLE = 60;
/** Length of the measurement of a run that waits for balls [s]. */
const WAITING = 10;

/**
 * The control loop in real time, first while the robot waits, then while the whole pipeline runs and catches and the service
 * in the same process answers planning requests: how late its ticks are, what they cost, how long it takes from an image to
 * the motion it led to. Beside it, at the same time and priority, a loop in C.
 */
export const suite: BenchSuite = {
  name: "control",
  description: "jitter of the 1 kHz loop with the whole pipeline running, and from image to command",
  run,
};

async function run({ seed, full, progress }: BenchContext): Promise<Metrics> {
  progress("starting the service, the robot and all threads");
  const service = await startLoadedService();
  const live = await realTimeRun({ ...realTimeDefaults, speed: 1, robot: "agile-justin", seed });
  const delays = new ImageToCommand(live);
  try {
    const waiting = await measureWaiting(live, progress);
    const duration = full ? WHOLE : SLICE;
    progress(`throwing balls for ${duration} s, 100 planning requests a second`);
    // To start another process stops all threads of this one for a moment, which is not the pipeline's doing.
    const http = load(service, duration);
    const reference = startReference(duration);
    await pause(1000);
    live.host.statistics.reset();
    const stolen = new StolenTime();
    const thrown = await throwFor(live, duration);
    const measured = {
      ...thrown,
      stolen_ms: 1e3 * (stolen.seconds() ?? Number.NaN),
      ...loopMetrics(live),
      ...delays.metrics(),
      ...planningMetrics(live),
    };
    return { ...measured, ...waiting, ...(await http), ...(await reference) };
  } finally {
    delays.stop();
    await live.close();
    await service.close();
  }
}

async function measureWaiting(
  { host: { statistics } }: Run<ThreadsHost>,
  progress: BenchContext["progress"],
): Promise<Metrics> {
  progress(`waiting for ${WAITING} s`);
  const reference = startReference(WAITING + 1);
  await pause(1000);
  statistics.reset();
  const stolen = new StolenTime();
  await pause(1e3 * WAITING);
  const { lateness, missed } = statistics;
  const beside = Object.entries(await reference).map(([name, value]) => [`waiting_${name}`, value]);
  return {
    ...Object.fromEntries(beside),
    waiting_stolen_ms: 1e3 * (stolen.seconds() ?? Number.NaN),
    waiting_jitter_us_p50: lateness.quantile(0.5),
    waiting_jitter_us_p99: lateness.quantile(0.99),
    waiting_jitter_us_max: lateness.max,
    waiting_missed_ticks: missed,
  };
}

async function throwFor(live: Run<ThreadsHost>, duration: number): Promise<Metrics> {
  const end = performance.now() + 1e3 * duration;
  let [throws, reachable, caught] = [0, 0, 0];
  while (performance.now() < end) {
    const [result] = await live.throwBalls([throws++]);
    if (result?.outcome !== "no-plan") reachable++;
    if (result?.outcome === "caught") caught++;
  }
  return { throws, reachable, caught };
}

function loopMetrics({ control, host: { statistics } }: Run<ThreadsHost>): Metrics {
  const { lateness, work, ticks, missed } = statistics;
  return {
    tick_jitter_us_p50: lateness.quantile(0.5),
    tick_jitter_us_p99: lateness.quantile(0.99),
    tick_jitter_us_p999: lateness.quantile(0.999),
    tick_jitter_us_max: lateness.max,
    ticks,
    missed_ticks: missed,
    loop_us_p50: work.quantile(0.5),
    loop_us_p99: work.quantile(0.99),
    monitor_brakes: control?.brakes ?? 0,
  };
}

/** Of the live planners, by the wall clock. */
function planningMetrics({ timings }: Run<ThreadsHost>): Metrics {
  const at = (samples: readonly number[], p: number) =>
    samples.toSorted((a, b) => a - b)[Math.ceil(p * samples.length) - 1] ?? Number.NaN;
  return {
    live_cold_ms_p50: at(timings.coldMs, 0.5),
    live_cold_ms_p95: at(timings.coldMs, 0.95),
    live_warm_ms_p50: at(timings.warmMs, 0.5),
    live_warm_ms_p95: at(timings.warmMs, 0.95),
  };
}
