import type { FlightPath } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import { ANGLE_SCALE, jointName, leastShortfall, type Shortfall } from "../arm/shortfall.js";
import { centimetres, degrees, metres, milliseconds, seconds } from "../problem/figures.js";
import type { CatchSolution } from "../search/catch-solution.js";
import type { CatchSolver } from "../search/catch-solver.js";
import { Verdict } from "../search/verify.js";
import type { Reason } from "./answer.js";
import type { ArmTask } from "./arm-task.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** How finely a path is looked at for its nearest point [s]: off by a millimetre at most. */
const SCAN_STEP = 0.005;
/** What is less than this is not what hinders a catch [m, s]. */
const NEGLIGIBLE = 2e-4;

export const timeIsOver: Reason = {
  kind: "budget",
  sentence: "The time allowed was over before all starts were tried.",
};

/** Why no catch was found, the weightiest reason first; never empty. */
export function explainMiss(
  resolved: ResolvedRequest,
  armTask: ArmTask,
  solver: CatchSolver,
  solution: CatchSolution,
): Reason[] {
  solver.problem.begin(armTask.task);
  const hopeless =
    explainWindow(resolved, armTask) ?? explainStopping(solver) ?? explainDistance(resolved, armTask, solver);
  if (hopeless !== null) return [hopeless];
  if (solution.cutShort) {
    return [timeIsOver];
  }
  const best = leastShortfall(armTask.task, solver, solution);
  const reasons = best === null ? [] : describeShortfall(best);
  return reasons.length > 0 ? reasons : [explainRefusal(solution)];
}

/** A time window without a flight in it. */
function explainWindow({ ball, earliest, latest }: ResolvedRequest, { task, landing }: ArmTask): Reason | null {
  if (task.earliest <= task.latest) return null;
  const sentence =
    ball.begin > latest
      ? `The ball flies from ${seconds(ball.begin)} on, after the latest catch at ${seconds(latest)}.`
      : `The ball lands at ${seconds(landing)}, before the earliest catch at ${seconds(Math.max(earliest, ball.begin))}.`;
  return { kind: "no-flight", sentence };
}

/** An arm that cannot even stop before the window is over. */
function explainStopping(solver: CatchSolver): Reason | null {
  const { dofs, w0, maxAcceleration, lower, upper } = solver.problem;
  const at = upper[dofs]!;
  if (lower[dofs]! <= at) return null;
  let slowest = 0;
  const stoppingTime = (i: number) => Math.abs(w0[i]!) / maxAcceleration[i]!;
  for (let i = 1; i < dofs; i++) if (stoppingTime(i) > stoppingTime(slowest)) slowest = i;
  const time = stoppingTime(slowest) - at;
  const joint = jointName(solver, slowest);
  const sentence = `Joint ${joint} is too fast to stop before ${seconds(at)}: it needs ${milliseconds(time)} more.`;
  return { kind: "too-fast", sentence, time, joint, at };
}

/** A path that stays outside the sphere that the stretched arm can reach. */
function explainDistance(resolved: ResolvedRequest, armTask: ArmTask, { problem }: CatchSolver): Reason | null {
  const { planner, task, landing } = armTask;
  const { arm } = planner;
  const from = problem.lower[problem.dofs]!;
  const to = problem.upper[problem.dofs]!;
  const nearest = nearestApproach(task.path, arm.reachCentre, from, to);
  const distance = nearest.distance - arm.reach;
  if (!(distance > 0)) return null;
  const at = nearest.time;
  const far = `${centimetres(distance)} beyond the ${metres(arm.reach)} that ${arm.group.name} can reach`;
  const isLast = at >= to - SCAN_STEP;
  const lands = landing <= resolved.latest;
  if (isLast && !lands) {
    const sentence = `The ball does not come near before the latest catch: at ${seconds(to)} it is still ${far}.`;
    return { kind: "no-flight", sentence, distance, at };
  }
  if (at <= from + SCAN_STEP) {
    const sentence = `The ball flies away: it is nearest at ${seconds(from)}, ${far}.`;
    return { kind: "no-flight", sentence, distance, at };
  }
  const place = isLast ? `It lands at ${seconds(at)},` : `It is nearest at ${seconds(at)},`;
  return { kind: "out-of-reach", sentence: `The ball stays out of reach. ${place} ${far}.`, distance, at };
}

