import * as lie from "../../math/lie.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";

/** A frame whose pose in the world is a known function of time: fixed, a chest on its planned way, a driving base. */
export interface MovingFrame {
  /**
   * Its pose at `t` [s] and its twist: velocity of its origin [m/s] (0–2) and angular velocity [rad/s] (3–5), both in the
   * world.
   */
  evaluate(t: number, worldFromFrame: pose.Pose, twist: Float64Array): void;
}

/** A frame that stands; the world itself by default. */
export class FixedFrame implements MovingFrame {
  readonly #worldFromFrame: pose.Pose;

  constructor(worldFromFrame: pose.Pose = pose.create()) {
    this.#worldFromFrame = pose.copy(worldFromFrame, pose.create());
  }

  evaluate(_t: number, worldFromFrame: pose.Pose, twist: Float64Array): void {
    pose.copy(this.#worldFromFrame, worldFromFrame);
    twist.fill(0);
  }
}

export const worldFrame: MovingFrame = new FixedFrame();

/** A frame whose origin goes straight on and that turns about a fixed axis, both at constant speed. */
export class SteadyFrame implements MovingFrame {
  readonly #time: number;
  readonly #worldFromFrame: pose.Pose;
  readonly #twist: Float64Array;
  readonly #turn = pose.create();
  readonly #scaled = new Float64Array(6);

  /** As it is at `time` [s]; `twist` as in `MovingFrame`. */
  constructor(time: number, worldFromFrame: pose.Pose, twist: Float64Array) {
    this.#time = time;
    this.#worldFromFrame = pose.copy(worldFromFrame, pose.create());
    this.#twist = Float64Array.from(twist);
  }

  evaluate(t: number, worldFromFrame: pose.Pose, twist: Float64Array): void {
    const duration = t - this.#time;
    for (let n = 3; n < 6; n++) this.#scaled[n] = duration * this.#twist[n]!;
    lie.se3Exp(this.#scaled, this.#turn);
    pose.compose(this.#turn, this.#worldFromFrame, worldFromFrame);
    for (let n = 0; n < 3; n++) worldFromFrame[9 + n] = this.#worldFromFrame[9 + n]! + duration * this.#twist[n]!;
    for (let n = 0; n < 6; n++) twist[n] = this.#twist[n]!;
  }
}

const relative = vec3.create();

/** Position and velocity of a point of the world as the frame sees them; `out` may be the input. */
export function intoFrame(
  worldFromFrame: pose.Pose,
  twist: Float64Array,
  position: vec3.Vec3,
  velocity: vec3.Vec3,
  outPosition: vec3.Vec3,
  outVelocity: vec3.Vec3,
): void {
  const x = position[0] - worldFromFrame[9];
  const y = position[1] - worldFromFrame[10];
  const z = position[2] - worldFromFrame[11];
  vec3.set(
    velocity[0] - twist[0]! - (twist[4]! * z - twist[5]! * y),
    velocity[1] - twist[1]! - (twist[5]! * x - twist[3]! * z),
    velocity[2] - twist[2]! - (twist[3]! * y - twist[4]! * x),
    relative,
  );
  pose.transformPointInverse(worldFromFrame, position, outPosition);
  pose.rotateVectorInverse(worldFromFrame, relative, outVelocity);
}
