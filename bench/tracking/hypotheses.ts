import { Random } from "../../src/math/random.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import { type BenchContext, type Metrics, percentiles, summarize } from "../harness.js";
import { runCrossing } from "./crossing-trial.js";
import { countGhosts } from "./ghost-trial.js";
import { ThrownBall, throwsOf } from "./round-objects.js";
import { FRAME_PERIOD, ScanSimulator } from "./scan-simulator.js";

/** Throws of two balls each that are timed. */
const TIMED_THROWS = 40;

/** The multiple hypothesis tracker: its time, whether it keeps balls apart, and whether it sees throws where none are. */
export function measureHypotheses(context: BenchContext): Metrics {
  return { ...measureUpdates(context), ...measureIdentities(context), ...measureGhosts(context) };
}

/**
 * Two balls in flight and ten false circles an image: microseconds for a scan of both cameras, by the clock on the wall, and
 * of the processor (`update_cpu_us`): on a machine with other work the two part in the tail. The
 * processor's time is that of all threads: what garbage collection and the optimiser do beside the update is in it.
 */
function measureUpdates({ seed, full, progress }: BenchContext): Metrics {
  progress("tracker updates");
  const random = new Random(seed).fork("updates");
  const throws = throwsOf(seed);
  const times: number[] = [];
  const processorTimes: number[] = [];
  const tracker = new BallTracker({ clutterPerImage: 10 });
  const simulator = new ScanSimulator({ seed });
  let frame = 0;
  for (let n = 0; n < (full ? 10 : 1) * TIMED_THROWS; n++) {
    const start = frame * FRAME_PERIOD;
    const first = new ThrownBall(throws.make(2 * n, start));
    const second = new ThrownBall(throws.make(2 * n + 1, start + random.uniformIn(0, FRAME_PERIOD)));
    // A second between throws lets the tracks of the last ones go.
    const frames = Math.ceil((Math.min(first.end, second.end) - start) / FRAME_PERIOD);
    for (let k = 0; k < frames + 1 / FRAME_PERIOD; k++, frame++) {
      const scan = simulator.expose(frame * FRAME_PERIOD, [first, second]);
      const used = process.cpuUsage();
      const begun = performance.now();
      tracker.process(scan);
      const time = performance.now() - begun;
      const { user, system } = process.cpuUsage(used);
      // The first throws are practice for the optimiser.
      if (!(n >= TIMED_THROWS / 8 && k < frames)) continue;
      times.push(1e3 * time);
      processorTimes.push(user + system);
    }
  }
  return {
    ...percentiles("update_us", Float64Array.from(times)),
    ...percentiles("update_cpu_us", Float64Array.from(processorTimes)),
  };
}

function measureIdentities({ seed, full, progress }: BenchContext): Metrics {
  const runs = full ? 500 : 100;
  progress(`identities of crossing balls, ${runs} runs`);
  let kept = 0;
  const frames: number[] = [];
  for (let run = 0; run < runs; run++) {
    const result = runCrossing(1000 * seed + run);
    if (result.kept) kept++;
    frames.push(...result.framesToConfirm.filter((count) => !Number.isNaN(count)));
  }
  const { p50, p95 } = summarize(Float64Array.from(frames));
  return {
    id_kept_ratio: kept / runs,
    confirmed_ratio: frames.length / (2 * runs),
    confirm_frames_p50: p50,
    confirm_frames_p95: p95,
  };
}

function measureGhosts({ seed, full, progress }: BenchContext): Metrics {
  const minutes = full ? 10 : 2;
  progress(`ghosts in ${minutes} minutes of clutter with a walking person`);
  return { ghosts: countGhosts(seed, 60 * minutes), ghost_minutes: minutes };
}
