import { choice, f64, flag, time, u32 } from "../transport/channels/field.js";
import { group, type MessageOf, meaning, message, optional, several } from "../transport/message.js";
import { CommandMode } from "./command-mode.js";
import { jointNumbers, seconds } from "./fields.js";
import { name, sentence } from "./parts.js";

export const JointCommand = message("JointCommand", 2, "What control commands in one tick, in model order.", {
  time: meaning(seconds, "of the tick [s]"),
  cycle: meaning(u32, "number of the tick"),
  mode: choice(CommandMode),
  q: meaning(jointNumbers, "[rad or m]"),
  qd: jointNumbers,
  qdd: jointNumbers,
  closedAt: meaning(several(4), "when each hand was commanded to close [s]; NaN while it is open"),
});
export type JointCommand = MessageOf<typeof JointCommand>;

export const phases = ["safe", "braking", "stopped", "recovering"] as const;

const phase = choice({ safe: 0, braking: 1, stopped: 2, recovering: 3 });

export const MonitorState = message("MonitorState", 2, "What the safety monitor finds, and the phase of control.", {
  phase,
  reason: meaning(optional(name), "why it brakes, as one word"),
  distance: meaning(optional(f64), "smallest distance of two bodies while braking, minus the margins [m]"),
  bodies: meaning(optional(group({ a: name, b: name })), "the nearest pair"),
});
export type MonitorState = MessageOf<typeof MonitorState>;

export const ControlState = message("ControlState", 2, "Whether the robot accepts commands, and where its neck is.", {
  isReady: meaning(flag, "whether the robot reports its state and follows commands"),
  isAtFault: meaning(flag, "whether it has stopped by itself and waits for a reset"),
  isNeckResting: meaning(flag, "whether the head looks as it does while it waits for balls"),
  phase,
  reason: optional(name),
  brakes: meaning(u32, "stops by the monitor so far"),
  hold: meaning(u32, "number of the last operator's stop for which a braking command has left"),
  holdTime: meaning(seconds, "when that was [s]"),
});
export type ControlState = MessageOf<typeof ControlState>;

export const Stop = message("Stop", 2, "Motions are cancelled, or may begin again from where the robot stands.", {
  kind: choice({ halt: 0, release: 1, fail: 2 }),
  timeNs: time,
  reason: meaning(sentence, "why"),
  share: meaning(f64, "of its speed at which the robot may move after a release"),
  posture: meaning(jointNumbers, "where it stands, in model order"),
});
export type Stop = MessageOf<typeof Stop>;

export const OperatorCommand = message("OperatorCommand", 2, "A command of the operator; stops go by StopLine.", {
  action: meaning(choice({ resume: 0 }), "continue from where the monitor stopped the robot"),
});
export type OperatorCommand = MessageOf<typeof OperatorCommand>;

export const RobotStatus = message("RobotStatus", 2, "Status of the robot's controller.", {
  isAtFault: meaning(flag, "whether it has stopped by itself and waits for a reset"),
  fault: meaning(name, "why, in a word"),
});
export type RobotStatus = MessageOf<typeof RobotStatus>;

export const RobotRequest = message(
  "RobotRequest",
  2,
  "What control requests from the robot's controller in addition to motion.",
  {
    action: meaning(choice({ reset: 0, release: 1 }), "release: a person lets the robot move again"),
  },
);
export type RobotRequest = MessageOf<typeof RobotRequest>;
