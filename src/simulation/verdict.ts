import { createPlaneCrossing, crossPlane } from "../flight/plane-crossing.js";
import type { Pose } from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { RobotHand } from "../robot/robot.js";
import type { FlyingBall } from "./world/catch-world.js";

/** How the hand really was when it closed, in the world. */
interface Grasp {
  /** When the fingers closed about the middle of the hand's mouth [s]. */
  readonly time: number;
  /** The catch frame: its origin in the middle of the mouth, z against the ball. */
  readonly worldFromHand: Readonly<Pose>;
  /** Velocity of that origin [m/s]. */
  readonly velocity: vec3.Vec3;
}

type GraspTolerance = Pick<RobotHand, "positionTolerance" | "timeTolerance">;

/** What a catch can fail by. */
export type Miss = "position" | "timing" | "moving" | "facing" | "never met";

export interface GeometricVerdict {
  readonly caught: boolean;
  /** All that was wrong; empty for a catch. */
  readonly misses: readonly Miss[];
  /** Distance of the hand's centre from the line on which the ball passed it [m]. */
  readonly lateral: number;
  /** How much later than the ball's passing the hand closed [s]; negative: too early. */
  readonly timing: number;
  /** Angle between the hand's axis and the ball's path [rad]. */
  readonly facing: number;
  /** Speed of the hand when it closed [m/s]. */
  readonly handSpeed: number;
}

/**
 * Fastest hand that counts as being at rest [m/s]: it moves two millimetres within the 5 ms of a grasp, a tenth of the
 * position tolerance. A shaking torso alone moves a hand by some 0.2 m/s.
 */
export const REST_SPEED = 0.4;
/** Greatest angle at which the ball may come into the hand [rad]: 10°, the mouth then looks 1.5 % narrower. */
export const FACING_TOLERANCE = Math.PI / 18;

/**
 * The geometric gate: was the hand where and when the ball was? The ball passes the hand at t_p, where its true path
 * crosses the catch plane (through the catch frame's origin, normal to its z axis). It is caught if
 *
 * - the hand's centre is within the position tolerance (2 cm) of the line through the ball's position at t_p along its
 *   velocity,
 * - the hand closed within the time tolerance (5 ms) of t_p,
 * - the hand was at rest then and faced the ball.
 *
 * Both tolerances are the hand's own. No physics: whether the ball stays in the hand is another question.
 */
export function evaluateGrasp(
  flight: Pick<FlyingBall, "path" | "released" | "lands">,
  grasp: Grasp,
  tolerance: GraspTolerance,
): GeometricVerdict {
  const hand = grasp.worldFromHand;
  const normal = vec3.create(hand[2], hand[5], hand[8]);
  const centre = vec3.create(hand[9], hand[10], hand[11]);
  const passing = createPlaneCrossing();
  const plane = { normal, offset: vec3.dot(normal, centre) };
  const handSpeed = vec3.norm(grasp.velocity);
  if (!crossPlane(flight.path, plane, flight.released, flight.lands, passing)) {
    const nothing = { lateral: Number.POSITIVE_INFINITY, timing: Number.POSITIVE_INFINITY, facing: Math.PI };
    return { caught: false, misses: ["never met"], ...nothing, handSpeed };
  }
  const direction = vec3.normalize(passing.velocity, vec3.create());
  const measured = {
    lateral: distanceFromLine(centre, passing.position, direction),
    timing: grasp.time - passing.time,
    facing: Math.acos(Math.min(1, Math.max(-1, -vec3.dot(direction, normal)))),
    handSpeed,
  };
  const misses = missesOf(measured, tolerance);
  return { caught: misses.length === 0, misses, ...measured };
}

function distanceFromLine(point: vec3.Vec3, onLine: vec3.Vec3, direction: vec3.Vec3): number {
  const offset = vec3.subtract(point, onLine, vec3.create());
  return vec3.norm(vec3.addScaled(offset, direction, -vec3.dot(offset, direction), offset));
}

/** Written so that NaN misses. */
function missesOf(
  { lateral, timing, facing, handSpeed }: Omit<GeometricVerdict, "caught" | "misses">,
  { positionTolerance, timeTolerance }: GraspTolerance,
): Miss[] {
  const misses: Miss[] = [];
  if (!(lateral <= positionTolerance)) misses.push("position");
  if (!(Math.abs(timing) <= timeTolerance)) misses.push("timing");
  if (!(handSpeed <= REST_SPEED)) misses.push("moving");
  if (!(facing <= FACING_TOLERANCE)) misses.push("facing");
  return misses;
}
