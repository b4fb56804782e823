import type { BallState } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";

/** A place where the hand rests with the ball; times are from the release, so negative [s]. */
export interface HandStop {
  readonly position: vec3.Vec3;
  readonly arrive: number;
  readonly leave: number;
}

/**
 * How hands move a ball until its release, as plain data: another process makes the same motion of it. The hand goes from stop
 * to stop, draws back to where the swing begins, and swings on an arc that ends with the release.
 */
export interface ThrowMotion {
  /** How long the arm accelerates the ball [s]; 0: it rests until its release. */
  readonly swing: number;
  /** Radius of the swing's arc [m], and the unit vector from the release to its centre, across the ball's velocity. */
  readonly radius: number;
  readonly towardsCentre: vec3.Vec3;
  /** At least one, in the order of time; the ball appears when the hand arrives at the first. */
  readonly stops: readonly HandStop[];
  /** Velocity with which the person walks to the first stop; they stand when the hand leaves it [m/s]. */
  readonly walk: vec3.Vec3;
  /** Amplitudes of the body's sway and of the hand's tremor [m], and their phase [rad]. */
  readonly sway: number;
  readonly tremor: number;
  readonly phase: number;
  /** How far the fingers reach around the ball: distance from its centre to their tips, as a share of its radius. */
  readonly grip: number;
}

/** A hand that throws, and the person it belongs to, at one moment. */
export interface ThrowingHand {
  /** Whether it still has the ball. */
  readonly isHolding: boolean;
  /** Middle of the palm; the point on the floor under the person [m]. */
  readonly palm: vec3.Vec3;
  readonly body: vec3.Vec3;
  /** See `ThrowMotion`. */
  readonly grip: number;
}

/** Longest way of a swing [m]: an outstretched arm, and the shoulder that follows it. */
const LONGEST_SWING = 0.9;
/** Speed in a swing grows at least with this power of time: its acceleration begins at zero. */
const LEAST_POWER = 1.5;
/** Sway and tremor end within this time before the swing, if the hand does not draw back longer [s]. */
const FADING = 0.2;
/** A walking person stops within this time [s]. */
const STOPPING = 0.4;
/** Frequencies of sway and tremor along x, y and z [rad/s]: below half a hertz, and about nine. */
const SWAY_RATES = [1.9, 2.6, 2.2] as const;
const TREMOR_RATES = [55, 61, 49] as const;
/** Share of the sway along each axis: bodies sway little up and down. */
const SWAY_SHARES = [1, 1, 0.3] as const;
/** After the release the hand comes to rest within this time [s]. */
const FOLLOW_THROUGH = 0.25;
/** The palm is so far from the ball's centre [m], below and behind it. */
const PALM_DISTANCE = 0.05;
/** A thrower's body is so far behind the release, and to its left: the arm swings beside it [m]. */
const BODY_BEHIND = 0.3;
const BODY_ASIDE = 0.42;

/** How long before its release a ball is to be seen [s]. */
export function leadOf({ stops }: Pick<ThrowMotion, "stops">): number {
  return -(stops[0]?.arrive ?? 0);
}

/** Power of time with which the speed of a swing grows to `speed` [m/s] in `duration` [s]: the way is no longer than an arm. */
export function swingPower(speed: number, duration: number): number {
  return Math.max(LEAST_POWER, (speed * duration) / LONGEST_SWING - 1);
}

/** Where a swing to `release` begins [m]. */
export function swingStart(
  { position, velocity }: Pick<BallState, "position" | "velocity">,
  motion: Pick<ThrowMotion, "swing" | "radius" | "towardsCentre">,
  out: vec3.Vec3,
): vec3.Vec3 {
  const speed = vec3.norm(velocity);
  const way = (speed * motion.swing) / (swingPower(speed, motion.swing) + 1);
  return onArc(position, velocity, motion, -way, out);
}

