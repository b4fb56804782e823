import { existsSync } from "node:fs";
import { join } from "node:path";
import { catchGroups } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";

/** A robot of the suite: its name in metrics, and what loads it; null where its files are not present. */
export interface NamedRobot {
  readonly name: string;
  readonly source: string | null;
  readonly isShipped: boolean;
}

/**
 * Public robots that the suite takes from the folder that FLYCATCHER_PUBLIC_ROBOTS names: `<folder>/<name>/robot.json`, a sidecar
 * beside the maker's URDF. None of these files is part of the project.
 */
const publicRobots = ["ur5e", "xarm7", "fr3", "baxter", "tiago", "gen3-lite", "yumi", "sawyer"] as const;

/** The robots shipped, then the public ones. */
export function namedRobots(): NamedRobot[] {
  const folder = process.env.FLYCATCHER_PUBLIC_ROBOTS;
  const shipped = listRobots().map((name) => ({ name, source: name, isShipped: true }));
  const others = publicRobots.map((name) => {
    const file = folder === undefined ? null : join(folder, name, "robot.json");
    return { name, source: file !== null && existsSync(file) ? file : null, isShipped: false };
  });
  return [...shipped, ...others];
}

/** The arm that is measured: the right one of two. */
export function measuredArm(source: string): string {
  const names = catchGroups(loadRobot(source)).map(({ name }) => name);
  return names.find((name) => name === "rightArm") ?? names[0]!;
}
