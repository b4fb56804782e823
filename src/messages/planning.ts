import { choice, f64, flag, i32, time, u32 } from "../transport/channels/field.js";
import { group, type MessageOf, meaning, message, optional, several } from "../transport/message.js";
import { ballCovariance, ballState, headMeasurement, jointNumbers, ramps, seconds } from "./fields.js";
import { name, sentence, vec3 } from "./parts.js";

/** What a catch is to be best at. */
export const catchMode = choice({ soft: 0, latest: 1, cool: 2, sure: 3 });

/** Room for the state of the solver. */
const MAX_WARM_START = 4096;

const plan = group({
  id: meaning(i32, "of the question"),
  tStart: meaning(seconds, "when the motion begins [s]"),
  ramps: meaning(ramps, "of the arm's joints, from tStart on"),
  tCatch: meaning(seconds, "when the ball is in the hand [s]"),
  arrival: meaning(seconds, "when the hand is there, at rest [s]"),
  objective: meaning(f64, "value of the mode's objective; NaN for a motion that is no catch"),
  shortfall: meaning(f64, "how far from the hand the ball will pass [m]; 0: it is a catch"),
  successProbability: meaning(optional(f64), "null where the covariance is not known"),
  unknowns: meaning(jointNumbers, "of the solver, for the plan after this one"),
  warmStart: meaning(several(MAX_WARM_START), "state of the solver"),
});

export const PlanQuestion = message("PlanQuestion", 2, "A question to the planner of one arm.", {
  arm: meaning(name, "group of joints that is to catch"),
  track: meaning(i32, "ball it is about"),
  id: i32,
  mode: catchMode,
  tStart: meaning(seconds, "when the motion is to begin [s]"),
  q0: meaning(jointNumbers, "commanded position then [rad or m]"),
  w0: meaning(jointNumbers, "commanded velocity then"),
  ball: ballState,
  covariance: optional(ballCovariance),
  lastSeen: meaning(seconds, "exposure of the newest image that went into it [s]"),
  earliest: meaning(seconds, "when the ball may be caught [s]"),
  latest: seconds,
  carrier: group({
    ramps: meaning(ramps, "how the body that carries the arm moves"),
    start: meaning(seconds, "when that motion begins [s]"),
    head: meaning(optional(group(headMeasurement)), "the newest measured head"),
    posture: meaning(jointNumbers, "all joints at tStart, in model order"),
  }),
  others: group({
    dofs: meaning(jointNumbers, "joints that move in addition to the arm's, as indices of the model"),
    ramps: meaning(ramps, "how they move from tStart on"),
  }),
  previous: meaning(optional(plan), "the plan in execution, to start from; null: global search"),
  running: meaning(optional(plan), "the plan in execution, whether to start from it or not"),
});
export type PlanQuestion = MessageOf<typeof PlanQuestion>;

export const PlanReply = message("PlanReply", 2, "The answer of an arm's planner: a catch, or why there is none.", {
  arm: name,
  id: meaning(i32, "of the question"),
  track: meaning(i32, "ball it is about; −1 if that is not known"),
  search: meaning(choice({ cold: 0, warm: 1 }), "global search, or warm search from the plan in execution"),
  tSeen: meaning(seconds, "exposure of the newest image that went into the question [s]"),
  askedNs: meaning(time, "when it was asked [ns]"),
  answeredNs: meaning(time, "when the answer was there [ns]"),
  tStart: seconds,
  plan: meaning(optional(plan), "a catch, verified"),
  position: meaning(optional(vec3), "where the ball is to be caught, in the world [m]; null without a catch"),
  approach: meaning(optional(plan), "without one: the motion that comes nearest to a catch"),
  reason: meaning(optional(sentence), "why there is no catch"),
});
export type PlanReply = MessageOf<typeof PlanReply>;

export const Motion = message("Motion", 2, "A motion on its way to control: a catch, or any other.", {
  part: meaning(name, "group of an arm, or `body`"),
  id: i32,
  tStart: meaning(seconds, "when it begins [s]; its ramps count from there"),
  ramps,
  closeHandAt: meaning(
    optional(seconds),
    "when the hand is commanded to close [s]; null: it opens when the motion begins",
  ),
  track: meaning(i32, "ball it is for; −1 for none"),
  tCatch: meaning(optional(seconds), "when ball and hand meet [s]; null for a motion that catches nothing"),
  objective: meaning(optional(f64), "of a catch"),
  isInjected: meaning(flag, "whether it comes from outside, for tests of what follows"),
});
export type Motion = MessageOf<typeof Motion>;

export const Handover = message("Handover", 2, "What control did with a motion.", {
  part: name,
  id: u32,
  timeNs: meaning(time, "tick before which it was looked at [ns]"),
  outcome: choice({ accepted: 0, late: 1, mismatch: 2, invalid: 3, full: 4, stopped: 5 }),
});
export type Handover = MessageOf<typeof Handover>;

export const Gaze = message("Gaze", 2, "What the neck needs to know about the arms.", {
  isBusy: meaning(flag, "whether an arm is busy: the neck then moves for balls only"),
  grasped: meaning(several(8), "tracks of balls in hands: the neck ignores them"),
});
export type Gaze = MessageOf<typeof Gaze>;

export const CatchSetting = message("CatchSetting", 2, "How balls are to be caught from now on.", { mode: catchMode });
export type CatchSetting = MessageOf<typeof CatchSetting>;