function nearestApproach(path: FlightPath, centre: vec3.Vec3, from: number, to: number) {
  const ball = vec3.create();
  const nearest = { distance: Number.POSITIVE_INFINITY, time: from };
  const steps = Math.max(1, Math.ceil((to - from) / SCAN_STEP));
  for (let k = 0; k <= steps; k++) {
    const time = from + ((to - from) * k) / steps;
    const distance = vec3.distance(path.position(time, ball), centre);
    if (distance >= nearest.distance) continue;
    nearest.distance = distance;
    nearest.time = time;
  }
  return nearest;
}

const refusalKinds: Partial<Record<Verdict, Reason["kind"]>> = {
  [Verdict.selfCollision]: "collision",
  [Verdict.motionCollision]: "collision",
  [Verdict.keepOut]: "keep-out",
  [Verdict.handDirection]: "orientation",
  [Verdict.handPosition]: "out-of-reach",
  [Verdict.positionLimit]: "overshoot",
  [Verdict.velocityLimit]: "too-fast",
  [Verdict.accelerationLimit]: "too-fast",
};

/** Nothing hinders at the best candidate, but none passed the check: the verifier's words, or a call for more starts. */
function explainRefusal({ refusal, starts }: CatchSolution): Reason {
  if (starts === 0) {
    return { kind: "orientation", sentence: "The ball passes within reach, but nowhere there can the hand face it." };
  }
  const kind = refusalKinds[refusal];
  if (kind !== undefined) return { kind, sentence: `The best catch found did not pass the check: it ${refusal}.` };
  return {
    kind: "budget",
    sentence: "No start converged to a catch, but no constraint rules it out: try more starts.",
  };
}

/** The figures in words, the weightiest first. */
export function describeShortfall(shortfall: Shortfall): Reason[] {
  const at = shortfall.time;
  const when = `At the best point, at ${seconds(at)},`;
  return [...describeHand(shortfall, when), ...describeJoints(shortfall, when), ...describeContacts(shortfall, when)]
    .filter(([missing]) => missing > NEGLIGIBLE)
    .sort(([a], [b]) => b - a)
    .map(([, reason]) => ({ ...reason, at }));
}

type Weighed = readonly [missing: number, reason: Reason];

function describeHand({ distance, angle }: Shortfall, when: string): Weighed[] {
  const far = `${when} the hand stays ${centimetres(distance)} from the ball: the joint limits prevent more.`;
  const tilted = `${when} the hand is tilted ${degrees(angle)} from the ball's path.`;
  return [
    [distance, { kind: "out-of-reach", sentence: far, distance }],
    [angle / ANGLE_SCALE, { kind: "orientation", sentence: tilted, angle }],
  ];
}

function describeJoints(shortfall: Shortfall, when: string): Weighed[] {
  const { lateness, slowestJoint, overshoot, overshootingJoint } = shortfall;
  const late = `${when} ${slowestJoint} comes ${milliseconds(lateness)} too late.`;
  const beyond = `${when} ${overshootingJoint} has gone ${overshoot.toFixed(3)} beyond its limit before it turned.`;
  return [
    [lateness, { kind: "too-fast", sentence: late, time: lateness, joint: slowestJoint }],
    [overshoot / ANGLE_SCALE, { kind: "overshoot", sentence: beyond, joint: overshootingJoint }],
  ];
}

function describeContacts({ depth, shape, overlap }: Shortfall, when: string): Weighed[] {
  const inside = `${when} the hand is ${centimetres(depth)} inside the keep-out shape ${shape}.`;
  const touching = `${when} the arm touches the robot, by ${centimetres(overlap)}.`;
  return [
    [depth, { kind: "keep-out", sentence: inside, distance: depth, shape }],
    [overlap, { kind: "collision", sentence: touching, distance: overlap }],
  ];
}
