import { ChainBodies, STANDING } from "../../collision/chain-bodies.js";
import { addChainGradient } from "../../collision/chain-gradient.js";
import { DistanceStatus, HullDistance, MEMORY_SIZE } from "../../collision/hull-distance.js";
import { chainScope, proveMinimumDistance } from "../../collision/minimum-distance-proof.js";
import { OverlapDepth } from "../../collision/overlap-depth.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { KinematicChain } from "../../robot/kinematics/chain.js";
import type { Robot } from "../../robot/robot.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { MonitorForecast } from "../../safety/forecast/monitor-forecast.js";

/**
 * Distance of the arm's bodies to the robot's other bodies [m], one value a body of the arm: its nearest. Negative where
 * they overlap. Both methods read the chain's last `update`.
 */
export interface ArmClearance {
  /** Bodies of the arm. */
  readonly count: number;
  /** Writes the distances to `values` from `row` on. */
  evaluate(chain: KinematicChain, values: Float64Array, row: number): void;
  /** The same, and the derivative of each by the chain's dofs to the row of `jacobian` (`n` columns) with its index. */
  evaluateWithJacobian(
    chain: KinematicChain,
    values: Float64Array,
    jacobian: Float64Array,
    row: number,
    n: number,
  ): void;
  /**
   * Whether the robot is proven not to touch itself while the arm runs `ramps` and all else stands, and the self-collision
   * monitor with its default settings not to brake it.
   */
  isMotionFree(ramps: JointRamps): boolean;
  /** Which body of the arm, as a place among the values, came too near in the last motion that was not free; −1: not known. */
  readonly blamed: number;
}

interface HullClearanceOptions {
  /**
   * Distances above it are reported as this [m]: a constraint that far from active needs no more, and pairs whose
   * bounding balls are that far apart need no look. The default is 0.15.
   */
  readonly cap?: number;
  /**
   * Pairs of the arm's own bodies that are proven to be never nearer than this [m] are left out, so values below it are
   * exact. The default is 0.03.
   */
  readonly margin?: number;
}

/**
 * The arm's clearance by the robot's collision hulls and checked pairs (`robot.pairs`): for each body the arm moves, the
 * least distance to the bodies that stand around it and to the arm's own bodies nearer to its base. A pair within the arm
 * counts once, for its outer body.
 *
 * The derivative is that of the nearest points held fixed on their bodies (the envelope theorem): n·(J_a − J_b). Where a
 * distance exceeds `cap`, the value is the cap and the derivative 0. Where not only the surfaces but the very cores of two
 * bodies overlap, their distance tells nothing more; then the value is −radii − `OverlapDepth` and the derivative that of
 * the depth, so that a solver started there finds its way out. A configuration that is not finite gives NaN.
 *
 * Every evaluation starts afresh: the result is a function of posture and configuration alone, to the last bit.
 *
 * @example
 * const clearance = new HullClearance(robot, chain, robot.postures.get("ready")!);
 * chain.update(q);
 * clearance.evaluate(chain, values, 0);
 */
export class HullClearance implements ArmClearance {
  readonly count: number;
  /** Names of the bodies, in the order of the values. */
  readonly names: readonly string[];
  /** Pairs looked at. */
  readonly pairCount: number;

  readonly #placed: ChainBodies;
  readonly #cap: number;
  readonly #own: Int32Array;
  /** Pairs of body i are #start[i] … #start[i + 1] − 1. */
  readonly #start: Int32Array;
  readonly #partner: Int32Array;
  /** Sum of the two bodies' radii [m]. [pairCount] */
  readonly #radii: Float64Array;
  /** Square of the distance of their bounding balls' centres at which the bodies are `cap` apart [m²]. [pairCount] */
  readonly #farSquared: Float64Array;

  readonly #monitor: MonitorForecast;
  /** Where all stands that the arm does not move. */
  readonly #posture: Float64Array;
  readonly #hulls = new HullDistance();
  readonly #overlap = new OverlapDepth();
  #blamed = NONE;
  readonly #memory = new Int32Array(MEMORY_SIZE);
  /** The nearest pair of the body looked at last: value, direction, the point on either, the partner's joint. */
  readonly #value = new Float64Array(1);
  readonly #normal = vec3.create();
  readonly #pointOwn = vec3.create();
  readonly #pointPartner = vec3.create();
  #nearest = NONE;
  /** Whether the value is a depth. */
  #overlaps = false;

