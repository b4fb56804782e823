import { array, f64 } from "../transport/channels/field.js";
import { group, meaning, omittable, several } from "../transport/message.js";
import { maxJoints, pose, vec3 } from "./parts.js";

/** What several messages have in common. Times in seconds are on the run's clock, as algorithms have them, to the last bit. */

/** One number for each joint of a group, in its order; or of the whole robot, in model order. */
export const jointNumbers = several(maxJoints);
export const seconds = meaning(f64, "on the run's clock [s]");

/** Trapezoidal ramps of several joints, as `JointRamps` has them. */
export const ramps = group({
  q0: meaning(jointNumbers, "position at the beginning [rad or m]"),
  w0: meaning(jointNumbers, "velocity at the beginning"),
  ab: meaning(jointNumbers, "acceleration until tb, braking to the speed limit; 0 where the start keeps it"),
  tb: meaning(jointNumbers, "end of that first phase [s]"),
  a: meaning(jointNumbers, "acceleration from tb to t1, −a from t2 to T"),
  t1: meaning(jointNumbers, "end of the acceleration [s]"),
  t2: meaning(jointNumbers, "begin of the deceleration [s]"),
  T: meaning(jointNumbers, "end of the motion, at rest [s]"),
  end: meaning(jointNumbers, "position from T on [rad or m]"),
});

/** A ball in flight, in the world. */
export const ballState = group({
  time: meaning(f64, "when it is there [s]"),
  position: meaning(vec3, "[m]"),
  velocity: meaning(vec3, "[m/s]"),
  drag: meaning(f64, "k of the deceleration k·|v|·v [1/m]"),
  lift: meaning(omittable(vec3), "w of the acceleration w × v by spin [1/s]; left out where none is estimated"),
});

/** Of position, velocity and drag. */
export const ballCovariance = array(f64, 7, 7);

/** The measured head at one moment. */
export const headMeasurement = {
  worldFromHead: meaning(pose, "rotation row-major, then translation [m]"),
  neck: meaning(jointNumbers, "measured positions of the neck's joints [rad]"),
  body: meaning(jointNumbers, "commanded positions of the joints that carry the chest [rad or m]"),
};
