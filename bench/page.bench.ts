import { setTimeout as pause } from "node:timers/promises";
import { realTimeDefaults } from "../src/run/real-time-options.js";
import { runSettingsOf } from "../src/run/run-settings.js";
import { resolveConfig } from "../src/runtime/config.js";
import { createLogger } from "../src/runtime/logger.js";
import { ThreadLoads } from "../src/runtime/thread-load.js";
import { SessionSlot } from "../src/service/session-slot.js";
import { type RunningService, startService } from "../src/service/start-service.js";
import { LiveSession } from "../src/view/live-session.module.js";
import { LockStepSession } from "../src/view/lock-step-session.module.js";
import type { Session } from "../src/view/session.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { ViewerCrew } from "./page/viewer-crew.js";

/** Length of each measurement [s]: of the service's load, and of control's jitter. */
const SLICE = { load: 8, jitter: 8 };
const WHOLE = { load: 30, jitter: 60 };
/** After viewers have come or gone, before it is measured [ms]. */
const SETTLE_MS = 1000;
const MANY = 10;
/** Runs without and with viewers, taking turns. */
const RUNS = 3;

/**
 * What those who watch cost: the share of a core that each viewer of the stream takes from the service's thread, in lock-step and
 * in real time, while balls are thrown and caught; and how late control's ticks are without viewers and with ten.
 */
export const suite: BenchSuite = {
  name: "page",
  description: "cost of a viewer of the live stream, and control's jitter with ten of them",
  run,
};

async function run({ seed, full, progress }: BenchContext): Promise<Metrics> {
  const durations = full ? WHOLE : SLICE;
  progress("lock-step: starting the service and the run");
  const lockStep = await inSession(
    () => LockStepSession.start({ ...lockStepRun, seed }),
    (crew) => measureLoad("lockstep", crew, durations.load, progress),
  );
  progress("real time: starting the service, the robot and all threads");
  const realTime = await inSession(
    () => LiveSession.start({ ...realTimeDefaults, speed: 1, robot: "agile-justin", seed, automatic: true }),
    async (crew, session) => ({
      ...(await measureLoad("realtime", crew, durations.load, progress)),
      ...(await measureJitter(session, crew, durations.jitter, progress)),
    }),
  );
  return { ...lockStep, ...realTime };
}

const lockStepRun = {
  robot: "agile-justin",
  perception: "circles",
  world: "physics",
  balls: 1,
  ...runSettingsOf(resolveConfig({})),
  mode: "soft",
  body: "rule",
  afterCatch: "return",
  latestCatch: 1.8,
  planner: { starts: 12 },
  automatic: true,
  speed: 1,
} as const;

/** The service in this process, as `flycatcher live --serve` has it, about a run; viewers in another. */
async function inSession<S extends Session>(
  start: () => Promise<S>,
  measure: (crew: ViewerCrew, session: S) => Promise<Metrics>,
): Promise<Metrics> {
  const slot = new SessionSlot("starting");
  const service = await startServed(slot);
  // To start another process stops all threads of this one for a moment: before the robot moves.
  const crew = new ViewerCrew(service.address);
  const session = await start();
  slot.fill(session);
  try {
    return await measure(crew, session);
  } finally {
    await crew.close();
    await session.close();
    await service.close();
  }
}

function startServed(live: SessionSlot): Promise<RunningService> {
  const config = resolveConfig({ overrides: ["service.port=0", "planning.workers=1", "log.level=warn"] });
  const logger = createLogger({ ...config.log, level: "warn" });
  return startService({ config: { ...config, parts: ["planning", "service"] }, logger, live });
}

/** Share of a core that the service's thread takes with no, one and many viewers; in percent. */
async function measureLoad(
  clock: string,
  crew: ViewerCrew,
  duration: number,
  progress: BenchContext["progress"],
): Promise<Metrics> {
  const shares = new Map<number, number>();
  let [before, bytes] = [0, 0];
  for (const viewers of [0, 1, MANY]) {
    progress(`${clock}: ${viewers} viewers for ${duration} s`);
    before = await crew.become(viewers);
    await pause(SETTLE_MS);
    shares.set(viewers, await shareOfMain(duration));
    bytes = await crew.become(viewers);
  }
  const [none, one, many] = [0, 1, MANY].map((viewers) => 100 * shares.get(viewers)!) as [number, number, number];
  return {
    [`${clock}_service_cpu_percent_0`]: none,
    [`${clock}_service_cpu_percent_1`]: one,
    [`${clock}_service_cpu_percent_${MANY}`]: many,
    [`${clock}_first_viewer_cpu_percent`]: one - none,
    [`${clock}_viewer_cpu_percent`]: (many - none) / MANY,
    [`${clock}_viewer_kilobytes_per_second`]: (bytes - before) / 1e3 / MANY / (duration + SETTLE_MS / 1e3),
  };
}

async function shareOfMain(duration: number): Promise<number> {
  const loads = new ThreadLoads();
  loads.ofThread(process.pid, 1e6 * performance.now());
  await pause(1e3 * duration);
  return loads.ofThread(process.pid, 1e6 * performance.now()) ?? Number.NaN;
}

/** Runs without viewers and with many take turns, so that a machine that changes meanwhile favours neither. */
async function measureJitter(
  {
    run: {
      host: { statistics },
    },
  }: LiveSession,
  crew: ViewerCrew,
  duration: number,
  progress: BenchContext["progress"],
): Promise<Metrics> {
  const p99: Record<"without" | "with", number[]> = { without: [], with: [] };
  for (let k = 0; k < RUNS; k++) {
    for (const kind of ["without", "with"] as const) {
      const viewers = kind === "with" ? MANY : 0;
      progress(`jitter with ${viewers} viewers for ${duration} s, ${k + 1} of ${RUNS}`);
      await crew.become(viewers);
      await pause(SETTLE_MS);
      statistics.reset();
      await pause(1e3 * duration);
      p99[kind].push(statistics.lateness.quantile(0.99));
    }
  }
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return {
    viewers_0_jitter_us_p99_min: Math.min(...p99.without),
    viewers_0_jitter_us_p99_max: Math.max(...p99.without),
    [`viewers_${MANY}_jitter_us_p99_min`]: Math.min(...p99.with),
    [`viewers_${MANY}_jitter_us_p99_p50`]: middle(p99.with),
    [`viewers_${MANY}_jitter_us_p99_max`]: Math.max(...p99.with),
    /** 1: the middle run with viewers is no worse than the worst without. */
    [`viewers_${MANY}_within_spread`]: middle(p99.with) <= Math.max(...p99.without) ? 1 : 0,
  };
}
