import { choice, described, i32, time, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { name, sentence } from "./parts.js";

export const Severity = { debug: 0, info: 1, warning: 2, error: 3 } as const;
export type Severity = (typeof Severity)[keyof typeof Severity];

/** Something a person can follow: a track born, a plan refused, a state left, and why. */
export const Event = packet("Event", 1, {
  t: time,
  severity: choice(Severity),
  source: described(name, "component it comes from"),
  code: described(name, "what happened, for programs"),
  track: described(i32, "ball it is about; −1 for none"),
  plan: described(u32, "plan it is about; 0 for none"),
  text: described(sentence, "what happened and why, for people"),
});
export type Event = PacketView<typeof Event>;
