import { SphereOutline } from "../../camera/sphere-outline.js";
import type * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { type BallSurface, ballPatterns } from "./ball-surface.js";
import type { PixelRegion } from "./image-regions.js";
import type { Canvas, KernelMemory } from "./kernel-memory.js";
import type { RayTable } from "./ray-table.js";
import type { RenderBall } from "./render-scene.js";

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
/** Sizes of the kernel's records: see kernels/balls.as. */
const PAINTING_WORDS = 33;
/** Where the pattern begins in the record. */
const PATTERN_WORDS = 16;
/** A pattern changes within about so many pixels. */
const PATTERN_SOFTNESS = 1.5;
const PLACE_WORDS = 7;

/** The functions of kernels/balls.as. */
export interface BallKernels {
  paintBall(painting: number): void;
  halfPlaneCoverage(distance: number, nx: number, ny: number): number;
}

/** A ball as it is over an exposure: some places of its centre in the camera's frame, evenly spaced in time. */
export interface PaintedBall extends Pick<RenderBall, "radius" | "tone" | "shading"> {
  /** What is on it, if anything; from the camera's axes to the ball's own. */
  readonly surface?: BallSurface;
  readonly ballFromCamera?: mat3.Mat3;
  /** Only these rows are painted, if they are given. */
  readonly rows?: readonly [first: number, last: number];
  /** x, y, z of each place [m]. */
  readonly centres: Float64Array;
  /** Places in use. */
  readonly count: number;
  /** Unit vector to the light, in the camera's frame. */
  readonly light: vec3.Vec3;
}

/**
 * Paints balls over an image of gray values. Each pixel gets the part of its area within the exact outline, found from the
 * ray through it: inside where |d × c|² < |d|²·R² for the ray d and the centre c. Motion blur is the mean over the places.
 * The painting itself is in kernels/balls.as.
 */
export class BallPainter {
  readonly #memory: KernelMemory;
  readonly #kernels: BallKernels;
  readonly #rays: RayTable;
  /** Addresses: the light, what the kernel is to paint, and the ball's places, of which there is room for some. */
  readonly #light: number;
  readonly #painting: number;
  #places = 0;
  #capacity = 0;
  #outline: SphereOutline;
  readonly #circle = new Float64Array(3);
  readonly #centre = vec3.create();
  readonly #half = vec3.create();
  /** First and last column, first and last row that the ball may touch. */
  readonly #bounds = new Int32Array(4);
  /** See SUBDIVISIONS. */
  #squares = 1;
  /** A pixel is on the edge if its middle is nearer to it than this, times the sum of the normal's components [px]. */
  #edgeReach = 1;

