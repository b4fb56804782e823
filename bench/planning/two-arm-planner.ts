import type { JointRamps } from "../../src/motion/joint-ramps.js";
import { ConcurrentMotions } from "../../src/planning/body/concurrent-motions.js";
import { buildCatchArm, type CatchArm } from "../../src/planning/problem/catch-arm.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import { HullClearance } from "../../src/planning/problem/hull-clearance.js";
import { CatchSolver, type SearchBudget } from "../../src/planning/search/catch-solver.js";
import type { Robot } from "../../src/robot/robot.js";
import { type Assignment, assignBalls } from "./assign.js";
import { type CatchOption, findCatchOptions } from "./catch-options.js";

/** Balls for several arms at once. With more than one ball the body stands still (thesis, section 3.5.1). */
export interface TwoArmRequest {
  /** `tasks[arm][ball]`: every ball in the terms of every arm. */
  readonly tasks: readonly (readonly CatchTask[])[];
  /** Position of every dof of the robot at t = 0; where all stands that is not an arm. */
  readonly posture: Float64Array;
  /** What each arm does if it gets no ball. */
  readonly idle: readonly JointRamps[];
  /** Of each search: one for every arm and ball, and more where the arms are in each other's way. */
  readonly budget: SearchBudget;
}

/** Options kept of one arm and one ball. */
const MOST_OPTIONS = 6;
/** Options of one arm that the other is planned around. */
const OBSTACLES = 2;
/** Share of the starts that planning around the other arm takes. */
const REPLAN_SHARE = 0.5;

/**
 * Plans for several arms: which ball each catches, and how, so that their motions are clear of each other.
 *
 * First every arm looks for different catches of every ball by itself, and `assignBalls` combines them. If that leaves a
 * ball that some arm could catch, the arms are in each other's way everywhere: then each plans anew around the other one's
 * catch configuration, and all is combined once more. Deterministic unless a deadline cuts it short.
 */
export class TwoArmPlanner {
  readonly #sides: readonly Side[];
  readonly #motion: ConcurrentMotions;

  /** For the named groups. */
  constructor(robot: Robot, groups: readonly string[]) {
    this.#sides = groups.map((group) => new Side(robot, group));
    this.#motion = new ConcurrentMotions(
      robot,
      this.#sides.map(({ arm }) => arm.group.dofs),
    );
  }

  get arms(): readonly CatchArm[] {
    return this.#sides.map(({ arm }) => arm);
  }

  plan(request: TwoArmRequest): Assignment {
    const { tasks, posture, idle, budget } = request;
    const areClear = (chosen: readonly (CatchOption | null)[]): boolean =>
      this.#motion.isClear(
        chosen.map((option, arm) => option?.ramps ?? idle[arm]!),
        posture,
      );
    const options = this.#sides.map((side, arm) => tasks[arm]!.map((task) => side.find(task, posture, budget)));
    const first = assignBalls(options, areClear);
    if (first.caught >= mostCaught(options)) return first;
    this.#planAround(request, options);
    return assignBalls(options, areClear);
  }

  /** Adds to the options of each arm and ball those that avoid the best catches of other balls by other arms. */
  #planAround({ tasks, posture, budget }: TwoArmRequest, options: CatchOption[][][]): void {
    const alone = options.map((perBall) => perBall.map((list) => list.slice(0, OBSTACLES)));
    const shorter = { ...budget, starts: Math.max(1, Math.round(budget.starts * REPLAN_SHARE)) };
    for (const [arm, side] of this.#sides.entries()) {
      for (const [ball, task] of tasks[arm]!.entries()) {
        for (const obstacle of this.#obstacles(alone, arm, ball, posture)) {
          options[arm]![ball]!.push(...side.find(task, obstacle, shorter));
        }
        options[arm]![ball]!.sort((a, b) => a.cost - b.cost);
      }
    }
  }

  /** Postures in which another arm has caught another ball. */
  #obstacles(alone: CatchOption[][][], arm: number, ball: number, posture: Float64Array): Float64Array[] {
    return alone.flatMap((perBall, other) => {
      if (other === arm) return [];
      const caught = perBall.filter((_, otherBall) => otherBall !== ball).flat();
      return caught.map(({ x }) => this.#sides[other]!.standingAt(x, posture));
    });
  }
}

/** An arm with its solver. */
class Side {
  readonly arm: CatchArm;
  readonly #clearance: HullClearance;
  #solver: CatchSolver | null = null;

  constructor(robot: Robot, group: string) {
    const bare = buildCatchArm(robot, group);
    this.#clearance = new HullClearance(robot, bare.chain, new Float64Array(robot.model.dofCount));
    this.arm = { ...bare, clearance: this.#clearance };
  }

  /** Catches of a task while all else stands in `posture`. */
  find(task: CatchTask, posture: Float64Array, budget: SearchBudget): CatchOption[] {
    // A solver's memory fits one number of keep-out shapes.
    if (this.#solver?.problem.keepOut.count !== task.keepOut.count) this.#solver = new CatchSolver(this.arm, task);
    this.#clearance.setPosture(this.arm.chain, posture);
    return findCatchOptions(this.#solver, task, budget, MOST_OPTIONS);
  }

  standingAt(x: Float64Array, posture: Float64Array): Float64Array {
    const standing = posture.slice();
    for (const [i, dof] of this.arm.group.dofs.entries()) standing[dof] = x[i]!;
    return standing;
  }
}

/** How many balls could be caught if the arms were never in each other's way. */
function mostCaught(options: CatchOption[][][]): number {
  return assignBalls(options, () => true).caught;
}
