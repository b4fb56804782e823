import { choice, described, f64, i32, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";

export const MonitorVerdict = { safe: 0, brake: 1, fault: 2 } as const;
export type MonitorVerdict = (typeof MonitorVerdict)[keyof typeof MonitorVerdict];

/** What the safety monitor found in one tick. */
export const MonitorState = packet("MonitorState", 1, {
  t: described(time, "time of the tick [ns]"),
  cycle: described(u32, "number of the tick"),
  verdict: choice(MonitorVerdict),
  distance: described(f64, "least distance of two bodies while braking [m]; a bound for pairs not refreshed"),
  firstBody: described(i32, "collision body of the nearest pair; −1 if there is none"),
  secondBody: i32,
  refreshedPairs: described(u16, "pairs computed in this tick"),
  duration: described(f64, "time spent [s]"),
});
export type MonitorState = PacketView<typeof MonitorState>;
