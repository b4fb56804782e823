import { loadRobot } from "../../robot/loading/load-robot.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { CatchPlanner } from "../arm/arm-planner.js";
import { buildCatchArm } from "../problem/catch-arm.js";
import { CarriedMotions } from "./carried-motion.js";
import { MotionTorques } from "./motion-torques.js";
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
    const options = this.#root === undefined ? {} : { root: this.#root };
    return getOrCreate(this.#robots, name, () => withPath(path, () => loadRobot(name, options)));
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

/**
 * What planning builds for a robot and can use again, in one thread. Robots are told apart by identity, so a robot that is
 * loaded again gets all of its own.
 */
export class RobotWorkspaces {
  readonly #robots = new WeakMap<Robot, RobotWorkspace>();

  of(robot: Robot): RobotWorkspace {
    return getOrCreate(this.#robots, robot, () => new RobotWorkspace(robot));
  }
}

class RobotWorkspace {
  readonly torques: MotionTorques;
  /** Room for the robot at the start of the request in hand. */
  readonly start: RobotState;
  readonly #robot: Robot;
  readonly #planners = new Map<string, CatchPlanner>();
  readonly #carried = new Map<string, CarriedMotions>();

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
}
