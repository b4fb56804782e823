import * as pose from "../../math/pose.js";
import * as quat from "../../math/quat.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { describeMotion } from "../../motion/motion-description.js";
import { MotionState, PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { asksFor, Check } from "../problem/checks.js";
import type { CatchSolution } from "../search/catch-solution.js";
import type { CatchDescription, PlanAnswer, PlanStatus, RampDescription, SampledMotion } from "./answer.js";
import type { ArmTask } from "./arm-task.js";
import { gravityInRoot } from "./ball-request.js";
import type { PlannedMotion } from "./carried-motion.js";
import type { MotionTorques } from "./motion-torques.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** A plan that was found, without the figures that belong to the whole answer. */
type PlanDescription = Required<Pick<PlanAnswer, "catch" | "ramps" | "objective" | "verified">> &
  Pick<PlanAnswer, "motion" | "clearance" | "successProbability" | "covariance" | "samples">;

export function statusOf({ found, optimal, cutShort }: CatchSolution): PlanStatus {
  if (!found) return cutShort ? "budget-exhausted" : "unreachable";
  return optimal && !cutShort ? "solved" : "feasible";
}

/** The plan of a solution that was found, in the terms of the answer. */
export function describePlan(
  resolved: ResolvedRequest,
  armTask: ArmTask,
  solution: CatchSolution,
  motion: PlannedMotion,
  torques: MotionTorques,
): PlanDescription {
  const { planner, view, covarianceFrom } = armTask;
  const { success } = view;
  const { ramps, clearance, rounded } = motion;
  const names = motion.dofs.map((dof) => resolved.robot.model.dofNames[dof]!);
  const time = solution.x[planner.arm.group.dofs.length]!;
  return {
    catch: describeCatch(armTask, solution, rounded?.duration ?? solution.arrival),
    ramps: describeRamps(resolved, motion, torques),
    ...(rounded !== null && { motion: describeMotion(rounded, names) }),
    objective: solution.objective,
    ...(Number.isFinite(clearance) && { clearance }),
    verified: describeChecks(armTask),
    ...(success !== null && { successProbability: clampedToUnit(success.probability(time)) }),
    ...(covarianceFrom !== null && { covariance: covarianceFrom }),
    ...(resolved.sampleRateHz !== null && { samples: sampleMotion(rounded ?? ramps, time, resolved.sampleRateHz) }),
  };
}

/** What was looked at: in the words of the request, and what no request leaves out. */
function describeChecks({ planner, task, carrier }: ArmTask): string[] {
  const { checks } = task;
  const hasBodies = planner.arm.clearance !== null;
  return [
    ...["limits", "ramps", "hand"],
    ...(asksFor(checks, Check.keepOut) ? ["hand-keep-out"] : []),
    ...(hasBodies && asksFor(checks, Check.clearance) ? ["clearance"] : []),
    ...(hasBodies && asksFor(checks, Check.motion) ? ["motion"] : []),
    ...(planner.arm.robot.obstacleCount > 0 && asksFor(checks, Check.motion) ? ["obstacles"] : []),
    ...(carrier === null ? [] : ["body"]),
  ];
}

function clampedToUnit(probability: number): number {
  return Math.min(1, Math.max(0, probability));
}

function describeCatch({ planner, view }: ArmTask, solution: CatchSolution, arrival: number): CatchDescription {
  const { chain, group } = planner.arm;
  const joints = solution.x.subarray(0, group.dofs.length);
  const time = solution.x[joints.length]!;
  chain.update(joints);
  const worldFromBase = view.worldFromBase(time, pose.create());
  const worldFromHand: pose.Pose = pose.compose(worldFromBase, chain.baseFromTip, pose.create());
  const [position, velocity] = [vec3.create(), vec3.create()];
  view.ballInWorld(time, position, velocity);
  return {
    time,
    arrival,
    joints: [...joints],
    handPosition: [...pose.getTranslation(worldFromHand, vec3.create())],
    handQuaternion: [...quat.fromMat3(worldFromHand, quat.create())],
    ballPosition: [...position],
    ballVelocity: [...velocity],
  };
}

function describeRamps(
  { robot, start }: ResolvedRequest,
  { dofs, ramps }: PlannedMotion,
  torques: MotionTorques,
): RampDescription[] {
  const peaks = torques.peaks(start.q, dofs, ramps, gravityInRoot(robot));
  return dofs.map((dof, i) => {
    const limit = robot.model.maxEffort[dof]!;
    return {
      joint: robot.model.dofNames[dof]!,
      q0: ramps.q0[i]!,
      w0: ramps.w0[i]!,
      ab: ramps.ab[i]!,
      tb: ramps.tb[i]!,
      a: ramps.a[i]!,
      t1: ramps.t1[i]!,
      t2: ramps.t2[i]!,
      T: ramps.T[i]!,
      q: ramps.end[i]!,
      peakTorque: peaks[i]!,
      ...(Number.isFinite(limit) && limit > 0 && { torqueRatio: peaks[i]! / limit }),
    };
  });
}

/** The motion from 0 to the catch, both included, `rateHz` times a second. */
export function sampleMotion(motion: JointRamps | PiecewiseMotion, until: number, rateHz: number): SampledMotion {
  const joints = motion instanceof PiecewiseMotion ? motion.joints : motion.count;
  const state = new MotionState(joints);
  const samples: SampledMotion = { time: [], position: [], velocity: [] };
  const count = Math.ceil(until * rateHz);
  for (let k = 0; k <= count; k++) {
    const time = Math.min(k / rateHz, until);
    if (motion instanceof PiecewiseMotion) motion.evaluate(time, state);
    else motion.evaluate(time, state.position, state.velocity, state.acceleration);
    samples.time.push(time);
    samples.position.push([...state.position]);
    samples.velocity.push([...state.velocity]);
  }
  return samples;
}