  /**
   * `posture` (a position for every dof of the robot) says where all else stands. Leaves the chain at another
   * configuration.
   */
  constructor(robot: Robot, chain: KinematicChain, posture: Float64Array, options: HullClearanceOptions = {}) {
    const { cap = 0.15, margin = 0.03 } = options;
    this.#cap = cap;
    this.#posture = posture.slice();
    this.#monitor = new MonitorForecast(robot, chain.dofs, { maxSamples: MOST_SAMPLES });
    this.#placed = new ChainBodies(robot, chain, posture);
    const pairs = pairsOf(robot, chain, this.#placed, posture, margin);
    const own = [...new Set(pairs.map(([outer]) => outer))];
    const { bodies } = this.#placed;
    this.#own = Int32Array.from(own);
    this.count = own.length;
    this.names = own.map((body) => robot.hulls[body]!.name);
    this.pairCount = pairs.length;
    this.#start = Int32Array.from([...own, NONE], (body) => firstIndex(pairs, body));
    this.#partner = Int32Array.from(pairs, ([, inner]) => inner);
    this.#radii = Float64Array.from(pairs, (pair) => sumOver(bodies.radius, pair));
    this.#farSquared = this.#radii.map((radii, k) => (cap + radii + sumOver(bodies.extent, pairs[k]!)) ** 2);
  }

  /** All that the arm does not move stands at another posture from now on. Leaves the chain at another configuration. */
  setPosture(chain: KinematicChain, posture: Float64Array): void {
    this.#posture.set(posture);
    this.#placed.setPosture(chain, posture);
  }

  isMotionFree(ramps: JointRamps): boolean {
    const isFree = this.#monitor.isClear(ramps, this.#posture);
    const { bodyA, bodyB } = this.#monitor;
    this.#blamed = isFree ? NONE : Math.max(this.#own.indexOf(bodyA), this.#own.indexOf(bodyB));
    return isFree;
  }

  get blamed(): number {
    return this.#blamed;
  }

  evaluate(chain: KinematicChain, values: Float64Array, row: number): void {
    this.#placed.place(chain);
    for (let i = 0; i < this.count; i++) {
      this.#measureBody(i);
      values[row + i] = this.#value[0]!;
    }
  }

  evaluateWithJacobian(
    chain: KinematicChain,
    values: Float64Array,
    jacobian: Float64Array,
    row: number,
    n: number,
  ): void {
    this.#placed.place(chain);
    for (let i = 0; i < this.count; i++) {
      this.#measureBody(i);
      values[row + i] = this.#value[0]!;
      const at = (row + i) * n;
      jacobian.fill(0, at, at + n);
      if (this.#nearest === NONE) continue;
      const own = this.#placed.carrier[this.#own[i]!]!;
      const partner = this.#placed.carrier[this.#nearest]!;
      // Joints before both bodies move them alike; a depth along a fixed direction sees even that.
      const first = this.#overlaps ? 0 : partner + 1;
      addChainGradient(chain, first, own, this.#pointOwn, this.#normal, 1, jacobian, at);
      addChainGradient(chain, first, partner, this.#pointPartner, this.#normal, -1, jacobian, at);
    }
  }

  /** Finds the nearest partner of body `i`, NONE if all are beyond the cap. */
  #measureBody(i: number): void {
    const { center } = this.#placed.bodies;
    const body = this.#own[i]!;
    const x = center[3 * body]!;
    const y = center[3 * body + 1]!;
    const z = center[3 * body + 2]!;
    const partners = this.#partner;
    const farSquared = this.#farSquared;
    const end = this.#start[i + 1]!;
    this.#value[0] = this.#cap;
    this.#nearest = NONE;
    for (let k = this.#start[i]!; k < end; k++) {
      const partner = partners[k]!;
      const dx = center[3 * partner]! - x;
      const dy = center[3 * partner + 1]! - y;
      const dz = center[3 * partner + 2]! - z;
      if (!(dx * dx + dy * dy + dz * dz >= farSquared[k]!)) this.#measurePair(k, body, partner);
    }
  }

  /** Keeps the pair if it is nearer than what was found before, or not measurable. */
  #measurePair(k: number, own: number, partner: number): void {
    const hulls = this.#hulls;
    const { points, pointCount } = this.#placed.bodies;
    const a = points[own]!;
    const b = points[partner]!;
    const radii = this.#radii[k]!;
    hulls.sufficient = this.#value[0]! + radii;
    this.#memory[0] = 0;
    const status = hulls.measure(a, pointCount[own]!, b, pointCount[partner]!, this.#memory, 0);
    if (status === DistanceStatus.far) return;
    if (status !== DistanceStatus.overlapping && !(hulls.lowerBound === 0)) {
      if (hulls.distance - radii >= this.#value[0]!) return;
      this.#value[0] = hulls.distance - radii;
      hulls.findNearestPoints(a, b);
      this.#keep(partner, hulls.normal, hulls.nearestA, hulls.nearestB);
      this.#overlaps = false;
      return;
    }
    const overlap = this.#overlap;
    overlap.measure(a, pointCount[own]!, b, pointCount[partner]!);
    if (-overlap.depth - radii >= this.#value[0]!) return;
    this.#value[0] = -overlap.depth - radii;
    this.#keep(partner, overlap.normal, overlap.deepestA, overlap.deepestB);
    this.#overlaps = true;
  }

  #keep(partner: number, normal: vec3.Vec3, pointOwn: vec3.Vec3, pointPartner: vec3.Vec3): void {
    this.#nearest = partner;
    vec3.copy(normal, this.#normal);
    vec3.copy(pointOwn, this.#pointOwn);
    vec3.copy(pointPartner, this.#pointPartner);
  }
}

const NONE = -1;

/** Spans of a motion looked at: a catch takes about five, a near miss that the monitor just lets pass up to some 150. */
const MOST_SAMPLES = 240;

/** Indices of an outer body, which the arm moves, and of one that it moves less or not at all. */
type Pair = readonly [outer: number, inner: number];

/** What was found for a robot: proofs take tens of milliseconds, and several parts of a run look at the same arm. */
const knownPairs = new WeakMap<Robot, Map<string, readonly Pair[]>>();

/** The pairs to look at, those of one outer body together, in the order of the robot's bodies. */
function pairsOf(
  robot: Robot,
  chain: KinematicChain,
  placed: ChainBodies,
  posture: Float64Array,
  margin: number,
): readonly Pair[] {
  const known = getOrCreate(knownPairs, robot, () => new Map<string, readonly Pair[]>());
  const key = [chain.baseLink, chain.tipLink, chain.dofs, margin, posture].join(";");
  return getOrCreate(known, key, () => findPairs(robot, chain, placed, posture, margin));
}

function findPairs(
  robot: Robot,
  chain: KinematicChain,
  placed: ChainBodies,
  posture: Float64Array,
  margin: number,
): Pair[] {
  const { carrier } = placed;
  const pairs: Pair[] = robot.pairs.map(([a, b]) => (carrier[a]! > carrier[b]! ? [a, b] : [b, a]));
  const base = robot.rigidBody[chain.baseLink];
  return pairs
    .filter(([outer, inner]) => carrier[outer] !== carrier[inner])
    .filter(([outer, inner]) => {
      const standsElsewhere = carrier[inner] === STANDING && robot.rigidBody[robot.hulls[inner]!.link] !== base;
      if (standsElsewhere) return true;
      const scope = chainScope(robot, chain, placed, outer, inner, posture);
      return scope === null || !proveMinimumDistance(robot, outer, inner, margin, scope);
    })
    .sort(([a, b], [c, d]) => a - c || b - d);
}

/** Where the pairs of an outer body begin; the end of all pairs for NONE. */
function firstIndex(pairs: readonly Pair[], body: number): number {
  return body === NONE ? pairs.length : pairs.findIndex(([outer]) => outer === body);
}

function sumOver(values: Float64Array, [a, b]: Pair): number {
  return values[a]! + values[b]!;
}
