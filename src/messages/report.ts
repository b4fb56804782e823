import { choice, f64, flag, i32, time, u32 } from "../transport/channels/field.js";
import { type MessageOf, meaning, message, optional, records, several } from "../transport/message.js";
import { seconds } from "./fields.js";
import { name, sentence } from "./parts.js";
import { Severity } from "./severity.js";

const severity = choice(Severity);

export const Event = message("Event", 2, "An event for the operator, and why it happened.", {
  severity,
  source: meaning(name, "node it comes from"),
  code: meaning(name, "what happened, for programs"),
  track: meaning(i32, "ball it is about; −1 for none"),
  text: meaning(sentence, "what happened and why, for people"),
});
export type Event = MessageOf<typeof Event>;

export const Transition = message("Transition", 2, "An arm changed its state.", {
  arm: name,
  from: name,
  event: name,
  to: name,
  reason: sentence,
  timeNs: time,
});
export type Transition = MessageOf<typeof Transition>;

export const Attempt = message("Attempt", 2, "What an arm has done for a ball so far.", {
  arm: name,
  number: meaning(u32, "of the attempt, in the order in which they began"),
  track: i32,
  firstSeen: seconds,
  begun: meaning(optional(seconds), "when the first motion began [s]"),
  firstObjective: optional(f64),
  objective: meaning(optional(f64), "of the plan in execution, if it is a catch"),
  hasPlan: flag,
  isCatch: meaning(flag, "whether the plan in execution is a catch"),
  tCatch: optional(seconds),
  searches: u32,
  taken: u32,
  unsolved: u32,
  refused: u32,
  reason: optional(sentence),
  lastRefusal: optional(sentence),
  isDropped: meaning(flag, "whether the arm has given up the ball: another one catches it"),
});
export type Attempt = MessageOf<typeof Attempt>;

const guard = { name, to: name, holds: flag, text: sentence };
const passage = { time: seconds, from: name, to: name, reason: sentence };

/** Passages that a state machine remembers, and publishes. */
export const MAX_TRANSITIONS = 32;
/** State machines that one message holds. */
const MAX_ARMS = 4;

export const ArmStates = message("ArmStates", 2, "Snapshot of the arms' state machines.", {
  isWaiting: meaning(flag, "whether every arm waits for a ball and nothing is under way"),
  arms: records(
    {
      arm: name,
      state: name,
      since: seconds,
      guards: records(guard, 8),
      transitions: records(passage, MAX_TRANSITIONS),
    },
    MAX_ARMS,
  ),
});
export type ArmStates = MessageOf<typeof ArmStates>;
/** The state machine of one arm. */
export type ArmState = ArmStates["arms"][number];

/** In-ports or out-ports of one node. */
export const MAX_PORTS = 24;

export const ComponentStatus = message("ComponentStatus", 4, "Status of a node, about once per second.", {
  component: name,
  thread: meaning(u32, "the operating system's number of its thread; 0 if unknown"),
  health: choice({ starting: 0, running: 1, degraded: 2, failed: 3, stopped: 4 }),
  cycles: meaning(u32, "steps with something to do since the start"),
  lost: meaning(u32, "messages lost since the start"),
  behind: meaning(u32, "messages waiting"),
  cycleMean: meaning(f64, "time of one step since the last status, mean [s]"),
  cycleMax: meaning(f64, "the same, longest [s]"),
  detail: meaning(sentence, "note for the operator"),
  put: meaning(several(MAX_PORTS), "messages put since the start, an out-port each, in the order of the node's ports"),
  waiting: meaning(several(MAX_PORTS), "messages that wait, an in-port each"),
});
export type ComponentStatus = MessageOf<typeof ComponentStatus>;
