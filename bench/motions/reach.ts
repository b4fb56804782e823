import { PostureClearance } from "../../src/collision/posture-clearance.js";
import { Random } from "../../src/math/random.js";
import { jerkLimitedMotion } from "../../src/motion/jerk-limited-motion.js";
import { MotionPlanner } from "../../src/planning/motions/motion-planner.js";
import type { MotionRequest } from "../../src/planning/motions/motion-request.js";
import { stateAt } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { type BenchContext, type Metrics, summarize } from "../harness.js";

const REACHES = { slice: 300, full: 4000 };
/** [rad/s³] */
const JERK = 1000;
/** The time asked for is so many times the shortest of the hidden configuration. */
const HURRY = [1.02, 1.5] as const;

/**
 * Places reached at a time, without obstacles. Each is made from a hidden configuration that is reached in less than the time
 * asked for and clear of the robot, so that there is a motion; a search of any length could find no fewer.
 */
export async function measureReaches({ seed, full, progress }: BenchContext): Promise<Metrics> {
  const count = REACHES[full ? "full" : "slice"];
  const milliseconds: number[] = [];
  let found = 0;
  let asked = 0;
  for (const [name, groupName] of [
    ["panda", "arm"],
    ["lwr-arm", "arm"],
    ["agile-justin", "rightArm"],
  ] as const) {
    progress(`reaches of ${name}`);
    const robot = loadRobot(name);
    const planner = new MotionPlanner({ robots: { get: () => robot } });
    const random = new Random(`reach ${seed} ${name}`);
    const clearance = new PostureClearance(robot);
    for (let k = 0; k < count + 50; k++) {
      const request = drawReach(robot, groupName, clearance, random);
      const begin = performance.now();
      const answer = planner.plan(request);
      const time = performance.now() - begin;
      // The first are for the compiler.
      if (k < 50) continue;
      asked++;
      milliseconds.push(time);
      if (answer.status === "planned") found++;
    }
  }
  const { p50, p95 } = summarize(Float64Array.from(milliseconds));
  return { reach_at_ms_p50: p50, reach_at_ms_p95: p95, reach_at_found_ratio: found / asked };
}

function drawReach(
  robot: ReturnType<typeof loadRobot>,
  groupName: string,
  clearance: PostureClearance,
  random: Random,
): MotionRequest {
  const { model, postures } = robot;
  const dofs = model.groups.find(({ name }) => name === groupName)!.dofs;
  const group = model.groups.find(({ name }) => name === groupName)!;
  const ready = postures.get("ready")!;
  for (;;) {
    const start = ready.slice();
    const end = ready.slice();
    for (const dof of dofs) {
      const near = (width: number) =>
        Math.min(Math.max(ready[dof]! + random.uniformIn(-width, width), model.lower[dof]!), model.upper[dof]!);
      start[dof] = near(0.4);
      end[dof] = near(1);
    }
    const touches = [start, end].some((q) => (clearance.nearest(q, 0.01)?.distance ?? 1) < 0.01);
    if (touches) continue;
    const pick = (values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
    const velocity = Float64Array.from(dofs, (dof) => random.uniformIn(-0.3, 0.3) * model.maxVelocity[dof]!);
    const limits = {
      maxVelocity: pick(model.maxVelocity),
      maxAcceleration: pick(model.maxAcceleration),
      maxJerk: pick(model.maxVelocity).fill(JERK),
    };
    const { motion } = jerkLimitedMotion({ position: pick(start), velocity }, { position: pick(end) }, limits);
    const at = stateAt(model, end).worldFromLink[group.tipLink]!;
    const rpy = rollPitchYaw(at);
    return {
      robot: robot.name,
      group: groupName,
      start: {
        position: named(start),
        velocity: Object.fromEntries(dofs.map((dof, i) => [model.dofNames[dof]!, velocity[i]!])),
      },
      goal: { position: [at[9], at[10], at[11]], rpy, free: "roll" },
      limits: { jerk: JERK },
      figures: "none",
      when: { at: motion.duration * random.uniformIn(...HURRY) },
    };
  }

  function named(q: Float64Array): Record<string, number> {
    return Object.fromEntries(dofs.map((dof) => [model.dofNames[dof]!, q[dof]!]));
  }
}

function rollPitchYaw(m: ArrayLike<number>): [number, number, number] {
  return [Math.atan2(m[7]!, m[8]!), Math.atan2(-m[6]!, Math.hypot(m[7]!, m[8]!)), Math.atan2(m[3]!, m[0]!)];
}
