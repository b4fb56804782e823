import { LoadedRobots } from "../planning/request/loaded-robots.js";
import { listRobots, namedRobotFile, unknownRobot } from "../robot/loading/robot-folders.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";

/** Gets a robot ready that has come to a service while it runs. */
type RobotPreparation = (robot: Robot) => void | Promise<void>;

/** The robots the service knows by name, each loaded once. A name from outside never becomes a path. */
export class RobotLibrary {
  readonly #folders: readonly string[] | undefined;
  readonly #loaded: LoadedRobots;
  readonly #preparations: RobotPreparation[] = [];

  /** `root` is the folder of the robots; default: all folders that are known. */
  constructor(root?: string) {
    this.#folders = root === undefined ? undefined : [root];
    this.#loaded = new LoadedRobots(root);
  }

  names(): string[] {
    return listRobots(this.#folders);
  }

  /** `path`: JSON pointer of the name in a request body, for the error. */
  get(name: string, path?: string): Robot {
    if (namedRobotFile(name, this.#folders) === undefined) throw unknownRobot(name, this.#folders, "", path);
    try {
      return this.#loaded.get(name);
    } catch (cause) {
      // What is wrong with the robot's own files is not the client's fault.
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FlycatcherError("FLY_ROBOT_BROKEN", `The robot ${name} cannot be loaded: ${why}`, {}, { cause });
    }
  }

  /** `prepare` is called with each robot that is added. */
  onAdded(prepare: RobotPreparation): void {
    this.#preparations.push(prepare);
  }

  /** A robot has come that another thread has loaded: settles when everything is ready for it. */
  async added(robot: Robot): Promise<void> {
    this.#loaded.put(robot.name, robot);
    for (const prepare of this.#preparations) await prepare(robot);
  }
}
