import * as cholesky from "../math/cholesky.js";
import { type ColourImage, type ColourProjection, luma } from "./colour-projection.js";

const CHANNELS = 3;
/** Pixels nearer to a ball's centre than this part of its radius are the ball's: beyond, its outline is blurred. */
const INNER = 0.7;
/** Pixels beyond this part of the radius are background; what surrounds the ball, up to this part, counts in full. */
const OUTER = 1.5;
const SURROUNDINGS = 5;
/** Beyond the surroundings every so many pixels along rows and columns are taken. */
const FAR_STEP = 4;
/**
 * Standard deviation that the colours of a class are expected to have before any pixel is seen [gray], and the pixels
 * that this expectation counts for: a few clicks do not show how lamps and shadows change a colour.
 */
const EXPECTED_DEVIATION = 12;
const EXPECTATION_COUNT = 40;
/** How much brighter than the background the ball is in a learnt projection, in the mean, about the middle of the range [gray]. */
export const LEARNT_CONTRAST = 128;
const MIDDLE = 128;
/** Means that differ by less than so many deviations tell nothing apart. */
const LEAST_SEPARATION = 0.1;

/** Where a ball is in an image [px]. */
export interface LabelledBall {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

/** Mean and covariance of colours, sample by sample (Welford). */
class ColourMoments {
  count = 0;
  readonly mean = new Float64Array(CHANNELS);
  /** Sum of the products of deviations, 3 × 3. */
  readonly scatter = new Float64Array(CHANNELS * CHANNELS);
  readonly #before = new Float64Array(CHANNELS);

  add(red: number, green: number, blue: number): void {
    this.count++;
    const before = this.#before;
    before[0] = red - this.mean[0]!;
    before[1] = green - this.mean[1]!;
    before[2] = blue - this.mean[2]!;
    for (let i = 0; i < CHANNELS; i++) this.mean[i] = this.mean[i]! + before[i]! / this.count;
    const share = 1 - 1 / this.count;
    for (let i = 0; i < CHANNELS; i++) {
      for (let j = 0; j < CHANNELS; j++) {
        this.scatter[3 * i + j] = this.scatter[3 * i + j]! + share * before[i]! * before[j]!;
      }
    }
  }

  /** Adds half the covariance, drawn towards what is expected of any class, to the 3 × 3 matrix `out`. */
  addHalfCovariance(out: Float64Array): void {
    const perCount = 0.5 / (this.count + EXPECTATION_COUNT);
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + perCount * this.scatter[i]!;
    const expected = perCount * EXPECTATION_COUNT * EXPECTED_DEVIATION ** 2;
    for (let i = 0; i < out.length; i += CHANNELS + 1) out[i] = out[i]! + expected;
  }
}

/**
 * Learns from a few labelled frames the projection of colours that tells a ball from everything around it: Fisher's linear
 * discriminant w = S⁻¹ (μ_ball − μ_background), S being the mean covariance of the two classes.
 *
 * @example
 * const learner = new ColourDiscriminant();
 * learner.addFrame(frame, [{ u: 311, v: 204, r: 14 }]);
 * const projection = learner.projection();
 */
export class ColourDiscriminant {
  readonly #ball = new ColourMoments();
  readonly #background = new ColourMoments();

  /** Takes the pixels inside `balls` for the ball's, those clear of them for background. */
  addFrame(image: ColourImage, balls: readonly LabelledBall[]): void {
    for (let row = 0; row < image.height; row++) {
      for (let column = 0; column < image.width; column++) this.#addPixel(image, balls, column, row);
    }
  }

  /** The projection learnt so far; luma while nothing distinguishes ball and background. */
  projection(): ColourProjection {
    if (this.#ball.count === 0 || this.#background.count === 0) return luma;
    const within = new Float64Array(CHANNELS * CHANNELS);
    this.#ball.addHalfCovariance(within);
    this.#background.addHalfCovariance(within);
    const apart = this.#ball.mean.map((mean, i) => mean - this.#background.mean[i]!);
    const factor = new Float64Array(CHANNELS * CHANNELS);
    if (cholesky.factor(within, CHANNELS, factor) !== cholesky.MatrixStatus.ok) return luma;
    const weights = cholesky.solve(factor, apart, CHANNELS, new Float64Array(CHANNELS));
    // wᵀ S w = w · apart: the variance within the classes along w, which is the squared separation as well.
    const separation = dot(weights, apart);
    if (!(Math.sqrt(separation) >= LEAST_SEPARATION)) return luma;
    const gain = LEARNT_CONTRAST / separation;
    const middle = 0.5 * (dot(weights, this.#ball.mean) + dot(weights, this.#background.mean));
    const [red, green, blue] = weights.map((weight) => gain * weight) as unknown as [number, number, number];
    return { red, green, blue, offset: MIDDLE - gain * middle };
  }

  #addPixel({ pixels, width, order }: ColourImage, balls: readonly LabelledBall[], column: number, row: number): void {
    let nearest = Number.POSITIVE_INFINITY;
    for (const { u, v, r } of balls) nearest = Math.min(nearest, Math.hypot(column - u, row - v) / r);
    const isBall = nearest <= INNER;
    const isFar = nearest > SURROUNDINGS;
    if (!isBall && !(nearest >= OUTER)) return;
    if (isFar && (column % FAR_STEP !== 0 || row % FAR_STEP !== 0)) return;
    const at = (row * width + column) * order.length;
    const [first, green, third] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    const isRedFirst = order.startsWith("rgb");
    const moments = isBall ? this.#ball : this.#background;
    moments.add(isRedFirst ? first : third, green, isRedFirst ? third : first);
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
