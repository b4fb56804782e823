import { choice, described, time, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { name } from "./parts.js";

/** What control did with a plan; whatever it was but `accepted`, the motion in hand goes on. */
export const HandoverOutcome = { accepted: 0, late: 1, mismatch: 2, invalid: 3, full: 4, stopped: 5 } as const;
export type HandoverOutcome = (typeof HandoverOutcome)[keyof typeof HandoverOutcome];

/** Control's word on a plan, so that whoever sent it knows what will be executed. */
export const PlanHandover = packet("PlanHandover", 1, {
  t: described(time, "tick before which it was looked at [ns]"),
  plan: described(u32, "the plan's id"),
  group: described(name, "joints it was for"),
  outcome: described(choice(HandoverOutcome), "what became of the plan"),
});
export type PlanHandover = PacketView<typeof PlanHandover>;
