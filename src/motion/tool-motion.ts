import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { FlycatcherError } from "../runtime/errors.js";
import { jerkLimitedMotion } from "./jerk-limited-motion.js";
import { joined } from "./motion-algebra.js";
import { MotionState, PiecewiseMotion } from "./piecewise-motion.js";
import { type ToolPath, ToolPathState } from "./tool-path.js";

/** Limits of a tool along its path. */
export interface ToolLimits {
  /** [m/s] */
  readonly speed: number;
  /** [m/s²]; on arcs of the acceleration towards the centre as well, which lowers the speed there. */
  readonly acceleration: number;
  /** Along the path [m/s³]. */
  readonly jerk: number;
}

/** Pose, velocities and accelerations of a tool. */
export class ToolState {
  readonly pose = pose.create();
  /** [m/s], [rad/s], [m/s²], [rad/s²], in the frame of the path. */
  readonly velocity = vec3.create();
  readonly angularVelocity = vec3.create();
  readonly acceleration = vec3.create();
  readonly angularAcceleration = vec3.create();
}

/**
 * A tool that follows a path in the shortest time, jerk-limited along it, from rest to rest; it stops at each corner. `law` is
 * the path length over time, a motion of one joint.
 */
export class ToolMotion {
  readonly path: ToolPath;
  readonly law: PiecewiseMotion;
  readonly #state = new MotionState(1);
  readonly #point = new ToolPathState();

  constructor(path: ToolPath, limits: ToolLimits) {
    this.path = path;
    const stops = [0, ...path.corners, path.length];
    const runs = stops.slice(1).map((to, k) => runOf(path, stops[k]!, to, limits));
    this.law = runs.length > 0 && path.length > 0 ? joined(runs) : standStill();
  }

  get duration(): number {
    return this.law.duration;
  }

  evaluate(t: number, out: ToolState): void {
    this.law.evaluate(t, this.#state);
    const point = this.#point;
    this.path.evaluate(this.#state.position[0]!, point);
    const speed = this.#state.velocity[0]!;
    const acceleration = this.#state.acceleration[0]!;
    pose.copy(point.pose, out.pose);
    vec3.scale(point.direction, speed, out.velocity);
    vec3.scale(point.turning, speed, out.angularVelocity);
    vec3.scale(point.direction, acceleration, out.acceleration);
    vec3.addScaled(out.acceleration, point.curvature, speed * speed, out.acceleration);
    vec3.scale(point.turning, acceleration, out.angularAcceleration);
  }
}

function runOf(path: ToolPath, from: number, to: number, limits: ToolLimits): PiecewiseMotion {
  for (const [name, value] of Object.entries(limits)) {
    if (value > 0 && value < Infinity) continue;
    throw new FlycatcherError("FLY_MOTION_INVALID", "A limit of a tool is invalid", {
      path: `/${name}`,
      expected: "a finite number above 0",
      found: String(value),
    });
  }
  const curvature = path.curvatureBetween(from, to);
  const speed = Math.min(limits.speed, curvature > 0 ? Math.sqrt(limits.acceleration / curvature) : Infinity);
  const of = (value: number) => Float64Array.of(value);
  const bounds = { maxVelocity: of(speed), maxAcceleration: of(limits.acceleration), maxJerk: of(limits.jerk) };
  return jerkLimitedMotion({ position: of(from) }, { position: of(to) }, bounds).motion;
}

function standStill(): PiecewiseMotion {
  const motion = new PiecewiseMotion(1, 1);
  motion.append(0, 0, 0);
  return motion;
}
