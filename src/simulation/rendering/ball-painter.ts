import { SphereOutline } from "../../camera/sphere-outline.js";
import * as vec3 from "../../math/vec3.js";
import type { PixelRegion } from "./image-regions.js";
import { halfPlaneCoverage } from "./pixel-coverage.js";
import type { RayTable } from "./ray-table.js";
import type { Tone } from "./render-scene.js";

type Vec3 = vec3.Vec3;

/**
 * An outline is taken as straight within squares so many to a pixel's edge: enough that its bend, 1/(8·radius·squares²)
 * [px], stays below 0.002 px.
 */
const SUBDIVISIONS = [
  { upTo: 4, squares: 6 },
  { upTo: 16, squares: 4 },
  { upTo: 64, squares: 2 },
  { upTo: Number.POSITIVE_INFINITY, squares: 1 },
] as const;

/** The surroundings of a ball are sampled at so many points, at this multiple of its radius. */
const RING_POINTS = 48;
const RING_RADIUS = 1.25;
const DARKEST = 1;
const BRIGHTEST = 254;

/** A ball as it is over an exposure: some places of its centre in the camera's frame, evenly spaced in time. */
export interface PaintedBall {
  /** x, y, z of each place [m]. */
  readonly centres: Float64Array;
  /** Places in use. */
  readonly count: number;
  readonly radius: number;
  readonly tone: Tone;
  readonly shading: number;
  /** Unit vector to the light, in the camera's frame. */
  readonly light: Vec3;
}

/**
 * Paints balls over an image of gray values. Each pixel gets the part of its area within the exact outline, found from the
 * ray through it: inside where (d·c)² > |d|²·(|c|² − R²) for the ray d and the centre c. Motion blur is the mean over the
 * places.
 */
export class BallPainter {
  readonly #rays: RayTable;
  #outline: SphereOutline;
  readonly #circle = new Float64Array(3);
  readonly #centre = vec3.create();
  /** First and last column, first and last row that the ball may touch. */
  readonly #bounds = new Int32Array(4);
  /** Rays at the four corners of the current pixel: x and y of each. */
  readonly #corners = new Float64Array(8);
  /** Ray through its middle, and how that changes to the next pixel to the right and below: x and y of each. */
  readonly #pixel = new Float64Array(6);
  /** See SUBDIVISIONS. */
  #squares = 1;
  /** A pixel is on the edge if its middle is nearer to it than this, times the sum of the normal's components [px]. */
  #edgeReach = 1;
  /** Part of the pixel that is covered, and its light. */
  readonly #sum = new Float64Array(2);

  constructor(rays: RayTable, ballRadius: number) {
    this.#rays = rays;
    this.#outline = new SphereOutline(rays.camera, ballRadius);
  }

