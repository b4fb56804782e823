import * as vec3 from "../math/vec3.js";
import { type CollisionHull, JointKind, type Robot, type RobotModel } from "../robot/robot.js";
import type { RobotState } from "../robot/state.js";
import type { HullBodies } from "./hull-bodies.js";

/**
 * How far the points of a robot's bodies can get when some dofs leave their present positions by no more than given
 * deviations.
 *
 * Let the joints on the way to a body change one after the other, from the root outwards. Each turns the body while all
 * joints behind it still stand as they do now, so it moves no point by more than its angle times the point's present
 * distance from its axis; what was turned before it changes neither. So the sum of reach · deviation over the joints
 * bounds the motion of the body, and the sum over those behind another body bounds its motion relative to that one.
 */
export class BodyMotion {
  /** Joints of a body's way that move, from the root: path[start[body]] … path[start[body + 1] − 1], links of the model. */
  readonly start: Int32Array;
  readonly path: Int32Array;
  /** Deviation of each entry's joint [rad or m]; `update`. [path.length] */
  readonly deviation: Float64Array;
  /** Bound of what the entry's joint and those after it do to the body [m]; `update`. [path.length] */
  readonly bound: Float64Array;

  readonly #model: RobotModel;
  readonly #bodies: HullBodies;
  /** Position of each dof of the model among those that move; −1 for the others. */
  readonly #index: Int32Array;

  /** `dofs` are those that will move. */
  constructor(model: RobotModel, bodies: HullBodies, dofs: ArrayLike<number>) {
    this.#model = model;
    this.#bodies = bodies;
    this.#index = new Int32Array(model.dofCount).fill(-1);
    for (let i = 0; i < dofs.length; i++) this.#index[dofs[i]!] = i;
    const paths = Array.from(bodies.link, (link) => this.#pathTo(link));
    this.start = new Int32Array(bodies.count + 1);
    for (const [body, path] of paths.entries()) this.start[body + 1] = this.start[body]! + path.length;
    this.path = Int32Array.from(paths.flat());
    this.deviation = new Float64Array(this.path.length);
    this.bound = new Float64Array(this.path.length);
  }

  /** Whether the dofs move a body at all. */
  moves(body: number): boolean {
    return this.start[body + 1]! > this.start[body]!;
  }

  /** How many joints the ways to two bodies have in common. */
  sharedJoints(a: number, b: number): number {
    let shared = 0;
    while (this.#entry(a, shared) >= 0 && this.#entry(a, shared) === this.#entry(b, shared)) shared++;
    return shared;
  }

  /**
   * Computes `deviation` and `bound` for the present places of state and bodies; `dofDeviation` is in the order of the
   * constructor's `dofs` [rad or m].
   */
  update(state: RobotState, dofDeviation: Float64Array): void {
    const { start, path, deviation, bound } = this;
    const { points, pointCount } = this.#bodies;
    for (let body = 0; body < this.#bodies.count; body++) {
      const first = start[body]!;
      let sum = 0;
      for (let k = start[body + 1]! - 1; k >= first; k--) {
        const link = path[k]!;
        this.#spread(link, dofDeviation, k);
        if (this.#model.jointKind[link] === JointKind.revolute) {
          const at = 12 * link + 9;
          axisReach(points[body]!, pointCount[body]!, state.linkPoses, at, state.worldAxis, 3 * link, bound, k);
        } else bound[k] = 1;
        sum += bound[k]! * deviation[k]!;
        bound[k] = sum;
      }
    }
  }

  /** Deviation of a joint from those of its dofs. */
  #spread(link: number, dofDeviation: Float64Array, k: number): void {
    const { termStart, termDof, termFactor } = this.#model;
    const end = termStart[link + 1]!;
    let sum = 0;
    for (let term = termStart[link]!; term < end; term++) {
      const i = this.#index[termDof[term]!]!;
      if (i >= 0) sum += Math.abs(termFactor[term]!) * dofDeviation[i]!;
    }
    this.deviation[k] = sum;
  }

  #pathTo(link: number): number[] {
    const path: number[] = [];
    for (let i = link; i > 0; i = this.#model.parentLink[i]!) if (this.#isMoving(i)) path.push(i);
    return path.reverse();
  }

  #isMoving(link: number): boolean {
    const { termStart, termDof } = this.#model;
    return termDof.subarray(termStart[link]!, termStart[link + 1]!).some((dof) => this.#index[dof]! >= 0);
  }

  #entry(body: number, k: number): number {
    const at = this.start[body]! + k;
    return at < this.start[body + 1]! ? this.path[at]! : -1;
  }
}

