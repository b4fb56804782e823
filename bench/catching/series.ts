/**
 * A process that plays a series of lock-step throws and prints their results as JSON: the catching suites run several of
 * them side by side.
 *
 *   node dist/bench/catching/series.js '{"robot":"agile-justin","seed":1001,"world":"physics","perception":"images","throws":[[0],[1]]}'
 */
import { pathToFileURL } from "node:url";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import { type LoadRobotOptions, loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import type { PerceptionKind } from "../../src/run/graph.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { type Challenges, challengesOf } from "../../src/simulation/head-motion/challenges.js";
import type { WorldKind } from "../../src/simulation/simulated-world.js";
import { type ThrowKind, throwerDefaults } from "../../src/simulation/world/thrower.js";

export interface SeriesRequest {
  readonly robot: string;
  readonly seed: number | string;
  readonly world: WorldKind;
  readonly perception: PerceptionKind;
  /** Throws, or pairs of throws, by their numbers. */
  readonly throws: readonly (readonly number[])[];
  readonly challenges?: Partial<Challenges>;
  /** How balls are thrown and rendered; the default of all runs if not given. */
  readonly throwKind?: ThrowKind;
  readonly chest?: "measured" | "planned";
  /** How the robot really is, and what a calibration has found of it; as its sidecar says without them. */
  readonly truth?: Overlay;
  readonly calibration?: Overlay;
}

export async function playSeries(request: SeriesRequest): Promise<ThrowResult[][]> {
  const { seed, world, perception, throws, chest = "measured", throwKind = throwerDefaults.kind } = request;
  const { robot, truth } = loadRobots(request);
  const challenges = { ...challengesOf(throwKind), ...request.challenges };
  const thrower = { ...throwerDefaults, kind: throwKind };
  const balls = Math.max(1, ...throws.map((ids) => ids.length));
  const run = await lockStepRun({ robot, truth, world, perception, balls, challenges, seed, chest, thrower });
  try {
    const results: ThrowResult[][] = [];
    for (const ids of throws) results.push(await run.throwBalls(ids));
    return results;
  } finally {
    await run.close();
  }
}

/** The robot as our side believes it to be, and as it is. */
function loadRobots({ robot: name, truth, calibration }: SeriesRequest): { robot: Robot; truth: Robot } {
  const believed: LoadRobotOptions = truth === undefined ? {} : { calibration: calibration ?? "none" };
  const robot = withoutBox(loadRobot(name, believed));
  return { robot, truth: truth === undefined ? robot : loadRobot(name, { calibration: "none", truth }) };
}

/** A robot that lets its ball fall where it has held it: to carry each to the box would take two thirds of the time. */
function withoutBox(robot: Robot): Robot {
  const postures = new Map(robot.postures);
  postures.delete("drop");
  return { ...robot, postures };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const results = await playSeries(JSON.parse(process.argv[2] ?? "{}") as SeriesRequest);
  process.stdout.write(JSON.stringify(results));
}
