import { choice, described, f64, time, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";

export const Hand = { left: 0, right: 1 } as const;
export type Hand = (typeof Hand)[keyof typeof Hand];

export const HandAction = { open: 0, close: 1, hold: 2 } as const;
export type HandAction = (typeof HandAction)[keyof typeof HandAction];

/** What a hand is to do, and when: closing is timed to the predicted contact. */
export const HandCommand = packet("HandCommand", 1, {
  t: described(time, "when the command was given [ns]"),
  hand: choice(Hand),
  action: choice(HandAction),
  plan: described(u32, "plan it belongs to; 0 for none"),
  tBegin: described(time, "when the fingers begin to move [ns]"),
  duration: described(f64, "of their motion [s]"),
});
export type HandCommand = PacketView<typeof HandCommand>;
