import { choice, described, f64, flag, i32, struct, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { name, rampFields, sentence, vec3 } from "./parts.js";

/** How a planner looked for a catch: everywhere, or from the plan before. */
export const PlanSearch = { cold: 0, warm: 1 } as const;
export type PlanSearch = (typeof PlanSearch)[keyof typeof PlanSearch];

/**
 * What an arm's planner said to a question: a catch, or why there is none. Not every catch is carried out; what is goes to
 * control as a `Plan`.
 */
export const PlanAnswer = packet("PlanAnswer", 1, {
  id: described(u32, "of the question; a plan that is carried out has it, too"),
  track: described(i32, "ball it is about; −1 if nobody knows"),
  group: described(name, "joints that were to catch it"),
  search: described(choice(PlanSearch), "everything, or from the plan in execution on"),
  tSeen: described(time, "exposure of the newest image that went into the question [ns]"),
  tAsked: described(time, "when it was asked [ns]"),
  tAnswered: described(time, "when the answer was taken [ns]"),
  tStart: described(time, "when the motion begins [ns]"),
  found: described(flag, "whether there is a catch; else `reason` says why not"),
  tCatch: described(time, "when ball and hand meet [ns]"),
  tArrival: described(time, "when the hand is there, at rest [ns]"),
  objective: described(f64, "value of the mode's objective"),
  successProbability: described(f64, "0 to 1; NaN if the covariance is not known"),
  position: described(vec3, "of the ball at the catch, in the world [m]"),
  count: described(u16, "joints of the group, in whose order the ramps are"),
  ramps: struct(rampFields),
  reason: described(sentence, "why there is no catch, for people"),
});
export type PlanAnswer = PacketView<typeof PlanAnswer>;
