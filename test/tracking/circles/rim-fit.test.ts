import { describe, expect, test } from "vitest";
import { Random } from "../../../src/math/random.js";
import { LevelImage } from "../../../src/tracking/circles/level-image.js";
import { OutlineShape } from "../../../src/tracking/circles/outline-shape.js";
import { RimFit } from "../../../src/tracking/circles/rim-fit.js";
import { deep } from "../../support/deep.js";

const SIZE = 96;
const NOISE = 2;
const SUBSAMPLES = 5;

interface Sphere {
  readonly u: number;
  readonly v: number;
  readonly r: number;
  /** Gray values of a matt sphere: even, across, down, towards the camera. */
  readonly light: readonly [number, number, number, number];
  /** Motion during the exposure [px]. */
  readonly motion: readonly [number, number];
}

/** A matt sphere before a background with a slope and a dark bar, by brute force. */
function drawSphere(sphere: Sphere, background: number, random: Random): LevelImage {
  const pixels = new Uint8Array(SIZE * SIZE);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const behind = Math.abs(x - 20) < 2 ? 40 : background + 0.1 * (x - 48);
      let sum = 0;
      for (let n = 0; n < SUBSAMPLES ** 3; n++) sum += sampleSphere(sphere, x, y, n, behind);
      pixels[y * SIZE + x] = Math.round(sum / SUBSAMPLES ** 3 + NOISE * random.normal());
    }
  }
  const image = new LevelImage(pixels);
  image.set(0, SIZE, SIZE, SIZE);
  return image;
}

/** One of 5 × 5 places of a pixel at one of 5 moments. */
function sampleSphere({ u, v, r, light, motion }: Sphere, x: number, y: number, n: number, behind: number): number {
  const [i, j, k] = [n % SUBSAMPLES, Math.floor(n / SUBSAMPLES) % SUBSAMPLES, Math.floor(n / SUBSAMPLES ** 2)];
  const time = (k + 0.5) / SUBSAMPLES - 0.5;
  const dx = (x + (i + 0.5) / SUBSAMPLES - 0.5 - u - time * motion[0]) / r;
  const dy = (y + (j + 0.5) / SUBSAMPLES - 0.5 - v - time * motion[1]) / r;
  const squared = dx * dx + dy * dy;
  if (squared > 1) return behind;
  return light[0] + light[1] * dx + light[2] * dy + light[3] * Math.sqrt(1 - squared);
}

/** Root mean square errors of centre and radius over spheres of the light, from starts up to 1.5 px off. */
function errors(name: string, light: Sphere["light"], blur: number): { centre: number; radius: number } {
  const fit = new RimFit();
  const shape = new OutlineShape(null);
  const random = new Random(name);
  const rounds = deep(8, 100);
  let centre = 0;
  let radius = 0;
  for (let round = 0; round < rounds; round++) {
    const [u, v, r] = [random.uniformIn(44, 52), random.uniformIn(44, 52), random.uniformIn(12, 24)];
    const angle = random.uniformIn(0, Math.PI);
    const motion = [blur * Math.cos(angle), blur * Math.sin(angle)] as const;
    const image = drawSphere({ u, v, r, light, motion }, 120, random.fork(`noise ${round}`));
    const off = (): number => random.uniformIn(-1, 1);
    expect(fit.run(image, u + off(), v + off(), r + off(), shape, NOISE ** 2)).toBe(true);
    centre += (fit.u - u) ** 2 + (fit.v - v) ** 2;
    radius += (fit.r - r) ** 2;
  }
  return { centre: Math.sqrt(centre / rounds), radius: Math.sqrt(radius / rounds) };
}

describe("the fit of a ball's rim", () => {
  test("finds an evenly lit ball", () => {
    const { centre, radius } = errors("even", [170, 0, 0, 0], 0);
    expect(centre).toBeLessThan(0.06);
    expect(radius).toBeLessThan(0.05);
  });

  test("finds a shaded ball whose dark side has the gray of the background", () => {
    const { centre, radius } = errors("shaded", [140, 5, -30, 15], 0);
    expect(centre).toBeLessThan(0.15);
    expect(radius).toBeLessThan(0.12);
  });

  test("finds a ball blurred by its motion, moving or shaded", () => {
    const { centre, radius } = errors("blurred", [160, 10, -20, 10], 4);
    expect(centre).toBeLessThan(0.15);
    expect(radius).toBeLessThan(0.12);
  });

  test("says no where there is no image", () => {
    const image = new LevelImage(new Uint8Array(SIZE * SIZE));
    image.set(0, SIZE, SIZE, SIZE);
    const fit = new RimFit();
    expect(fit.run(image, 500, 48, 10, new OutlineShape(null), 4)).toBe(false);
    expect(fit.run(image, Number.NaN, 48, 10, new OutlineShape(null), 4)).toBe(false);
  });
});