  constructor(canvas: Canvas, ballRadius: number) {
    const { memory, rays } = canvas;
    this.#memory = memory;
    this.#kernels = memory.load("balls");
    this.#light = canvas.light;
    this.#rays = rays;
    this.#outline = new SphereOutline(rays.camera, ballRadius);
    this.#painting = memory.allocate(4 * PAINTING_WORDS);
    memory.words.set([canvas.raysX, canvas.raysY, rays.stride, canvas.light], this.#painting / 4);
  }

  /** Returns the mean gray value the ball was painted with; NaN if it is not on the image. */
  paint(ball: PaintedBall): number {
    this.#useRadius(ball.radius);
    if (!this.#findBounds(ball)) return Number.NaN;
    const gray = this.#grayOf(ball);
    if (ball.rows !== undefined) this.#limitRows(ball.rows);
    this.#writePlaces(ball);
    this.#writePainting(ball, gray);
    this.#writeSurface(ball);
    this.#kernels.paintBall(this.#painting);
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

  /** Tells the kernel about the ball at each of its places. */
  #writePlaces({ centres, count, radius, shading, light }: PaintedBall): void {
    if (count > this.#capacity) {
      this.#places = this.#memory.allocate(4 * PLACE_WORDS * count);
      this.#capacity = count;
    }
    const { floats } = this.#memory;
    for (let k = 0, at = this.#places / 4; k < count; k++, at += PLACE_WORDS) {
      const cx = centres[3 * k]!;
      const cy = centres[3 * k + 1]!;
      const cz = centres[3 * k + 2]!;
      // Over the disc of a distant ball the mean normal is two thirds of the direction to the camera.
      const facing = (light[0] * cx + light[1] * cy + light[2] * cz) / Math.sqrt(cx * cx + cy * cy + cz * cz);
      floats[at] = cx;
      floats[at + 1] = cy;
      floats[at + 2] = cz;
      floats[at + 3] = cx / cz;
      floats[at + 4] = cy / cz;
      floats[at + 5] = (radius / cz) ** 2;
      floats[at + 6] = 1 + (2 / 3) * shading * facing;
    }
  }

  #writePainting({ count, radius, shading, light }: PaintedBall, gray: number): void {
    const { words, floats } = this.#memory;
    const at = this.#painting / 4;
    words[at + 4] = this.#places;
    words[at + 5] = count;
    words.set(this.#bounds, at + 6);
    words[at + 10] = this.#squares;
    floats[at + 11] = this.#edgeReach;
    floats[at + 12] = gray;
    for (let axis = 0; axis < 3; axis++) floats[at + 13 + axis] = (light[axis]! * shading) / radius;
  }

  #writeSurface({ surface, ballFromCamera, radius, light }: PaintedBall): void {
    const { words, floats } = this.#memory;
    const at = this.#painting / 4 + PATTERN_WORDS;
    words[at] = ballPatterns[surface?.pattern ?? "plain"];
    floats[at + 3] = surface?.gloss ?? 0;
    if (surface === undefined || ballFromCamera === undefined) return;
    floats[at + 1] = surface.depth;
    floats[at + 2] = Math.max(2, this.#circle[2]! / PATTERN_SOFTNESS);
    // The camera is far away against the ball's size: one direction reflects into it.
    const half = vec3.normalize(this.#centre, this.#half);
    vec3.normalize(vec3.subtract(light, half, half), half);
    floats.set(half, at + 4);
    floats[at + 7] = 1 / radius;
    floats.set(ballFromCamera, at + 8);
  }

  #useRadius(radius: number): void {
    if (this.#outline.ballRadius !== radius) this.#outline = new SphereOutline(this.#rays.camera, radius);
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

  #limitRows([first, last]: readonly [number, number]): void {
    this.#bounds[2] = Math.max(this.#bounds[2]!, first);
    this.#bounds[3] = Math.min(this.#bounds[3]!, last);
  }

  /** Rows that a ball may touch at its places: first and last; null if it is not on the image. */
  rowsOf(ball: PaintedBall): readonly [number, number] | null {
    this.#useRadius(ball.radius);
    return this.#findBounds(ball) ? [this.#bounds[2]!, this.#bounds[3]!] : null;
  }

  #grayOf({ tone }: PaintedBall): number {
    if (tone.kind === "gray") return tone.gray;
    const surroundings = this.#surroundings();
    const ratio = (1 + tone.contrast) / (1 - tone.contrast);
    const isBrighter = tone.polarity === "brighter" && surroundings * ratio <= BRIGHTEST;
    const gray = isBrighter ? surroundings * ratio : surroundings / ratio;
    return Math.max(DARKEST, Math.min(BRIGHTEST, gray));
  }

  /** Mean gray value on a ring about the ball. */
  #surroundings(): number {
    const { width, height } = this.#rays.camera;
    const [u, v, r] = [this.#circle[0]!, this.#circle[1]!, this.#circle[2]!];
    let sum = 0;
    let count = 0;
    for (let i = 0; i < RING_POINTS; i++) {
      const angle = (2 * Math.PI * i) / RING_POINTS;
      const column = Math.round(u + (RING_RADIUS * r + 1) * Math.cos(angle));
      const row = Math.round(v + (RING_RADIUS * r + 1) * Math.sin(angle));
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      sum += this.#memory.floats[this.#light / 4 + row * this.#rays.pixelStride + column]!;
      count++;
    }
    return count === 0 ? 128 : sum / count;
  }
}
