/** Coefficients of Brown and Conrady's lens model in OpenCV's convention, on normalised image coordinates. */
export interface Distortion {
  /** Radial, of r², r⁴ and r⁶. */
  readonly k1: number;
  readonly k2: number;
  /** Tangential. */
  readonly p1: number;
  readonly p2: number;
  readonly k3: number;
}

export const noDistortion: Distortion = { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 };

/** Layout of what `LensDistortion.distort` writes: the point, then its symmetric Jacobian. */
const DistortedPoint = { x: 0, y: 1, xx: 2, xy: 3, yy: 4, length: 5 } as const;

/** Newton's method ends when a step is below this, in units of the focal length: a billionth of a pixel. */
const STEP_TOLERANCE = 1e-13;
const MAX_STEPS = 30;
/** A step that would leave the region where the model is invertible ends this far inside its border. */
const BORDER_FRACTION = 0.98;
/** Squared radii searched for the border: up to 84° off the axis. */
const MAX_SEARCHED = 100;
const SEARCH_STEPS = 20_000;

/**
 * The lens model, forward and inverse:
 *
 *   x_d = x·f + 2·p1·x·y + p2·(s + 2x²),   y_d = y·f + p1·(s + 2y²) + 2·p2·x·y,
 *   s = x² + y²,   f = 1 + k1·s + k2·s² + k3·s³.
 *
 * Strong polynomials fold back: beyond some radius the image moves inwards again. There the model says nothing about the
 * real lens, so both directions refuse points outside `maxSquaredRadius`, and points where the Jacobian is not positive
 * definite.
 */
export class LensDistortion {
  readonly coefficients: Distortion;
  /** Whether all coefficients are zero. */
  readonly isNone: boolean;
  /** s where the radial part x·f has its first maximum; Infinity if it has none. */
  readonly maxSquaredRadius: number;
  readonly #k1: number;
  readonly #k2: number;
  readonly #k3: number;
  readonly #p1: number;
  readonly #p2: number;
  readonly #image = new Float64Array(DistortedPoint.length);

  constructor(coefficients: Distortion) {
    const { k1, k2, p1, p2, k3 } = coefficients;
    this.coefficients = { k1, k2, p1, p2, k3 };
    this.isNone = k1 === 0 && k2 === 0 && p1 === 0 && p2 === 0 && k3 === 0;
    this.maxSquaredRadius = firstRadialMaximum(coefficients);
    this.#k1 = k1;
    this.#k2 = k2;
    this.#k3 = k3;
    this.#p1 = p1;
    this.#p2 = p2;
  }

  /** Where the lens puts the undistorted point (x, y), with the Jacobian. False where the model is not invertible. */
  distort(point: Float64Array, out: Float64Array): boolean {
    const x = point[0]!;
    const y = point[1]!;
    const p1 = this.#p1;
    const p2 = this.#p2;
    const s = x * x + y * y;
    const f = 1 + s * (this.#k1 + s * (this.#k2 + s * this.#k3));
    const g = 2 * (this.#k1 + s * (2 * this.#k2 + s * 3 * this.#k3));
    const xx = f + g * x * x + 2 * p1 * y + 6 * p2 * x;
    const xy = g * x * y + 2 * p1 * x + 2 * p2 * y;
    const yy = f + g * y * y + 6 * p1 * y + 2 * p2 * x;
    out[0] = x * f + 2 * p1 * x * y + p2 * (s + 2 * x * x);
    out[1] = y * f + p1 * (s + 2 * y * y) + 2 * p2 * x * y;
    out[2] = xx;
    out[3] = xy;
    out[4] = yy;
    return s < this.maxSquaredRadius && xx > 0 && xx * yy - xy * xy > 0;
  }

  /** The undistorted point of a distorted one, by Newton's method. `out` may be `point`. False if there is none. */
  undistort(point: Float64Array, out: Float64Array): boolean {
    const targetX = point[0]!;
    const targetY = point[1]!;
    out[0] = targetX;
    out[1] = targetY;
    if (this.isNone) return Number.isFinite(targetX) && Number.isFinite(targetY);
    const image = this.#image;
    for (let step = 0; step < MAX_STEPS; step++) {
      this.#pullInside(out);
      this.distort(out, image);
      const dx = targetX - image[0]!;
      const dy = targetY - image[1]!;
      const xx = image[2]!;
      const xy = image[3]!;
      const yy = image[4]!;
      const determinant = xx * yy - xy * xy;
      const stepX = (yy * dx - xy * dy) / determinant;
      const stepY = (xx * dy - xy * dx) / determinant;
      if (!(Math.abs(stepX) < MAX_SEARCHED && Math.abs(stepY) < MAX_SEARCHED)) return false;
      out[0] = out[0]! + stepX;
      out[1] = out[1]! + stepY;
      if (Math.abs(stepX) + Math.abs(stepY) < STEP_TOLERANCE) return this.distort(out, image);
    }
    return false;
  }

  #pullInside(point: Float64Array): void {
    const x = point[0]!;
    const y = point[1]!;
    const s = x * x + y * y;
    if (!(s >= this.maxSquaredRadius)) return;
    const scale = BORDER_FRACTION * Math.sqrt(this.maxSquaredRadius / s);
    point[0] = x * scale;
    point[1] = y * scale;
  }
}

/** The first zero of d(r·f)/dr = 1 + 3·k1·s + 5·k2·s² + 7·k3·s³. */
function firstRadialMaximum({ k1, k2, k3 }: Distortion): number {
  const slope = (s: number): number => 1 + s * (3 * k1 + s * (5 * k2 + s * 7 * k3));
  for (let i = 1; i <= SEARCH_STEPS; i++) {
    let high = (MAX_SEARCHED * i) / SEARCH_STEPS;
    if (slope(high) > 0) continue;
    let low = high - MAX_SEARCHED / SEARCH_STEPS;
    for (let bisection = 0; bisection < 60; bisection++) {
      const middle = (low + high) / 2;
      if (slope(middle) > 0) low = middle;
      else high = middle;
    }
    return low;
  }
  return Number.POSITIVE_INFINITY;
}
