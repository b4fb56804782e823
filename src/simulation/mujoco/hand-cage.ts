import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import type { RobotHand } from "../../robot/robot.js";
import type { RobotWorld } from "./robot-world.js";

/**
 * The inside of a hand, in its catch frame: from the palm (or the basket's floor) to the plane of the mouth, about the
 * hand's axis. A ball is inside if three quarters of its height are below that plane and the axis passes through it. In
 * the closed hand of Agile Justin a ball on the palm is 9 cm below the mouth and at most 3 cm off the axis; one that the
 * fingers have pinched is 3 to 6 cm deep. One that lies on their tips (less than 2 cm) is not inside, nor is one that
 * has slipped out between two fingers.
 */
export class HandCage {
  readonly hand: RobotHand;
  /** From the mouth down to the palm [m]. */
  readonly depth: number;
  /** Radius of the ball, and greatest distance of its centre from the hand's axis [m]. */
  readonly radius: number;
  readonly #world: RobotWorld;
  readonly #worldFromHand: Pose = pose.create();

  constructor(world: RobotWorld, hand: RobotHand) {
    this.hand = hand;
    this.radius = world.ball.diameter / 2;
    this.#world = world;
    const mouth = vec3.create();
    const inwards = vec3.create(0, 0, -1);
    world.worldFromLink(hand.catchLink, this.#worldFromHand);
    pose.getTranslation(this.#worldFromHand, mouth);
    pose.rotateVector(this.#worldFromHand, inwards, inwards);
    this.depth = world.distanceAlong(mouth, inwards);
  }

  /** Centre of ball `i` in the catch frame [m]. */
  locate(i: number, out: Vec3): Vec3 {
    return this.fromWorld(this.#world.ballPosition(i, out), out);
  }

  /** A point of the world in the catch frame [m]. */
  fromWorld(point: Vec3, out: Vec3): Vec3 {
    this.#world.worldFromLink(this.hand.catchLink, this.#worldFromHand);
    return pose.transformPointInverse(this.#worldFromHand, point, out);
  }

  /** Whether a ball with its centre at `place` in the catch frame is inside. */
  holds(place: Vec3): boolean {
    const isDeep = place[2] <= -0.5 * this.radius && place[2] >= -this.depth;
    return isDeep && Math.hypot(place[0], place[1]) <= this.radius;
  }
}
