import * as vec3 from "../math/vec3.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { HullBodies } from "./hull-bodies.js";
import { DistanceStatus, HullDistance, MEMORY_SIZE } from "./hull-distance.js";
import { OverlapDepth } from "./overlap-depth.js";

/** How far apart two collision bodies are in one configuration. */
export interface BodyDistance {
  /** Names of the bodies. */
  readonly bodies: readonly [string, string];
  /** Between their surfaces [m]; negative: how deep they overlap, at most by this. */
  readonly distance: number;
  /** Where they are nearest, on the surface of either, in the world [m]; of bodies that overlap the deepest points. */
  readonly points: readonly [vec3.Vec3, vec3.Vec3];
}

/** Hulls this far apart do not overlap [m]. */
const APART = 1e-9;

/**
 * Distances of a robot's checked pairs (`robot.pairs`) in any configuration, with names: what a person or a program asks
 * about one posture. Hot loops use `HullClearance`.
 *
 * @example
 * const clearance = new PostureClearance(robot);
 * clearance.nearest(robot.postures.get("ready")!)?.bodies; // ["leftForearm", "torso"]
 */
export class PostureClearance {
  readonly #robot: Robot;
  readonly #state: RobotState;
  readonly #bodies: HullBodies;
  readonly #hulls = new HullDistance();
  readonly #overlap = new OverlapDepth();
  readonly #memory = new Int32Array(MEMORY_SIZE);

  constructor(robot: Robot) {
    this.#robot = robot;
    this.#state = new RobotState(robot.model);
    this.#bodies = new HullBodies(robot.hulls);
  }

  /** All checked pairs nearer than `within` [m] at `q` (a position for every dof), the nearest first. */
  distances(q: ArrayLike<number>, within = Number.POSITIVE_INFINITY): BodyDistance[] {
    this.#place(q);
    return this.#robot.pairs
      .flatMap((pair) => this.#measure(pair, within) ?? [])
      .sort((one, other) => one.distance - other.distance);
  }

  /** The nearest of all checked pairs; null for a robot without pairs, or if none is nearer than `within` [m]. */
  nearest(q: ArrayLike<number>, within = Number.POSITIVE_INFINITY): BodyDistance | null {
    this.#place(q);
    return this.#robot.pairs.reduce<BodyDistance | null>(
      (nearest, pair) => this.#measure(pair, nearest?.distance ?? within) ?? nearest,
      null,
    );
  }

  #place(q: ArrayLike<number>): void {
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    this.#bodies.placeAll(this.#state.linkPoses);
  }

  /** The pair's distance if it is below `within`. */
  #measure([a, b]: readonly [number, number], within: number): BodyDistance | null {
    const { points, pointCount, radius, hulls } = this.#bodies;
    const names = [hulls[a]!.name, hulls[b]!.name] as const;
    const radii = radius[a]! + radius[b]!;
    const [first, second] = [points[a]!, points[b]!];
    this.#memory[0] = 0;
    // Hulls that overlap are always measured: how deep they do decides.
    this.#hulls.sufficient = Math.max(within + radii, APART);
    const status = this.#hulls.measure(first, pointCount[a]!, second, pointCount[b]!, this.#memory, 0);
    if (status === DistanceStatus.far) return null;
    if (status === DistanceStatus.overlapping) {
      this.#overlap.measure(first, pointCount[a]!, second, pointCount[b]!);
      const { depth, normal, deepestA, deepestB } = this.#overlap;
      const distance = -depth - radii;
      return distance < within
        ? bodyDistance(names, distance, normal, deepestA, deepestB, [radius[a]!, radius[b]!])
        : null;
    }
    const distance = this.#hulls.distance - radii;
    if (!(distance < within) && !Number.isNaN(distance)) return null;
    this.#hulls.findNearestPoints(first, second);
    const { normal, nearestA, nearestB } = this.#hulls;
    return bodyDistance(names, distance, normal, nearestA, nearestB, [radius[a]!, radius[b]!]);
  }
}

/** `normal` leads from the second body to the first. */
function bodyDistance(
  bodies: readonly [string, string],
  distance: number,
  normal: vec3.Vec3,
  pointA: vec3.Vec3,
  pointB: vec3.Vec3,
  [radiusA, radiusB]: readonly [number, number],
): BodyDistance {
  const points = [
    vec3.addScaled(pointA, normal, -radiusA, vec3.create()),
    vec3.addScaled(pointB, normal, radiusB, vec3.create()),
  ] as const;
  return { bodies, distance, points };
}