  /** Paints on `light`, of whole blocks. Returns the mean gray value the ball was painted with; NaN if it is not on the image. */
  paint(ball: PaintedBall, light: Float32Array): number {
    this.#useRadius(ball.radius);
    if (!this.#findBounds(ball)) return Number.NaN;
    const gray = this.#grayOf(ball, light);
    const { pixelStride } = this.#rays;
    const sum = this.#sum;
    for (let row = this.#bounds[2]!; row <= this.#bounds[3]!; row++) {
      for (let column = this.#bounds[0]!; column <= this.#bounds[1]!; column++) {
        this.#coverPixel(ball, column, row);
        if (sum[0] === 0) continue;
        const i = row * pixelStride + column;
        light[i] = light[i]! * (1 - sum[0]!) + gray * sum[1]!;
      }
    }
    return gray;
  }

  /** Where the light decides on the ball's gray value; undefined if its tone is given, or it is not on the image. */
  surroundingsOf(ball: PaintedBall): PixelRegion | undefined {
    this.#useRadius(ball.radius);
    if (ball.tone.kind === "gray" || !this.#findBounds(ball)) return undefined;
    const [u, v, r] = [this.#circle[0]!, this.#circle[1]!, this.#circle[2]!];
    const reach = Math.ceil(RING_RADIUS * r + 1) + 1;
    return { left: Math.round(u) - reach, top: Math.round(v) - reach, width: 2 * reach + 1, height: 2 * reach + 1 };
  }

  /**
   * Coverage of a pixel and its shading relative to the ball's mean, both averaged over the places, to `#sum`. A pixel
   * that is inside at the first and the last place is so all the way between: outlines are convex, and the way is straight.
   */
  #coverPixel(ball: PaintedBall, column: number, row: number): void {
    const sum = this.#sum;
    const { count } = ball;
    sum[0] = 0;
    sum[1] = 0;
    this.#loadPixel(column, row);
    this.#addPlace(ball, 0);
    if (count === 1) return;
    this.#addPlace(ball, count - 1);
    if (sum[0] === 2) {
      sum[0] = 1;
      sum[1] = sum[1]! / 2;
      return;
    }
    for (let k = 1; k < count - 1; k++) this.#addPlace(ball, k);
    sum[0] = sum[0]! / count;
    sum[1] = sum[1]! / count;
  }

  /** Adds coverage and shading of the loaded pixel with the ball at its place k. */
  #addPlace({ centres, radius, shading, light }: PaintedBall, k: number): void {
    const pixel = this.#pixel;
    const x = pixel[0]!;
    const y = pixel[1]!;
    const cx = centres[3 * k]!;
    const cy = centres[3 * k + 1]!;
    const cz = centres[3 * k + 2]!;
    const squaredDistance = cx * cx + cy * cy + cz * cz;
    const squaredTangent = squaredDistance - radius * radius;
    const along = x * cx + y * cy + cz;
    const squaredRay = x * x + y * y + 1;
    const inside = along * along - squaredRay * squaredTangent;
    const slopeX = 2 * (along * cx - x * squaredTangent);
    const slopeY = 2 * (along * cy - y * squaredTangent);
    const slopeU = slopeX * pixel[2]! + slopeY * pixel[3]!;
    const slopeV = slopeX * pixel[4]! + slopeY * pixel[5]!;
    const reach = this.#edgeReach * (Math.abs(slopeU) + Math.abs(slopeV));
    if (inside < -reach) return;
    const part = inside > reach ? 1 : this.#coverEdge(cx, cy, cz, squaredTangent);
    const root = inside > 0 ? Math.sqrt(inside) : 0;
    const toSurface = (along - root) / squaredRay;
    const facing =
      (light[0] * (toSurface * x - cx) + light[1] * (toSurface * y - cy) + light[2] * (toSurface - cz)) / radius;
    // Over the disc of a distant ball the mean normal is two thirds of the direction to the camera.
    const mean = (-2 / 3) * ((light[0] * cx + light[1] * cy + light[2] * cz) / Math.sqrt(squaredDistance));
    this.#sum[0] = this.#sum[0]! + part;
    this.#sum[1] = this.#sum[1]! + part * (1 + shading * (facing - mean));
  }

  /** Part of the loaded pixel inside the outline, which is taken as straight within each of its small squares. */
  #coverEdge(cx: number, cy: number, cz: number, squaredTangent: number): number {
    const corners = this.#corners;
    const squares = this.#squares;
    let sum = 0;
    for (let j = 0; j < squares; j++) {
      const b = (j + 0.5) / squares;
      const leftX = corners[0]! + b * (corners[4]! - corners[0]!);
      const leftY = corners[1]! + b * (corners[5]! - corners[1]!);
      const acrossX = corners[2]! + b * (corners[6]! - corners[2]!) - leftX;
      const acrossY = corners[3]! + b * (corners[7]! - corners[3]!) - leftY;
      for (let i = 0; i < squares; i++) {
        const a = (i + 0.5) / squares;
        const x = leftX + a * acrossX;
        const y = leftY + a * acrossY;
        const along = x * cx + y * cy + cz;
        const inside = along * along - (x * x + y * y + 1) * squaredTangent;
        const slopeX = 2 * (along * cx - x * squaredTangent);
        const slopeY = 2 * (along * cy - y * squaredTangent);
        const slopeU = slopeX * acrossX + slopeY * acrossY;
        const slopeV = slopeX * (corners[4]! - corners[0]!) + slopeY * (corners[5]! - corners[1]!);
        const slope = Math.sqrt(slopeU * slopeU + slopeV * slopeV);
        if (slope === 0) {
          sum += inside > 0 ? 1 : 0;
        } else {
          sum += halfPlaneCoverage((squares * inside) / slope, slopeU / slope, slopeV / slope);
        }
      }
    }
    return sum / (squares * squares);
  }

  #useRadius(radius: number): void {
    if (this.#outline.ballRadius !== radius) this.#outline = new SphereOutline(this.#rays.camera, radius);
  }

