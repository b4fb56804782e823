/**
 * A process that says of throws whether they are in the catch space, as JSON: one boolean a throw, or pair of throws.
 *
 *   node dist/bench/catching/catch-space.js '{"robot":"agile-justin","seed":1001,"throws":[[0,1],[2,3]]}'
 */
import { pathToFileURL } from "node:url";
import { timesOf } from "../../src/catching/catch-times.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { CatchSpace } from "./catchable-throws.js";

export interface SpaceRequest {
  readonly robot: string;
  readonly seed: number | string;
  readonly throws: readonly (readonly number[])[];
}

/** Balls are released at this time [s]; any would do. */
const RELEASED = 1;

export function findInSpace({ robot: name, seed, throws }: SpaceRequest): boolean[] {
  const robot = loadRobot(name);
  const waiting = robot.postures.get("ready");
  if (waiting === undefined) throw new Error(`${name} has no posture to wait in`);
  const space = new CatchSpace(robot, waiting, timesOf(robot));
  const generator = new ThrowGenerator(throwSpaceOf(robot), seed);
  return throws.map((ids) => space.contains(ids.map((id) => generator.make(id, RELEASED))));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.stdout.write(JSON.stringify(findInSpace(JSON.parse(process.argv[2] ?? "{}") as SpaceRequest)));
}
