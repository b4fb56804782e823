import { JointKind, type RobotModel } from "../robot/model.js";
import type { RobotState } from "../robot/state.js";
import { axisReach } from "./axis-reach.js";
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
