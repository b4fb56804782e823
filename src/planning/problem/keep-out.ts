import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { KeepOutShape } from "../../robot/robot.js";

/**
 * Regions the hand must stay out of, in one frame. Every shape answers with the signed distance of a point (negative
 * inside) and its gradient, which has length 1 wherever it exists; on the medial axis, where it does not, one of the
 * valid directions is given.
 */
export class KeepOutSet {
  readonly names: readonly string[];
  private readonly shapes: readonly Shape[];

  /** `frameFromLink` gives, for a link's index, its pose in the frame the points will be in. */
  constructor(descriptions: readonly KeepOutShape[], frameFromLink: (link: number) => pose.Pose) {
    this.names = descriptions.map(({ name }) => name);
    this.shapes = descriptions.map((description) => compileShape(description, frameFromLink(description.link)));
  }

  get count(): number {
    return this.shapes.length;
  }

  /**
   * Signed distance of `point` to every shape [m] to `distances` from `offset` on, and its gradient to three numbers a
   * shape of `gradients`. Numbers go through arrays because one returned from a call is a garbage object in V8.
   */
  evaluate(point: vec3.Vec3, distances: Float64Array, offset: number, gradients: Float64Array): void {
    for (let k = 0; k < this.shapes.length; k++)
      this.shapes[k]!.evaluate(point, distances, offset + k, gradients, 3 * k);
  }

  /** The least of all signed distances [m]; Infinity without shapes. */
  clearance(point: vec3.Vec3): number {
    let least = Number.POSITIVE_INFINITY;
    for (const shape of this.shapes) {
      shape.evaluate(point, scratchDistance, 0, scratchGradient, 0);
      least = Math.min(least, scratchDistance[0]!);
    }
    return least;
  }
}

interface Shape {
  /** Writes the distance to `distances[at]` and the gradient to three numbers of `gradients` from `row` on. */
  evaluate(point: vec3.Vec3, distances: Float64Array, at: number, gradients: Float64Array, row: number): void;
}

const scratchDistance = new Float64Array(1);
const scratchGradient = new Float64Array(3);

function compileShape({ geometry }: KeepOutShape, frameFromLink: pose.Pose): Shape {
  const at = (v: vec3.Vec3): vec3.Vec3 => pose.transformPoint(frameFromLink, v, vec3.create());
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
  private readonly normal: vec3.Vec3;
  private readonly offset: number;

  constructor(normal: vec3.Vec3, offset: number) {
    this.normal = normal;
    this.offset = offset;
  }

  evaluate(point: vec3.Vec3, distances: Float64Array, at: number, gradients: Float64Array, row: number): void {
    distances[at] = vec3.dot(this.normal, point) - this.offset;
    for (let i = 0; i < 3; i++) gradients[row + i] = this.normal[i]!;
  }
}

/** A segment grown by a radius; a sphere is one of length zero. */
class Capsule implements Shape {
  private readonly from: vec3.Vec3;
  private readonly axis: vec3.Vec3;
  private readonly squaredLength: number;
  private readonly radius: number;

  constructor(from: vec3.Vec3, to: vec3.Vec3, radius: number) {
    this.from = from;
    this.axis = vec3.subtract(to, from, vec3.create());
    this.squaredLength = vec3.squaredNorm(this.axis);
    this.radius = radius;
  }

  evaluate(point: vec3.Vec3, distances: Float64Array, at: number, gradients: Float64Array, row: number): void {
    const { from, axis } = this;
    let x = point[0] - from[0];
    let y = point[1] - from[1];
    let z = point[2] - from[2];
    const projection = x * axis[0] + y * axis[1] + z * axis[2];
    const along = this.squaredLength > 0 ? Math.min(1, Math.max(0, projection / this.squaredLength)) : 0;
    x -= along * axis[0];
    y -= along * axis[1];
    z -= along * axis[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    distances[at] = length - this.radius;
    gradients[row] = length > 0 ? x / length : 1;
    gradients[row + 1] = length > 0 ? y / length : 0;
    gradients[row + 2] = length > 0 ? z / length : 0;
  }
}

class Cylinder implements Shape {
  private readonly centre: vec3.Vec3;
  /** Unit axis. */
  private readonly axis: vec3.Vec3;
  private readonly halfLength: number;
  private readonly radius: number;

