import type { KinematicChain } from "../robot/kinematics/chain.js";
import { JointKind } from "../robot/model.js";
import { axisReach } from "./axis-reach.js";
import { type ChainBodies, STANDING } from "./chain-bodies.js";
import { HullDistance, MEMORY_SIZE } from "./hull-distance.js";

/** Configurations tried for one pair before giving up; the pairs of neighbours' neighbours take some hundred. */
const BUDGET = 1000;

/** Joints that may lie between two bodies: beyond three a proof costs more than it saves. */
const MOST_JOINTS = 3;

/**
 * Proves, where it can, that two bodies of a chain are never nearer than `margin` [m], whatever the chain's dofs do within
 * their limits. `false` means only that it was not proven. For set-up: it allocates and takes up to a millisecond. Leaves
 * the chain at another configuration.
 *
 * By halving boxes of dofs until, for each, the distance in its middle less what the outer body can move within the box
 * exceeds the margin. Changing the joints one after the other from the base outwards, each turns the outer body while all
 * joints behind it still stand as in the middle; so it moves the body by no more than its angle times the reach about its
 * axis *in the middle of the box*. For the first of them one may as well turn the inner body the other way: the lesser
 * reach counts, which is none where a joint turns about the inner body's own axis.
 */
export function areNeverNearer(
  placed: ChainBodies,
  chain: KinematicChain,
  outer: number,
  inner: number,
  margin: number,
): boolean {
  const from = placed.carrier[inner]! + 1;
  const to = placed.carrier[outer]!;
  if (placed.carrier[outer] === STANDING || to - from >= MOST_JOINTS) return false;
  const boxes = [wholeBox(chain, from, to)];
  const search = new BoxSearch(placed, chain, outer, inner);
  for (let tried = 0; boxes.length > 0; tried++) {
    const box = boxes.pop()!;
    if (tried >= BUDGET || !isBounded(box)) return false;
    search.visit(box, from, to);
    if (!(search.distance >= margin)) return false;
    if (search.distance - search.motion >= margin) continue;
    boxes.push(...halves(box, search.widest));
  }
  return true;
}

/** Middle and half width of each dof. */
interface Box {
  readonly middle: Float64Array;
  readonly half: Float64Array;
}

/** The limits of the dofs that move joints `from` … `to`; the other dofs stand anywhere. */
function wholeBox(chain: KinematicChain, from: number, to: number): Box {
  const middle = new Float64Array(chain.dofCount);
  const half = new Float64Array(chain.dofCount);
  for (let joint = from; joint <= to; joint++) {
    const { terms, kind } = chain.steps[joint]!;
    const unlimited = kind === JointKind.revolute ? Math.PI : Number.POSITIVE_INFINITY;
    for (const { dof } of terms) {
      const isLimited = Number.isFinite(chain.lower[dof]! + chain.upper[dof]!);
      const [lower, upper] = isLimited ? [chain.lower[dof]!, chain.upper[dof]!] : [-unlimited, unlimited];
      middle[dof] = Number.isFinite(lower) ? (lower + upper) / 2 : 0;
      half[dof] = (upper - lower) / 2;
    }
  }
  return { middle, half };
}

function isBounded(box: Box): boolean {
  return box.half.every((half) => Number.isFinite(half));
}

function halves({ middle, half }: Box, dof: number): Box[] {
  return [-0.5, 0.5].map((side) => ({
    middle: middle.with(dof, middle[dof]! + side * half[dof]!),
    half: half.with(dof, half[dof]! / 2),
  }));
}

class BoxSearch {
  /** Certified distance of the surfaces in the middle of the box visited last [m]. */
  distance = 0;
  /** How far the outer body can move within it [m], and the dof to which it owes most. */
  motion = 0;
  widest = 0;
  readonly #placed: ChainBodies;
  readonly #chain: KinematicChain;
  readonly #outer: number;
  readonly #inner: number;
  readonly #hulls = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);
  readonly #reaches = new Float64Array(2);

  constructor(placed: ChainBodies, chain: KinematicChain, outer: number, inner: number) {
    this.#placed = placed;
    this.#chain = chain;
    this.#outer = outer;
    this.#inner = inner;
  }

  visit({ middle, half }: Box, from: number, to: number): void {
    const { points, pointCount, radius } = this.#placed.bodies;
    const [a, b] = [this.#outer, this.#inner];
    this.#chain.update(middle);
    this.#placed.place(this.#chain);
    this.#hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.#memory, 0);
    this.distance = this.#hulls.lowerBound - radius[a]! - radius[b]!;
    const motions = new Float64Array(half.length);
    for (let joint = from; joint <= to; joint++) {
      const { kind, terms } = this.#chain.steps[joint]!;
      const { jointOrigin, jointAxis } = this.#chain;
      axisReach(points[a]!, pointCount[a]!, jointOrigin, 3 * joint, jointAxis, 3 * joint, this.#reaches, 0);
      axisReach(points[b]!, pointCount[b]!, jointOrigin, 3 * joint, jointAxis, 3 * joint, this.#reaches, 1);
      const [outer, inner] = [this.#reaches[0]!, this.#reaches[1]!];
      const reach = kind === JointKind.prismatic ? 1 : joint === from ? Math.min(outer, inner) : outer;
      for (const { dof, factor } of terms) motions[dof] = motions[dof]! + reach * Math.abs(factor) * half[dof]!;
    }
    this.motion = motions.reduce((sum, motion) => sum + motion, 0);
    this.widest = motions.indexOf(Math.max(...motions));
  }
}
