import { so3Log } from "../math/lie.js";
import * as mat3 from "../math/mat3.js";
import { copy, type Pose } from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";

/** How fast something moves at most: its origin [m/s], and its turning [rad/s]. */
export interface CourseSpeed {
  linear: number;
  angular: number;
}

/** A pose as a function of time: how an obstacle or a goal moves by itself. */
export interface PoseCourse {
  poseAt(t: number, out: Pose): Pose;
  /** Bounds of the speeds between two times. */
  speedBetween(from: number, to: number, out: CourseSpeed): CourseSpeed;
}

/**
 * A polynomial of the origin, Σ coefficient[k]·tᵏ, with a rotation that turns at a constant rate about a fixed axis: a line
 * has two coefficients, a thrown object three.
 */
export class PolynomialCourse implements PoseCourse {
  readonly #coefficients: readonly Vec3[];
  readonly #start: mat3.Mat3;
  readonly #axis: Vec3;
  readonly #rate: number;
  readonly #turn = mat3.create();

  /** `angularVelocity` in the world's axes [rad/s]. */
  constructor(coefficients: readonly Vec3[], rotation: mat3.Mat3, angularVelocity: Vec3) {
    this.#coefficients = coefficients;
    this.#start = rotation;
    this.#rate = vec3.norm(angularVelocity);
    this.#axis = this.#rate > 0 ? vec3.scale(angularVelocity, 1 / this.#rate, vec3.create()) : vec3.create(0, 0, 1);
  }

  poseAt(t: number, out: Pose): Pose {
    mat3.multiply(mat3.fromAxisAngle(this.#axis, this.#rate * t, this.#turn), this.#start, out);
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let k = this.#coefficients.length - 1; k >= 0; k--) sum = sum * t + this.#coefficients[k]![i]!;
      out[9 + i] = sum;
    }
    return out;
  }

  speedBetween(from: number, to: number, out: CourseSpeed): CourseSpeed {
    const farthest = Math.max(Math.abs(from), Math.abs(to));
    out.linear = 0;
    for (let k = this.#coefficients.length - 1; k >= 1; k--) {
      out.linear = out.linear * farthest + k * vec3.norm(this.#coefficients[k]!);
    }
    out.angular = this.#rate;
    return out;
  }
}

/** What lies between two rows of a table. */
interface CourseLeg {
  readonly from: number;
  readonly duration: number;
  readonly start: Pose;
  readonly way: Vec3;
  readonly axis: Vec3;
  readonly angle: number;
}

/**
 * Poses at given times: straight lines of the origin and the shortest turns between them. Before the first and after the
 * last it stands still.
 */
export class TableCourse implements PoseCourse {
  readonly #legs: readonly CourseLeg[];
  readonly #last: Pose;
  readonly #turn = mat3.create();

  /** `times` ascend; of the poses there is one for each. */
  constructor(times: ArrayLike<number>, poses: readonly Pose[]) {
    this.#last = poses[poses.length - 1]!;
    this.#legs = poses.slice(1).map((next, k) => legBetween(times[k]!, times[k + 1]!, poses[k]!, next));
  }

  poseAt(t: number, out: Pose): Pose {
    const leg = this.#legs.find(({ from, duration }) => t < from + duration);
    if (leg === undefined) return copy(this.#last, out);
    const share = Math.max(0, (t - leg.from) / leg.duration);
    mat3.multiply(mat3.fromAxisAngle(leg.axis, share * leg.angle, this.#turn), leg.start, out);
    for (let i = 0; i < 3; i++) out[9 + i] = leg.start[9 + i]! + share * leg.way[i]!;
    return out;
  }

  speedBetween(from: number, to: number, out: CourseSpeed): CourseSpeed {
    out.linear = 0;
    out.angular = 0;
    for (const leg of this.#legs) {
      if (leg.from > to || leg.from + leg.duration < from) continue;
      out.linear = Math.max(out.linear, vec3.norm(leg.way) / leg.duration);
      out.angular = Math.max(out.angular, leg.angle / leg.duration);
    }
    return out;
  }
}

function legBetween(from: number, to: number, start: Pose, end: Pose): CourseLeg {
  const relative = mat3.multiply(end, mat3.transpose(start, mat3.create()), mat3.create());
  const turn = so3Log(relative, vec3.create());
  const angle = vec3.norm(turn);
  const axis = angle > 0 ? vec3.scale(turn, 1 / angle, vec3.create()) : vec3.create(0, 0, 1);
  const way = vec3.create(end[9] - start[9], end[10] - start[10], end[11] - start[11]);
  return { from, duration: to - from, start, way, axis, angle };
}
