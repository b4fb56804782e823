import type { Pose } from "../../../src/math/pose.js";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { UrdfGeometry } from "../../../src/robot/urdf/urdf-document.js";

/**
 * A convex core grown by a radius, known by its support function alone: all that the reference asks of a shape, so that
 * polytopes and round shapes go the same way. Cores are given in a frame of their own and placed by a pose.
 */
export interface ConvexShape {
  /** Point of the core farthest along the direction x, y, z, in the core's own frame. */
  readonly support: (x: number, y: number, z: number, out: vec3.Vec3) => void;
  /** By how much the core is grown [m]. */
  readonly radius: number;
  /** The core lies within this of its frame's origin [m]. */
  readonly extent: number;
}

/** The convex hull of points, x, y, z of each. */
export function hullShape(points: Float64Array, radius: number): ConvexShape {
  const count = points.length / 3;
  return {
    radius,
    extent: Math.max(...Array.from({ length: count }, (_, i) => vec3.norm(vec3.view(points, 3 * i)))),
    support: (x, y, z, out) => {
      let [best, farthest] = [0, Number.NEGATIVE_INFINITY];
      for (let i = 0; i < points.length; i += 3) {
        const along = x * points[i]! + y * points[i + 1]! + z * points[i + 2]!;
        if (along > farthest) [best, farthest] = [i, along];
      }
      vec3.set(points[best]!, points[best + 1]!, points[best + 2]!, out);
    },
  };
}

/** A shape of a URDF, centred on its origin; cylinder and capsule lie along z. */
export function urdfShape(geometry: UrdfGeometry): ConvexShape {
  switch (geometry.type) {
    case "sphere":
      return hullShape(new Float64Array(3), geometry.radius);
    case "capsule":
      return hullShape(Float64Array.of(0, 0, -geometry.length / 2, 0, 0, geometry.length / 2), geometry.radius);
    case "box": {
      const [a, b, c] = geometry.size.map((edge) => edge / 2) as [number, number, number];
      return {
        radius: 0,
        extent: Math.hypot(a, b, c),
        support: (x, y, z, out) => void vec3.set(x < 0 ? -a : a, y < 0 ? -b : b, z < 0 ? -c : c, out),
      };
    }
    case "cylinder":
      return cylinderShape(geometry.radius, geometry.length / 2);
    case "mesh":
      throw new Error(`the shipped robots have no meshes, found ${geometry.filename}`);
  }
}

function cylinderShape(radius: number, halfLength: number): ConvexShape {
  return {
    radius: 0,
    extent: Math.hypot(radius, halfLength),
    support: (x, y, z, out) => {
      const across = Math.hypot(x, y);
      const scale = across > 0 ? radius / across : 0;
      vec3.set(scale * x, scale * y, z < 0 ? -halfLength : halfLength, out);
    },
  };
}

/** A shape at a place. */
export interface PlacedShape {
  readonly shape: ConvexShape;
  readonly worldFromShape: Pose;
}

/** Point of a placed core farthest along a direction of the world. */
export function supportOf({ shape, worldFromShape: m }: PlacedShape, direction: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
  const [x, y, z] = direction;
  shape.support(m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z, out);
  return pose.transformPoint(m, out, out);
}

/** A lower bound of the distance of two placed cores' surfaces [m], from balls around them. */
export function ballGap(a: PlacedShape, b: PlacedShape): number {
  const [p, q] = [a.worldFromShape, b.worldFromShape];
  const between = Math.hypot(p[9] - q[9], p[10] - q[10], p[11] - q[11]);
  return between - a.shape.extent - b.shape.extent - a.shape.radius - b.shape.radius;
}
