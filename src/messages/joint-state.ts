import { described, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { joints } from "./parts.js";

/** What the robot's encoders and torque sensors say, once per control cycle. */
export const JointState = packet("JointState", 1, {
  t: described(time, "when the encoders were read [ns]"),
  tArrival: described(time, "when the driver had it [ns]"),
  cycle: described(u32, "number of the robot's control cycle"),
  count: described(u16, "degrees of freedom in use"),
  position: described(joints, "q in model order [rad or m]"),
  velocity: described(joints, "q̇ in model order [rad/s or m/s]"),
  effort: described(joints, "τ in model order [N·m or N]"),
});
export type JointState = PacketView<typeof JointState>;
