import type { GrayImage } from "../../src/camera/gray-image.js";
import { quantiles } from "../../src/math/statistics.js";

/** A circle about a ball on an image [px]. */
export interface BallCircle {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

/** What the outline and the inside of one ball look like. */
export interface BallStatistics {
  /** Michelson contrast of what is just inside of the rim to what is just outside, of the whole rim. */
  readonly contrast: number;
  /** Share of the rim at which inside and outside differ the same way as on the whole. */
  readonly agreement: number;
  /** Magnitude of the gradient on the rim [gray values/px]. */
  readonly gradient: number;
  /** Width over which the rim changes: step divided by gradient [px]. */
  readonly edgeWidth: number;
  /** Standard deviation inside, as a part of the mean: shading, highlights and what is printed. */
  readonly spread: number;
}

/** Directions in which a rim is looked at. */
const DIRECTIONS = 48;
/** Inside and outside of the rim: so far from it, as a share of the radius, and at least [px]. */
const AWAY = 0.2;
const LEAST_AWAY = 1.5;
/** The inside is looked at up to this share of the radius. */
const INSIDE = 0.8;
/** Labels are loose: circles within these shares of the radius are tried, in steps of so many. */
const SHIFT = 0.2;
const STEPS = 4;

/** Statistics of a ball near a circle; null if it is not wholly on the image. */
export function ballStatistics(image: GrayImage, near: BallCircle): BallStatistics | null {
  const reach = near.r * (1 + SHIFT + 2 * AWAY) + 3;
  const isInside = near.u > reach && near.v > reach && near.u < image.width - reach && near.v < image.height - reach;
  if (!isInside) return null;
  return rimStatistics(image, refine(image, near));
}

/** The circle with the greatest mean step across its rim. */
export function refine(image: GrayImage, { u, v, r }: BallCircle): BallCircle {
  let [best, greatest] = [{ u, v, r }, -1];
  for (let i = -STEPS; i <= STEPS; i++) {
    for (let j = -STEPS; j <= STEPS; j++) {
      for (let k = -STEPS; k <= STEPS; k++) {
        const scale = (SHIFT * r) / STEPS;
        const circle = { u: u + i * scale, v: v + j * scale, r: r + k * scale };
        const step = Math.abs(meanStep(image, circle, 1.5));
        if (step > greatest) [best, greatest] = [circle, step];
      }
    }
  }
  return best;
}

function meanStep(image: GrayImage, { u, v, r }: BallCircle, away: number): number {
  let sum = 0;
  for (let n = 0; n < DIRECTIONS; n += 2) {
    const [x, y] = direction(n);
    sum +=
      sample(image, u + (r - away) * x, v + (r - away) * y) - sample(image, u + (r + away) * x, v + (r + away) * y);
  }
  return sum / (DIRECTIONS / 2);
}

function rimStatistics(image: GrayImage, { u, v, r }: BallCircle): BallStatistics {
  const away = Math.max(LEAST_AWAY, AWAY * r);
  const [steps, gradients]: [number[], number[]] = [[], []];
  let [inner, outer] = [0, 0];
  for (let n = 0; n < DIRECTIONS; n++) {
    const [x, y] = direction(n);
    const inside = sample(image, u + (r - away) * x, v + (r - away) * y);
    const outside = sample(image, u + (r + away) * x, v + (r + away) * y);
    inner += inside / DIRECTIONS;
    outer += outside / DIRECTIONS;
    steps.push(inside - outside);
    gradients.push(steepest(image, { u, v, r }, x, y));
  }
  const sign = Math.sign(inner - outer);
  const gradient = quantiles(gradients, [0.5])[0]!;
  const step = quantiles(steps.map(Math.abs), [0.5])[0]!;
  return {
    contrast: Math.abs(inner - outer) / Math.max(1, inner + outer),
    agreement: steps.filter((value) => Math.sign(value) === sign).length / DIRECTIONS,
    gradient,
    edgeWidth: gradient === 0 ? Number.NaN : step / gradient,
    spread: insideSpread(image, { u, v, r }),
  };
}

/** The greatest slope along a direction within two pixels of the rim [gray values/px]. */
function steepest(image: GrayImage, { u, v, r }: BallCircle, x: number, y: number): number {
  let greatest = 0;
  for (let shift = -2; shift <= 2; shift += 0.5) {
    const at = r + shift;
    const before = sample(image, u + (at - 0.5) * x, v + (at - 0.5) * y);
    const after = sample(image, u + (at + 0.5) * x, v + (at + 0.5) * y);
    greatest = Math.max(greatest, Math.abs(after - before));
  }
  return greatest;
}

function insideSpread({ pixels, width }: GrayImage, { u, v, r }: BallCircle): number {
  const reach = INSIDE * r;
  let [sum, squares, count] = [0, 0, 0];
  for (let row = Math.ceil(v - reach); row <= v + reach; row++) {
    for (let column = Math.ceil(u - reach); column <= u + reach; column++) {
      if (Math.hypot(column - u, row - v) > reach) continue;
      const value = pixels[row * width + column]!;
      sum += value;
      squares += value * value;
      count++;
    }
  }
  const mean = sum / count;
  return Math.sqrt(Math.max(0, squares / count - mean * mean)) / Math.max(1, mean);
}

function direction(n: number): readonly [number, number] {
  const angle = (2 * Math.PI * n) / DIRECTIONS;
  return [Math.cos(angle), Math.sin(angle)];
}

/** Gray value between pixels, bilinear. */
function sample({ pixels, width }: GrayImage, u: number, v: number): number {
  const [column, row] = [Math.floor(u), Math.floor(v)];
  const [a, b] = [u - column, v - row];
  const i = row * width + column;
  const upper = (1 - a) * pixels[i]! + a * pixels[i + 1]!;
  const lower = (1 - a) * pixels[i + width]! + a * pixels[i + width + 1]!;
  return (1 - b) * upper + b * lower;
}

/** Edge of the patches in which noise is measured [px]. */
const PATCH = 8;

/**
 * Standard deviation of the noise in patches whose mean is in a range [gray values]: of the calmest quarter of them, by the
 * differences that a plane does not have (Immerkær, 1996). NaN if there are too few.
 */
export function noiseSigma(images: readonly GrayImage[], [least, greatest]: readonly [number, number]): number {
  const sigmas: number[] = [];
  for (const { pixels, width, height } of images) {
    for (let top = 1; top + PATCH < height; top += PATCH) {
      for (let left = 1; left + PATCH < width; left += PATCH) {
        const { mean, sigma } = patchNoise(pixels, width, left, top);
        if (mean >= least && mean < greatest) sigmas.push(sigma);
      }
    }
  }
  return sigmas.length < 40 ? Number.NaN : quantiles(sigmas, [0.25])[0]!;
}

function patchNoise(pixels: Uint8Array, width: number, left: number, top: number) {
  let [sum, differences] = [0, 0];
  for (let row = top; row < top + PATCH; row++) {
    for (let column = left; column < left + PATCH; column++) {
      const i = row * width + column;
      const at = (shift: number): number => pixels[i + shift]!;
      const corners = at(-width - 1) + at(-width + 1) + at(width - 1) + at(width + 1);
      const sides = at(-width) + at(-1) + at(1) + at(width);
      sum += at(0);
      differences += (corners - 2 * sides + 4 * at(0)) ** 2;
    }
  }
  // The sum of the mask's squares is 36.
  return { mean: sum / PATCH ** 2, sigma: Math.sqrt(differences / (36 * PATCH ** 2)) };
}
