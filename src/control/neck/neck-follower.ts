import { FlightStatus, gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { BallPrediction } from "../../messages/prediction.js";
import { MotionLimiter, pickLimits } from "../../motion/motion-limiter.js";
import { AimStatus, NeckPointing } from "../../planning/body/neck.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import type { FollowedJoints } from "../control-cycle.js";
import { HeadClearance } from "./head-clearance.js";

/** How far ahead a flight is laid out [s]. */
const AHEAD = 1;
/** Balls looked at together. */
const MOST_BALLS = 2;

/** How a neck follows balls. */
export interface NeckOptions {
  /** How far a ball may be off the middle of the view before the neck moves for it [rad]: a head that stands sees best. */
  readonly slack: number;
  /** How fast the neck goes back when there is no ball to see [rad/s]: a jerk upsets the head's IMU. */
  readonly idleSpeed: number;
  /** A ball that was not seen for so long is not looked for any more [s]. */
  readonly patience: number;
}

/** How a robot uses its neck. */
export interface NeckSettings extends NeckOptions {
  readonly follows: boolean;
  /** Whether it keeps speed and acceleration in reserve. */
  readonly gentle: boolean;
}

export const neckDefaults: NeckSettings = { follows: true, slack: 0.14, idleSpeed: 0.4, patience: 0.3, gentle: true };

/** A ball the neck follows. */
class Watched {
  track = -1;
  lastSeen = Number.NEGATIVE_INFINITY;
  readonly flight = new Flight({ duration: AHEAD });
}

/**
 * Keeps the balls in view: each tick the neck looks where the ball is by its latest prediction, or between two, through
 * a limiter; without a ball it looks as in the waiting posture. The chest is taken to be where it is commanded: what
 * torso and platform really do matters little for where to look. It stops where the head would come near to something, an arm
 * most likely: to see the ball is worth less than to catch it.
 */
export class NeckFollower implements FollowedJoints {
  readonly dofs: readonly number[];
  /** What the neck does without a ball: look as in the waiting posture, or stay as it is, out of a busy arm's way. */
  idle: "rest" | "stay" = "rest";
  readonly #options: NeckOptions;
  readonly #pointing: NeckPointing;
  readonly #room: HeadClearance;
  /** What makes the limiter brake. */
  readonly #nowhere: Float64Array;
  readonly #limiter: MotionLimiter;
  readonly #chain: KinematicChain;
  readonly #chainQ: Float64Array;
  readonly #rest: Float64Array;
  readonly #target: Float64Array;
  readonly #aimed: Float64Array;
  /** Farthest step of an idle neck in a tick [rad]. */
  readonly #idleStep: number;
  readonly #watched = Array.from({ length: MOST_BALLS }, () => new Watched());
  readonly #gravity = gravity();
  readonly #points = [vec3.create(), vec3.create()] as const;

  constructor(robot: Robot, waiting: Float64Array, period: number, options: NeckOptions = neckDefaults) {
    this.#options = options;
    const { model, frames } = robot;
    this.#pointing = new NeckPointing(robot);
    this.dofs = this.#pointing.group.dofs;
    this.#room = new HeadClearance(robot, this.dofs);
    this.#nowhere = new Float64Array(this.dofs.length).fill(Number.NaN);
    const pick = (values: Float64Array) => Float64Array.from(this.dofs, (dof) => values[dof]!);
    this.#limiter = new MotionLimiter(pickLimits(model, this.dofs), period);
    this.#rest = pick(waiting);
    this.#target = pick(waiting);
    this.#aimed = pick(waiting);
    this.#idleStep = options.idleSpeed * period;
    this.#limiter.rest(waiting, this.dofs);
    const carrying = dofsBetween(model, frames.world, this.#pointing.baseLink);
    this.#chain = new KinematicChain(model, frames.world, this.#pointing.baseLink, carrying);
    this.#chainQ = new Float64Array(carrying.length);
  }

  /** Whether it looks as in the waiting posture. */
  get isResting(): boolean {
    return this.#rest.every((q, i) => this.#limiter.position[i] === q);
  }

  isAtRest(time: number): boolean {
    for (let k = 0; k < MOST_BALLS; k++) if (this.#isWatched(this.#watched[k]!, time)) return false;
    return this.#limiter.isAtRest(this.#target) && (this.idle === "stay" || this.isResting);
  }

  /** New predictions; balls that fly are followed, as long as they are said to fly. */
  watch(predictions: readonly BallPrediction[]): void {
    for (const { track, state, lastSeen, confirmed } of predictions) {
      if (!confirmed) {
        this.forget(track);
        continue;
      }
      const place = this.#placeFor(track);
      const status = place.flight.reset(state, this.#gravity, state.time, state.time + AHEAD);
      if (status !== FlightStatus.ok) continue;
      place.track = track;
      place.lastSeen = lastSeen;
    }
  }

  /** Looks at a ball no longer: it is in a hand. */
  forget(track: number): void {
    for (const watched of this.#watched) if (watched.track === track) watched.lastSeen = Number.NEGATIVE_INFINITY;
  }

  /** Its own place, or that of the ball seen longest ago. */
  #placeFor(track: number): Watched {
    const own = this.#watched.find((watched) => watched.track === track);
    return own ?? this.#watched.reduce((oldest, other) => (other.lastSeen < oldest.lastSeen ? other : oldest));
  }

  rest(q: Float64Array): void {
    this.#room.forget();
    this.#limiter.rest(q, this.dofs);
    this.#target.set(this.#limiter.position);
  }

  follow(time: number, command: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    this.#aim(time, command);
    if (!this.#limiter.isAtRest(this.#target)) this.#move(time, command);
    outQ.set(this.#limiter.position);
    outQd.set(this.#limiter.velocity);
  }

  /** A tick towards the target, or of braking where the head has no room. */
  #move(time: number, command: Float64Array): void {
    const { position, velocity } = this.#limiter;
    if (this.#room.isTight(time, command, position, velocity)) {
      this.#limiter.step(this.#nowhere);
      this.#target.set(position);
    } else this.#limiter.step(this.#target);
  }

  #aim(time: number, command: Float64Array): void {
    const points = this.#points;
    let count = 0;
    for (let k = 0; k < MOST_BALLS; k++) {
      const watched = this.#watched[k]!;
      if (!this.#isWatched(watched, time)) continue;
      watched.flight.position(time, points[count as 0 | 1]);
      count++;
    }
    if (count === 0) {
      if (this.idle === "rest") this.#approach(this.#rest);
      return;
    }
    this.#intoBase(count, command);
    const { position } = this.#limiter;
    if (count === 2) this.#pointing.middle(points[0], points[1], position, points[0]);
    if (this.#pointing.aim(points[0], position, this.#aimed) === AimStatus.invalid) this.#approach(this.#rest);
    else this.#trail(this.#aimed);
  }

  /** Slowly to `q`. */
  #approach(q: Float64Array): void {
    for (let i = 0; i < this.dofs.length; i++) {
      const way = q[i]! - this.#target[i]!;
      this.#target[i] = Math.abs(way) <= this.#idleStep ? q[i]! : this.#target[i]! + Math.sign(way) * this.#idleStep;
    }
  }

  /** After `q`, as far as it is farther away than the slack. */
  #trail(q: Float64Array): void {
    const { slack } = this.#options;
    for (let i = 0; i < this.dofs.length; i++) {
      const way = q[i]! - this.#target[i]!;
      if (Math.abs(way) > slack) this.#target[i] = q[i]! - Math.sign(way) * slack;
    }
  }

  #intoBase(count: number, command: Float64Array): void {
    const { dofs } = this.#chain;
    for (let i = 0; i < dofs.length; i++) this.#chainQ[i] = command[dofs[i]!]!;
    this.#chain.update(this.#chainQ);
    for (let k = 0; k < count; k++) {
      const point = this.#points[k as 0 | 1];
      pose.transformPointInverse(this.#chain.baseFromTip, point, point);
    }
  }

  /** Whether a ball flies that was seen not long ago. */
  #isWatched({ lastSeen, flight }: Watched, time: number): boolean {
    return time - lastSeen <= this.#options.patience && time <= flight.end;
  }
}
