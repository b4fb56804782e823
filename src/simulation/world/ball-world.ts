import { type Ball, type BallState, defaultBall, FlightStatus, gravity, PiecewiseFlight } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { createPlaneCrossing, crossPlane } from "../../flight/plane-crossing.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { forwardKinematics, forwardVelocities } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { CatchWorld, FlyingBall, RobotCommand, WatchedGrasp } from "./catch-world.js";
import { HandPath } from "./hand-motion.js";
import type { Throw } from "./throws.js";

/** Longest a ball is followed after its release [s]; all throws are on the floor by then. */
export const LONGEST_FLIGHT = 2.9;
/** So long after a bounce a ball is clear of the floor [s]. */
const LEAVING = 5e-4;

/**
 * The true world without forces: balls fly as balls do, and the robot is where it was told to be. What is true of the
 * world can be asked of it at any time. No physics says whether a ball is held.
 */
export class BallWorld implements CatchWorld {
  readonly robot: Robot;
  readonly ball: Ball;
  #balls: FlyingBall[] = [];
  readonly #state: RobotState;
  #moved = true;

  /** The robot stands still in `posture`: one position a dof [rad or m]. */
  constructor(robot: Robot, posture: Float64Array, ball: Ball = defaultBall) {
    this.robot = robot;
    this.ball = ball;
    this.#state = new RobotState(robot.model);
    this.#state.q.set(posture);
  }

  get q(): Float64Array {
    return this.#state.q;
  }

  get qd(): Float64Array {
    return this.#state.qd;
  }

  /** Lets a ball go. */
  release(thrown: Throw): FlyingBall {
    const ball = freeFlight(thrown, this.ball);
    this.put(ball);
    return ball;
  }

  /** Puts a ball into the air whose flight is known. */
  put(ball: FlyingBall): void {
    this.#balls = [...this.#balls.filter(({ lands }) => lands >= ball.released), ball];
  }

  /** Takes a ball out of the air: it was caught. */
  take(id: number): void {
    this.#balls = this.#balls.filter((ball) => ball.id !== id);
  }

  /** The balls in the air at `time` [s]. */
  flying(time: number): FlyingBall[] {
    return this.#balls.filter(({ released, lands }) => released <= time && time <= lands);
  }

  inHand(time: number): FlyingBall[] {
    return this.#balls.filter((ball) => isInHand(ball, time));
  }

  step({ q, qd }: RobotCommand): void {
    this.#state.q.set(q);
    this.#state.qd.set(qd);
    this.#moved = true;
  }

  watch(id: number, { passesGate }: WatchedGrasp): void {
    if (passesGate) this.take(id);
  }

  close(): void {}

  holdOutcome(): null {
    return null;
  }

  /** Where `link` is, in the world. The robot's until it moves again; do not write to it. */
  worldFromLink(link: number): Readonly<Pose> {
    this.#update();
    return this.#state.worldFromLink[link]!;
  }

  /** How fast the origin of `link` moves, in the world [m/s]. */
  linkVelocity(link: number, out: vec3.Vec3): vec3.Vec3 {
    this.#update();
    const v = this.#state.linkVelocity;
    return vec3.set(v[6 * link]!, v[6 * link + 1]!, v[6 * link + 2]!, out);
  }

  /** Kinematics only when somebody asks: the joints move a thousand times a second. */
  #update(): void {
    if (!this.#moved) return;
    forwardKinematics(this.#state);
    forwardVelocities(this.#state);
    this.#moved = false;
  }
}

/** Whether a ball that is to be thrown is in a hand and to be seen at `time` [s]. */
export function isInHand({ hand, released }: FlyingBall, time: number): boolean {
  return hand !== undefined && hand.begin <= time && time < released;
}

/** A ball in its hand, and its flight from the release to the floor, with nothing in its way. */
export function freeFlight(thrown: Throw, ball: Ball): FlyingBall {
  const flying = flightOf(thrown, ball);
  return thrown.hand === undefined ? flying : { ...flying, hand: new HandPath(thrown.state, thrown.hand) };
}

function flightOf({ id, state, bounce }: Throw, { diameter }: Ball): FlyingBall {
  if (!(state.position[2] > diameter / 2)) {
    const details = { expected: "a release above the floor", found: `a height of ${state.position[2]} m` };
    throw new FlycatcherError("FLY_THROW_IMPOSSIBLE", `throw ${id} begins below the floor`, details);
  }
  const first = fall(id, state, state.time, diameter);
  const spin = state.lift === undefined ? {} : { lift: state.lift };
  if (bounce === undefined) return { id, path: first.path, released: state.time, lands: first.landing.time, ...spin };
  const { time, position, velocity } = first.landing;
  const { restitution, friction } = bounce;
  // Of what spin is left nothing is known: the flight goes on without lift.
  const after: BallState = {
    time,
    position: vec3.copy(position, vec3.create()),
    velocity: vec3.create(friction * velocity[0], friction * velocity[1], -restitution * velocity[2]),
    drag: state.drag,
  };
  const second = fall(id, after, time + LEAVING, diameter);
  const path = new PiecewiseFlight([first.path, second.path], [time]);
  return { id, path, released: state.time, lands: second.landing.time, bounces: [after], ...spin };
}

/** From `state` to the floor, which it may touch until the time `from` [s]. */
function fall(id: number, state: BallState, from: number, diameter: number) {
  const path = new Flight({ duration: LONGEST_FLIGHT });
  const end = state.time + LONGEST_FLIGHT;
  const status = path.reset(state, gravity(), state.time, end);
  const landing = createPlaneCrossing();
  const floor = { normal: vec3.create(0, 0, 1), offset: diameter / 2 };
  if (status !== FlightStatus.ok || !crossPlane(path, floor, from, end, landing)) {
    throw new FlycatcherError("FLY_THROW_IMPOSSIBLE", `throw ${id} never comes down`, {
      expected: `a landing within ${LONGEST_FLIGHT} s`,
    });
  }
  return { path, landing };
}
