import * as mat3 from "../math/mat3.js";
import * as vec3 from "../math/vec3.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { CameraModel } from "./camera-model.js";

/** Points on the outline, for lenses with distortion. The integrands are smooth and periodic, so the sums converge
 * exponentially: at 16 points the error of a ball that fills a third of the image is below 1e-9 px. */
const OUTLINE_POINTS = 16;
/** Newton's method for `backProject` ends at this change relative to the distance. */
const RELATIVE_TOLERANCE = 1e-13;
const MAX_STEPS = 30;

/**
 * How a camera sees a sphere: the cone of rays that touch it cuts the plane z = 1 in an ellipse, and the lens bends that
 * a little. It is not a circle, and its centre is not the image of the sphere's centre. We describe it by the circle
 * (u, v, r) of the same area and centroid [px]:
 *
 *   π·r² = A = ∬ du dv,   u = ∬ u du dv / A,   v = ∬ v du dv / A   over the inside of the outline.
 *
 * Without distortion, for a centre (X, Y, Z) and a radius R, that is exactly the ellipse's centre and the geometric mean
 * of its semi-axes:
 *
 *   u = cx + fx·X·Z/(Z² − R²),   v likewise,   r = √(fx·fy)·R·(X² + Y² + Z² − R²)^¼ / (Z² − R²)^¾.
 *
 * The circle that fits points of the outline best in the least-squares sense, taken evenly over all directions, has the
 * same centre and a radius less by the factor 1 − ε²/4 with ε = (a − b)/(a + b) of the ellipse's semi-axes: 0.02 % at
 * 20° off the axis, 0.25 % at 35°.
 *
 * With distortion the area integrals become integrals along the outline (Green), taken over the circle on which the cone
 * touches the sphere. Their derivatives follow from how fast the outline moves along its normal, and that is how fast the
 * image of a touching point fixed to the sphere moves: the outline is the envelope of such images.
 *
 * @example
 * const outline = new SphereOutline(camera, 0.0425);
 * if (outline.measure(ballInCamera, circle)) draw(circle[0], circle[1], circle[2]);
 */
