import { FlycatcherError } from "../runtime/errors.js";

/** Limits of some joints; arrays of one number a joint. Positions may be unlimited, speeds and accelerations not. */
export interface MotionLimits {
  /** [rad or m] */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** [rad/s or m/s] */
  readonly maxVelocity: Float64Array;
  /** [rad/s² or m/s²] */
  readonly maxAcceleration: Float64Array;
}

/** The limits of some dofs, in their order, of those of a whole robot. */
export function pickLimits(limits: MotionLimits, dofs: readonly number[]): MotionLimits {
  const pick = (values: Float64Array): Float64Array => Float64Array.from(dofs, (dof) => values[dof]!);
  return {
    lower: pick(limits.lower),
    upper: pick(limits.upper),
    maxVelocity: pick(limits.maxVelocity),
    maxAcceleration: pick(limits.maxAcceleration),
  };
}

/**
 * Lets joints follow targets that jump or move as they like, at a fixed rate, within limits of position, speed and
 * acceleration. Each tick moves a joint by v·dt, and |v| ≤ vmax, |v − v_before| ≤ amax·dt hold exactly, so what is
 * commanded can be checked by differences of the commands themselves.
 *
 * The speed of a tick is the greatest from which the joint can still stop at the target. With A = amax·dt a joint of
 * speed v that brakes from the next tick on moves dt·(v + (v − A) + (v − 2A) + …). For nA ≤ v ≤ (n + 1)A that is
 * dt·((n + 1)·v − A·n(n + 1)/2), which is solved for v. So a target at rest is met exactly, in the shortest time and
 * without overshoot, and since targets are kept within the position limits, the joint stops before them as well.
 * Only a target that jumps nearer than the joint can stop is overrun, by the braking distance.
 *
 * @example
 * const limiter = new MotionLimiter(limits, 0.001);
 * limiter.reset(q0, w0);
 * limiter.step(target); // once a millisecond
 * limiter.position; // to be commanded
 */
export class MotionLimiter {
  readonly count: number;
  /** Time between two ticks [s]. */
  readonly period: number;
  /** Position to be commanded [rad or m]. */
  readonly position: Float64Array;
  /** Speed during the last tick [rad/s or m/s]. */
  readonly velocity: Float64Array;
  readonly #limits: MotionLimits;

  constructor(limits: MotionLimits, period: number) {
    const { lower, upper, maxVelocity, maxAcceleration } = limits;
    this.count = lower.length;
    refuseBadLimits(limits, period);
    this.period = period;
    this.#limits = {
      lower: lower.slice(),
      upper: upper.slice(),
      maxVelocity: maxVelocity.slice(),
      maxAcceleration: maxAcceleration.slice(),
    };
    this.position = new Float64Array(this.count);
    this.velocity = new Float64Array(this.count);
  }

  /** Starts from these positions and speeds. */
  reset(position: Float64Array, velocity: Float64Array): void {
    for (let i = 0; i < this.count; i++) {
      this.position[i] = position[i]!;
      this.velocity[i] = velocity[i]!;
    }
  }

  /** Starts at rest where the joints `dofs` of `q`, which has all joints, are. */
  rest(q: Float64Array, dofs: readonly number[]): void {
    for (let i = 0; i < this.count; i++) {
      this.position[i] = q[dofs[i]!]!;
      this.velocity[i] = 0;
    }
  }

  /** Whether all joints stand at `target`, so that a tick towards it changes nothing. */
  isAtRest(target: Float64Array): boolean {
    for (let i = 0; i < this.count; i++) {
      if (!(this.velocity[i] === 0 && this.position[i] === target[i])) return false;
    }
    return true;
  }

  /** One tick towards `target`; a joint whose target is NaN brakes. */
  step(target: Float64Array): void {
    for (let i = 0; i < this.count; i++) this.stepJoint(i, target);
  }

  /** One tick of joint `i` alone. */
  stepJoint(i: number, target: Float64Array): void {
    const { lower, upper, maxVelocity, maxAcceleration } = this.#limits;
    const dt = this.period;
    const change = maxAcceleration[i]! * dt;
    const position = this.position[i]!;
    const before = this.velocity[i]!;
    const wanted = target[i]!;
    const goal = Math.max(lower[i]!, Math.min(upper[i]!, wanted));
    // Most joints stand where they are to be, most of the time; what follows would leave them there.
    if (goal === position && before === 0) return;
    const distance = Number.isNaN(goal) ? 0 : goal - position;
    const limit = maxVelocity[i]!;
    const side = distance < 0 ? -1 : 1;
    // In units of A·dt, in which n ticks of full braking take n(n + 1)/2; the last tick has no braking to do.
    const ratio = Math.min(Math.abs(distance) / (change * dt), FARTHEST);
    const ticks = Math.floor((Math.sqrt(1 + 8 * ratio) - 1) / 2);
    const stoppable = change * (ratio / (ticks + 1) + ticks / 2);
    const speed = side * Math.min(stoppable, limit);
    const next = Math.max(before - change, Math.min(before + change, speed));
    const arrives = next === speed && ticks === 0 && stoppable <= limit && distance !== 0;
    this.velocity[i] = next;
    this.position[i] = arrives ? goal : position + next * dt;
  }
}

/** Distance in units of A·dt that counts as endless, so that a target at infinity gives no NaN. */
const FARTHEST = 1e18;

function refuseBadLimits(limits: MotionLimits, period: number): void {
  const { lower, upper, maxVelocity, maxAcceleration } = limits;
  for (let i = 0; i < lower.length; i++) {
    const isSound = lower[i]! <= upper[i]! && isPositive(maxVelocity[i]!) && isPositive(maxAcceleration[i]!);
    if (isSound && isPositive(period)) continue;
    throw new FlycatcherError("FLY_LIMITER_LIMITS", `joint ${i} cannot be limited`, {
      expected: "lower ≤ upper, a finite positive speed, acceleration and period",
      found: `${lower[i]}, ${upper[i]}, ${maxVelocity[i]}, ${maxAcceleration[i]}, ${period}`,
    });
  }
}

function isPositive(x: number | undefined): boolean {
  return x !== undefined && x > 0 && x < Number.POSITIVE_INFINITY;
}
