import type { Ball, BallState, FlightPath } from "../../flight/ball.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import type { HandPath, ThrowingHand } from "./hand-motion.js";
import type { Throw } from "./throws.js";

type Vec3 = vec3.Vec3;

/** What a robot is told for one step. Arrays of the caller; they are read, not kept. */
export interface RobotCommand {
  /** Where every dof is to be at the end of the step [rad or m], and how fast [rad/s or m/s]. [dofCount] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  /** How far each of the robot's hands is to be closed: 0 open, 1 closed; NaN: its fingers follow `q`. [hand count] */
  readonly closing: Float64Array;
}

/** A ball on its way, in the world. */
export interface FlyingBall {
  readonly id: number;
  /** As it flies if nothing stops it. */
  readonly path: FlightPath;
  /** When it left the hand that threw it, and when it meets the floor [s]. */
  readonly released: number;
  readonly lands: number;
  /** Of its spin, until it first touches something; left out: none [1/s]. */
  readonly lift?: Vec3;
  /** The ball right after each bounce on the floor before it lands for good. */
  readonly bounces?: readonly BallState[];
  /** How hands move it before its release, and the hand after it; left out: no hand is simulated. */
  readonly hand?: HandPath;
}

/** A ball that can be seen: in the air, or in the hand that will throw it. */
export interface VisibleBall {
  readonly id: number;
  readonly position: Vec3;
  readonly velocity: Vec3;
  /** The hand that throws or threw it; left out where none is simulated. */
  readonly hand?: ThrowingHand;
}

/** The balls in hands and in the air at `time` [s], those in hands last. */
export function visibleBalls(world: Pick<CatchWorld, "flying" | "inHand">, time: number): VisibleBall[] {
  const flying = world.flying(time).map(({ id, path, hand }) => ({
    id,
    position: path.position(time, vec3.create()),
    velocity: path.velocity(time, vec3.create()),
    ...(hand !== undefined && { hand: hand.handAt(time) }),
  }));
  const inHand = world
    .inHand(time)
    .flatMap(({ id, hand }) => (hand === undefined ? [] : [carriedBall(id, hand, time)]));
  return [...flying, ...inHand];
}

function carriedBall(id: number, hand: HandPath, time: number): VisibleBall {
  const position = hand.position(time, vec3.create());
  return { id, position, velocity: hand.velocity(time, vec3.create()), hand: hand.handAt(time) };
}

/** Position and velocity of a ball in the air at `time`, to `out`. */
export function flyingState({ path }: FlyingBall, { drag }: Ball, time: number, out: BallState): BallState {
  out.time = time;
  out.drag = drag;
  path.position(time, out.position);
  path.velocity(time, out.velocity);
  return out;
}

/** A grasp to be judged: which of the robot's hands, and when the ball should be in the middle of its mouth [s]. */
export interface WatchedGrasp {
  readonly hand: number;
  readonly catchTime: number;
  /** When the fingers are closed [s]. */
  readonly closedTime: number;
  /** Whether it is good by geometry. */
  readonly passesGate: boolean;
}

/** What physics says of a catch. */
export type HoldOutcome =
  /** In the hand half a second after the catch. */
  | "held"
  /** It did not come near the hand. */
  | "passed by"
  /** It met something else on its way: another ball, another part of the robot. */
  | "blocked"
  /** It touched the hand but never came into it. */
  | "deflected"
  /** It was in the hand, and out again before the fingers had closed. */
  | "bounced out"
  /** It got out of the closed hand. */
  | "slipped out"
  /** It is in the hand but came late or does not come to rest. */
  | "restless";

/**
 * The true world of a run: a robot that does what it is told, as well as it can, and balls. Everything can be asked of it
 * at the time it has been stepped to. Two there are: `BallWorld`, in which the robot is where it was told to be and
 * nothing touches anything, and `PhysicsWorld`, with servos, fingers and contacts.
 */
export interface CatchWorld {
  readonly robot: Robot;
  readonly ball: Ball;
  /** Where every dof really is [rad or m], and how fast it moves, after the last step. Do not write to them. [dofCount] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  /** Lets a ball go, now or at a time to come. */
  release(ball: Throw): FlyingBall;
  /** Takes a ball out of the world. */
  take(id: number): void;
  /** The balls in the air at `time` [s], which nothing has touched yet. */
  flying(time: number): FlyingBall[];
  /** The balls that are to be thrown and are in a hand at `time` [s]. */
  inHand(time: number): FlyingBall[];
  /** One tick of the run's clock. */
  step(command: RobotCommand): void;
  /** Where `link` is, in the world; until the next step. Do not write to it. */
  worldFromLink(link: number): Readonly<Pose>;
  /** How fast the origin of `link` moves, in the world [m/s]. */
  linkVelocity(link: number, out: Vec3): Vec3;
  /** Watches from now on whether a hand holds a ball. Without forces a good grasp takes it out of the air. */
  watch(id: number, grasp: WatchedGrasp): void;
  /** What became of a watched ball; null as long as it is open, and always in a world without forces. */
  holdOutcome(id: number): HoldOutcome | null;
  /** Gives back what is not collected. */
  close(): void;
}
