import type { JointGroup } from "../../robot/model.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { CarriedMotions } from "../body/carried-motion.js";
import { LoadedArm } from "../pool/planner-arm.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { CatchSolution, CatchSolver } from "../search/catch-solver.js";
import type { NonlinearSolver } from "../solver/solver-interface.js";
import { MotionTorques } from "./motion-torques.js";

/** A solver for one arm and one number of keep-out shapes, and room for its answer. */
export interface ArmSolver {
  readonly solver: CatchSolver;
  readonly solution: CatchSolution;
}

/** Most solvers kept: an entry has some hundred kilobytes. */
const MOST_SOLVERS = 32;

/**
 * What planning builds and can use again, in one thread: arms, solvers, workspaces. Robots are told apart by identity, so a
 * robot that is loaded anew gets all of its own.
 */
export class SolverCache {
  readonly #robots = new WeakMap<Robot, RobotEntry>();
  /** In the order of use, the oldest first. */
  readonly #solvers = new Map<string, ArmSolver>();
  #robotCount = 0;

  /** The arm of a group, with all that it does not move standing in `posture` from now on. */
  arm(robot: Robot, group: JointGroup, posture: Float64Array): CatchArm {
    const { arms } = this.#entry(robot);
    let loaded = arms.get(group.name);
    if (loaded === undefined) {
      loaded = new LoadedArm(robot, { robot: robot.name, group: group.name, clearance: "hulls" });
      arms.set(group.name, loaded);
    }
    loaded.stand(posture, posture.length);
    return loaded.arm;
  }

  /** What checks the motions of an arm together with those of the body that carries it. */
  carriedMotions(robot: Robot, group: JointGroup): CarriedMotions {
    const { carried } = this.#entry(robot);
    let motions = carried.get(group.name);
    if (motions === undefined) {
      motions = new CarriedMotions(robot, group);
      carried.set(group.name, motions);
    }
    return motions;
  }

  torques(robot: Robot): MotionTorques {
    return this.#entry(robot).torques;
  }

  /** A workspace for the robot at the start of the request in hand. */
  start(robot: Robot): RobotState {
    return this.#entry(robot).start;
  }

  /** The solver for tasks like this one; `createBackEnd` makes what solves the nonlinear programs, ours by default. */
  solver(
    arm: CatchArm,
    task: CatchTask,
    createBackEnd: (key: string) => NonlinearSolver | undefined = () => undefined,
  ): ArmSolver {
    const key = this.key(arm, task);
    let entry = this.#solvers.get(key);
    if (entry === undefined) {
      const solver = new CatchSolver(arm, task, undefined, createBackEnd(key));
      entry = { solver, solution: new CatchSolution(solver.problem) };
      for (const oldest of this.#solvers.keys()) {
        if (this.#solvers.size < MOST_SOLVERS) break;
        this.#solvers.delete(oldest);
      }
    }
    this.#solvers.delete(key);
    this.#solvers.set(key, entry);
    return entry;
  }

  /** Names the shape of a problem: robot, arm, number of keep-out shapes. */
  key({ robot, group }: CatchArm, { keepOut }: CatchTask): string {
    return `${this.#entry(robot).id} ${group.name} ${keepOut.count}`;
  }

  #entry(robot: Robot): RobotEntry {
    let entry = this.#robots.get(robot);
    if (entry === undefined) {
      const { model } = robot;
      const id = this.#robotCount++;
      const torques = new MotionTorques(model);
      entry = { id, arms: new Map(), carried: new Map(), torques, start: new RobotState(model) };
      this.#robots.set(robot, entry);
    }
    return entry;
  }
}

interface RobotEntry {
  readonly id: number;
  readonly arms: Map<string, LoadedArm>;
  readonly carried: Map<string, CarriedMotions>;
  readonly torques: MotionTorques;
  readonly start: RobotState;
}
