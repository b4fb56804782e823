import { described, time, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { vec3 } from "./parts.js";

/** One sample of the inertial sensor in the head, in the sensor's own frame. */
export const Imu = packet("Imu", 1, {
  t: described(time, "when the sample was taken [ns]"),
  tArrival: described(time, "when the driver had it [ns]"),
  sample: described(u32, "number of the sample; a gap is a lost one"),
  angularVelocity: described(vec3, "[rad/s]"),
  specificForce: described(vec3, "what the accelerometer feels: 9.81 upwards at rest [m/s²]"),
});
export type Imu = PacketView<typeof Imu>;
