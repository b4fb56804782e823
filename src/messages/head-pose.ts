import { array, described, f64, time } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { pose } from "./parts.js";

/** Where the head is and how it moves, from kinematics and IMU. */
export const HeadPose = packet("HeadPose", 1, {
  t: described(time, "time the pose holds for [ns]"),
  worldFromHead: described(pose, "rotation row-major, then translation [m]"),
  twist: described(array(f64, 6), "velocity of the head's origin [m/s], angular velocity [rad/s], both in the world"),
  covariance: described(array(f64, 6, 6), "of the pose error, translation [m] then rotation [rad], in the head"),
});
export type HeadPose = PacketView<typeof HeadPose>;
