import { listRobots, loadRobot, robotsFolder } from "../robot/loading/load-robot.js";
import type { Robot } from "../robot/robot.js";
import { defined } from "../runtime/defined.js";
import { FlycatcherError } from "../runtime/errors.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import { didYouMean } from "../runtime/nearest-name.js";

/** The robots the service knows by name, each loaded once. A name from outside never becomes a path. */
export class RobotLibrary {
  readonly #folder: string;
  readonly #loaded = new Map<string, Robot>();

  constructor(folder: string = robotsFolder) {
    this.#folder = folder;
  }

  names(): string[] {
    return listRobots(this.#folder);
  }

  /** `path`: JSON pointer of the name in a request body, for the error. */
  get(name: string, path?: string): Robot {
    return getOrCreate(this.#loaded, name, () => this.#load(name, path));
  }

  /** What is wrong with the robot's own files is not the client's fault. */
  #load(name: string, path: string | undefined): Robot {
    const names = this.names();
    if (!names.includes(name)) {
      const found = { found: JSON.stringify(name), suggestion: didYouMean(name, names) };
      const wrong = { path, expected: `one of ${names.join(", ")}`, ...found };
      throw new FlycatcherError("FLY_ROBOT_UNKNOWN", "There is no such robot", defined(wrong));
    }
    try {
      return loadRobot(name, { root: this.#folder });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FlycatcherError("FLY_ROBOT_BROKEN", `The robot ${name} cannot be loaded: ${why}`, {}, { cause });
    }
  }
}
