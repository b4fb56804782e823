import type { Random } from "../../math/random.js";
import { JointKind, type RobotModel } from "../../robot/robot.js";

/** A turn of a joint without limits. */
const TURN = 2 * Math.PI;
/** How far a sliding joint without limits is sampled to either side [m]. */
const SLIDE = 2;
/** Radians that count as much as one metre of a sliding joint. */
const RADIANS_PER_METRE = 3;

/**
 * The positions of some joints as a planner sees them: a box in which joints without limits wrap around. Distances are
 * Euclidean, radians as they are, metres three times.
 */
export class JointSpace {
  readonly count: number;
  /** Limits; of a joint that wraps the turn that is sampled. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** 1 for a joint that wraps around. */
  readonly wraps: Uint8Array;
  readonly weight: Float64Array;

  constructor(model: RobotModel, dofs: ArrayLike<number>) {
    this.count = dofs.length;
    this.lower = new Float64Array(this.count);
    this.upper = new Float64Array(this.count);
    this.wraps = new Uint8Array(this.count);
    this.weight = new Float64Array(this.count).fill(1);
    for (let i = 0; i < this.count; i++) {
      const dof = dofs[i]!;
      const isSlide = model.jointKind[model.dofJoint[dof]!] === JointKind.prismatic;
      const [low, high] = [model.lower[dof]!, model.upper[dof]!];
      const isOpen = low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY;
      this.wraps[i] = isOpen && !isSlide ? 1 : 0;
      this.lower[i] = Math.max(low, isSlide ? -SLIDE : isOpen ? -Math.PI : -TURN);
      this.upper[i] = Math.min(high, isSlide ? SLIDE : isOpen ? Math.PI : TURN);
      if (isSlide) this.weight[i] = RADIANS_PER_METRE;
    }
  }

  /** Way of joint i from one position to another, the short way round where it wraps. */
  way(i: number, from: number, to: number): number {
    const way = to - from;
    return this.wraps[i] === 1 ? way - TURN * Math.round(way / TURN) : way;
  }

  squaredDistance(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) {
      const way = this.weight[i]! * this.way(i, a[atA + i]!, b[atB + i]!);
      sum += way * way;
    }
    return sum;
  }

  distance(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    return Math.sqrt(this.squaredDistance(a, atA, b, atB));
  }

  /** The place `share` of the way from `a` to `b`. */
  between(a: Float64Array, atA: number, b: Float64Array, atB: number, share: number, out: Float64Array, at = 0): void {
    for (let i = 0; i < this.count; i++) out[at + i] = a[atA + i]! + share * this.way(i, a[atA + i]!, b[atB + i]!);
  }

  sample(random: Random, out: Float64Array): void {
    for (let i = 0; i < this.count; i++) out[i] = random.uniformIn(this.lower[i]!, this.upper[i]!);
  }

  isInside(q: ArrayLike<number>): boolean {
    for (let i = 0; i < this.count; i++) {
      if (this.wraps[i] === 1 ? !Number.isFinite(q[i]!) : !(q[i]! >= this.lower[i]! && q[i]! <= this.upper[i]!))
        return false;
    }
    return true;
  }

  /** Turns joints that wrap by whole turns, so that each configuration is the short way from the one before. */
  unwrap(path: readonly Float64Array[]): void {
    for (let k = 1; k < path.length; k++) {
      const before = path[k - 1]!;
      for (let i = 0; i < this.count; i++) {
        if (this.wraps[i] === 1) path[k]![i] = before[i]! + this.way(i, before[i]!, path[k]![i]!);
      }
    }
  }

  /** Sum of the distances along a path. */
  length(path: readonly Float64Array[]): number {
    let sum = 0;
    for (let k = 1; k < path.length; k++) sum += this.distance(path[k - 1]!, 0, path[k]!, 0);
    return sum;
  }
}
