import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { RobotMeshes } from "../../robot/meshes/load-mesh.js";
import type { CollisionHull, Robot } from "../../robot/robot.js";
import type { UrdfGeometry, UrdfShape } from "../../robot/urdf/urdf-document.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { surfaceOf } from "./make-hulls.js";
import { ReachBeyond } from "./reach-beyond.js";

/** A shape of a link that no collision body of the same rigid part covers. */
export interface UncoveredShape {
  readonly link: string;
  /** Names of the bodies of the same rigid part; empty if there are none. */
  readonly bodies: readonly string[];
  /** How far it sticks out of them [m]; Infinity without bodies. */
  readonly protrusion: number;
}

/** A shape: the hull of some points, grown by a radius [m]. */
interface ShapePoints {
  readonly points: Float64Array;
  readonly radius: number;
}

/** Corners of a rim: between two neighbours it bulges by radius·(1 − cos(π/48)), 0.2 mm for an arm of 10 cm. */
const RIM = 48;
const MOST_VERTICES = 2000;

/**
 * The URDF's collision shapes that stick out of the robot's collision bodies by more than `tolerance` [m], the worst
 * first; `isLeftOut` names links to pass over. Of a mesh up to `MOST_VERTICES` are looked at; one that cannot be read is not.
 */
export function uncoveredShapes(
  robot: Robot,
  tolerance: number,
  isLeftOut: (link: number) => boolean = () => false,
): UncoveredShape[] {
  const state = stateAt(robot.model);
  const gauge = new HullGauge(robot.files === undefined ? undefined : new RobotMeshes(robot.files));
  const uncovered = robot.shapes.flatMap(({ collisions }, link) => {
    if (isLeftOut(link)) return [];
    const hulls = robot.hulls.filter((hull) => robot.rigidBody[hull.link] === robot.rigidBody[link]);
    const own = hulls.map((hull) => ({ hull, hullFromLink: relativePose(state, hull.link, link, pose.create()) }));
    const protrusion = Math.max(...collisions.map((shape) => gauge.protrusion(shape, own)));
    const bodies = hulls.map(({ name }) => name);
    return protrusion > tolerance ? [{ link: robot.model.linkNames[link]!, bodies, protrusion }] : [];
  });
  return uncovered.sort((one, other) => other.protrusion - one.protrusion);
}

interface PlacedHull {
  readonly hull: CollisionHull;
  readonly hullFromLink: pose.Pose;
}

class HullGauge {
  readonly #reach = new ReachBeyond();
  readonly #meshes: RobotMeshes | undefined;

  constructor(meshes: RobotMeshes | undefined) {
    this.#meshes = meshes;
  }

  /** How far a shape sticks out of the body that covers most of it, or of all of them together [m]; −Infinity if it is not known. */
  protrusion(shape: UrdfShape, hulls: readonly PlacedHull[]): number {
    const own = pointsOf(shape.geometry);
    const placed =
      own === null ? this.#vertices(shape) : { ...own, points: transformed(own.points, poseFromOrigin(shape.origin)) };
    if (placed.points.length === 0) return Number.NEGATIVE_INFINITY;
    const beyond = hulls.map(({ hull, hullFromLink }) => this.#beyond(placed, hullFromLink, hull));
    const alone = Math.min(...beyond.map((distances) => Math.max(...distances)));
    if (alone <= 0 || hulls.length < 2) return alone;
    const together = beyond[0]!.map((_, i) => Math.min(...beyond.map((distances) => distances[i]!)));
    return Math.max(...together);
  }

  /** Vertices of a mesh in its link. */
  #vertices(shape: UrdfShape): ShapePoints {
    const corners = this.#surface(shape);
    const step = 3 * Math.max(1, Math.ceil(corners.length / 3 / MOST_VERTICES));
    const points: number[] = [];
    for (let i = 0; i < corners.length; i += step) points.push(corners[i]!, corners[i + 1]!, corners[i + 2]!);
    return { points: Float64Array.from(points), radius: 0 };
  }

  #surface(shape: UrdfShape): Float64Array {
    try {
      return surfaceOf(shape, this.#meshes);
    } catch (error) {
      if (error instanceof FlycatcherError) return new Float64Array(0);
      throw error;
    }
  }

  #beyond({ points, radius }: ShapePoints, hullFromLink: pose.Pose, hull: CollisionHull): number[] {
    const placed = transformed(points, hullFromLink);
    return Array.from({ length: placed.length / 3 }, (_, i) => {
      const distance = this.#reach.of(placed[3 * i]!, placed[3 * i + 1]!, placed[3 * i + 2]!, hull.points);
      return distance + radius - hull.radius;
    });
  }
}

/** Points of one frame in another. */
export function transformed(points: Float64Array, targetFromSource: pose.Pose): Float64Array {
  const out = points.slice();
  for (let i = 0; i < out.length; i += 3)
    pose.transformPoint(targetFromSource, vec3.view(points, i), vec3.view(out, i));
  return out;
}

function pointsOf(geometry: UrdfGeometry): ShapePoints | null {
  switch (geometry.type) {
    case "mesh":
      return null;
    case "sphere":
      return { points: new Float64Array(3), radius: geometry.radius };
    case "capsule":
      return {
        points: Float64Array.of(0, 0, -geometry.length / 2, 0, 0, geometry.length / 2),
        radius: geometry.radius,
      };
    case "box": {
      const corners = Array.from({ length: 8 }, (_, c) =>
        geometry.size.map((edge, k) => ((c >> k) & 1 ? 0.5 : -0.5) * edge),
      );
      return { points: Float64Array.from(corners.flat()), radius: 0 };
    }
    case "cylinder": {
      const rim = Array.from({ length: 2 * RIM }, (_, i) => {
        const angle = (2 * Math.PI * i) / RIM;
        const [x, y] = [geometry.radius * Math.cos(angle), geometry.radius * Math.sin(angle)];
        return [x, y, (i < RIM ? 0.5 : -0.5) * geometry.length];
      });
      return { points: Float64Array.from(rim.flat()), radius: 0 };
    }
  }
}
