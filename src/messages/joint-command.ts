import { choice, described, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { joints } from "./parts.js";

/** What the robot is to do with a command. */
export const CommandMode = { hold: 0, follow: 1, brake: 2 } as const;
export type CommandMode = (typeof CommandMode)[keyof typeof CommandMode];

/** What the control loop commands in one tick, after limiter and safety monitor. */
export const JointCommand = packet("JointCommand", 1, {
  t: described(time, "time of the tick [ns]"),
  cycle: described(u32, "number of the tick"),
  plan: described(u32, "plan that is being executed; 0 for none"),
  mode: choice(CommandMode),
  count: described(u16, "degrees of freedom in use"),
  position: described(joints, "[rad or m]"),
  velocity: described(joints, "[rad/s or m/s]"),
  effort: described(joints, "feed-forward torque or force [N·m or N]"),
});
export type JointCommand = PacketView<typeof JointCommand>;
