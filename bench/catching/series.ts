/**
 * A process that plays a series of lock-step throws and prints their results as JSON: the catching suites run several of
 * them side by side.
 *
 *   node dist/bench/catching/series.js '{"robot":"agile-justin","balls":1,"ids":[0,1],…}'
 */
import { pathToFileURL } from "node:url";
import { CatchRun } from "../../src/catching/catch-run.js";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import { createScene, type PerceptionKind, type WorldKind } from "../../src/catching/simulated-scene.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { type Challenges, fullChallenges } from "../../src/simulation/head-motion/challenges.js";

export interface SeriesRequest {
  readonly robot: string;
  readonly seed: number | string;
  readonly world: WorldKind;
  readonly perception: PerceptionKind;
  /** Throws, or pairs of throws, by their numbers. */
  readonly throws: readonly (readonly number[])[];
  readonly challenges?: Partial<Challenges>;
}

export async function playSeries(request: SeriesRequest): Promise<ThrowResult[][]> {
  const { seed, world, perception, throws } = request;
  const robot = loadRobot(request.robot);
  const challenges = { ...fullChallenges, ...request.challenges };
  const balls = Math.max(1, ...throws.map((ids) => ids.length));
  const scene = await createScene({ robot, world, perception, balls, challenges, seed });
  try {
    const eyes = scene.perception === undefined ? {} : { perception: scene.perception };
    const run = new CatchRun({ robot, world: scene.world, ...eyes, seed });
    return throws.map((ids) => run.throwBalls(ids));
  } finally {
    scene.world.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const results = await playSeries(JSON.parse(process.argv[2] ?? "{}") as SeriesRequest);
  process.stdout.write(JSON.stringify(results));
}