  constructor(from: vec3.Vec3, to: vec3.Vec3, radius: number) {
    this.centre = vec3.lerp(from, to, 0.5, vec3.create());
    this.axis = vec3.subtract(to, from, vec3.create());
    this.halfLength = vec3.norm(this.axis) / 2;
    vec3.normalize(this.axis, this.axis);
    this.radius = radius;
  }

  evaluate(point: vec3.Vec3, distances: Float64Array, at: number, gradients: Float64Array, row: number): void {
    const { axis, centre } = this;
    let x = point[0] - centre[0];
    let y = point[1] - centre[1];
    let z = point[2] - centre[2];
    const along = x * axis[0] + y * axis[1] + z * axis[2];
    x -= along * axis[0];
    y -= along * axis[1];
    z -= along * axis[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const beyondSide = length - this.radius;
    const beyondEnd = Math.abs(along) - this.halfLength;
    const isCorner = beyondSide > 0 && beyondEnd > 0;
    const distance = isCorner
      ? Math.sqrt(beyondSide * beyondSide + beyondEnd * beyondEnd)
      : Math.max(beyondSide, beyondEnd);
    distances[at] = distance;
    // Shares of the gradient outwards from the axis and along it.
    const isSide = beyondSide > beyondEnd;
    const outward = (isCorner ? beyondSide / distance : isSide ? 1 : 0) / (length > 0 ? length : 1);
    const upward = (isCorner ? beyondEnd / distance : isSide ? 0 : 1) * (along < 0 ? -1 : 1);
    gradients[row] = outward * x + upward * axis[0];
    gradients[row + 1] = outward * y + upward * axis[1];
    gradients[row + 2] = outward * z + upward * axis[2];
    if (length === 0 && isSide) writePerpendicular(axis, gradients, row);
  }
}

class Box implements Shape {
  private readonly frameFromBox: pose.Pose;
  private readonly half: vec3.Vec3;
  private readonly local = vec3.create();
  private readonly beyond = vec3.create();

  constructor(frameFromBox: pose.Pose, half: vec3.Vec3) {
    this.frameFromBox = frameFromBox;
    this.half = half;
  }

  evaluate(point: vec3.Vec3, distances: Float64Array, at: number, gradients: Float64Array, row: number): void {
    const { local, beyond, half } = this;
    pose.transformPointInverse(this.frameFromBox, point, local);
    let nearestFace = 0;
    let outsideSquared = 0;
    for (let i = 0; i < 3; i++) {
      const depth = Math.abs(local[i]!) - half[i]!;
      beyond[i] = depth;
      if (depth > 0) outsideSquared += depth * depth;
      if (depth > beyond[nearestFace]!) nearestFace = i;
    }
    const distance = outsideSquared > 0 ? Math.sqrt(outsideSquared) : beyond[nearestFace]!;
    distances[at] = distance;
    for (let i = 0; i < 3; i++) {
      const outward = local[i]! < 0 ? -1 : 1;
      const share = outsideSquared > 0 ? Math.max(0, beyond[i]!) / distance : i === nearestFace ? 1 : 0;
      local[i] = outward * share;
    }
    pose.rotateVector(this.frameFromBox, local, local);
    for (let i = 0; i < 3; i++) gradients[row + i] = local[i]!;
  }
}

/** Some unit vector across `axis`: one of the many nearest ways out from the middle of a cylinder. */
function writePerpendicular(axis: vec3.Vec3, gradients: Float64Array, row: number): void {
  const other = Math.abs(axis[0]) < 0.9 ? vec3.create(1, 0, 0) : vec3.create(0, 1, 0);
  gradients.set(vec3.normalize(vec3.cross(axis, other, other), other), row);
}
