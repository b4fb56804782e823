import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { RobotSource } from "./resolve-request.js";

/** The shipped robots by name, others by the path of their robot.json, each loaded once. */
export class LoadedRobots implements RobotSource {
  readonly #robots = new Map<string, Robot>();
  readonly #root: string | undefined;

  /** `root` is the folder of the robots with a name; default: that of the shipped ones. */
  constructor(root?: string) {
    this.#root = root;
  }

  get(name: string, path?: string): Robot {
    const known = this.#robots.get(name);
    if (known !== undefined) return known;
    const robot = withPath(path, () => loadRobot(name, this.#root === undefined ? {} : { root: this.#root }));
    this.#robots.set(name, robot);
    return robot;
  }
}

/** An unknown robot is the request's fault, and the error says where in it the name stands. */
function withPath(path: string | undefined, load: () => Robot): Robot {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof FlycatcherError) || error.code !== "FLY_ROBOT_UNKNOWN" || path === undefined) throw error;
    throw new FlycatcherError(error.code, "There is no such robot", { ...error.details, path }, { cause: error });
  }
}
