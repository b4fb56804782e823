import { array, choice, described, f64, flag, i32, text, u8, u16, u32 } from "../../channels/field.js";
import { type PacketView, packet } from "../../channels/packet.js";
import { joints, maxJoints, maxSentenceBytes, vec3 } from "../../messages/parts.js";
import { CatchMode } from "../../messages/plan-request.js";
import { rampFields } from "../../motion/joint-ramps.js";
import { EQUALITIES } from "../problem/catch-problem.js";
import { defaultSeedGrid } from "../search/seeds.js";
import { warmStartLength } from "../solver/warm-start.js";
import { KEEP_OUT_NUMBERS } from "./keep-out-numbers.js";

/** The analytic inverse kinematics has eight branches, each with a start of its own at each time. */
const MOST_SEEDS = defaultSeedGrid.times * 8;

/** What there is room for in a job. The limits are wide: a question beyond them is refused, not cut. */
export const jobLimits = {
  /** Joints of an arm. */
  joints: 16,
  /** Degrees of freedom of the robot. */
  dofs: maxJoints,
  keepOut: 80,
  /** Bodies of the arm whose clearance is a constraint. */
  bodies: 32,
  successKnots: 512,
  /** Starts given with the job, or found for it. */
  starts: MOST_SEEDS,
} as const;

/** The catch modes in the order of their codes. */
export const modeNames = Object.keys(CatchMode) as (keyof typeof CatchMode)[];

const unknowns = jobLimits.joints + 1;
const maxWarmStart = warmStartLength({
  n: unknowns,
  equalityCount: EQUALITIES,
  inequalityCount: 3 * jobLimits.joints + 1 + jobLimits.keepOut + jobLimits.bodies,
});
const armJoints = array(f64, jobLimits.joints);

/**
 * What to do: nothing but look up (`wake`), the whole search (`cold`), only find its starts (`seeds`), polish given ones,
 * or one solve from the last plan.
 */
export const JobKind = { wake: 0, cold: 1, seeds: 2, polish: 3, warm: 4 } as const;
export type JobKind = (typeof JobKind)[keyof typeof JobKind];

export const SolverCode = { sqp: 0, nlopt: 1 } as const;
export type SolverCode = (typeof SolverCode)[keyof typeof SolverCode];

/**
 * Failures on purpose, in a job's first part after its first start, to try out the recovery. On the first attempt: `spin`
 * hangs, `exit` ends the thread, `exhaust` uses NLopt up. `die` ends the thread on every attempt.
 */
export const Drill = { none: 0, spin: 1, exit: 2, exhaust: 3, die: 4 } as const;
export type Drill = (typeof Drill)[keyof typeof Drill];

/** One piece of work for a planner worker. All that it needs travels in it, so that any worker gives the same bits. */
export const PlannerJob = packet("PlannerJob", 1, {
  ticket: described(u32, "number of the job; its result carries the same"),
  attempt: described(u8, "how often it was tried before"),
  kind: choice(JobKind),
  solver: choice(SolverCode),
  mode: choice(CatchMode),
  drill: choice(Drill),
  dofs: described(u8, "joints of the arm in use"),
  checks: described(u8, "what a plan is checked for: a sum of `Check`s"),
  arm: described(u16, "index into the arms that the worker was started with"),
  part: described(u16, "starts number part, part + parts, part + 2·parts, … are this job's"),
  parts: u16,
  starts: described(u32, "starts to find, or how many are given"),
  iterations: described(u32, "of each solve, at most"),
  deadline: described(f64, "on the run's clock [s]; Infinity for none"),
  q0: described(armJoints, "position at t = 0 [rad or m]"),
  w0: described(armJoints, "velocity at t = 0"),
  maxVelocity: armJoints,
  maxAcceleration: armJoints,
  ballTime: described(f64, "time of the ball's state [s]"),
  position: described(vec3, "of the ball in the arm's base [m]"),
  velocity: described(vec3, "[m/s]"),
  drag: described(f64, "[1/m]"),
  gravity: described(vec3, "in the axes of the arm's base [m/s²]"),
  flightBegin: f64,
  flightEnd: f64,
  earliest: f64,
  latest: f64,
  postureCount: described(u16, "0 where the posture is not given"),
  keepOutCount: u16,
  successCount: described(u16, "0 where there is no curve"),
  warmStartCount: u16,
  successFrom: f64,
  successStep: f64,
  posture: described(joints, "position of every dof of the robot"),
  // Of what follows only as much is written and copied as there is.
  warmStart: array(f64, maxWarmStart),
  givenStarts: array(f64, jobLimits.starts, unknowns),
  success: array(f64, jobLimits.successKnots),
  keepOut: array(f64, jobLimits.keepOut, KEEP_OUT_NUMBERS),
});
export type PlannerJob = PacketView<typeof PlannerJob>;

export const JobState = { done: 0, failed: 1 } as const;
export type JobState = (typeof JobState)[keyof typeof JobState];

/** What a worker found: the fields of a `MergedSolution`. */
export const PlannerResult = packet("PlannerResult", 1, {
  ticket: u32,
  worker: u16,
  state: choice(JobState),
  exhausted: described(flag, "the worker's solver is used up: it is to be replaced"),
  found: flag,
  optimal: flag,
  cutShort: flag,
  refusal: described(u8, "index into the verdicts"),
  start: i32,
  leastViolatedStart: i32,
  refusalStart: i32,
  starts: u32,
  iterations: u32,
  evaluations: u32,
  seconds: described(f64, "time spent on the job"),
  objective: f64,
  cost: f64,
  clearance: f64,
  arrival: f64,
  leastViolation: f64,
  x: array(f64, unknowns),
  leastViolated: array(f64, unknowns),
  ramps: array(f64, jobLimits.joints, rampFields.length),
  warmStartCount: u16,
  seedCount: described(u16, "starts that were found, where only they were asked for"),
  warmStart: array(f64, maxWarmStart),
  seeds: array(f64, jobLimits.starts, unknowns),
  message: described(text(maxSentenceBytes), "what went wrong, if it failed"),
});
export type PlannerResult = PacketView<typeof PlannerResult>;