/** The point of the swing's arc `way` metres after the release, negative before it. */
function onArc(
  release: vec3.Vec3,
  velocity: vec3.Vec3,
  { radius, towardsCentre }: Pick<ThrowMotion, "radius" | "towardsCentre">,
  way: number,
  out: vec3.Vec3,
): vec3.Vec3 {
  const speed = vec3.norm(velocity);
  const angle = way / radius;
  const along = speed === 0 ? 0 : (radius * Math.sin(angle)) / speed;
  const inwards = radius * (1 - Math.cos(angle));
  for (let k = 0; k < 3; k++) out[k] = release[k]! + along * velocity[k]! + inwards * towardsCentre[k]!;
  return out;
}

/** The way of a ball in hands up to its release, and of the hand after it. Position and velocity are continuous. */
export class HandPath {
  /** When the ball appears, and when it is released [s]. */
  readonly begin: number;
  readonly released: number;
  readonly #motion: ThrowMotion;
  readonly #release: BallState;
  readonly #speed: number;
  readonly #power: number;
  readonly #swingStart = vec3.create();
  readonly #palmOffset = vec3.create();
  readonly #standing = vec3.create();
  readonly #base = vec3.create();
  readonly #baseVelocity = vec3.create();
  readonly #shift = vec3.create();
  readonly #shiftVelocity = vec3.create();

