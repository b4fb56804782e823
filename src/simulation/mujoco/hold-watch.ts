import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { HandMouth, RobotHand } from "../../robot/robot.js";
import type { HoldOutcome, WatchedGrasp } from "../world/catch-world.js";
import type { RobotWorld } from "./robot-world.js";

/** A ball counts as caught if it is still in the hand this long after the catch [s]. */
const HOLD_TIME = 0.5;

/**
 * By then after the catch a ball must be in the hand to stay [s]. Most are within 20 ms; one that the fingers have
 * pinched slides down between them first, one that has jumped up in the closing hand falls back.
 */
const ENTRY_TIME = 0.25;

/**
 * Over the last 0.1 s the ball must be slower than this in the hand [m/s]. One that slides out of the fingers' pinch
 * drops onto the palm with 1.5 m/s; a ball that passes the hand is several times as fast.
 */
const HELD_SPEED = 2;

/** When that begins, after the catch [s]. */
const SETTLING_TIME = 0.4;

/** A ball farther from the hand than this has not touched it but something else [m]. */
const REACH = 0.3;

/** Rounding of the clock, which counts in steps [s]. */
const CLOCK_TOLERANCE = 1e-6;

/**
 * The physical verdict: watches one ball and one hand, step by step, and says whether the hand held it. The ball must
 * be inside the hand (`HandCage`) without a break from 0.25 s to 0.5 s after the catch, and slow relative to it for the
 * last tenth of a second.
 */
export class HoldWatch {
  readonly ball: number;
  /** What became of the ball; null until half a second after the catch. */
  outcome: HoldOutcome | null = null;
  readonly #world: RobotWorld;
  readonly #cage: HandCage;
  readonly #grasp: WatchedGrasp;
  /** When the ball last came into the hand and last left it [s]. */
  #entered = Number.NaN;
  #left = Number.NaN;
  #isInside = false;
  /** Whether the ball had touched something by the time of the catch. */
  #touchedBefore = false;
  /** Greatest speed relative to the hand when it should rest [m/s]. */
  #restSpeed = 0;
  readonly #place = vec3.create();
  readonly #before = vec3.create();

  constructor(world: RobotWorld, cage: HandCage, ball: number, grasp: WatchedGrasp) {
    this.ball = ball;
    this.#world = world;
    this.#cage = cage;
    this.#grasp = grasp;
    this.#touchedBefore = world.hasTouched(ball);
    cage.locate(ball, this.#place);
  }

  /** To be called after every step of the world. */
  step(): void {
    if (this.outcome !== null) return;
    const { time, timestep } = this.#world;
    const { catchTime } = this.#grasp;
    vec3.copy(this.#place, this.#before);
    this.#cage.locate(this.ball, this.#place);
    const isInside = this.#cage.holds(this.#place);
    if (isInside && !this.#isInside) this.#entered = time;
    if (!isInside && this.#isInside) this.#left = time;
    this.#isInside = isInside;
    if (time <= catchTime) this.#touchedBefore = this.#world.hasTouched(this.ball);
    const speed = vec3.distance(this.#place, this.#before) / timestep;
    if (time >= catchTime + SETTLING_TIME) this.#restSpeed = Math.max(this.#restSpeed, speed);
    if (time >= catchTime + HOLD_TIME - CLOCK_TOLERANCE) this.outcome = this.#judge();
  }

  #judge(): HoldOutcome {
    const { catchTime, closedTime } = this.#grasp;
    if (Number.isNaN(this.#entered)) return this.#judgeStray();
    if (!this.#isInside) return this.#left <= closedTime ? "bounced out" : "slipped out";
    const isHeld = this.#entered <= catchTime + ENTRY_TIME && this.#restSpeed <= HELD_SPEED;
    return isHeld ? "held" : "restless";
  }

  /** Of a ball that never came into the hand: what it touched first, if anything. */
  #judgeStray(): HoldOutcome {
    if (!this.#world.hasTouched(this.ball)) return "passed by";
    const place = this.#cage.fromWorld(this.#world.touchPosition(this.ball, this.#before), this.#before);
    if (vec3.norm(place) < REACH) return "deflected";
    return this.#touchedBefore ? "blocked" : "passed by";
  }
}

/**
 * The inside of a hand, in its catch frame: from the palm (or the basket's floor) to the plane of the mouth, about the
 * hand's axis. A ball is inside if three quarters of its height are below that plane and the axis passes through it. In
 * the closed hand of Agile Justin a ball on the palm is 9 cm below the mouth and at most 3 cm off the axis; one that the
 * fingers have pinched is 3 to 6 cm deep. One that lies on their tips (less than 2 cm) is not inside, nor is one that
 * has slipped out between two fingers.
 *
 * A hand with a mouth (net, bucket, cup) holds whatever has its centre inside the mouth's outline, wherever the axis is.
 */
export class HandCage {
  readonly hand: RobotHand;
  /** From the mouth down to the palm [m]. */
  readonly depth: number;
  /** Radius of the ball, and greatest distance of its centre from the hand's axis [m]. */
  readonly radius: number;
  readonly #world: RobotWorld;
  readonly #worldFromHand: pose.Pose = pose.create();

  constructor(world: RobotWorld, hand: RobotHand) {
    this.hand = hand;
    this.radius = world.ball.diameter / 2;
    this.#world = world;
    const mouth = vec3.create();
    const inwards = vec3.create(0, 0, -1);
    world.worldFromLink(hand.catchLink, this.#worldFromHand);
    pose.getTranslation(this.#worldFromHand, mouth);
    pose.rotateVector(this.#worldFromHand, inwards, inwards);
    this.depth = hand.mouth?.depth ?? world.distanceAlong(mouth, inwards);
  }

  /** Centre of ball `i` in the catch frame [m]. */
  locate(i: number, out: vec3.Vec3): vec3.Vec3 {
    return this.fromWorld(this.#world.ballPosition(i, out), out);
  }

  /** A point of the world in the catch frame [m]. */
  fromWorld(point: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
    this.#world.worldFromLink(this.hand.catchLink, this.#worldFromHand);
    return pose.transformPointInverse(this.#worldFromHand, point, out);
  }

  /** Whether a ball with its centre at `place` in the catch frame is inside. */
  holds(place: vec3.Vec3): boolean {
    const isDeep = place[2] <= -0.5 * this.radius && place[2] >= -this.depth;
    const { mouth } = this.hand;
    return (
      isDeep && (mouth === null ? Math.hypot(place[0], place[1]) <= this.radius : isInside(mouth, place[0], place[1]))
    );
  }
}

/** Whether a point of the catch frame is within the outline of a mouth, or straight behind it. */
function isInside({ outline }: HandMouth, x: number, y: number): boolean {
  if ("radius" in outline) return Math.hypot(x, y) <= outline.radius;
  const { corners } = outline;
  // A ray to +x crosses the outline an odd number of times.
  let crossings = 0;
  for (const [i, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners[(i + 1) % corners.length]!;
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) crossings++;
  }
  return crossings % 2 === 1;
}