/**
 * Greatest distance of the first `count` points to a line [m], written to out[to]. A joint that turns by an angle Δ about
 * the line moves none of them by more than this times |Δ|. The line's point is read from origin[atOrigin] on, its unit
 * vector from axis[atAxis] on.
 */
export function axisReach(
  points: Float64Array,
  count: number,
  origin: Float64Array,
  atOrigin: number,
  axis: Float64Array,
  atAxis: number,
  out: Float64Array,
  to: number,
): void {
  const ox = origin[atOrigin]!;
  const oy = origin[atOrigin + 1]!;
  const oz = origin[atOrigin + 2]!;
  const ax = axis[atAxis]!;
  const ay = axis[atAxis + 1]!;
  const az = axis[atAxis + 2]!;
  let greatest = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const rx = points[3 * i]! - ox;
    const ry = points[3 * i + 1]! - oy;
    const rz = points[3 * i + 2]! - oz;
    const cx = ay * rz - az * ry;
    const cy = az * rx - ax * rz;
    const cz = ax * ry - ay * rx;
    const square = cx * cx + cy * cy + cz * cz;
    total += square;
    if (square > greatest) greatest = square;
  }
  // x − x is 0 for a finite number and NaN for any other: a reach that is not a number must not pass for a small one.
  out[to] = Math.sqrt(greatest + (total - total));
}

/** The links that the dofs move and that carry a collision body, or lie between, parents first: all whose poses a check reads. */
export function linksThatMove({ model, hulls }: Robot, dofs: Int32Array): Int32Array {
  const { linkCount, parentLink, termStart, termDof } = model;
  const moves = new Uint8Array(linkCount);
  const isNeeded = new Uint8Array(linkCount);
  for (let link = 1; link < linkCount; link++) {
    const terms = termDof.subarray(termStart[link]!, termStart[link + 1]!);
    moves[link] = moves[parentLink[link]!] === 1 || terms.some((dof) => dofs.includes(dof)) ? 1 : 0;
  }
  for (const { link } of hulls) for (let at = link; at > 0; at = parentLink[at]!) isNeeded[at] = 1;
  return Int32Array.from(moves.keys()).filter((link) => moves[link] === 1 && isNeeded[link] === 1);
}

/**
 * How far the points of a body can be from the axes of the joints that carry it, in any configuration [m]: no farther than
 * the links between are long. Joints that move, from the body to the root, with a reach each; of a sliding joint, which
 * moves every point alike, it is 1 per metre.
 */
export function chainReaches(model: RobotModel, hull: CollisionHull): ReadonlyMap<number, number> {
  const reaches = new Map<number, number>();
  let length = 0;
  for (let i = 0; i < hull.points.length; i += 3) length = Math.max(length, vec3.norm(vec3.view(hull.points, i)));
  for (let link = hull.link; link > 0; link = model.parentLink[link]!) {
    const isMoving = model.termStart[link + 1]! > model.termStart[link]!;
    const slides = model.jointKind[link] === JointKind.prismatic;
    if (isMoving) reaches.set(link, slides ? 1 : length);
    const placement = model.parentFromJoint[link]!;
    length += Math.hypot(placement[9], placement[10], placement[11]);
    if (slides) length += Math.max(Math.abs(model.jointLower[link]!), Math.abs(model.jointUpper[link]!));
  }
  return reaches;
}
