import { array, described, f64, time, u32 } from "../../channels/field.js";
import { type PacketView, packet } from "../../channels/packet.js";
import { recordLength } from "../../simulation/robot-sim/world-record.js";

/** Balls there is room for in a packet of the true world. */
export const maxTrueBalls = 4;

/** The true world at one step, for simulated sensors alone: nothing that decides may look at it. */
export const TrueWorld = packet("TrueWorld", 1, {
  t: described(time, "of the step, on the run's clock [ns]"),
  step: described(u32, "number of the record"),
  numbers: described(array(f64, recordLength(maxTrueBalls)), "a `WorldRecord`"),
});
export type TrueWorld = PacketView<typeof TrueWorld>;
