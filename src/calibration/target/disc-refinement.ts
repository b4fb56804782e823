import type { GrayImage } from "../../camera/gray-image.js";
import type { FoundDisc } from "./disc-finder.js";

/** Ellipses about a disc, in its radii: within the first all is dark, but for a hole; between the last two all is light. */
const CORE = 0.55;
const HOLE_END = 0.75;
const LIGHT = [1.38, 1.52] as const;
/** Least step from the disc to what is around it [gray values]. */
const CONTRAST = 30;
/** Samples of the light ring, and how many of them may be dark. */
const SAMPLES = 32;
const MOST_DARK = 2;
const ROUNDS = 2;

/**
 * The centre of a disc's darkness, over the disc and its blurred rim. Blur does not move it, and neither do pixels; noise does, and
 * by its covariance alone, since nothing is cut off.
 */
export class DiscRefinement {
  readonly #light = new Float64Array(SAMPLES);

  /** False if there is no light ground all around. */
  refine(image: GrayImage, disc: FoundDisc): boolean {
    for (let round = 0; round < ROUNDS; round++) {
      const light = this.#ground(image, disc);
      const dark = darkness(image, disc);
      if (!(light - dark > CONTRAST) || !this.#isRinged(light, dark)) return false;
      centre(image, disc, light, dark);
    }
    return true;
  }

  /** Mean brightness of the ring around; NaN where it leaves the image. */
  #ground(image: GrayImage, disc: FoundDisc): number {
    const { width, height, pixels } = image;
    // Half axes are twice the square root of the covariance: its factor L maps the unit circle.
    const a = 2 * Math.sqrt(disc.uu);
    const b = (4 * disc.uv) / a;
    const c = 2 * Math.sqrt(disc.vv - (disc.uv * disc.uv) / disc.uu);
    let sum = 0;
    for (let k = 0; k < SAMPLES; k++) {
      const angle = (2 * Math.PI * k) / SAMPLES;
      const reach = LIGHT[k % 2]!;
      const [x, y] = [reach * Math.cos(angle), reach * Math.sin(angle)];
      const column = Math.round(disc.u + a * x);
      const row = Math.round(disc.v + b * x + c * y);
      if (!(column >= 0 && row >= 0 && column < width && row < height)) return Number.NaN;
      this.#light[k] = pixels[row * width + column]!;
      sum += this.#light[k]!;
    }
    return sum / SAMPLES;
  }

  #isRinged(light: number, dark: number): boolean {
    let count = 0;
    for (const value of this.#light) if (value < 0.5 * (light + dark)) count++;
    return count <= MOST_DARK;
  }
}

/** Squared distance from the centre, in radii of the disc. */
function squaredRadii({ u, v, uu, uv, vv }: FoundDisc, x: number, y: number): number {
  const [dx, dy] = [x - u, y - v];
  return (0.25 * (vv * dx * dx - 2 * uv * dx * dy + uu * dy * dy)) / (uu * vv - uv * uv);
}

/** Mean brightness of the disc, without its rim and its hole. */
function darkness({ width, pixels }: GrayImage, disc: FoundDisc): number {
  const [left, right, top, bottom] = boxOf(disc, 1);
  const [from, to] = disc.isMarked ? [HOLE_END, HOLE_END + 0.12] : [0, CORE];
  let [sum, count] = [0, 0];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const s = squaredRadii(disc, x, y);
      if (s < from * from || s > to * to) continue;
      sum += pixels[y * width + x]!;
      count++;
    }
  }
  return count === 0 ? Number.NaN : sum / count;
}

function centre({ width, height, pixels }: GrayImage, disc: FoundDisc, light: number, dark: number): void {
  const [left, right, top, bottom] = boxOf(disc, LIGHT[0]);
  let [sum, u, v] = [0, 0, 0];
  for (let y = Math.max(0, top); y <= Math.min(height - 1, bottom); y++) {
    for (let x = Math.max(0, left); x <= Math.min(width - 1, right); x++) {
      const s = squaredRadii(disc, x, y);
      if (s > LIGHT[0] * LIGHT[0]) continue;
      const isHole = disc.isMarked && s < HOLE_END * HOLE_END;
      const weight = isHole ? 1 : (light - pixels[y * width + x]!) / (light - dark);
      sum += weight;
      u += weight * x;
      v += weight * y;
    }
  }
  disc.u = u / sum;
  disc.v = v / sum;
}

function boxOf({ u, v, uu, vv }: FoundDisc, reach: number): [number, number, number, number] {
  const [a, b] = [2 * reach * Math.sqrt(uu), 2 * reach * Math.sqrt(vv)];
  return [Math.floor(u - a), Math.ceil(u + a), Math.floor(v - b), Math.ceil(v + b)];
}
