import type { RobotModel } from "../../robot/robot.js";

/** Limits of some joints, one number a joint; any may be infinite. */
type SetPointLimits = Pick<RobotModel, "lower" | "upper" | "maxVelocity" | "maxAcceleration">;

/** Rounding by which a command may pass a limit and still be taken as it is. */
const ROUNDING = 1e-6;

/** Distance, in units of amax·dt², that counts as endless. */
const FARTHEST = 1e18;

/**
 * What a robot does with commands it cannot follow: set-points that keep to its limits of position, speed and
 * acceleration, tick by tick. A command within the limits is taken as it is. One beyond them (a finger told to be
 * closed at once) is approached as fast as the limits allow: relative to the command's own speed, each tick moves with
 * the greatest speed from which the joint can still stop at it, so that a command at rest is met in the shortest time,
 * without overshoot. (`MotionLimiter` of src/motion does the same for targets without a speed, behind which a ramp
 * would lag, and wants finite limits.)
 */
export class SetPointLimiter {
  readonly count: number;
  /** Position [rad or m], speed over the last tick [rad/s or m/s], and its change over a tick [rad/s² or m/s²]. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  /** Ticks at which some joint's command was beyond its limits. */
  limited = 0;
  readonly #limits: SetPointLimits;
  readonly #period: number;

  /** `period` is the time between ticks [s]. */
  constructor(limits: SetPointLimits, period: number) {
    this.count = limits.lower.length;
    this.#limits = limits;
    this.#period = period;
    this.position = new Float64Array(this.count);
    this.velocity = new Float64Array(this.count);
    this.acceleration = new Float64Array(this.count);
  }

  /** Rests at `position`. */
  reset(position: Float64Array): void {
    this.position.set(position);
    this.velocity.fill(0);
    this.acceleration.fill(0);
  }

  /** One tick towards position `q` and speed `qd`; a joint whose command is NaN brakes. */
  step(q: Float64Array, qd: Float64Array): void {
    let isLimited = false;
    for (let i = 0; i < this.count; i++) isLimited = !this.#stepJoint(i, q, qd) || isLimited;
    if (isLimited) this.limited++;
  }

  /** Whether the command was within the limits. */
  #stepJoint(i: number, q: Float64Array, qd: Float64Array): boolean {
    const { lower, upper, maxVelocity, maxAcceleration } = this.#limits;
    const dt = this.#period;
    const before = this.velocity[i]!;
    const change = maxAcceleration[i]! * dt;
    const goal = Math.max(lower[i]!, Math.min(upper[i]!, q[i]!));
    const wanted = (goal - this.position[i]!) / dt;
    const isWithin =
      Math.abs(wanted) <= maxVelocity[i]! * (1 + ROUNDING) && Math.abs(wanted - before) <= change * (1 + ROUNDING);
    const next = isWithin ? wanted : this.#approach(i, wanted, change, qd);
    this.acceleration[i] = (next - before) / dt;
    this.velocity[i] = next;
    this.position[i] = isWithin ? goal : this.position[i]! + next * dt;
    return isWithin;
  }

  /** The speed of a tick towards a command that is out of reach by now. */
  #approach(i: number, wanted: number, change: number, qd: Float64Array): number {
    const before = this.velocity[i]!;
    const limit = this.#limits.maxVelocity[i]!;
    const speed = Number.isNaN(wanted) ? 0 : qd[i]! + stoppable(wanted - qd[i]!, change);
    const allowed = Math.max(-limit, Math.min(limit, speed));
    return Math.max(before - change, Math.min(before + change, allowed));
  }
}

/**
 * The greatest speed from which a joint that may change its speed by `change` a tick can stop after as many ticks as it
 * takes to move by `speed` times one tick. In units of `change`, n ticks of braking move it by n(n + 1)/2.
 */
function stoppable(speed: number, change: number): number {
  if (change === Number.POSITIVE_INFINITY) return speed;
  const ratio = Math.min(Math.abs(speed) / change, FARTHEST);
  const ticks = Math.floor((Math.sqrt(1 + 8 * ratio) - 1) / 2);
  return Math.sign(speed) * change * (ratio / (ticks + 1) + ticks / 2);
}
