import type { BallPrediction } from "../messages/prediction.js";

/** An arm, and how far on the left its hand waits, in the world [m]. */
interface SidedArm {
  readonly name: string;
  readonly side: number;
}

/** A ball comes no slower than this [m/s]: what does not is none, or has been caught. */
const LEAST_SPEED = 2;
/** Before the robot this far at least [m]: nearer, nobody decides anything about it any more. */
const LEAST_DISTANCE = 0.3;
/** A ball that comes by farther aside is for nobody [m]. */
const FARTHEST_ASIDE = 2;
/** Of a track that is more than a pair of circles in a single frame, the velocity is known this well [m/s]. */
const GREATEST_DOUBT = 1;

/**
 * Whether a prediction, confirmed or not, is of a ball that comes towards the robot: one that is not confirmed yet shows
 * that there is another one to reckon with when the first is given to an arm.
 */
export function isComing({ state: { position, velocity }, covariance, ...ball }: BallPrediction): boolean {
  if (!(velocity[0] < -LEAST_SPEED && position[0] > LEAST_DISTANCE)) return false;
  if (!(Math.abs(aside(position, velocity)) < FARTHEST_ASIDE)) return false;
  return ball.confirmed || covariance === null || Math.sqrt(covariance[SIDEWAYS_SPEED]!) < GREATEST_DOUBT;
}

/** Where a ball that was just thrown may be: before the robot, in the world [m]. */
const THROWN_FROM = { ahead: [1.5, 8], aside: 2.5, height: [0.4, 4] } as const;

/**
 * Whether a prediction may be of a ball that was just thrown: something round before the robot that both eyes have seen once
 * or twice, of which nobody can say yet where it flies.
 */
export function isNewcomer(ball: BallPrediction): boolean {
  if (ball.confirmed || isComing(ball)) return false;
  const [x, y, z] = ball.state.position;
  const { ahead, aside: farthest, height } = THROWN_FROM;
  return x > ahead[0] && x < ahead[1] && Math.abs(y) < farthest && z > height[0] && z < height[1];
}

/** Variance of the velocity along y in a covariance of seven. */
const SIDEWAYS_SPEED = 4 * 7 + 4;

/** How far on the left a ball will be when it comes to the robot, by its present course [m]. */
function aside(position: ArrayLike<number>, velocity: ArrayLike<number>): number {
  return position[1]! - (position[0]! / velocity[0]!) * velocity[1]!;
}

/**
 * Which arm each ball is for, by its track: the ball that comes by farthest on the left is for the leftmost arm, and so
 * on, so that arms do not cross. Of more balls than arms the nearest count.
 */
export function shareBalls(balls: readonly BallPrediction[], arms: readonly SidedArm[]): Map<number, string> {
  const nearest = balls.toSorted((a, b) => a.state.position[0] - b.state.position[0]).slice(0, arms.length);
  const sideOf = ({ state: { position, velocity } }: BallPrediction): number => aside(position, velocity);
  const fromLeft = nearest.toSorted((a, b) => sideOf(b) - sideOf(a));
  const armsFromLeft = arms.toSorted((a, b) => b.side - a.side);
  return new Map(fromLeft.map(({ track }, k) => [track, armsFromLeft[k]!.name]));
}