export class SphereOutline {
  readonly camera: CameraModel;
  /** [m] */
  readonly ballRadius: number;
  readonly #cosine = Float64Array.from({ length: OUTLINE_POINTS }, (_, i) =>
    Math.cos((2 * Math.PI * i) / OUTLINE_POINTS),
  );
  readonly #sine = Float64Array.from({ length: OUTLINE_POINTS }, (_, i) =>
    Math.sin((2 * Math.PI * i) / OUTLINE_POINTS),
  );
  readonly #point = vec3.create();
  readonly #pixel = new Float64Array(2);
  readonly #reference = new Float64Array(2);
  readonly #pixelJacobian = new Float64Array(6);
  /** Unit vectors e1, e2 across the line of sight, times the touching circle's radius [m]. */
  readonly #across = new Float64Array(6);
  /** Area, ∬ u, ∬ v about the reference pixel. */
  readonly #moments = new Float64Array(3);
  /** Derivatives of the moments with respect to the centre. [3 × 3] */
  readonly #momentsJacobian = new Float64Array(9);
  readonly #circle = new Float64Array(3);
  readonly #inverse = mat3.create();
  readonly #jacobian = mat3.create();

  constructor(camera: CameraModel, ballRadius: number) {
    if (!(ballRadius > 0 && ballRadius < Number.POSITIVE_INFINITY)) {
      throw new FlycatcherError("FLY_CAMERA_BALL_RADIUS", "no outline", {
        expected: "a ball radius > 0 m",
        found: String(ballRadius),
      });
    }
    this.camera = camera;
    this.ballRadius = ballRadius;
  }

  /**
   * The circle (u, v, r) of a sphere; false if it is not wholly before the camera (Z > R), or if the lens model folds
   * back within it. Whether it lies within the image is not asked.
   */
  measure(centreInCamera: vec3.Vec3, out: Float64Array): boolean {
    if (!(centreInCamera[2] > this.ballRadius)) return false;
    if (this.camera.lens.isNone) {
      this.#measureEllipse(centreInCamera, out);
      return true;
    }
    return this.#integrate(centreInCamera) && this.#circleOfMoments(out);
  }

  /** `measure`, with d(u, v, r)/d(centre) [px/m] as a row-major 3 × 3 matrix. */
  measureWithJacobian(centreInCamera: vec3.Vec3, out: Float64Array, jacobian: Float64Array): boolean {
    if (!this.measure(centreInCamera, out)) return false;
    if (this.camera.lens.isNone) this.#differentiateEllipse(centreInCamera, out, jacobian);
    else this.#differentiateMoments(out, jacobian);
    return true;
  }

  /**
   * The centre of the sphere whose outline is (u, v, r), in the camera's frame, and optionally d(centre)/d(u, v, r)
   * [m/px] as a row-major 3 × 3 matrix. False if there is none.
   */
  backProject(u: number, v: number, r: number, outCentre: vec3.Vec3, outJacobian?: Float64Array): boolean {
    if (!(r > 0) || !this.#guessCentre(u, v, r, outCentre)) return false;
    const circle = this.#circle;
    const inverse = this.#inverse;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (!this.measureWithJacobian(outCentre, circle, this.#jacobian)) return false;
      if (!(Math.abs(mat3.invert(this.#jacobian, inverse)) > 0)) return false;
      const du = u - circle[0]!;
      const dv = v - circle[1]!;
      const dr = r - circle[2]!;
      const dx = inverse[0] * du + inverse[1] * dv + inverse[2] * dr;
      const dy = inverse[3] * du + inverse[4] * dv + inverse[5] * dr;
      const dz = inverse[6] * du + inverse[7] * dv + inverse[8] * dr;
      // A step may not take away more than half of the way to the sphere touching the camera's plane.
      const room = 0.5 * (outCentre[2] - this.ballRadius);
      const scale = -dz > room ? room / -dz : 1;
      outCentre[0] += scale * dx;
      outCentre[1] += scale * dy;
      outCentre[2] += scale * dz;
      if (Math.abs(dx) + Math.abs(dy) + Math.abs(dz) <= RELATIVE_TOLERANCE * outCentre[2]) {
        if (outJacobian !== undefined) outJacobian.set(inverse);
        return true;
      }
    }
    return false;
  }

  #measureEllipse(centre: vec3.Vec3, out: Float64Array): void {
    const { fx, fy, cx, cy } = this.camera;
    const radius = this.ballRadius;
    const z = centre[2];
    const squaredDepth = z * z - radius * radius;
    const squaredTangent = centre[0] * centre[0] + centre[1] * centre[1] + squaredDepth;
    out[0] = cx + (fx * centre[0] * z) / squaredDepth;
    out[1] = cy + (fy * centre[1] * z) / squaredDepth;
    const root = Math.sqrt(squaredDepth);
    out[2] = (radius * Math.sqrt((fx * fy * Math.sqrt(squaredTangent)) / root)) / root;
  }

  #differentiateEllipse(centre: vec3.Vec3, circle: Float64Array, jacobian: Float64Array): void {
    const { fx, fy } = this.camera;
    const squaredRadius = this.ballRadius * this.ballRadius;
    const x = centre[0];
    const y = centre[1];
    const z = centre[2];
    const squaredDepth = z * z - squaredRadius;
    const squaredTangent = x * x + y * y + squaredDepth;
    const alongZ = -(z * z + squaredRadius) / (squaredDepth * squaredDepth);
    const r = circle[2]!;
    jacobian[0] = (fx * z) / squaredDepth;
    jacobian[1] = 0;
    jacobian[2] = fx * x * alongZ;
    jacobian[3] = 0;
    jacobian[4] = (fy * z) / squaredDepth;
    jacobian[5] = fy * y * alongZ;
    jacobian[6] = (r * x) / (2 * squaredTangent);
    jacobian[7] = (r * y) / (2 * squaredTangent);
    jacobian[8] = r * z * (1 / (2 * squaredTangent) - 3 / (2 * squaredDepth));
  }

  /** Sums of the outline's moments and their derivatives over the points where the cone touches the sphere. */
  #integrate(centre: vec3.Vec3): boolean {
    const { camera } = this;
    const nearer = 1 - this.#spanAcross(centre);
    const across = this.#across;
    const moments = this.#moments.fill(0);
    const momentsJacobian = this.#momentsJacobian.fill(0);
    const point = this.#point;
    const pixel = this.#pixel;
    const jacobian = this.#pixelJacobian;
    if (!camera.project(centre, this.#reference)) return false;
    for (let i = 0; i < OUTLINE_POINTS; i++) {
      const c = this.#cosine[i]!;
      const s = this.#sine[i]!;
      point[0] = nearer * centre[0] + c * across[0]! + s * across[3]!;
      point[1] = nearer * centre[1] + c * across[1]! + s * across[4]!;
      point[2] = nearer * centre[2] + c * across[2]! + s * across[5]!;
      if (!camera.projectWithJacobian(point, pixel, jacobian)) return false;
      const alongX = c * across[3]! - s * across[0]!;
      const alongY = c * across[4]! - s * across[1]!;
      const alongZ = c * across[5]! - s * across[2]!;
      const du = jacobian[0]! * alongX + jacobian[1]! * alongY + jacobian[2]! * alongZ;
      const dv = jacobian[3]! * alongX + jacobian[4]! * alongY + jacobian[5]! * alongZ;
      const u = pixel[0]! - this.#reference[0]!;
      const v = pixel[1]! - this.#reference[1]!;
      moments[0] = moments[0]! + 0.5 * (u * dv - v * du);
      moments[1] = moments[1]! + 0.5 * u * u * dv;
      moments[2] = moments[2]! - 0.5 * v * v * du;
      for (let k = 0; k < 3; k++) {
        const flux = jacobian[k]! * dv - jacobian[k + 3]! * du;
        momentsJacobian[k] = momentsJacobian[k]! + flux;
        momentsJacobian[k + 3] = momentsJacobian[k + 3]! + u * flux;
        momentsJacobian[k + 6] = momentsJacobian[k + 6]! + v * flux;
      }
    }
    return moments[0]! > 0;
  }

  /** Fills `#across` for the line of sight to `centre`; returns R²/|centre|² (Duff et al., "Building an orthonormal basis,
   * revisited", 2017; the line of sight has z > 0). */
  #spanAcross(centre: vec3.Vec3): number {
    const squaredDistance = centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2];
    const ratio = (this.ballRadius * this.ballRadius) / squaredDistance;
    const touching = this.ballRadius * Math.sqrt(1 - ratio);
    const perDistance = 1 / Math.sqrt(squaredDistance);
    const x = centre[0] * perDistance;
    const y = centre[1] * perDistance;
    const a = -1 / (1 + centre[2] * perDistance);
    const across = this.#across;
    across[0] = touching * (1 + a * x * x);
    across[1] = touching * a * x * y;
    across[2] = -touching * x;
    across[3] = across[1]!;
    across[4] = touching * (1 + a * y * y);
    across[5] = -touching * y;
    return ratio;
  }

  #circleOfMoments(out: Float64Array): boolean {
    const area = this.#moments[0]!;
    out[0] = this.#reference[0]! + this.#moments[1]! / area;
    out[1] = this.#reference[1]! + this.#moments[2]! / area;
    // The sums lack the step 2π/n: A/π = (2/n)·Σ.
    out[2] = Math.sqrt((2 / OUTLINE_POINTS) * area);
    return true;
  }

  #differentiateMoments(circle: Float64Array, jacobian: Float64Array): void {
    const area = this.#moments[0]!;
    const u = this.#moments[1]! / area;
    const v = this.#moments[2]! / area;
    const derivative = this.#momentsJacobian;
    for (let k = 0; k < 3; k++) {
      jacobian[k] = (derivative[k + 3]! - u * derivative[k]!) / area;
      jacobian[k + 3] = (derivative[k + 6]! - v * derivative[k]!) / area;
      jacobian[k + 6] = derivative[k]! / (OUTLINE_POINTS * circle[2]!);
    }
  }

  /** Along the ray of (u, v), at the distance where a sphere far away would have the radius r. */
  #guessCentre(u: number, v: number, r: number, out: vec3.Vec3): boolean {
    const { fx, fy } = this.camera;
    if (!this.camera.ray(u, v, out)) return false;
    const z = out[2];
    const distance = Math.max((this.ballRadius * Math.sqrt((fx * fy) / z)) / (z * r), (1.5 * this.ballRadius) / z);
    vec3.scale(out, distance, out);
    return Number.isFinite(distance);
  }
}
