import { array, choice, f64, flag, i32, u32 } from "../transport/channels/field.js";
import { group, list, type MessageOf, meaning, message, omittable, optional, records } from "../transport/message.js";
import { ballState, jointNumbers, seconds } from "./fields.js";
import { name, pose, sentence, vec3 } from "./parts.js";

/** Messages of simulated worlds: only nodes of the simulation, reports and views take them. */

/** Places at which a hand rests with a ball before it throws it. */
const MAX_STOPS = 8;

const throwMotion = group({
  swing: meaning(f64, "how long the arm accelerates the ball [s]"),
  radius: meaning(f64, "of the swing's arc [m]"),
  towardsCentre: meaning(vec3, "unit vector from the release to the arc's centre"),
  stops: meaning(
    records({ position: vec3, arrive: f64, leave: f64 }, MAX_STOPS),
    "where the hand rests; times from the release [s]",
  ),
  walk: meaning(vec3, "velocity of the person up to the first of them [m/s]"),
  sway: meaning(f64, "amplitude of the body's sway [m]"),
  tremor: meaning(f64, "amplitude of the hand's tremor [m]"),
  phase: meaning(f64, "of both [rad]"),
  grip: meaning(f64, "distance of the fingertips from the ball's centre, as a share of its radius"),
});

const throwingHand = group({
  isHolding: meaning(flag, "whether it still has the ball"),
  palm: meaning(vec3, "middle of the palm [m]"),
  body: meaning(vec3, "point on the floor under the person [m]"),
  grip: f64,
});

export const ThrowBall = message("ThrowBall", 3, "A ball that is released.", {
  id: meaning(i32, "number of the throw"),
  state: meaning(ballState, "at its release"),
  aim: meaning(vec3, "where it was aimed [m]"),
  flightTime: meaning(f64, "when it is there after its release [s]"),
  framePhase: meaning(f64, "when in the camera's frame period it is released, as a share"),
  bounce: meaning(optional(group({ restitution: f64, friction: f64 })), "how it leaves the floor, if it bounces once"),
  hand: meaning(optional(throwMotion), "how hands move it before; null: it appears at its release"),
});
export type ThrowBall = MessageOf<typeof ThrowBall>;

export const RemoveBall = message("RemoveBall", 2, "A ball that is removed from the world.", { id: i32 });
export type RemoveBall = MessageOf<typeof RemoveBall>;

const piece = {
  time: seconds,
  until: seconds,
  position: vec3,
  velocity: vec3,
  drag: f64,
  lift: meaning(omittable(vec3), "w of the acceleration w × v by spin [1/s]; left out: none"),
};

export const TrueFlight = message("TrueFlight", 2, "How a ball truly flies: one piece, or more if it bounces.", {
  ball: i32,
  aim: optional(vec3),
  flightTime: optional(f64),
  pieces: records(piece, 8),
});
export type TrueFlight = MessageOf<typeof TrueFlight>;

const motion = group({
  worldFromBody: pose,
  twist: meaning(array(f64, 6), "velocity, then angular velocity, in world axes"),
  acceleration: array(f64, 6),
});

/** Balls there is room for in a record of the true world. */
export const MAX_TRUE_BALLS = 4;

export const TrueWorld = message("TrueWorld", 3, "The true world at one step, for simulated sensors alone.", {
  time: meaning(seconds, "of the step [s]"),
  head: meaning(motion, "of the head"),
  imu: meaning(motion, "of the IMU, in the middle of the step"),
  balls: records(
    { id: i32, isFlying: flag, position: vec3, velocity: vec3, hand: optional(throwingHand) },
    MAX_TRUE_BALLS,
  ),
  joints: meaning(jointNumbers, "where they really are, in model order [rad or m]"),
});
export type TrueWorld = MessageOf<typeof TrueWorld>;

const verdict = group({
  caught: flag,
  misses: meaning(list(name, 8), "every criterion that failed"),
  lateral: meaning(f64, "distance of the hand's centre from the line on which the ball passed [m]"),
  timing: meaning(f64, "how much later than the ball's passing the hand closed [s]"),
  facing: meaning(f64, "angle between the hand's axis and the ball's path [rad]"),
  handSpeed: meaning(f64, "[m/s]"),
});

const errorSplit = group({ prediction: f64, servo: f64, calibration: f64 });

export const Grasp = message("Grasp", 2, "A hand has closed: verdict of the geometric gate.", {
  ball: i32,
  arm: name,
  time: meaning(f64, "when, since the ball's release [s]"),
  verdict,
  errors: meaning(optional(errorSplit), "where the error comes from [m]"),
});
export type Grasp = MessageOf<typeof Grasp>;

export const BallFate = message("BallFate", 2, "What physics reports of a ball at its end.", {
  ball: i32,
  hold: meaning(optional(name), "outcome of the grasp; null for a ball that met no hand"),
});
export type BallFate = MessageOf<typeof BallFate>;

export const ThrowOutcome = message("ThrowOutcome", 2, "The outcome of a throw, as the run evaluates it.", {
  id: meaning(i32, "number of the throw"),
  aim: meaning(vec3, "where it was aimed [m]"),
  flightTime: meaning(f64, "when it would have been there after its release [s]"),
  speed: meaning(f64, "at its release [m/s]"),
  arm: meaning(optional(name), "arm whose hand closed around it"),
  outcome: meaning(
    choice({ caught: 0, missed: 1, "no-plan": 2 }),
    "no-plan: no motion that would catch it was executed",
  ),
  reason: meaning(optional(sentence), "why it was not caught"),
  reactionTime: meaning(optional(f64), "from its release to the first motion [s]"),
  catchTime: meaning(optional(f64), "from its release to the closing of the hand [s]"),
  verdict: meaning(optional(verdict), "of geometry; null without a grasp"),
  hold: meaning(optional(name), "outcome of the grasp by physics; null without physics"),
  errors: meaning(optional(errorSplit), "where the error comes from [m]"),
  firstObjective: meaning(optional(f64), "of the first plan"),
  objective: meaning(optional(f64), "of the plan that was executed to its end"),
  searches: meaning(u32, "global searches"),
  replans: meaning(u32, "plans taken over after the first"),
  unsolved: meaning(u32, "replans without a solution"),
  refused: meaning(u32, "plans that control refused"),
});
export type ThrowOutcome = MessageOf<typeof ThrowOutcome>;
