import { choice, described, f64, time, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { name, sentence } from "./parts.js";

export const ComponentHealth = { starting: 0, running: 1, degraded: 2, failed: 3, stopped: 4 } as const;
export type ComponentHealth = (typeof ComponentHealth)[keyof typeof ComponentHealth];

/** How a part of the pipeline fares, about once a second and when it changes (Robbie's profiler). */
export const ComponentStatus = packet("ComponentStatus", 2, {
  t: time,
  component: name,
  thread: described(u32, "the system's number of its thread, by which its processor time is known; 0 if unknown"),
  health: choice(ComponentHealth),
  cycles: described(u32, "packets or ticks handled since the start"),
  lost: described(u32, "packets lost since the start"),
  behind: described(u32, "packets waiting"),
  cycleMean: described(f64, "time of one cycle since the last status, mean [s]"),
  cycleMax: described(f64, "the same, longest [s]"),
  detail: described(sentence, "what a person should know"),
});
export type ComponentStatus = PacketView<typeof ComponentStatus>;
