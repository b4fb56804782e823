import * as vec3 from "../../math/vec3.js";

/** A surface as the zeros of a signed distance, in a frame of its own. */
export interface Surface {
  /** Signed distance of a point, or any smooth function that changes sign at the surface [m]. */
  distance(point: vec3.Vec3): number;
  /** Its derivative by the point. */
  gradient(point: vec3.Vec3, out: vec3.Vec3): vec3.Vec3;
}

/** The points x with normal·x = offset. */
export class PlaneSurface implements Surface {
  readonly normal: vec3.Vec3;
  readonly offset: number;

  /** `offset` is in metres if `normal` is a unit vector. */
  constructor(normal: vec3.Vec3, offset: number) {
    this.normal = vec3.copy(normal, vec3.create());
    this.offset = offset;
  }

  distance(point: vec3.Vec3): number {
    return vec3.dot(this.normal, point) - this.offset;
  }

  gradient(_point: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
    return vec3.copy(this.normal, out);
  }
}

/** The points `radius` [m] from a centre: the reach of an arm about its shoulder, say. */
export class SphereSurface implements Surface {
  readonly centre: vec3.Vec3;
  readonly radius: number;

  constructor(centre: vec3.Vec3, radius: number) {
    if (!(radius > 0)) throw new RangeError(`radius: expected > 0 m, found ${radius}`);
    this.centre = vec3.copy(centre, vec3.create());
    this.radius = radius;
  }

  distance(point: vec3.Vec3): number {
    return vec3.distance(point, this.centre) - this.radius;
  }

  gradient(point: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
    return vec3.normalize(vec3.subtract(point, this.centre, out), out);
  }
}

/** Half the step of the difference quotients of a distance [m]: the error of rounding and that of the step are alike. */
const PROBE = 1e-5;

/** Any surface, from its signed distance alone. */
export class DistanceSurface implements Surface {
  readonly #distance: (point: vec3.Vec3) => number;
  readonly #probe = vec3.create();

  constructor(distance: (point: vec3.Vec3) => number) {
    this.#distance = distance;
  }

  distance(point: vec3.Vec3): number {
    return this.#distance(point);
  }

  gradient(point: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
    const probe = vec3.copy(point, this.#probe);
    for (let n = 0; n < 3; n++) {
      const axis = n as 0 | 1 | 2;
      const kept = probe[axis];
      probe[axis] = kept + PROBE;
      const above = this.#distance(probe);
      probe[axis] = kept - PROBE;
      out[axis] = (above - this.#distance(probe)) / (2 * PROBE);
      probe[axis] = kept;
    }
    return out;
  }
}
