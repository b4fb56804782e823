import * as lie from "../math/lie.js";
import * as mat3 from "../math/mat3.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { FlycatcherError } from "../runtime/errors.js";

/** Radius at which a turn counts as way [m]: a path that turns on the spot has length as well. */
const TURN_RADIUS = 0.1;
/** Step of the direction, relative to it, that counts as a corner. */
const CORNER = 1e-6;

/** One segment, over its share σ from 0 to 1. Rotation is about a fixed axis at constant speed: quaternion interpolation. */
interface Segment {
  /** Path length where it begins, and its own. */
  readonly start: number;
  readonly length: number;
  readonly from: pose.Pose;
  /** Whole rotation of the tool [rad], in the frame of the path. */
  readonly turn: vec3.Vec3;
  /** Way of a line. */
  readonly way: vec3.Vec3;
  /** Of an arc: centre, and the rotation about it; null for a line. */
  readonly centre: vec3.Vec3 | null;
  readonly sweep: vec3.Vec3;
}

/**
 * The path of a tool: straight lines and arcs of circles, on which the orientation turns about one axis from begin to end. It is
 * a function of the path length, in metres; a turn counts with a radius of 0.1 m where that is more than the way.
 *
 * @example
 * const path = new ToolPath(begin).lineTo(above).arc(centre, vec3.create(0, 0, 1), Math.PI / 2);
 * path.evaluate(0.5 * path.length, state);
 */
export class ToolPath {
  readonly #segments: Segment[] = [];
  readonly #end = pose.create();

  constructor(begin: pose.Pose) {
    pose.copy(begin, this.#end);
  }

  /** [m] */
  get length(): number {
    const last = this.#segments.at(-1);
    return last === undefined ? 0 : last.start + last.length;
  }

  /** A straight line to `target`, in position and orientation. */
  lineTo(target: pose.Pose): this {
    const end = pose.getTranslation(target, vec3.create());
    const way = vec3.subtract(end, pose.getTranslation(this.#end, vec3.create()), vec3.create());
    this.#append(way, this.#turnTo(target), null, vec3.create(), vec3.norm(way));
    pose.copy(target, this.#end);
    return this;
  }

  /**
   * An arc about the line through `centre` along `axis`, by `angle` [rad]. The tool turns with it, or, with `orientation`, to
   * that one.
   */
  arc(centre: vec3.Vec3, axis: vec3.Vec3, angle: number, orientation?: mat3.Mat3): this {
    const sweep = vec3.scale(vec3.normalize(axis, vec3.create()), angle, vec3.create());
    const rotation = lie.so3Exp(sweep, mat3.create());
    const arm = vec3.subtract(pose.getTranslation(this.#end, vec3.create()), centre, vec3.create());
    const radius = vec3.norm(vec3.cross(sweep, arm, vec3.create()));
    const end = vec3.add(centre, mat3.transform(rotation, arm, vec3.create()), vec3.create());
    const turned = orientation ?? mat3.multiply(rotation, this.#end, mat3.create());
    const target = pose.fromMat3Translation(turned, end, pose.create());
    const turn = orientation === undefined ? vec3.copy(sweep, vec3.create()) : this.#turnTo(target);
    this.#append(vec3.create(), turn, vec3.copy(centre, vec3.create()), sweep, radius);
    pose.copy(target, this.#end);
    return this;
  }

  #turnTo(target: pose.Pose): vec3.Vec3 {
    const back = mat3.transpose(this.#end, mat3.create());
    return lie.so3Log(mat3.multiply(target, back, mat3.create()), vec3.create());
  }

  #append(way: vec3.Vec3, turn: vec3.Vec3, centre: vec3.Vec3 | null, sweep: vec3.Vec3, distance: number): void {
    const length = Math.max(distance, TURN_RADIUS * vec3.norm(turn));
    if (!(length < Infinity)) {
      throw new FlycatcherError("FLY_MOTION_INVALID", "A segment of a tool path is invalid", {
        expected: "finite poses, centre, axis and angle",
        found: `a segment of length ${length}`,
      });
    }
    const from = pose.copy(this.#end, pose.create());
    if (length > 0) this.#segments.push({ start: this.length, length, from, turn, way, centre, sweep });
  }

  /** Lengths at which the direction steps, ascending: a motion has to stop there. */
  get corners(): number[] {
    const [before, after] = [new ToolPathState(), new ToolPathState()];
    return this.#segments.slice(1).flatMap((segment, k) => {
      evaluateSegment(this.#segments[k]!, 1, before);
      evaluateSegment(segment, 0, after);
      const step = vec3.distance(before.direction, after.direction) + vec3.distance(before.turning, after.turning);
      return step > CORNER ? [segment.start] : [];
    });
  }

  /** Greatest curvature from length `from` to `to` [1/m]. */
  curvatureBetween(from: number, to: number): number {
    const state = new ToolPathState();
    let greatest = 0;
    for (const segment of this.#segments) {
      if (segment.start >= to || segment.start + segment.length <= from) continue;
      evaluateSegment(segment, 0, state);
      greatest = Math.max(greatest, vec3.norm(state.curvature));
    }
    return greatest;
  }

  /** Pose and derivatives at path length `s`: at a corner those of what begins there, outside the path those of its ends. */
  evaluate(s: number, out: ToolPathState): void {
    if (this.#segments.length === 0) {
      pose.copy(this.#end, out.pose);
      for (const vector of [out.direction, out.turning, out.curvature]) vector.fill(0);
      return;
    }
    let k = this.#segments.length - 1;
    while (k > 0 && s < this.#segments[k]!.start) k--;
    const segment = this.#segments[k]!;
    evaluateSegment(segment, Math.min(1, Math.max(0, (s - segment.start) / segment.length)), out);
  }
}

/** A point of a path: pose, first derivatives over the length, and the second one of the position. */
export class ToolPathState {
  readonly pose = pose.create();
  /** Of the position [m/m]. */
  readonly direction = vec3.create();
  /** Of the orientation: rotation vector over length [rad/m]. Constant over a segment. */
  readonly turning = vec3.create();
  /** [1/m] */
  readonly curvature = vec3.create();
}

const rotation = mat3.create();
const arm = vec3.create();
const scaled = vec3.create();
const position = vec3.create();

function evaluateSegment(segment: Segment, share: number, out: ToolPathState): void {
  const perLength = 1 / segment.length;
  vec3.scale(segment.turn, perLength, out.turning);
  if (segment.centre === null) {
    pose.getTranslation(segment.from, position);
    vec3.addScaled(position, segment.way, share, position);
    vec3.scale(segment.way, perLength, out.direction);
    out.curvature.fill(0);
  } else {
    lie.so3Exp(vec3.scale(segment.sweep, share, scaled), rotation);
    vec3.subtract(pose.getTranslation(segment.from, position), segment.centre, arm);
    mat3.transform(rotation, arm, arm);
    vec3.add(segment.centre, arm, position);
    vec3.scale(segment.sweep, perLength, scaled);
    vec3.cross(scaled, arm, out.direction);
    vec3.cross(scaled, out.direction, out.curvature);
  }
  lie.so3Exp(vec3.scale(segment.turn, share, scaled), rotation);
  mat3.multiply(rotation, segment.from, rotation);
  pose.fromMat3Translation(rotation, position, out.pose);
}