  #loadPixel(column: number, row: number): void {
    const { x, y, stride } = this.#rays;
    const corners = this.#corners;
    const node = row * stride + column;
    corners[0] = x[node]!;
    corners[1] = y[node]!;
    corners[2] = x[node + 1]!;
    corners[3] = y[node + 1]!;
    corners[4] = x[node + stride]!;
    corners[5] = y[node + stride]!;
    corners[6] = x[node + stride + 1]!;
    corners[7] = y[node + stride + 1]!;
    const pixel = this.#pixel;
    for (let k = 0; k < 2; k++) {
      const a = corners[k]!;
      const b = corners[k + 2]!;
      const c = corners[k + 4]!;
      const d = corners[k + 6]!;
      pixel[k] = 0.25 * (a + b + c + d);
      pixel[k + 2] = 0.5 * (b + d - a - c);
      pixel[k + 4] = 0.5 * (c + d - a - b);
    }
  }

  /** The rectangle around all places; false if that is off the image. The circle of the middle place stays in `#circle`. */
  #findBounds({ centres, count, radius }: PaintedBall): boolean {
    const { width, height } = this.#rays.camera;
    const bounds = this.#bounds;
    bounds[0] = width;
    bounds[1] = -1;
    bounds[2] = height;
    bounds[3] = -1;
    for (let k = 0; k < count; k++) {
      vec3.set(centres[3 * k]!, centres[3 * k + 1]!, centres[3 * k + 2]!, this.#centre);
      if (!this.#outline.measure(this.#centre, this.#circle)) return false;
      // The ellipse's long semi-axis, a tenth more for what the lens adds.
      const squaredDepth = this.#centre[2] * this.#centre[2] - radius * radius;
      const stretch = Math.sqrt(Math.sqrt((vec3.squaredNorm(this.#centre) - radius * radius) / squaredDepth));
      const reach = 1.1 * stretch * this.#circle[2]! + 2;
      bounds[0] = Math.max(0, Math.min(bounds[0]!, Math.floor(this.#circle[0]! - reach)));
      bounds[1] = Math.min(width - 1, Math.max(bounds[1]!, Math.ceil(this.#circle[0]! + reach)));
      bounds[2] = Math.max(0, Math.min(bounds[2]!, Math.floor(this.#circle[1]! - reach)));
      bounds[3] = Math.min(height - 1, Math.max(bounds[3]!, Math.ceil(this.#circle[1]! + reach)));
    }
    const middle = 3 * (count >> 1);
    vec3.set(centres[middle]!, centres[middle + 1]!, centres[middle + 2]!, this.#centre);
    this.#outline.measure(this.#centre, this.#circle);
    const r = this.#circle[2]!;
    this.#squares = SUBDIVISIONS.find(({ upTo }) => r <= upTo)?.squares ?? 1;
    // Half a pixel, and more where the distance by the slope at the pixel's middle is too large: on small balls.
    this.#edgeReach = 0.5 * (1.1 + 0.6 / r);
    return bounds[0]! <= bounds[1]! && bounds[2]! <= bounds[3]!;
  }

  #grayOf({ tone }: PaintedBall, light: Float32Array): number {
    if (tone.kind === "gray") return tone.gray;
    const surroundings = this.#surroundings(light);
    const ratio = (1 + tone.contrast) / (1 - tone.contrast);
    const isBrighter = tone.polarity === "brighter" && surroundings * ratio <= BRIGHTEST;
    const gray = isBrighter ? surroundings * ratio : surroundings / ratio;
    return Math.max(DARKEST, Math.min(BRIGHTEST, gray));
  }

  /** Mean gray value on a ring about the ball. */
  #surroundings(light: Float32Array): number {
    const { width, height } = this.#rays.camera;
    const [u, v, r] = [this.#circle[0]!, this.#circle[1]!, this.#circle[2]!];
    let sum = 0;
    let count = 0;
    for (let i = 0; i < RING_POINTS; i++) {
      const angle = (2 * Math.PI * i) / RING_POINTS;
      const column = Math.round(u + (RING_RADIUS * r + 1) * Math.cos(angle));
      const row = Math.round(v + (RING_RADIUS * r + 1) * Math.sin(angle));
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      sum += light[row * this.#rays.pixelStride + column]!;
      count++;
    }
    return count === 0 ? 128 : sum / count;
  }
}
