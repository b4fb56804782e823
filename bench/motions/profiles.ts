import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { JerkLimitedMotions, ProfileStatus } from "../../src/motion/jerk-limited-motion.js";
import { checkMotion } from "../../src/motion/motion-extremes.js";
import { type BenchContext, type Metrics, percentiles, summarize } from "../harness.js";
import { caseLine, type ProfileCase, type ProfileKind, profileCases } from "./profile-cases.js";

/**
 * Environment variable that names a program which plans the same cases with Ruckig, compiled outside the repository. It reads
 * lines of `caseLine` and prints one for each: time it took in the best of several runs [µs], result (0 for a motion), duration.
 */
const PEER = "FLYCATCHER_RUCKIG";
const STORED = "bench/reference/ruckig.json";
/** Runs of each case, the best of which counts, as with the peer. */
const ROUNDS = 6;
/** Rounds before those, in which code is compiled. */
const WARM_UP = 20;

/** Jerk-limited profiles: durations against Ruckig's, stored and in the same run, and the time that both take. */
export async function measureProfiles(context: BenchContext): Promise<Metrics> {
  const cases = profileCases();
  const stored = JSON.parse(readFileSync(STORED, "utf8")) as { durations: number[] };
  const byJoints = new Map(
    cases.map(({ start: { position } }) => [position.length, new JerkLimitedMotions(position.length)]),
  );
  const planners = cases.map(({ start }) => byJoints.get(start.position.length)!);
  let violations = 0;
  const ratios = Float64Array.from(cases, (task, k) => {
    const status = planners[k]!.plan(task.start, task.goal, task.limits);
    const isKept = status === ProfileStatus.ok && checkMotion(planners[k]!.motion, task.limits).length === 0;
    if (!isKept) violations++;
    return status === ProfileStatus.ok ? planners[k]!.motion.duration / stored.durations[k]! : Number.NaN;
  });
  context.progress(`profiles: ${cases.length} cases against stored durations`);
  const ratiosOf = (...kinds: ProfileKind[]) => summarize(ratios.filter((_, k) => kinds.includes(cases[k]!.kind)));
  const rest = ratiosOf("rest");
  const moving = ratiosOf("moving", "passing");
  return {
    jerk_rest_over_ruckig: rest.mean,
    jerk_rest_over_ruckig_max: rest.max,
    jerk_moving_over_ruckig: moving.mean,
    jerk_moving_over_ruckig_max: moving.max,
    jerk_violations: violations,
    ...times(cases, planners),
    ...peerMetrics(cases, context),
  };
}

/** Time of a motion of 1 to 7 joints, as the peer's: shortest, and softened to 1.5 times that. */
function times(cases: readonly ProfileCase[], planners: readonly JerkLimitedMotions[]): Metrics {
  const shortest = bestOf(cases, ({ start, goal, limits }, k) => planners[k]!.plan(start, goal, limits));
  const options = cases.map(({ start, goal, limits }, k) => {
    planners[k]!.plan(start, goal, limits);
    return { duration: 1.5 * planners[k]!.motion.duration };
  });
  const atTime = bestOf(cases, ({ start, goal, limits }, k) => planners[k]!.plan(start, goal, limits, options[k]));
  return { ...percentiles("jerk_profile_us", shortest), ...percentiles("jerk_at_time_us", atTime) };
}

function bestOf(cases: readonly ProfileCase[], plan: (task: ProfileCase, k: number) => unknown): Float64Array {
  for (let round = 0; round < WARM_UP; round++) for (const [k, task] of cases.entries()) plan(task, k);
  const best = new Float64Array(cases.length).fill(Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [k, task] of cases.entries()) {
      const start = performance.now();
      plan(task, k);
      best[k] = Math.min(best[k]!, (performance.now() - start) * 1e3);
    }
  }
  return best;
}

function peerMetrics(cases: readonly ProfileCase[], context: BenchContext): Metrics {
  const program = process.env[PEER];
  if (program === undefined) return {};
  context.progress(`profiles: the same by ${program}`);
  const input = `${cases.map(caseLine).join("\n")}\n`;
  const rows = execFileSync(program, { input, encoding: "utf8", maxBuffer: 1 << 26 })
    .trim()
    .split("\n");
  const columns = rows.map((row) => row.split(" ").map(Number));
  return {
    ...percentiles(
      "ruckig_profile_us",
      Float64Array.from(columns, ([us]) => us!),
    ),
    ruckig_failed: columns.filter(([, result]) => result !== 0).length,
  };
}
