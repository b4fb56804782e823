import { type Ball, type BallState, defaultBall, FlightStatus, gravity } from "../../flight/ball.js";
import { FlightSensitivity } from "../../flight/sensitivity.js";
import * as mat3 from "../../math/mat3.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { stateAt } from "../../robot/kinematics/kinematics.js";
import { standingHead } from "../../robot/kinematics/standing-head.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ThrowMotion } from "./hand-motion.js";

/** Least and greatest value of something drawn uniformly. */
export type Range = readonly [low: number, high: number];

/**
 * Whence balls come and where they go, seen from a robot's own axis: x ahead of it, y to its left, heights above the
 * floor.
 */
interface ThrowPreset {
  /** Where the ball leaves the thrower's hand [m]. */
  readonly release: { readonly ahead: Range; readonly aside: Range; readonly height: Range };
  /**
   * The upright rectangle it is aimed at [m]. Its height is above the floor, or relative to the arm's shoulder for a
   * robot that may stand on a table of any height.
   */
  readonly target: {
    readonly ahead: number;
    readonly aside: Range;
    readonly height: Range;
    readonly above: "floor" | "shoulder";
  };
  /** From release to the rectangle [s]; the speed follows. */
  readonly flightTime: Range;
}

const release = { ahead: [4, 6], aside: [-0.5, 0.5], height: [1.3, 1.8] } as const;
const flightTime: Range = [0.75, 1.1];

/**
 * `humanoid` is the throw that every figure of Agile Justin refers to: some 5.5 to 8.5 m/s. `table` shifts its
 * rectangle to the shoulder of an arm on a table: as far below and above it as at Agile Justin, whose shoulders are 1.3
 * m high.
 */
export const throwPresets = {
  humanoid: { release, target: { ahead: 0.5, aside: [-0.9, 0.9], height: [0.8, 1.9], above: "floor" }, flightTime },
  table: { release, target: { ahead: 0.5, aside: [-0.9, 0.9], height: [-0.5, 0.6], above: "shoulder" }, flightTime },
} as const satisfies Record<string, ThrowPreset>;

/** No ball is caught later than this after its release [s] (thesis, section 3.5.2). */
export const LATEST_CATCH = 1.8;

/** A preset placed in the world: the vertical axis it is measured from, its heading and heights above the floor. */
export interface ThrowSpace extends Pick<ThrowPreset, "release" | "flightTime"> {
  /** Where the axis stands on the floor, in the world [m]. */
  readonly axis: { readonly x: number; readonly y: number };
  /** Unit vector ahead of the robot, in the world's x and y. */
  readonly heading: { readonly x: number; readonly y: number };
  readonly target: Omit<ThrowPreset["target"], "above">;
}

/**
 * Where balls are thrown at `robot`: `humanoid` if it has a head or several arms with hands, else `table`. The axis is
 * that of its chest, or of its base where it has none, in the posture `ready`.
 */
export function throwSpaceOf(robot: Robot, preset: ThrowPreset = presetOf(robot)): ThrowSpace {
  const state = stateAt(robot.model, robot.postures.get("ready"));
  const worldFromChest = state.worldFromLink[robot.frames.chest ?? robot.frames.base ?? 0]!;
  const ahead = vec3.normalize(vec3.create(worldFromChest[0], worldFromChest[3], 0), vec3.create());
  const { release, flightTime } = preset;
  const { above, ahead: distance, aside, height } = preset.target;
  const offset = above === "floor" ? 0 : shoulderHeight(robot, state);
  return {
    axis: { x: worldFromChest[9], y: worldFromChest[10] },
    heading: { x: ahead[0], y: ahead[1] },
    release,
    target: { ahead: distance, aside, height: [height[0] + offset, height[1] + offset] },
    flightTime,
  };
}

function presetOf(robot: Robot): ThrowPreset {
  const hasHead = robot.frames.head !== undefined && standingHead(robot) === null;
  const isHumanoid = hasHead || armsOf(robot).length > 1;
  return isHumanoid ? throwPresets.humanoid : throwPresets.table;
}

function armsOf(robot: Robot): readonly JointGroup[] {
  return robot.model.groups.filter(({ hand }) => hand !== undefined);
}

/** Height of the first arm's second joint: on all common arms the one that lifts it. */
function shoulderHeight(robot: Robot, state: RobotState): number {
  const arm = armsOf(robot)[0];
  const dof = arm?.dofs[1] ?? arm?.dofs[0];
  return dof === undefined ? 0 : state.worldFromLink[robot.model.dofJoint[dof]!]![11];
}

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
  /** How hands move it before; left out: it appears at its release. */
  readonly hand?: ThrowMotion;
}

/** What a bounce on the floor leaves of a ball's velocity, as shares: upwards, and along the floor. */
export interface Bounce {
  readonly restitution: number;
  readonly friction: number;
}

/**
 * The throws of every suite. Throw `id` of a seed is always the same ball, whichever were made before it: each draws
 * from a stream of its own, in the order release (ahead, aside, height), aim (aside, height), flight time, frame phase. Balls whose
 * lift the tracker is told not to know (`liftSigma`) are thrown with a spin.
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
    const { drag, liftSigma = 0 } = this.ball;
    const spin = liftSigma > 0 ? { lift: drawLift(random.fork("spin"), liftSigma) } : {};
    const velocity = this.#aiming.velocity(position, aim, flightTime, { drag, ...spin });
    return { id, state: { time, position, velocity, drag, ...spin }, aim, flightTime, framePhase };
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

/** A spin about any axis, as large as the tracker is told to expect. */
function drawLift(random: Random, sigma: number): vec3.Vec3 {
  return vec3.create(sigma * random.normal(), sigma * random.normal(), sigma * random.normal());
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

  velocity(from: vec3.Vec3, to: vec3.Vec3, duration: number, air: Pick<BallState, "drag" | "lift">): vec3.Vec3 {
    const state: BallState = { time: 0, position: from, velocity: vec3.create(), ...air };
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
      found: `${duration} s, ${air.drag} 1/m`,
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
