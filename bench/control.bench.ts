import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveDefaults, livePriorities } from "../src/catching/live/live-options.js";
import { LiveRun } from "../src/catching/live/live-run.module.js";
import { packageRoot } from "../src/runtime/package-root.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";

/** Length of the measurement [s]. */
const SLICE = 25;
const WHOLE = 60;

/**
 * The control loop in real time while the whole pipeline runs and catches: how late its ticks are, what they cost, how long
 * it takes from an image to the motion it led to. Beside it, at the same time and priority, a loop in C.
 */
export const suite: BenchSuite = {
  name: "control",
  description: "jitter of the 1 kHz loop with the whole pipeline running, and from image to command",
  run,
};

async function run({ seed, full, progress }: BenchContext): Promise<Metrics> {
  const duration = full ? WHOLE : SLICE;
  progress("starting the robot and all threads");
  const live = await LiveRun.start({ ...liveDefaults, robot: "agile-justin", seed });
  const delays = new ImageToCommand(live);
  try {
    progress(`throwing balls for ${duration} s`);
    const loop = startReference(duration);
    live.control.statistics.reset();
    const end = performance.now() + 1e3 * duration;
    let [thrown, caught] = [0, 0];
    while (performance.now() < end) {
      const [result] = await live.throwBalls([thrown++]);
      if (result?.outcome === "caught") caught++;
    }
    const { lateness, work, ticks, missed } = live.control.statistics;
    return {
      tick_jitter_us_p50: lateness.quantile(0.5),
      tick_jitter_us_p99: lateness.quantile(0.99),
      tick_jitter_us_p999: lateness.quantile(0.999),
      tick_jitter_us_max: lateness.max,
      ticks,
      missed_ticks: missed,
      loop_us_p50: work.quantile(0.5),
      loop_us_p99: work.quantile(0.99),
      monitor_brakes: live.control.panel.brakes,
      ...delays.metrics(),
      throws: thrown,
      caught,
      ...(await loop),
    };
  } finally {
    delays.stop();
    await live.stop();
  }
}

/** From the exposure of the newest image in a prediction to the tick at which the plan made of it begins. */
class ImageToCommand {
  readonly #delays: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor({ channels }: LiveRun) {
    const predictions = channels.predictions.openGetPort("every");
    const plans = channels.plans.openGetPort("every");
    let exposure = Number.NaN;
    this.#timer = setInterval(() => {
      for (let packet = plans.tryReceive(); packet !== null; packet = plans.tryReceive()) {
        const delay = packet.tStart.seconds - exposure;
        if (packet.closesHand && delay > 0 && delay < 1) this.#delays.push(1e3 * delay);
        plans.release(packet);
      }
      for (let packet = predictions.tryReceive(); packet !== null; packet = predictions.tryReceive()) {
        if (packet.confirmed) exposure = packet.tLastMeasurement.seconds;
        predictions.release(packet);
      }
    }, 1);
  }

  metrics(): Metrics {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    const at = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] ?? Number.NaN;
    return { image_to_command_ms_p50: at(0.5), image_to_command_ms_p95: at(0.95), plans: sorted.length };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** The loop in C, if there is a compiler; its lateness when it has run. */
function startReference(duration: number): Promise<Metrics> {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-"));
  const program = join(folder, "nanosleep-loop");
  const source = join(packageRoot, "bench", "reference", "nanosleep-loop.c");
  if (spawnSync("cc", ["-O2", "-o", program, source]).status !== 0) {
    rmSync(folder, { recursive: true });
    return Promise.resolve({});
  }
  const hasPriority = spawnSync("chrt", ["-f", String(livePriorities.control), "true"]).status === 0;
  const ticks = String(1000 * duration);
  const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
  const child = hasPriority
    ? spawn("chrt", ["-f", String(livePriorities.control), program, ticks], { stdio })
    : spawn(program, [ticks], { stdio });
  return latenessOf(child).finally(() => rmSync(folder, { recursive: true }));
}

async function latenessOf(child: ChildProcess): Promise<Metrics> {
  let output = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    output += bytes.toString();
  });
  await new Promise((resolve) => child.once("close", resolve));
  const sorted = output
    .trim()
    .split("\n")
    .map(Number)
    .sort((a, b) => a - b);
  const at = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] ?? Number.NaN;
  return { c_jitter_us_p50: at(0.5), c_jitter_us_p99: at(0.99), c_jitter_us_p999: at(0.999), c_jitter_us_max: at(1) };
}
