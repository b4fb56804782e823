import { array, choice, f64, time, u16, u32 } from "../transport/channels/field.js";
import { blob, type MessageOf, meaning, message, omittable, records, several } from "../transport/message.js";
import { headMeasurement, jointNumbers, seconds } from "./fields.js";
import { maxCircles, vec3 } from "./parts.js";

/** Which camera of the stereo pair. */
const camera = choice({ left: 0, right: 1 });
export type CameraSide = "left" | "right";

const frame = meaning(u32, "number of the frame; a gap is a lost one");
const exposureNs = meaning(time, "middle of the exposure [ns]");
const arrivalNs = meaning(time, "when the driver received it [ns]");

/** Largest image that an edge between threads carries [px], and bytes of a pixel in colour. */
const MAX_PIXELS = 1600 * 1200;
const COLOUR_BYTES = 3;

/** What the bytes of pixels mean, by the names that Foxglove and ROS have for it. */
const encoding = choice({ mono8: 0, rgb8: 1 });

/** Where in an image balls are looked for. */
const window = {
  u: meaning(f64, "centre, to the right [px]"),
  v: meaning(f64, "centre, downwards [px]"),
  halfSize: meaning(f64, "half its side [px]"),
  minRadius: meaning(f64, "least radius of a ball in it [px]"),
  maxRadius: meaning(f64, "greatest radius [px]"),
};

export const Image = message("Image", 2, "One image of one camera, 8 bits a channel, rows from top to bottom.", {
  camera,
  frame,
  exposureNs,
  arrivalNs,
  width: meaning(u16, "[px]"),
  height: meaning(u16, "[px]"),
  scale: meaning(f64, "of its width and height against the camera's own"),
  windows: meaning(records(window, 16), "the regions that were read out, in pixels at full size; none: all of it"),
  encoding: omittable(meaning(encoding, "mono8: gray; rgb8: red, green and blue of each pixel; left out: mono8")),
  pixels: meaning(
    blob(COLOUR_BYTES * MAX_PIXELS),
    "width × height gray values or colours; empty: nothing can be in it",
  ),
});
export type Image = MessageOf<typeof Image>;

export const BallColour = message("BallColour", 1, "How a ball stands out in colour images, from now on.", {
  red: meaning(f64, "weight of red in the channel in which the ball is looked for"),
  green: meaning(f64, "weight of green"),
  blue: meaning(f64, "weight of blue"),
  offset: meaning(f64, "what is added to their sum [gray]"),
  contrast: meaning(f64, "how much brighter than its surroundings the ball is in that channel; 0: unknown [gray]"),
});
export type BallColour = MessageOf<typeof BallColour>;

export const Circles = message("Circles", 2, "The circles a detector found in one image, best first.", {
  camera,
  frame,
  exposureNs,
  arrivalNs,
  u: meaning(several(maxCircles), "centres, to the right [px]"),
  v: meaning(several(maxCircles), "centres, downwards [px]"),
  r: meaning(several(maxCircles), "radii [px]"),
  covariance: meaning(several(9 * maxCircles), "of (u, v, r), row-major, circle after circle [px²]"),
  score: meaning(
    several(maxCircles),
    "how surely each is a ball, 0 to 1: purity of its outline less what speaks against one",
  ),
});
export type Circles = MessageOf<typeof Circles>;

/** Room for points of one frame. */
export const MAX_POINTS = 32;

export const Points = message("Points", 2, "Points that motion capture measured, in the world.", {
  frame,
  exposureNs: meaning(time, "when they were measured [ns]"),
  arrivalNs,
  position: meaning(several(3 * MAX_POINTS), "[m]"),
  covariance: meaning(several(9 * MAX_POINTS), "row-major, point after point [m²]"),
});
export type Points = MessageOf<typeof Points>;

export const LostFrame = message("LostFrame", 2, "A frame that was exposed but never arrived.", { frame, exposureNs });
export type LostFrame = MessageOf<typeof LostFrame>;

export const Imu = message("Imu", 2, "One sample of the inertial sensor in the head, in its own frame.", {
  time: meaning(seconds, "when it was taken [s]"),
  sample: meaning(u32, "its number; a gap is a lost one"),
  angularVelocity: meaning(vec3, "[rad/s]"),
  specificForce: meaning(vec3, "specific force: 9.81 upwards at rest [m/s²]"),
});
export type Imu = MessageOf<typeof Imu>;

export const JointState = message("JointState", 2, "Readings of the robot's encoders, in model order.", {
  time: meaning(seconds, "when they were read [s]"),
  cycle: meaning(u32, "number of the robot's cycle; a gap is a lost one"),
  q: meaning(jointNumbers, "positions [rad or m]"),
  qd: meaning(jointNumbers, "velocities"),
  commanded: meaning(jointNumbers, "positions commanded for that time [rad or m]"),
});
export type JointState = MessageOf<typeof JointState>;

/** Memory for the state of so many joints. */
export function createJointState(count: number): JointState {
  const joints = () => new Float64Array(count);
  return { time: 0, cycle: 0, q: joints(), qd: joints(), commanded: joints() };
}

const twist = meaning(
  array(f64, 6),
  "velocity of the head's origin [m/s], angular velocity [rad/s], both in the world",
);

export const HeadPose = message("HeadPose", 2, "Where the head was at an exposure, and how it moved.", {
  time: meaning(seconds, "time the pose holds for [s]"),
  worldFromHead: headMeasurement.worldFromHead,
  twist,
  covariance: meaning(array(f64, 6, 6), "of the pose error, translation [m] then rotation [rad], in the head"),
});
export type HeadPose = MessageOf<typeof HeadPose>;

export const HeadState = message("HeadState", 2, "The newest head pose from both IMU and joints.", {
  time: meaning(seconds, "time the pose holds for [s]"),
  ...headMeasurement,
  twist,
});
export type HeadState = MessageOf<typeof HeadState>;
