import type { CollisionHull } from "../robot/robot.js";
import { getOrCreate } from "../runtime/get-or-create.js";

/**
 * A robot's collision bodies, placed in one frame: for each its points and a ball around them, in arrays made once.
 * Which frame is the caller's choice, by the link poses it gives; `worldFromLink` of a `RobotState` puts them in `world`.
 *
 * @example
 * const bodies = new HullBodies(robot.hulls);
 * forwardKinematics(state);
 * bodies.placeAll(state.linkPoses);
 * bodies.points[0]; // x, y, z of each point of the first body, in world
 */
export class HullBodies {
  readonly hulls: readonly CollisionHull[];
  readonly count: number;
  /** Link each body is fixed to. [count] */
  readonly link: Int32Array;
  /** By how much each hull is grown [m]. [count] */
  readonly radius: Float64Array;
  readonly pointCount: Int32Array;
  /** x, y, z of each body's points as placed last [m]. [count] */
  readonly points: readonly Float64Array[];
  /** Centre of a ball around each body's points, as placed last [m]. [3·count] */
  readonly center: Float64Array;
  /** Radius of that ball, without the body's own [m]. [count] */
  readonly extent: Float64Array;
  /** `center` in the links' frames. [3·count] */
  readonly localCenter: Float64Array;

  constructor(hulls: readonly CollisionHull[]) {
    this.hulls = hulls;
    this.count = hulls.length;
    this.link = Int32Array.from(hulls, (hull) => hull.link);
    this.radius = Float64Array.from(hulls, (hull) => hull.radius);
    this.pointCount = Int32Array.from(hulls, (hull) => hull.points.length / 3);
    this.points = hulls.map((hull) => hull.points.slice());
    this.localCenter = new Float64Array(3 * this.count);
    this.extent = new Float64Array(this.count);
    for (const [body, hull] of hulls.entries()) {
      const { center, radius } = getOrCreate(enclosingBalls, hull, () => enclosingBall(hull));
      this.localCenter.set(center, 3 * body);
      this.extent[body] = radius;
    }
    this.center = this.localCenter.slice();
  }

  /** Places every body; `linkPoses` has the pose of each link of the robot in the wanted frame. [12·linkCount] */
  placeAll(linkPoses: Float64Array): void {
    for (let body = 0; body < this.count; body++) this.place(body, linkPoses, 12 * this.link[body]!);
  }

  /** Places one body, whose link has the pose that `poses` holds from `at` on. */
  place(body: number, poses: Float64Array, at: number): void {
    this.placePoints(body, poses, at);
    this.placeCenter(body, poses, at);
  }

  /** Places a body's points alone. */
  placePoints(body: number, poses: Float64Array, at: number): void {
    const local = this.hulls[body]!.points;
    transformPoints(poses, at, local, 0, this.points[body]!, 0, this.pointCount[body]!);
  }

  /** Places the centre of a body's ball alone: enough where the balls are apart. */
  placeCenter(body: number, poses: Float64Array, at: number): void {
    transformPoints(poses, at, this.localCenter, 3 * body, this.center, 3 * body, 1);
  }
}

function transformPoints(
  poses: Float64Array,
  at: number,
  source: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
  count: number,
): void {
  const xx = poses[at]!;
  const xy = poses[at + 1]!;
  const xz = poses[at + 2]!;
  const yx = poses[at + 3]!;
  const yy = poses[at + 4]!;
  const yz = poses[at + 5]!;
  const zx = poses[at + 6]!;
  const zy = poses[at + 7]!;
  const zz = poses[at + 8]!;
  for (let i = 0; i < count; i++) {
    const x = source[from + 3 * i]!;
    const y = source[from + 3 * i + 1]!;
    const z = source[from + 3 * i + 2]!;
    out[to + 3 * i] = xx * x + xy * y + xz * z + poses[at + 9]!;
    out[to + 3 * i + 1] = yx * x + yy * y + yz * z + poses[at + 10]!;
    out[to + 3 * i + 2] = zx * x + zy * y + zz * z + poses[at + 11]!;
  }
}

/** Steps towards the smallest ball; its radius is then off by less than a hundredth. */
const ENCLOSING_STEPS = 400;

/** Balls around hulls, once found. */
const enclosingBalls = new WeakMap<CollisionHull, { readonly center: Float64Array; readonly radius: number }>();

/**
 * A nearly smallest ball around a hull's points. By walking towards the farthest point
 * with ever shorter steps (Bădoiu and Clarkson, "Smaller core-sets for balls", 2003), from the middle of the bounding
 * box, where boxes and segments need no step at all.
 */
function enclosingBall({ points }: CollisionHull): { center: Float64Array; radius: number } {
  const center = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    const along = points.filter((_, i) => i % 3 === k);
    center[k] = (Math.min(...along) + Math.max(...along)) / 2;
  }
  let { radius, farthest } = farthestFrom(center, points);
  const trial = center.slice();
  for (let step = 1; step <= ENCLOSING_STEPS; step++) {
    for (let k = 0; k < 3; k++) trial[k] = trial[k]! + (points[farthest + k]! - trial[k]!) / (step + 1);
    const next = farthestFrom(trial, points);
    farthest = next.farthest;
    if (!(next.radius < radius)) continue;
    radius = next.radius;
    center.set(trial);
  }
  return { center, radius };
}

function farthestFrom(center: Float64Array, points: Float64Array): { radius: number; farthest: number } {
  let radius = 0;
  let farthest = 0;
  for (let i = 0; i < points.length; i += 3) {
    const distance = Math.hypot(points[i]! - center[0]!, points[i + 1]! - center[1]!, points[i + 2]! - center[2]!);
    if (!(distance > radius)) continue;
    radius = distance;
    farthest = i;
  }
  return { radius, farthest };
}
