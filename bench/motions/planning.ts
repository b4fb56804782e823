import { MotionPlanner } from "../../src/planning/motions/motion-planner.js";
import type { MotionRequest } from "../../src/planning/motions/motion-request.js";
import { parseObstacles, robotAmong } from "../../src/robot/loading/obstacles.js";
import { faultsOf } from "../../test/planning/motions/motion-judge.js";
import { type BenchContext, type Metrics, summarize } from "../harness.js";
import { type PeerRun, runOmpl } from "./ompl-peer.js";
import { type MotionScene, makeScene, sceneArms, sceneKinds } from "./scenes.js";

/** Scenes of each robot and kind, and runs of each with other random numbers. */
const SCENES = { slice: 6, full: 40 };
const RUNS = { slice: 2, full: 10 };
/** Time that either planner has for one scene [ms]. */
const LIMIT = 1000;
const IN_TIME = 100;
/** A jerk limit so that no robot has another than the rest [rad/s³]. */
const JERK = 1000;

interface OwnRun {
  readonly found: boolean;
  readonly milliseconds: number;
  readonly length: number;
}

/** Tables, shelves, cages and boxes before arms of seven joints and before two such arms, beside OMPL on the same. */
export async function measurePlanning({ seed, full, progress }: BenchContext): Promise<Metrics> {
  const size = full ? "full" : "slice";
  const scenes = sceneArms.flatMap((arm) =>
    sceneKinds.flatMap((kind) => Array.from({ length: SCENES[size] }, (_, k) => makeScene(arm, kind, k, seed))),
  );
  progress(`${scenes.length} scenes`);
  const { runs, violations } = planAll(scenes, RUNS[size], seed, progress);
  const all = runs.flat();
  const times = Float64Array.from(all, ({ milliseconds }) => milliseconds);
  const { p50, p95 } = summarize(times);
  const metrics: Metrics = {
    success_100ms: all.filter(({ found, milliseconds }) => found && milliseconds <= IN_TIME).length / all.length,
    plan_ms_p50: p50,
    plan_ms_p95: p95,
    violations,
    ...byKind(scenes, runs),
  };
  progress(JSON.stringify(metrics));
  progress("OMPL");
  const peer = runOmpl(scenes, RUNS[size], LIMIT / 1000, progress);
  return peer === null ? metrics : { ...metrics, ...compare(runs, peer) };
}

function planAll(scenes: readonly MotionScene[], count: number, seed: number, progress: BenchContext["progress"]) {
  const planner = new MotionPlanner();
  // Code is compiled before the first scene counts.
  for (const scene of scenes.slice(0, 12)) planner.plan(requestOf(scene, seed));
  let violations = 0;
  const runs = scenes.map((scene, k) => {
    if (k % 24 === 0) progress(`scene ${k}`);
    // Robot and scene are loaded before, as for OMPL.
    planner.plan({ ...requestOf(scene, seed), planner: "straight" });
    return Array.from({ length: count }, (_, run): OwnRun => {
      const begin = performance.now();
      const answer = planner.plan(requestOf(scene, seed + run));
      const milliseconds = performance.now() - begin;
      const isFound = answer.motion !== undefined;
      if (isFound && run === 0) violations += isSound(scene, answer) ? 0 : 1;
      return { found: isFound, milliseconds, length: answer.pathLength ?? Number.NaN };
    });
  });
  return { runs, violations };
}

function isSound(scene: MotionScene, answer: ReturnType<MotionPlanner["plan"]>): boolean {
  const { robot, obstacles, dofs, posture, start, goal } = scene;
  const { model } = robot;
  const at = posture.slice();
  for (const [i, dof] of dofs.entries()) at[dof] = start[i]!;
  const faults = faultsOf(answer, {
    robot: robotAmong(robot, parseObstacles(obstacles)),
    posture: at,
    maxVelocity: dofs.map((dof) => model.maxVelocity[dof]!),
    maxAcceleration: dofs.map((dof) => model.maxAcceleration[dof]!),
    maxJerk: dofs.map(() => JERK),
    end: [...goal],
  });
  return faults.length === 0;
}

function requestOf(
  { robotName, groups, robot, dofs, start, goal, obstacles }: MotionScene,
  seed: number,
): MotionRequest {
  const named = (values: Float64Array) =>
    Object.fromEntries(dofs.map((dof, i) => [robot.model.dofNames[dof]!, values[i]!]));
  return {
    robot: robotName,
    group: [...groups],
    start: { position: named(start) },
    goal: { joints: named(goal) },
    obstacles: [...obstacles] as NonNullable<MotionRequest["obstacles"]>,
    limits: { jerk: JERK },
    // OMPL measures none either.
    figures: "none",
    budget: { milliseconds: LIMIT },
    seed,
  };
}

function byKind(scenes: readonly MotionScene[], runs: readonly (readonly OwnRun[])[]): Metrics {
  const metrics: Metrics = {};
  for (const { robot: name } of sceneArms) {
    for (const kind of sceneKinds) {
      const own = runs.filter((_, k) => scenes[k]!.robotName === name && scenes[k]!.kind === kind).flat();
      const label = `${name.replaceAll("-", "_")}_${kind}`;
      metrics[`${label}_ms_p50`] = summarize(Float64Array.from(own, ({ milliseconds }) => milliseconds)).p50;
      metrics[`${label}_success_100ms`] =
        own.filter((run) => run.found && run.milliseconds <= IN_TIME).length / own.length;
    }
  }
  return metrics;
}

/** Medians of a scene's runs, one against the other, and of these the median over the scenes. */
function compare(runs: readonly (readonly OwnRun[])[], peer: readonly PeerRun[]): Metrics {
  const of = (k: number) => peer.filter(({ scene }) => scene === k);
  const time = (run: OwnRun) => (run.found ? run.milliseconds : LIMIT);
  const speedups = runs.map((own, k) => median(of(k).map(time)) / median(own.map(time)));
  const costs = runs.flatMap((own, k) => {
    const [mine, theirs] = [own, of(k)].map((list) => list.filter(({ found }) => found).map(({ length }) => length));
    return mine!.length > 0 && theirs!.length > 0 ? [median(mine!) / median(theirs!)] : [];
  });
  const times = summarize(Float64Array.from(peer, time));
  return {
    speedup_vs_ompl: median(speedups),
    cost_over_ompl: median(costs),
    ompl_success_100ms: peer.filter(({ found, milliseconds }) => found && milliseconds <= IN_TIME).length / peer.length,
    ompl_ms_p50: times.p50,
    ompl_ms_p95: times.p95,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
