import type { Vec3 } from "../math/vec3.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type Distortion, LensDistortion } from "./lens-distortion.js";

/** What `RobotCamera` says of a camera's picture. */
export interface CameraIntrinsics {
  /** [px] */
  readonly width: number;
  readonly height: number;
  /** Focal lengths and principal point [px]; pixel centres are at whole numbers. */
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  readonly distortion: Distortion;
}

/** Columns of `projectIntrinsicsJacobian`. */
export const intrinsicNames = ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3"] as const;

/**
 * A pinhole camera with lens distortion. Points are in the optical frame (z forward, x right, y down) [m]; u to the right
 * and v downwards [px], the centre of the top left pixel at (0, 0).
 *
 * Every method that maps a point says whether that point has an image; where it returns false, `out` holds nothing of use.
 *
 * @example
 * const camera = new CameraModel(robot.cameras[0]!);
 * if (camera.project(pointInCamera, pixel)) draw(pixel[0], pixel[1]);
 */
export class CameraModel {
  readonly intrinsics: CameraIntrinsics;
  readonly width: number;
  readonly height: number;
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  readonly lens: LensDistortion;
  readonly #plane = new Float64Array(2);
  readonly #image = new Float64Array(5);

  constructor(intrinsics: CameraIntrinsics) {
    const { width, height, fx, fy, cx, cy, distortion } = intrinsics;
    const { k1, k2, p1, p2, k3 } = distortion;
    requireIntrinsics(intrinsics);
    this.intrinsics = { width, height, fx, fy, cx, cy, distortion: { k1, k2, p1, p2, k3 } };
    this.width = width;
    this.height = height;
    this.fx = fx;
    this.fy = fy;
    this.cx = cx;
    this.cy = cy;
    this.lens = new LensDistortion(distortion);
  }

