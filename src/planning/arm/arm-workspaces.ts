import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { CatchSolution, CatchSolver } from "../search/catch-solver.js";
import type { NonlinearSolver } from "../solver/solver-interface.js";

/** A solver for one arm and one number of keep-out shapes, and room for its answer. */
export interface ArmWorkspace {
  readonly solver: CatchSolver;
  readonly solution: CatchSolution;
}

/** Most workspaces of an arm: an entry has some hundred kilobytes. */
const MOST_WORKSPACES = 16;

/** The solvers of an arm, one for each number of keep-out shapes: memory, and what follows from the arm alone. */
export class ArmWorkspaces {
  readonly #arm: CatchArm;
  /** By number of shapes, in the order of use, the oldest first. */
  readonly #workspaces = new Map<number, ArmWorkspace>();
  readonly #backEnds = new Map<number, NonlinearSolver>();

  constructor(arm: CatchArm) {
    this.#arm = arm;
  }

  /** The workspace for tasks like this one. */
  of(task: CatchTask): ArmWorkspace {
    const { count } = task.keepOut;
    const known = this.#workspaces.get(count);
    const workspace = known ?? this.#create(task);
    this.#workspaces.delete(count);
    this.#workspaces.set(count, workspace);
    return workspace;
  }

  /** From now on `solver` solves the tasks with this many keep-out shapes, instead of our own SQP. */
  useBackEnd(keepOutCount: number, solver: NonlinearSolver): void {
    this.#backEnds.set(keepOutCount, solver);
    this.#workspaces.delete(keepOutCount);
  }

  backEnd(keepOutCount: number): NonlinearSolver | undefined {
    return this.#backEnds.get(keepOutCount);
  }

  #create(task: CatchTask): ArmWorkspace {
    for (const oldest of this.#workspaces.keys()) {
      if (this.#workspaces.size < MOST_WORKSPACES) break;
      this.#workspaces.delete(oldest);
    }
    const solver = new CatchSolver(this.#arm, task, undefined, this.#backEnds.get(task.keepOut.count));
    return { solver, solution: new CatchSolution(solver.problem) };
  }
}
