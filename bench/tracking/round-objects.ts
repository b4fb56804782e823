import { defaultBall, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { type Throw, ThrowGenerator, throwPresets } from "../../src/simulation/world/throws.js";
import type { RoundObject } from "./scan-simulator.js";

type Vec3 = vec3.Vec3;

/** The design's throws at a robot that stands at the origin and looks along x. */
export function throwsOf(seed: number | string): ThrowGenerator {
  const { release, target, flightTime } = throwPresets.humanoid;
  return new ThrowGenerator(
    { axis: { x: 0, y: 0 }, heading: { x: 1, y: 0 }, release, target, flightTime },
    `tracking ${seed}`,
  );
}

/** A ball from its release until it is where it was aimed; hidden once for a while, if so wanted. */
export class ThrownBall implements RoundObject {
  readonly throw: Throw;
  readonly release: number;
  readonly end: number;
  readonly #flight = new Flight();
  readonly #hiddenFrom: number;
  readonly #hiddenFor: number;

  /** `hiddenFrom` and `hiddenFor` are in seconds after the release. */
  constructor(thrown: Throw, hiddenFrom = Number.POSITIVE_INFINITY, hiddenFor = 0) {
    this.throw = thrown;
    this.release = thrown.state.time;
    this.end = this.release + thrown.flightTime;
    this.#hiddenFrom = this.release + hiddenFrom;
    this.#hiddenFor = hiddenFor;
    this.#flight.reset(thrown.state, gravity(), this.release, this.end + 0.1);
  }

  position(time: number, out: Vec3): boolean {
    if (!(time >= this.release && time <= this.end)) return false;
    this.#flight.position(time, out);
    return true;
  }

  velocity(time: number, out: Vec3): Vec3 {
    return this.#flight.velocity(time, out);
  }

  isHidden(time: number): boolean {
    return time >= this.#hiddenFrom && time < this.#hiddenFrom + this.#hiddenFor;
  }
}

/** Something that does not move: a lamp that looks like a ball of the right size at the right distance. */
export class Lamp implements RoundObject {
  readonly #place: Vec3;

  constructor(place: Vec3) {
    this.#place = place;
  }

  position(_time: number, out: Vec3): boolean {
    vec3.copy(this.#place, out);
    return true;
  }
}

/** A ball that rolls over the floor, slowed a little. */
export class RollingBall implements RoundObject {
  readonly #start: Vec3;
  readonly #velocity: Vec3;
  readonly #deceleration: number;

  constructor(start: Vec3, velocity: Vec3, deceleration = 0.3) {
    this.#start = start;
    this.#velocity = velocity;
    this.#deceleration = deceleration;
  }

  position(time: number, out: Vec3): boolean {
    const speed = vec3.norm(this.#velocity);
    const until = Math.min(time, speed / this.#deceleration);
    const way = until - (0.5 * this.#deceleration * until * until) / speed;
    vec3.addScaled(this.#start, this.#velocity, way, out);
    out[2] = defaultBall.diameter / 2;
    return time >= 0;
  }
}

/**
 * A person who walks to and fro before the robot with a ball in the hand: the arm swings at every second step, the body
 * bobs at every step, the hand trembles; now and then the ball is lifted and lowered, or goes behind the body.
 */
export class WalkingPerson implements RoundObject {
  readonly #phase: number;
  readonly #distance: number;

  constructor(random: Random) {
    this.#phase = random.uniformIn(0, 2 * Math.PI);
    this.#distance = random.uniformIn(3, 4.5);
  }

  position(time: number, out: Vec3): boolean {
    // To and fro over 3 m at up to 1.35 m/s, and on a curve towards the robot and away.
    const walk = (2 * Math.PI * time) / 7 + this.#phase;
    const step = 2 * Math.PI * STEPS_PER_SECOND * time;
    const swing = SWING * Math.sin(step / 2);
    const lift = LIFT * smoothPulse((time + this.#phase) % LIFT_PERIOD);
    out[0] = this.#distance + 0.6 * Math.sin(walk / 2) + 0.3 * swing + TREMOR * Math.sin(41 * time);
    out[1] = 1.5 * Math.sin(walk) + swing + TREMOR * Math.sin(37 * time + 1);
    out[2] = 0.95 + lift + BOB * Math.sin(step) + 0.2 * SWING * (1 - Math.cos(step)) + TREMOR * Math.sin(43 * time + 2);
    return true;
  }

  /** Behind the body for half a second, every 5 s or so. */
  isHidden(time: number): boolean {
    return (time + this.#phase) % 5.3 < 0.5;
  }
}

const STEPS_PER_SECOND = 1.8;
/** Amplitudes of the hand's swing, the body's bobbing and the hand's tremor [m]. */
const SWING = 0.22;
const BOB = 0.02;
const TREMOR = 0.002;
/** The ball is lifted this high [m], once in this time [s]. */
const LIFT = 0.7;
const LIFT_PERIOD = 9;

/** From 0 to 1 and back within two seconds, smoothly. */
function smoothPulse(time: number): number {
  return time > 2 ? 0 : 0.5 * (1 - Math.cos(Math.PI * time));
}
