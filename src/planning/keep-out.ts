import type { Pose } from "../math/pose.js";
import * as pose from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";
import type { KeepOutShape } from "../robot/robot.js";

/**
 * Regions the hand must stay out of, in one frame. Every shape answers with the signed distance of a point (negative
 * inside) and its gradient, which has length 1 wherever it exists; on the medial axis, where it does not, one of the
 * valid directions is given.
 */
export class KeepOutSet {
  readonly names: readonly string[];
  private readonly shapes: readonly Shape[];

  private constructor(names: readonly string[], shapes: readonly Shape[]) {
    this.names = names;
    this.shapes = shapes;
  }

  /** `frameFromLink` gives, for a link's index, its pose in the frame the points will be in. */
  static compile(descriptions: readonly KeepOutShape[], frameFromLink: (link: number) => Pose): KeepOutSet {
    const shapes = descriptions.map((description) => compileShape(description, frameFromLink(description.link)));
    return new KeepOutSet(
      descriptions.map((description) => description.name),
      shapes,
    );
  }

  get count(): number {
    return this.shapes.length;
  }

  /** Signed distance of `point` to shape `index` [m]; its gradient goes to `gradient`. */
  distance(index: number, point: Vec3, gradient: Vec3): number {
    return this.shapes[index]!.distance(point, gradient);
  }

  /** The least of all signed distances [m]; Infinity without shapes. */
  clearance(point: Vec3): number {
    let least = Number.POSITIVE_INFINITY;
    for (const shape of this.shapes) least = Math.min(least, shape.distance(point, scratchGradient));
    return least;
  }
}

interface Shape {
  distance(point: Vec3, gradient: Vec3): number;
}

const scratchGradient = vec3.create();

function compileShape({ geometry }: KeepOutShape, frameFromLink: Pose): Shape {
  const at = (v: Vec3): Vec3 => pose.transformPoint(frameFromLink, v, vec3.create());
  switch (geometry.type) {
    case "sphere":
      return new Capsule(at(geometry.center), at(geometry.center), geometry.radius);
    case "capsule":
      return new Capsule(at(geometry.from), at(geometry.to), geometry.radius);
    case "cylinder":
      return new Cylinder(at(geometry.from), at(geometry.to), geometry.radius);
    case "box":
      return new Box(pose.compose(frameFromLink, geometry.linkFromBox, pose.create()), geometry.halfSize);
    case "half-space": {
      const onPlane = at(vec3.scale(geometry.normal, geometry.offset, vec3.create()));
      const normal = pose.rotateVector(frameFromLink, geometry.normal, vec3.create());
      return new HalfSpace(normal, vec3.dot(normal, onPlane));
    }
  }
}

class HalfSpace implements Shape {
  private readonly normal: Vec3;
  private readonly offset: number;

  constructor(normal: Vec3, offset: number) {
    this.normal = normal;
    this.offset = offset;
  }

  distance(point: Vec3, gradient: Vec3): number {
    vec3.copy(this.normal, gradient);
    return vec3.dot(this.normal, point) - this.offset;
  }
}

/** A segment grown by a radius; a sphere is one of length zero. */
class Capsule implements Shape {
  private readonly from: Vec3;
  private readonly axis: Vec3;
  private readonly squaredLength: number;
  private readonly radius: number;

  constructor(from: Vec3, to: Vec3, radius: number) {
    this.from = from;
    this.axis = vec3.subtract(to, from, vec3.create());
    this.squaredLength = vec3.squaredNorm(this.axis);
    this.radius = radius;
  }

  distance(point: Vec3, gradient: Vec3): number {
    vec3.subtract(point, this.from, gradient);
    const along = this.squaredLength > 0 ? vec3.dot(gradient, this.axis) / this.squaredLength : 0;
    vec3.addScaled(gradient, this.axis, -Math.min(1, Math.max(0, along)), gradient);
    return normalizeWithLength(gradient) - this.radius;
  }
}

class Cylinder implements Shape {
  private readonly centre: Vec3;
  /** Unit axis. */
  private readonly axis: Vec3;
  private readonly halfLength: number;
  private readonly radius: number;
  private readonly radial = vec3.create();

  constructor(from: Vec3, to: Vec3, radius: number) {
    this.centre = vec3.lerp(from, to, 0.5, vec3.create());
    this.axis = vec3.subtract(to, from, vec3.create());
    this.halfLength = vec3.norm(this.axis) / 2;
    vec3.normalize(this.axis, this.axis);
    this.radius = radius;
  }

  distance(point: Vec3, gradient: Vec3): number {
    const { radial, axis } = this;
    vec3.subtract(point, this.centre, radial);
    const along = vec3.dot(radial, axis);
    vec3.addScaled(radial, axis, -along, radial);
    const beyondSide = normalizeWithLength(radial) - this.radius;
    const beyondEnd = Math.abs(along) - this.halfLength;
    const outward = along < 0 ? -1 : 1;
    if (beyondSide > 0 && beyondEnd > 0) {
      const distance = Math.hypot(beyondSide, beyondEnd);
      vec3.scale(radial, beyondSide / distance, gradient);
      vec3.addScaled(gradient, axis, (outward * beyondEnd) / distance, gradient);
      return distance;
    }
    if (beyondSide > beyondEnd) {
      vec3.copy(radial, gradient);
      return beyondSide;
    }
    vec3.scale(axis, outward, gradient);
    return beyondEnd;
  }
}

class Box implements Shape {
  private readonly frameFromBox: Pose;
  private readonly half: Vec3;
  private readonly local = vec3.create();
  private readonly beyond = vec3.create();

  constructor(frameFromBox: Pose, half: Vec3) {
    this.frameFromBox = frameFromBox;
    this.half = half;
  }

  distance(point: Vec3, gradient: Vec3): number {
    const { local, beyond, half } = this;
    pose.transformPointInverse(this.frameFromBox, point, local);
    let nearestFace = 0;
    let outsideSquared = 0;
    for (let i = 0; i < 3; i++) {
      beyond[i] = Math.abs(local[i]!) - half[i]!;
      if (beyond[i]! > 0) outsideSquared += beyond[i]! ** 2;
      if (beyond[i]! > beyond[nearestFace]!) nearestFace = i;
    }
    const distance = outsideSquared > 0 ? Math.sqrt(outsideSquared) : beyond[nearestFace]!;
    for (let i = 0; i < 3; i++) {
      const outward = local[i]! < 0 ? -1 : 1;
      if (outsideSquared > 0) gradient[i] = (outward * Math.max(0, beyond[i]!)) / distance;
      else gradient[i] = i === nearestFace ? outward : 0;
    }
    pose.rotateVector(this.frameFromBox, gradient, gradient);
    return distance;
  }
}

/** Scales `v` to length 1 and returns the length it had; a zero vector becomes (1, 0, 0). */
function normalizeWithLength(v: Vec3): number {
  const length = vec3.norm(v);
  if (length > 0) vec3.scale(v, 1 / length, v);
  else vec3.set(1, 0, 0, v);
  return length;
}
