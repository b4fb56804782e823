import { type LoadRobotOptions, loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import { buildCatchArm, type CatchArm } from "../problem/catch-arm.js";
import { HullClearance } from "../problem/hull-clearance.js";

/** An arm that a planner is to know, as plain data. */
export interface PlannerArm {
  /** Name of a robot, or path of its robot.json. */
  readonly robot: string;
  readonly group: string;
  /** `hulls`: the arm stays clear of the robot's other bodies at the catch; needs collision hulls. */
  readonly clearance: "hulls" | "none";
  readonly load?: Pick<LoadRobotOptions, "calibration" | "root">;
}

/** An arm with what it needs around it, in one thread. */
export class LoadedArm {
  readonly arm: CatchArm;
  readonly #ready: Float64Array;
  /** Where the bodies stand that the arm does not move. */
  readonly #posture: Float64Array;

  constructor(robot: Robot, { group, clearance }: PlannerArm) {
    this.#ready = robot.postures.get("ready") ?? new Float64Array(robot.model.dofCount);
    this.#posture = this.#ready.slice();
    this.arm = buildCatchArm(robot, group, clearance === "hulls" ? this.#ready : undefined);
  }

  /** All that the arm does not move stands like this from now on; `count` 0 means the ready posture. */
  stand(posture: Float64Array, count: number): void {
    const { clearance, chain } = this.arm;
    if (!(clearance instanceof HullClearance)) return;
    const wanted = count === 0 ? this.#ready : posture;
    if (isSame(wanted, this.#posture)) return;
    for (let dof = 0; dof < this.#posture.length; dof++) this.#posture[dof] = wanted[dof]!;
    clearance.setPosture(chain, this.#posture);
  }
}

/** Loads the arms, each robot once. */
export function loadArms(arms: readonly PlannerArm[]): LoadedArm[] {
  const robots = new Map<string, Robot>();
  return arms.map((arm) => {
    const key = JSON.stringify([arm.robot, arm.load]);
    const robot = robots.get(key) ?? loadRobot(arm.robot, arm.load);
    robots.set(key, robot);
    return new LoadedArm(robot, arm);
  });
}

/** Whether `a` begins with the numbers of `b`. */
function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
