import { UR_JOINTS } from "./ur-modes.js";

/** What moves the joints. */
type Motion = "hold" | "servo" | "stop";

export interface UrArmOptions {
  /** Where the joints stand [rad]. [6] */
  readonly start: Float64Array;
  /** Fastest that the controller turns a joint [rad/s]. [6] */
  readonly maxVelocity: Float64Array;
  /** Time between two calls of `advance` [s]. */
  readonly timestep: number;
}

/** Strongest acceleration of the controller's own motions [rad/s²]. Chosen: Universal Robots publishes none. */
const MAX_ACCELERATION = 40;
/** From a set-point's arrival to its first effect [s]. With the look-ahead's 30 ms the lag is the 34 ms that users measured on a UR10e. */
const SERVO_DELAY = 0.004;

/**
 * Motion of the joints inside the controller: where they are sent to, and how fast. `servoj` is a critically damped filter
 * behind a delay: a set-point that moves at constant speed is followed `SERVO_DELAY` and the look-ahead time behind.
 * `gain` has no effect here, since its formula is not published.
 */
export class UrArm {
  readonly q: Float64Array;
  readonly qd = new Float64Array(UR_JOINTS);
  /** Look-ahead time of `servoj` [s]. */
  lookahead = 0.03;
  /** Share of the fastest speed that the slider permits. */
  speedFraction = 1;
  #motion: Motion = "hold";
  #deceleration = 0;
  readonly #maxVelocity: Float64Array;
  readonly #timestep: number;
  /** Set-points on their way: a ring of `SERVO_DELAY`. */
  readonly #delayed: Float64Array;
  #at = 0;

  constructor({ start, maxVelocity, timestep }: UrArmOptions) {
    this.q = Float64Array.from(start);
    this.#maxVelocity = maxVelocity;
    this.#timestep = timestep;
    this.#delayed = new Float64Array(UR_JOINTS * (1 + Math.round(SERVO_DELAY / timestep)));
  }

  get isStanding(): boolean {
    return this.qd.every((speed) => speed === 0);
  }

  /** `servoj` towards `goal`, one call of `advance` at a time. */
  servo(goal: Float64Array): void {
    if (this.#motion !== "servo")
      for (let at = 0; at < this.#delayed.length; at += UR_JOINTS) this.#delayed.set(this.q, at);
    this.#motion = "servo";
    this.#delayed.set(goal, this.#at);
  }

  /** `stopj`: all joints come to rest at `deceleration` [rad/s²]. */
  stop(deceleration: number): void {
    this.#motion = "stop";
    this.#deceleration = deceleration;
  }

  advance(): void {
    if (this.#motion === "servo") this.#followDelayed();
    else if (this.#motion === "stop") this.#slowDown();
  }

  #followDelayed(): void {
    const next = (this.#at + UR_JOINTS) % this.#delayed.length;
    for (let i = 0; i < UR_JOINTS; i++) this.#follow(i, this.#delayed[next + i]!);
    this.#delayed.copyWithin(next, this.#at, this.#at + UR_JOINTS);
    this.#at = next;
  }

  /** The exact step of q̈ = ω²(goal − q) − 2ωq̇, within the limits of speed and acceleration. */
  #follow(i: number, goal: number): void {
    const dt = this.#timestep;
    const omega = 2 / this.lookahead;
    const offset = this.q[i]! - goal;
    const velocity = this.qd[i]!;
    const rate = velocity + omega * offset;
    const decay = Math.exp(-omega * dt);
    const most = this.speedFraction * this.#maxVelocity[i]!;
    const step = MAX_ACCELERATION * dt;
    const wanted = (velocity - rate * omega * dt) * decay;
    const next = clamp(clamp(wanted, velocity - step, velocity + step), -most, most);
    this.qd[i] = next;
    this.q[i] = next === wanted ? goal + (offset + rate * dt) * decay : this.q[i]! + next * dt;
  }

  #slowDown(): void {
    const step = this.#deceleration * this.#timestep;
    for (let i = 0; i < UR_JOINTS; i++) {
      const velocity = this.qd[i]!;
      const next = Math.abs(velocity) <= step ? 0 : velocity - Math.sign(velocity) * step;
      this.q[i] = this.q[i]! + ((velocity + next) / 2) * this.#timestep;
      this.qd[i] = next;
    }
    if (this.isStanding) this.#motion = "hold";
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
