import type { MotionAnswer } from "../motions/motion-answer.js";
import type { MotionRequest } from "../motions/motion-request.js";
import type { PlanTimes } from "../request/plan-catch.js";
import { cancelled, resultOf } from "./job-result.js";
import type { JobPlanner } from "./jobs.js";

/** Most workers for one request. */
const MOST_RACERS = 4;

/**
 * The requests that workers race with: the one itself, and for idle workers others that differ in planner and random numbers
 * alone. Without a wall clock there is no race, so that the answer depends on nothing but the request.
 */
export function racersOf(request: MotionRequest, milliseconds: number | null, idle: number): MotionRequest[] {
  const isOpen = request.planner === undefined || request.planner === "auto";
  const hasPath = request.line === undefined && (request.obstacles?.length ?? 0) > 0;
  if (milliseconds === null || !isOpen || !hasPath) return [request];
  const seed = request.seed ?? 1;
  const others = Array.from({ length: Math.max(0, Math.min(idle, MOST_RACERS) - 1) }, (_, k) => {
    return {
      ...request,
      planner: k % 3 === 1 ? ("lazy-prm" as const) : ("rrt-connect" as const),
      seed: (seed + 1 + k) % 2 ** 31,
    };
  });
  return [request, ...others];
}

/** The first motion that a worker has found and checked; the other searches are called off. Without one, the first answer. */
export async function raceMotions(
  pool: JobPlanner,
  racers: readonly MotionRequest[],
  times: PlanTimes,
  signal: AbortSignal,
): Promise<MotionAnswer> {
  const race = new AbortController();
  const stop = () => race.abort();
  signal.addEventListener("abort", stop);
  try {
    const runs = racers.map(async (request, k) => {
      const options = { signal: race.signal, place: k === 0 ? ("last" as const) : ("first" as const) };
      const answer = resultOf(await pool.plan({ kind: "move", request, times }, options));
      return { answer, hasMotion: answer.motion !== undefined };
    });
    const winner = await firstOf(runs);
    if (winner !== null) return winner;
    if (signal.aborted) throw cancelled();
    return (await runs[0]!).answer;
  } finally {
    race.abort();
    signal.removeEventListener("abort", stop);
  }
}

interface Run {
  readonly answer: MotionAnswer;
  readonly hasMotion: boolean;
}

/** The first answer with a motion; null if all have ended without one. */
function firstOf(runs: readonly Promise<Run>[]): Promise<MotionAnswer | null> {
  return new Promise((resolve) => {
    let open = runs.length;
    const end = () => {
      open--;
      if (open === 0) resolve(null);
    };
    for (const run of runs) {
      run.then(({ answer, hasMotion }) => {
        if (hasMotion) resolve(answer);
        end();
      }, end);
    }
  });
}
