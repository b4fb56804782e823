import { type Ball, defaultBall, gravity } from "../flight/ball.js";
import { type BallState, FlightStatus } from "../flight/flight-path.js";
import { FlightSensitivity } from "../flight/sensitivity.js";
import * as mat3 from "../math/mat3.js";
import { Random } from "../math/random.js";
import * as vec3 from "../math/vec3.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Range, ThrowSpace } from "./throw-space.js";

/** A ball as it leaves the thrower's hand. Everything in the world frame. */
export interface Throw {
  /** Its number in the series, from 0. */
  readonly id: number;
  /** The ball at its release; its time is the release time on the run's clock [s]. */
  readonly state: BallState;
  /** Where it was aimed [m], and when it is there after its release [s]. */
  readonly aim: vec3.Vec3;
  readonly flightTime: number;
  /** When in the camera's frame period it is released, as a share of the period: balls do not wait for cameras. */
  readonly framePhase: number;
  /** How it leaves the floor, if it is to bounce there once on its way. */
  readonly bounce?: Bounce;
}

/** What a bounce on the floor leaves of a ball's velocity, as shares: upwards, and along the floor. */
export interface Bounce {
  readonly restitution: number;
  readonly friction: number;
}

/**
 * The throws of every suite. Throw `id` of a seed is always the same ball, whichever were made before it: each draws
 * from a stream of its own, in the order release (ahead, aside, height), aim (aside, height), flight time, frame phase.
 *
 * @example
 * const throws = new ThrowGenerator(throwSpaceOf(loadRobot("lwr-arm")), 1);
 * const { state, aim, flightTime } = throws.make(0, 2.5); // released at 2.5 s
 */
export class ThrowGenerator {
  readonly space: ThrowSpace;
  readonly ball: Ball;
  readonly #random: Random;
  readonly #aiming = new Aiming();

  constructor(space: ThrowSpace, seed: number | string, ball: Ball = defaultBall) {
    this.space = space;
    this.ball = ball;
    this.#random = new Random(seed).fork("throws");
  }

  /** Throw number `id`, released at `time` [s]. */
  make(id: number, time: number): Throw {
    const random = this.#random.fork(String(id));
    const { release, target, flightTime: flightTimes } = this.space;
    const draw = ([low, high]: Range): number => random.uniformIn(low, high);
    const position = this.#place(draw(release.ahead), draw(release.aside), draw(release.height));
    const aim = this.#place(target.ahead, draw(target.aside), draw(target.height));
    const flightTime = draw(flightTimes);
    const framePhase = random.uniform();
    const { drag } = this.ball;
    const velocity = this.#aiming.velocity(position, aim, flightTime, drag);
    return { id, state: { time, position, velocity, drag }, aim, flightTime, framePhase };
  }

  /** A point in the world from its place before the robot. */
  #place(ahead: number, aside: number, height: number): vec3.Vec3 {
    const { axis, heading } = this.space;
    return vec3.create(
      axis.x + ahead * heading.x - aside * heading.y,
      axis.y + ahead * heading.y + aside * heading.x,
      height,
    );
  }
}

/** Newton's steps; from the throw without air three or four are enough. */
const GREATEST_ITERATIONS = 20;
/** Distance from the aim at which it counts as hit [m]: far below anything a hand could notice. */
const AIM_TOLERANCE = 1e-9;

/**
 * The boundary value problem of a throw: with which velocity must a ball leave one point to be at another after a given
 * time? Shooting by Newton's method, with the flight's own derivatives by its first velocity.
 */
class Aiming {
  readonly #flight = new FlightSensitivity();
  readonly #gravity = gravity();
  readonly #jacobian = new Float64Array(21);
  readonly #byVelocity: mat3.Mat3 = mat3.create();
  readonly #miss = vec3.create();

  velocity(from: vec3.Vec3, to: vec3.Vec3, duration: number, drag: number): vec3.Vec3 {
    const state: BallState = { time: 0, position: from, velocity: vec3.create(), drag };
    // Without air: v = (to − from)/T − g·T/2.
    vec3.scale(vec3.subtract(to, from, state.velocity), 1 / duration, state.velocity);
    vec3.addScaled(state.velocity, this.#gravity, -duration / 2, state.velocity);
    for (let k = 0; k < GREATEST_ITERATIONS; k++) {
      const status = this.#flight.reset(state, this.#gravity, 0, duration);
      vec3.subtract(to, this.#flight.position(duration, this.#miss), this.#miss);
      if (status !== FlightStatus.ok) break;
      if (vec3.norm(this.#miss) <= AIM_TOLERANCE) return state.velocity;
      this.#correct(duration, state.velocity);
    }
    throw new FlycatcherError("FLY_THROW_IMPOSSIBLE", "no throw goes there", {
      expected: "a flight time and a drag of a thrown ball",
      found: `${duration} s, ${drag} 1/m`,
    });
  }

  #correct(duration: number, velocity: vec3.Vec3): void {
    this.#flight.positionJacobian(duration, this.#jacobian);
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) this.#byVelocity[3 * r + c] = this.#jacobian[7 * r + 3 + c]!;
    mat3.invert(this.#byVelocity, this.#byVelocity);
    vec3.add(velocity, mat3.transform(this.#byVelocity, this.#miss, this.#miss), velocity);
  }
}
