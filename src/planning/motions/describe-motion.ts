import { describeMotion } from "../../motion/motion-description.js";
import { peakOf } from "../../motion/motion-extremes.js";
import type { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { forwardKinematicsTo } from "../../robot/kinematics/kinematics.js";
import type { SampledMotion } from "../request/answer.js";
import { eachSample, exportMotion } from "./export-motion.js";
import type { JointPeak, MotionAnswer, MotionReason } from "./motion-answer.js";
import type { MotionOutcome } from "./motion-search.js";
import type { FoundMotion } from "./motion-trial.js";
import type { MotionWorkspace } from "./motion-workspace.js";
import { quaternionOf } from "./resolve-goals.js";
import type { ResolvedMotion } from "./resolve-motion.js";
import { toolPeaks } from "./tool-limits.js";

/** Rate of exports where none is asked for [Hz]. */
const EXPORT_RATE = 100;
/** Places at which the clearance is measured, and distances beyond which bodies do not count [m]. */
const CLEARANCE_PLACES = 24;
const CLEARANCE_SIGHT = 0.15;
/** Later than this is late [s]. */
const LATE = 1e-6;

/** The answer to a request from how its search ended. */
export function motionAnswer(
  resolved: ResolvedMotion,
  workspace: MotionWorkspace,
  outcome: MotionOutcome,
  milliseconds: number,
): MotionAnswer {
  const { robot, groups } = resolved;
  const { found, reasons, samples, attempts } = outcome;
  const common = { robot: robot.name, groups: groups.map(({ name }) => name) };
  const statistics = { planner: found?.planner ?? resolved.planner, samples, attempts, milliseconds };
  if (found === null) {
    const status = outcome.isCutShort ? "budget-exhausted" : "unreachable";
    return { status, ...common, reasons: reasonsOf(reasons, outcome.isCutShort), statistics };
  }
  const late = Math.max(0, found.motion.duration - resolved.latest);
  const isLate = late > LATE;
  const described = describeFound(resolved, workspace, found);
  const soon = isLate ? [tooSoon(resolved.latest, late)] : [];
  return {
    status: isLate ? "late" : "planned",
    ...common,
    from: resolved.from,
    arrival: found.motion.duration,
    ...(isLate && { late, reasons: soon }),
    ...described,
    statistics,
  };
}

function tooSoon(latest: number, late: number): MotionReason {
  return {
    kind: "too-fast",
    time: late,
    sentence: `the soonest motion found arrives ${late.toFixed(3)} s after ${latest} s`,
  };
}

function reasonsOf(reasons: readonly MotionReason[], isCutShort: boolean): MotionReason[] {
  const budget: MotionReason = {
    kind: "budget",
    sentence: "the time or the samples allowed were used up before a way was found",
  };
  if (isCutShort) return [budget, ...reasons];
  return reasons.length > 0 ? [...reasons] : [{ kind: "unproven", sentence: "no planner found a way" }];
}

function describeFound(resolved: ResolvedMotion, workspace: MotionWorkspace, { motion, goal, length }: FoundMotion) {
  const { robot, dofs, start, frame, sampleRateHz, exports } = resolved;
  const names = dofs.map((dof) => robot.model.dofNames[dof]!);
  const { state } = workspace;
  state.q.set(start.q);
  for (const [i, dof] of dofs.entries()) state.q[dof] = motion.endPosition[i]!;
  forwardKinematicsTo(state, frame);
  const at = state.worldFromLink[frame]!;
  return {
    goal,
    joints: [...motion.endPosition],
    framePosition: [at[9], at[10], at[11]],
    frameQuaternion: quaternionOf(at),
    motion: describeMotion(motion, names),
    pathLength: length,
    ...(resolved.hasFigures && describeFigures(resolved, workspace, motion)),
    verified: ["start", "goal", "limits", ...(workspace.motion === null ? [] : ["motion"])],
    ...(sampleRateHz !== null && { samples: sampled(motion, sampleRateHz) }),
    ...(exports.length > 0 && { exports: exportMotion(motion, names, sampleRateHz ?? EXPORT_RATE, exports) }),
  };
}

/** What is measured at samples of the way. */
function describeFigures(resolved: ResolvedMotion, workspace: MotionWorkspace, motion: PiecewiseMotion) {
  const { toolSpeed, efforts } = toolPeaks(resolved, motion, workspace.state);
  const clearance = leastClearance(resolved, workspace, motion);
  const peaks = efforts.map((effort, i) => jointPeak(resolved, motion, i, effort));
  return { ...(clearance !== null && { clearance }), toolSpeed, peaks };
}

function jointPeak({ robot, dofs }: ResolvedMotion, motion: PiecewiseMotion, i: number, torque: number): JointPeak {
  const [velocity, acceleration, jerk] = (["velocity", "acceleration", "jerk"] as const).map((kind) =>
    peakOf(motion, i, kind),
  );
  const limit = robot.model.maxEffort[dofs[i]!]!;
  const ratio = Number.isFinite(limit) && limit > 0 ? { torqueRatio: torque / limit } : {};
  const joint = robot.model.dofNames[dofs[i]!]!;
  return { joint, velocity: velocity!, acceleration: acceleration!, jerk: jerk!, torque, ...ratio };
}

function leastClearance(
  { dofs, robot }: ResolvedMotion,
  { path }: MotionWorkspace,
  motion: PiecewiseMotion,
): number | null {
  // Obstacles that move are elsewhere at each sample; those distances are the certified check's.
  if (path === null || robot.movers !== undefined) return null;
  const q = new Float64Array(dofs.length);
  let least = CLEARANCE_SIGHT;
  for (let k = 0; k <= CLEARANCE_PLACES; k++) {
    motion.positions((motion.duration * k) / CLEARANCE_PLACES, q);
    least = path.nearest(q, least);
  }
  return least < CLEARANCE_SIGHT ? least : null;
}

function sampled(motion: PiecewiseMotion, rateHz: number): SampledMotion {
  const samples: SampledMotion = { time: [], position: [], velocity: [] };
  eachSample(motion, rateHz, (time, { position, velocity }) => {
    samples.time.push(time);
    samples.position.push([...position]);
    samples.velocity.push([...velocity]);
  });
  return samples;
}
