import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import { stoppingTime } from "../../motion/minimal-time.js";
import { RampStatus } from "../../motion/ramp.js";
import { relativePose } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { AimStatus, NeckPointing } from "../body/neck.js";
import { hasNeck } from "../body/neck-geometry.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** Turns the head to where a ball will be caught, by ramps like those of the other joints. */
export class NeckRamps {
  /** As indices of the model; none where the robot has no neck that can point. */
  readonly dofs: readonly number[];
  readonly #robot: Robot;
  readonly #neck: NeckPointing | null;

  constructor(robot: Robot) {
    this.#robot = robot;
    this.#neck = pointingNeck(robot);
    this.dofs = this.#neck?.group.dofs ?? [];
  }

  /**
   * Motions of the neck for a ball caught at `ball` (in the world) at `time`, the best first: to look at it then, or as soon
   * after as the neck can; and to stay, or come to rest. `caught` is the robot at the catch.
   */
  candidates(caught: RobotState, resolved: ResolvedRequest, ball: vec3.Vec3, time: number): JointRamps[] {
    const { start, velocityScale, accelerationScale } = resolved;
    const { model, frames } = this.#robot;
    const pick = (values: Float64Array, scale = 1) => Float64Array.from(this.dofs, (dof) => values[dof]! * scale);
    const state = [pick(start.q), pick(start.qd)] as const;
    const limits = [pick(model.maxVelocity, velocityScale), pick(model.maxAcceleration, accelerationScale)] as const;
    const resting = restRamps(...state, ...limits);
    if (this.#neck === null) return [resting];
    const baseFromWorld = relativePose(caught, this.#neck.baseLink, frames.world, pose.create());
    const target = state[0].slice();
    const status = this.#neck.aim(pose.transformPoint(baseFromWorld, ball, vec3.create()), target, target);
    if (status === AimStatus.invalid) return [resting];
    const turning = new JointRamps(this.dofs.length);
    const quickest = turning.minimalTimes(...state, target, ...limits, new Float64Array(this.dofs.length));
    const duration = Math.max(time, quickest * (1 + SLACK));
    return turning.plan(...state, target, duration, ...limits) === RampStatus.ok ? [turning, resting] : [resting];
  }
}

/** Added to a shortest time, so that rounding makes no ramp too fast. */
const SLACK = 1e-9;

/** The neck of a robot, if it has one and that can point its cameras. */
function pointingNeck(robot: Robot): NeckPointing | null {
  if (!hasNeck(robot)) return null;
  try {
    return new NeckPointing(robot);
  } catch (error) {
    if (error instanceof FlycatcherError && error.code === "FLY_NECK_UNSUPPORTED") return null;
    throw error;
  }
}

/** All joints to rest together, as soon as the slowest can. */
function restRamps(
  q0: Float64Array,
  w0: Float64Array,
  maxVelocity: Float64Array,
  maxAcceleration: Float64Array,
): JointRamps {
  const ramps = new JointRamps(q0.length);
  const duration = w0.reduce((longest, speed, i) => Math.max(longest, stoppingTime(speed, maxAcceleration[i]!)), 0);
  if (duration === 0) ramps.hold(q0);
  else
    ramps.plan(
      q0,
      w0,
      q0.map((q, i) => q + 0.5 * w0[i]! * duration),
      duration,
      maxVelocity,
      maxAcceleration,
    );
  return ramps;
}
