import { statSync } from "node:fs";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { parseObstacles, robotAmong } from "../../robot/loading/obstacles.js";
import { findRobotFile } from "../../robot/loading/robot-folders.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { CatchPlanner } from "../arm/arm-planner.js";
import { buildCatchArm } from "../problem/catch-arm.js";
import { CarriedMotions } from "./carried-motion.js";
import { JerkRounding } from "./jerk-rounding.js";
import { MotionTorques } from "./motion-torques.js";
import type { AmongObstacles, RobotSource } from "./resolve-request.js";

/**
 * Robots by name, or by the path of their `robot.json`, each loaded once; loaded again when its file has changed, for robots come and
 * go while a service runs.
 */
export class LoadedRobots implements RobotSource {
  readonly #robots = new Map<string, { readonly version: string; readonly robot: Robot }>();
  readonly #folders: readonly string[] | undefined;

  /** `root` is the folder of the robots with a name; default: all folders that are known. */
  constructor(root?: string) {
    this.#folders = root === undefined ? undefined : [root];
  }

  get(name: string, path?: string): Robot {
    const file = withPath(path, () => findRobotFile(name, this.#folders));
    const version = versionOf(file);
    const present = this.#robots.get(name);
    if (present?.version === version) return present.robot;
    this.#robots.delete(name);
    const robot = loadRobot(file);
    this.#robots.set(name, { version, robot });
    return robot;
  }

  /** Takes a robot that was loaded elsewhere, as its file now is. */
  put(name: string, robot: Robot): void {
    this.#robots.set(name, { version: versionOf(findRobotFile(name, this.#folders)), robot });
  }
}

function versionOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${file} ${mtimeMs} ${size}`;
}

/** An unknown robot is the request's fault, and the error says where in it the name stands. */
function withPath<T>(path: string | undefined, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof FlycatcherError) || error.code !== "FLY_ROBOT_UNKNOWN" || path === undefined) throw error;
    throw new FlycatcherError(error.code, "There is no such robot", { ...error.details, path }, { cause: error });
  }
}

/**
 * What planning builds for a robot and can use again, in one thread. Robots are told apart by identity, so a robot that is
 * loaded again gets all of its own.
 */
export class RobotWorkspaces {
  readonly #robots = new WeakMap<Robot, RobotWorkspace>();

  has(robot: Robot): boolean {
    return this.#robots.has(robot);
  }

  of(robot: Robot): RobotWorkspace {
    return getOrCreate(this.#robots, robot, () => new RobotWorkspace(robot));
  }
}

/** Scenes kept: each has the workspaces of a robot's arms. */
const MOST_SCENES = 8;

/** Robots among the obstacles of requests: the same obstacles give the same robot again, and so its workspaces. */
export class ObstacleScenes {
  /** By obstacles, in the order of use, the oldest first. */
  readonly #scenes = new Map<string, { readonly bare: Robot; readonly robot: Robot }>();

  readonly among: AmongObstacles = (bare, obstacles) => {
    if (obstacles.length === 0) return bare;
    const key = JSON.stringify([bare.name, obstacles]);
    const known = this.#scenes.get(key);
    const robot = known?.bare === bare ? known.robot : robotAmong(bare, parseObstacles(obstacles, "/obstacles"));
    this.#scenes.delete(key);
    this.#scenes.set(key, { bare, robot });
    for (const oldest of this.#scenes.keys()) {
      if (this.#scenes.size <= MOST_SCENES) break;
      this.#scenes.delete(oldest);
    }
    return robot;
  };
}

class RobotWorkspace {
  readonly torques: MotionTorques;
  /** Room for the robot at the start of the request in hand. */
  readonly start: RobotState;
  readonly #robot: Robot;
  readonly #planners = new Map<string, CatchPlanner>();
  readonly #carried = new Map<string, CarriedMotions>();
  readonly #rounding = new Map<string, JerkRounding>();

  constructor(robot: Robot) {
    this.#robot = robot;
    this.torques = new MotionTorques(robot.model);
    this.start = new RobotState(robot.model);
  }

  planner({ name }: JointGroup): CatchPlanner {
    const { model, postures } = this.#robot;
    return getOrCreate(this.#planners, name, () => {
      const ready = postures.get("ready") ?? new Float64Array(model.dofCount);
      return new CatchPlanner(buildCatchArm(this.#robot, name), ready);
    });
  }

  /** What checks the motions of an arm together with those of the body that carries it. */
  carriedMotions(group: JointGroup): CarriedMotions {
    return getOrCreate(this.#carried, group.name, () => new CarriedMotions(this.#robot, group));
  }

  /** What limits the jerk of an arm's catches. */
  jerkRounding(group: JointGroup): JerkRounding {
    return getOrCreate(this.#rounding, group.name, () => new JerkRounding(this.#robot, group));
  }
}