  constructor(release: BallState, motion: ThrowMotion) {
    this.released = release.time;
    this.begin = release.time - leadOf(motion);
    this.#motion = motion;
    this.#release = release;
    this.#speed = vec3.norm(release.velocity);
    this.#power = swingPower(this.#speed, motion.swing);
    swingStart(release, motion, this.#swingStart);
    const [x, y] = release.velocity;
    const level = Math.hypot(x, y) || 1;
    vec3.set((-0.6 * x) / level, (-0.6 * y) / level, -0.8, this.#palmOffset);
    vec3.scale(this.#palmOffset, PALM_DISTANCE, this.#palmOffset);
    const { position } = release;
    const [ahead, left] = [x / level, y / level];
    const standing = vec3.set(position[0] - BODY_BEHIND * ahead, position[1] - BODY_BEHIND * left, 0, this.#standing);
    vec3.addScaled(standing, vec3.create(-left, ahead, 0), BODY_ASIDE, standing);
  }

  /** Of the ball, until its release. */
  position(time: number, out: vec3.Vec3): vec3.Vec3 {
    this.#evaluate(time - this.released);
    return vec3.add(this.#base, this.#shift, out);
  }

  velocity(time: number, out: vec3.Vec3): vec3.Vec3 {
    this.#evaluate(time - this.released);
    return vec3.add(this.#baseVelocity, this.#shiftVelocity, out);
  }

  /** The hand and its person at `time`, also after the release. */
  handAt(time: number): ThrowingHand {
    const isHolding = time < this.released;
    const palm = vec3.create();
    if (isHolding) this.position(time, palm);
    else this.#followThrough(time - this.released, palm);
    vec3.add(palm, this.#palmOffset, palm);
    const body = vec3.copy(this.#standing, vec3.create());
    vec3.set(0, 0, 0, this.#shift);
    vec3.set(0, 0, 0, this.#shiftVelocity);
    this.#addWalk(time - this.released);
    return { isHolding, palm, body: vec3.add(body, this.#shift, body), grip: this.#motion.grip };
  }

  #evaluate(after: number): void {
    vec3.set(0, 0, 0, this.#shift);
    vec3.set(0, 0, 0, this.#shiftVelocity);
    if (after >= -this.#motion.swing) {
      this.#swing(after);
      return;
    }
    this.#moveBetweenStops(after);
    this.#disturb(after);
    this.#addWalk(after);
  }

  /** Speed v·s^p at the share s of the swing: the way left to the release is v·T·(1 − s^(p+1))/(p + 1). */
  #swing(after: number): void {
    const { swing } = this.#motion;
    const { position, velocity } = this.#release;
    const share = swing === 0 ? 1 : Math.max(0, 1 + Math.min(0, after) / swing);
    const left = (this.#speed * swing * (1 - share ** (this.#power + 1))) / (this.#power + 1);
    onArc(position, velocity, this.#motion, -left, this.#base);
    const speed = this.#speed * share ** this.#power;
    const angle = -left / this.#motion.radius;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (let k = 0; k < 3; k++) {
      const ahead = this.#speed === 0 ? 0 : velocity[k]! / this.#speed;
      this.#baseVelocity[k] = speed * (cos * ahead + sin * this.#motion.towardsCentre[k]!);
    }
  }

  #moveBetweenStops(after: number): void {
    const { stops, swing } = this.#motion;
    let k = 0;
    while (k < stops.length - 1 && stops[k + 1]!.arrive <= after) k++;
    const { position, leave } = stops[k]!;
    const next = stops[k + 1];
    const arrive = next?.arrive ?? -swing;
    vec3.copy(position, this.#base);
    vec3.set(0, 0, 0, this.#baseVelocity);
    if (after <= leave || arrive <= leave) return;
    const x = (after - leave) / (arrive - leave);
    const target = next?.position ?? this.#swingStart;
    const share = minimumJerk(x);
    const rate = minimumJerkRate(x) / (arrive - leave);
    for (let i = 0; i < 3; i++) {
      const way = target[i]! - position[i]!;
      this.#base[i] = position[i]! + share * way;
      this.#baseVelocity[i] = rate * way;
    }
  }

  /** Sway and tremor, which are over when the swing begins. */
  #disturb(after: number): void {
    const { stops, swing, sway, tremor, phase } = this.#motion;
    const begin = Math.min(stops.at(-1)!.leave, -swing - FADING);
    const x = Math.min(1, Math.max(0, (after - begin) / (-swing - begin)));
    const left = 1 - minimumJerk(x);
    const rate = -minimumJerkRate(x) / (-swing - begin);
    for (let k = 0; k < 3; k++) {
      const slow = SWAY_RATES[k]! * after + phase + 2 * k;
      const fast = TREMOR_RATES[k]! * after + 3 * phase + k;
      const swayed = sway * SWAY_SHARES[k]!;
      const shift = swayed * Math.sin(slow) + tremor * Math.sin(fast);
      const velocity = swayed * SWAY_RATES[k]! * Math.cos(slow) + tremor * TREMOR_RATES[k]! * Math.cos(fast);
      this.#shift[k] = left * shift;
      this.#shiftVelocity[k] = left * velocity + rate * shift;
    }
  }

  /** A person who walks to the first stop slows down evenly at the end. */
  #addWalk(after: number): void {
    const { stops, walk } = this.#motion;
    const left = stops[0]!.leave - after;
    if (left <= 0) return;
    const way = left > STOPPING ? left - STOPPING / 2 : (left * left) / (2 * STOPPING);
    const share = Math.min(1, left / STOPPING);
    vec3.addScaled(this.#shift, walk, -way, this.#shift);
    vec3.addScaled(this.#shiftVelocity, walk, share, this.#shiftVelocity);
  }

  /** On along the arc, slower and slower. */
  #followThrough(after: number, out: vec3.Vec3): void {
    const left = Math.max(0, 1 - after / FOLLOW_THROUGH);
    const way = (this.#speed * FOLLOW_THROUGH * (1 - left ** 3)) / 3;
    onArc(this.#release.position, this.#release.velocity, this.#motion, way, out);
  }
}

/** From 0 to 1 with the least jerk: as hands move from one place to another (Flash & Hogan, 1985). */
function minimumJerk(x: number): number {
  return x ** 3 * (10 - 15 * x + 6 * x * x);
}

function minimumJerkRate(x: number): number {
  return 30 * (x * (1 - x)) ** 2;
}