  /** Pixel (u, v) of a point; false behind the camera or where the lens model folds back. */
  project(point: Vec3, out: Float64Array): boolean {
    if (!this.#distortPoint(point)) return false;
    out[0] = this.fx * this.#image[0]! + this.cx;
    out[1] = this.fy * this.#image[1]! + this.cy;
    return true;
  }

  /** `project`, with d(u, v)/d(point) [px/m] as a row-major 2 × 3 matrix. */
  projectWithJacobian(point: Vec3, out: Float64Array, jacobian: Float64Array): boolean {
    if (!this.#distortPoint(point)) return false;
    const image = this.#image;
    const x = this.#plane[0]!;
    const y = this.#plane[1]!;
    const perMetre = 1 / point[2];
    out[0] = this.fx * image[0]! + this.cx;
    out[1] = this.fy * image[1]! + this.cy;
    const ux = this.fx * image[2]! * perMetre;
    const uy = this.fx * image[3]! * perMetre;
    const vx = this.fy * image[3]! * perMetre;
    const vy = this.fy * image[4]! * perMetre;
    jacobian[0] = ux;
    jacobian[1] = uy;
    jacobian[2] = -(ux * x + uy * y);
    jacobian[3] = vx;
    jacobian[4] = vy;
    jacobian[5] = -(vx * x + vy * y);
    return true;
  }

  /** `project`, with d(u, v)/d(fx, fy, cx, cy, k1, k2, p1, p2, k3) as a row-major 2 × 9 matrix. */
  projectIntrinsicsJacobian(point: Vec3, out: Float64Array, jacobian: Float64Array): boolean {
    if (!this.#distortPoint(point)) return false;
    const x = this.#plane[0]!;
    const y = this.#plane[1]!;
    const xd = this.#image[0]!;
    const yd = this.#image[1]!;
    const s = x * x + y * y;
    const { fx, fy } = this;
    out[0] = fx * xd + this.cx;
    out[1] = fy * yd + this.cy;
    jacobian.fill(0, 0, 18);
    jacobian[0] = xd;
    jacobian[2] = 1;
    jacobian[4] = fx * x * s;
    jacobian[5] = fx * x * s * s;
    jacobian[6] = fx * 2 * x * y;
    jacobian[7] = fx * (s + 2 * x * x);
    jacobian[8] = fx * x * s * s * s;
    jacobian[10] = yd;
    jacobian[12] = 1;
    jacobian[13] = fy * y * s;
    jacobian[14] = fy * y * s * s;
    jacobian[15] = fy * (s + 2 * y * y);
    jacobian[16] = fy * 2 * x * y;
    jacobian[17] = fy * y * s * s * s;
    return true;
  }

  /** Unit direction of the ray seen at pixel (u, v); false where no ray gets there by the lens model. */
  ray(u: number, v: number, out: Vec3): boolean {
    const plane = this.#plane;
    plane[0] = (u - this.cx) / this.fx;
    plane[1] = (v - this.cy) / this.fy;
    if (!this.lens.undistort(plane, plane)) return false;
    const x = plane[0]!;
    const y = plane[1]!;
    const z = 1 / Math.sqrt(x * x + y * y + 1);
    out[0] = x * z;
    out[1] = y * z;
    out[2] = z;
    return true;
  }

  /** `ray`, with d(direction)/d(u, v) [1/px] as a row-major 3 × 2 matrix. */
  rayWithJacobian(u: number, v: number, out: Vec3, jacobian: Float64Array): boolean {
    if (!this.ray(u, v, out)) return false;
    const image = this.#image;
    this.lens.distort(this.#plane, image);
    const xx = image[2]!;
    const xy = image[3]!;
    const yy = image[4]!;
    const perDeterminant = 1 / (xx * yy - xy * xy);
    const x = out[0];
    const y = out[1];
    const z = out[2];
    for (let column = 0; column < 2; column++) {
      // Of the undistorted point, then of the direction: z·(I − d·dᵀ)·(dx, dy, 0).
      const dx = (column === 0 ? yy / this.fx : -xy / this.fy) * perDeterminant;
      const dy = (column === 0 ? -xy / this.fx : xx / this.fy) * perDeterminant;
      const along = x * dx + y * dy;
      jacobian[column] = z * (dx - x * along);
      jacobian[column + 2] = z * (dy - y * along);
      jacobian[column + 4] = -z * z * along;
    }
    return true;
  }

  /** Whether (u, v) lies on the image, at least `margin` [px] from its border; the border is half a pixel beyond centres. */
  isInside(u: number, v: number, margin: number): boolean {
    return u >= margin - 0.5 && v >= margin - 0.5 && u <= this.width - 0.5 - margin && v <= this.height - 0.5 - margin;
  }

  /**
   * The model of the same view in an image `factor` times as wide and high, sizes rounded to whole pixels. It is the
   * image's border, not the first pixel's centre, that stays: u′ + ½ = factor·(u + ½).
   */
  scaled(factor: number): CameraModel {
    const { width, height, fx, fy, cx, cy, distortion } = this.intrinsics;
    return new CameraModel({
      width: Math.round(width * factor),
      height: Math.round(height * factor),
      fx: fx * factor,
      fy: fy * factor,
      cx: (cx + 0.5) * factor - 0.5,
      cy: (cy + 0.5) * factor - 0.5,
      distortion,
    });
  }

  /** The point on the plane z = 1 to `#plane`, its distorted image and Jacobian to `#image`. */
  #distortPoint(point: Vec3): boolean {
    const z = point[2];
    this.#plane[0] = point[0] / z;
    this.#plane[1] = point[1] / z;
    return z > 0 && this.lens.distort(this.#plane, this.#image);
  }
}

function requireIntrinsics({ width, height, fx, fy, cx, cy, distortion }: CameraIntrinsics): void {
  const demands: readonly (readonly [string, boolean, string, number])[] = [
    ["width", Number.isInteger(width) && width > 0, "a whole number > 0", width],
    ["height", Number.isInteger(height) && height > 0, "a whole number > 0", height],
    ["fx", fx > 0 && fx < Number.POSITIVE_INFINITY, "a number > 0", fx],
    ["fy", fy > 0 && fy < Number.POSITIVE_INFINITY, "a number > 0", fy],
    ["cx", Number.isFinite(cx), "a finite number", cx],
    ["cy", Number.isFinite(cy), "a finite number", cy],
    ...(["k1", "k2", "p1", "p2", "k3"] as const).map(
      (name) => [`distortion/${name}`, Number.isFinite(distortion[name]), "a finite number", distortion[name]] as const,
    ),
  ];
  for (const [path, holds, expected, found] of demands) {
    if (!holds) {
      throw new FlycatcherError("FLY_CAMERA_INTRINSICS", "camera cannot be", { path, expected, found: String(found) });
    }
  }
}
