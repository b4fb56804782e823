import type { Pose } from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import { array, described, f64, type NumberArrayField, text } from "../transport/channels/field.js";

/** Room for the degrees of freedom of a robot; those of agile-justin with all finger joints are 46. */
export const maxJoints = 64;
/** Room for circles found in one image. */
export const maxCircles = 64;
/** Bytes of a name in UTF-8: of a group, a component, an event's code. */
export const maxNameBytes = 48;
/** Bytes of a sentence in UTF-8. */
export const maxSentenceBytes = 256;

export const vec3: NumberArrayField<Vec3> = { kind: "numbers", element: f64.kind, shape: [3] };
/** Row-major rotation (0–8), translation (9–11): as `Pose` in `src/math`. */
export const pose: NumberArrayField<Pose> = { kind: "numbers", element: f64.kind, shape: [12] };
/** One number for each degree of freedom, in model order; entries from the robot's count on are not used. */
export const joints = array(f64, maxJoints);
export const name = text(maxNameBytes);
export const sentence = text(maxSentenceBytes);

/** A motion of trapezoidal ramps: in order of time, as `JointRamps` has them. */
export const rampFields = {
  q0: described(joints, "position at tStart [rad or m]"),
  w0: described(joints, "velocity at tStart"),
  ab: described(joints, "acceleration until tb, braking to the speed limit; 0 where the start keeps it"),
  tb: described(joints, "end of that first phase [s]"),
  a: described(joints, "acceleration from tb to t1, −a from t2 to T"),
  t1: described(joints, "end of the acceleration [s]"),
  t2: described(joints, "begin of the deceleration [s]"),
  T: described(joints, "end of the motion, at rest [s]"),
} as const;

/** A ball in flight, in the world. */
export const ballFields = {
  position: described(vec3, "[m]"),
  velocity: described(vec3, "[m/s]"),
  drag: described(f64, "k of the deceleration k·|v|·v [1/m]"),
  covariance: described(array(f64, 7, 7), "of position, velocity and drag; zero for a drag that is not estimated"),
} as const;
