import { describe, expect, test } from "vitest";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import { Random } from "../../../src/math/random.js";
import { LevelImage } from "../../../src/tracking/circles/level-image.js";
import { OutlinePurity, PURITY_POINTS, UNSEEN_PURITY } from "../../../src/tracking/circles/outline-purity.js";
import { OutlineShape } from "../../../src/tracking/circles/outline-shape.js";
import { sampleImage } from "../../camera/images.js";
import { drawDiscs } from "./disc-image.js";

const circle = new OutlineShape(null);
const binomial = [1, 2, 1];

function levelOf(image: GrayImage): LevelImage {
  const level = new LevelImage(image.pixels);
  level.set(0, image.width, image.width, image.height);
  return level;
}

/** The definition: weighted regression of 9 samples about each point; purity is the part of the variance it explains. */
function referencePurity(image: GrayImage, u: number, v: number, r: number, noise: number): number {
  let sum = 0;
  for (let k = 0; k < PURITY_POINTS; k++) {
    const angle = (2 * Math.PI * k) / PURITY_POINTS;
    const normal = [Math.cos(angle), Math.sin(angle)] as const;
    const samples = [-1, 0, 1].flatMap((j) =>
      [-1, 0, 1].map((i) => ({
        along: i * normal[0] + j * normal[1],
        weight: (binomial[i + 1]! * binomial[j + 1]!) / 16,
        value: sampleImage(image, u + r * normal[0] + i, v + r * normal[1] + j),
      })),
    );
    const mean = samples.reduce((total, { weight, value }) => total + weight * value, 0);
    const variance = samples.reduce((total, { weight, value }) => total + weight * (value - mean) ** 2, 0);
    const covariance = samples.reduce((total, { weight, along, value }) => total + weight * along * (value - mean), 0);
    // The positions have variance ½ along any direction, so the radial slope is covariance / ½.
    sum += (0.5 * (covariance / 0.5) ** 2) / (variance + noise);
  }
  return sum / PURITY_POINTS;
}

describe("purity of an outline", () => {
  const purity = new OutlinePurity();

  test("is the share of the variance that a radial slope explains", () => {
    const random = new Random("purity");
    for (let round = 0; round < 50; round++) {
      const discs = [{ u: 20 + random.uniform(), v: 20 + random.uniform(), r: 6, contrast: 40 }];
      const image = drawDiscs({ width: 40, height: 40, background: 90, discs, noise: 5 }, random);
      const [u, v, r] = [random.uniformIn(15, 25), random.uniformIn(15, 25), random.uniformIn(3, 8)];
      const noise = random.uniformIn(0.1, 20);
      const score = purity.measure(levelOf(image), u, v, r, circle, noise);
      expect(score).toBeCloseTo(referencePurity(image, u, v, r, noise), 9);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  test("does not depend on contrast or brightness", () => {
    const [dark, bright] = [createImage(40, 40), createImage(40, 40)];
    const random = new Random("invariance");
    for (let i = 0; i < dark.pixels.length; i++) {
      dark.pixels[i] = 10 + random.integer(40);
      bright.pixels[i] = 4 * dark.pixels[i]! + 30;
    }
    const score = purity.measure(levelOf(dark), 19.3, 20.1, 6.2, circle, 0);
    expect(purity.measure(levelOf(bright), 19.3, 20.1, 6.2, circle, 0)).toBeCloseTo(score, 9);
  });

  test("is high along a disc's outline, low beside it, and that of clutter outside the image", () => {
    const discs = [{ u: 20, v: 20, r: 6, contrast: 30 }];
    const image = levelOf(drawDiscs({ width: 40, height: 40, background: 90, discs, noise: 1 }, new Random("disc")));
    expect(purity.measure(image, 20, 20, 6, circle, 2)).toBeGreaterThan(0.8);
    expect(purity.measure(image, 20, 20, 9, circle, 2)).toBeLessThan(0.2);
    expect(purity.measure(image, 26, 20, 6, circle, 2)).toBeLessThan(0.4);
    expect(purity.measure(image, -40, 20, 6, circle, 2)).toBeCloseTo(UNSEEN_PURITY, 12);
    expect(purity.visible).toBe(0);
  });
});
