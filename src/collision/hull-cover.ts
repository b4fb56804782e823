import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { relativePose, stateAt } from "../robot/kinematics/kinematics.js";
import { poseFromOrigin } from "../robot/loading/build-model.js";
import type { CollisionHull, Robot } from "../robot/robot.js";
import type { UrdfGeometry, UrdfShape } from "../robot/urdf/urdf-document.js";
import { HullDistance, MEMORY_SIZE } from "./hull-distance.js";

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

/**
 * The URDF's collision shapes that stick out of the robot's collision bodies by more than `tolerance` [m], the worst
 * first; `isLeftOut` names links to pass over. Meshes are not looked at: `robot hulls` makes bodies that contain them.
 */
export function uncoveredShapes(
  robot: Robot,
  tolerance: number,
  isLeftOut: (link: number) => boolean = () => false,
): UncoveredShape[] {
  const state = stateAt(robot.model);
  const gauge = new HullGauge();
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
  readonly #distance = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);

  /** How far a shape sticks out of the body that covers most of it, or of all of them together [m]; −Infinity for a mesh. */
  protrusion(shape: UrdfShape, hulls: readonly PlacedHull[]): number {
    const placed = pointsOf(shape.geometry);
    if (placed === null) return Number.NEGATIVE_INFINITY;
    const beyond = hulls.map(({ hull, hullFromLink }) => {
      const hullFromShape = pose.compose(hullFromLink, poseFromOrigin(shape.origin), pose.create());
      return this.#beyond(placed, hullFromShape, hull);
    });
    const alone = Math.min(...beyond.map((distances) => Math.max(...distances)));
    if (alone <= 0 || hulls.length < 2) return alone;
    const together = beyond[0]!.map((_, i) => Math.min(...beyond.map((distances) => distances[i]!)));
    return Math.max(...together);
  }

  #beyond({ points, radius }: ShapePoints, hullFromShape: pose.Pose, hull: CollisionHull): number[] {
    const at = vec3.create();
    return Array.from({ length: points.length / 3 }, (_, i) => {
      pose.transformPoint(hullFromShape, vec3.view(points, 3 * i), at);
      this.#memory[0] = 0;
      this.#distance.measure(at, 1, hull.points, hull.points.length / 3, this.#memory, 0);
      return this.#distance.distance + radius - hull.radius;
    });
  }
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
