import type { Random } from "../../../src/math/random.js";
import type { JointRamps } from "../../../src/motion/joint-ramps.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import type { CatchMode } from "../../../src/planning/problem/objectives.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { catchSetup, catchTask } from "../../planning/catch-setup.js";
import { MonitoredRobot } from "../monitor/monitored-robot.js";

export interface VerifiedCount {
  /** Plans that were found and verified. */
  readonly plans: number;
  /** Of them those that the monitor braked. */
  readonly braked: number;
}

const modes: readonly CatchMode[] = ["soft", "latest", "cool"];

/**
 * Plans catches of random throws until `wanted` are verified, and lets a robot follow each under the monitor's eyes: a
 * verified plan that is braked is a broken promise. Every other plan starts from a moving arm.
 */
export function countBrakedPlans(robotName: string, group: string, random: Random, wanted: number): VerifiedCount {
  const robot = loadRobot(robotName);
  const setup = catchSetup(robotName, group);
  const solver = new CatchSolver(setup.arm, catchTask(setup, "soft", setup.throwBall(random)));
  const solution = solver.createSolution();
  const dofs = [...setup.arm.chain.dofs];
  const ready = robot.postures.get("ready")!;
  const follow = (ramps: JointRamps): boolean => {
    const guarded = new MonitoredRobot(robot, ready);
    for (const [i, dof] of dofs.entries()) guarded.state.qd[dof] = ramps.w0[i]!;
    guarded.follow(ramps, dofs, () => guarded.monitor.brakes === 0);
    return guarded.monitor.brakes === 0;
  };
  let [plans, braked] = [0, 0];
  for (let k = 0; plans < wanted; k++) {
    const w0 = setup.arm.maxVelocity.map((speed) => (k % 2) * 0.3 * speed * random.uniformIn(-1, 1));
    const task = catchTask(setup, modes[k % modes.length]!, setup.throwBall(random), w0);
    solver.cold(task, { starts: 4, solve: iterationBudget(60) }, solution);
    if (!solution.found) continue;
    plans++;
    if (!follow(solution.ramps)) braked++;
  }
  return { plans, braked };
}
