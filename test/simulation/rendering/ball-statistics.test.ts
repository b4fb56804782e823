import { describe, expect, it } from "vitest";
import { ballStatistics, noiseSigma, refine } from "../../../bench/real/ball-statistics.js";
import { measureRenderStatistics } from "../../../bench/real/render-statistics.js";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import { Random } from "../../../src/math/random.js";

/** A disc whose rim changes over `width` pixels, before a plain wall, with noise. */
function discImage(width: number, sigma: number): GrayImage {
  const image = createImage(160, 120);
  const random = new Random("disc");
  for (let i = 0; i < image.pixels.length; i++) {
    const away = Math.hypot((i % 160) - 80, Math.floor(i / 160) - 60) - 20;
    const inside = Math.min(1, Math.max(0, 0.5 - away / width));
    image.pixels[i] = Math.round(100 + 80 * inside + sigma * random.normal());
  }
  return image;
}

const context = { seed: 1, full: false, progress: () => undefined };

describe("statistics of balls on images", () => {
  it("finds contrast, gradient and width of a rim as they were drawn, from a loose label", () => {
    const label = { u: 82, v: 58, r: 22 };
    const found = refine(discImage(2, 0), label);
    expect(Math.hypot(found.u - 80, found.v - 60)).toBeLessThan(1.5);
    const statistics = ballStatistics(discImage(2, 0), label)!;
    expect(statistics.contrast).toBeCloseTo(80 / 280, 1);
    expect(statistics.agreement).toBe(1);
    expect(statistics.edgeWidth).toBeGreaterThan(1.5);
    expect(statistics.edgeWidth).toBeLessThan(2.5);
    expect(statistics.spread).toBeLessThan(0.02);
    expect(ballStatistics(discImage(5, 0), label)!.edgeWidth).toBeGreaterThan(3.5);
    expect(ballStatistics(discImage(2, 0), { u: 10, v: 60, r: 20 })).toBeNull();
  });

  it("finds the noise of calm patches", () => {
    const sigma = noiseSigma([discImage(2, 3)], [80, 120]);
    expect(sigma).toBeGreaterThan(2.3);
    expect(sigma).toBeLessThan(3.3);
    expect(noiseSigma([discImage(2, 3)], [230, 255])).toBeNaN();
  });

  it("measures nothing without photographs, and says so", () => {
    const told: string[] = [];
    expect(measureRenderStatistics({ ...context, progress: (text) => told.push(text) }, null)).toEqual({});
    expect(told[0]).toMatch(/^skipped/);
  });

  it("compares drawn discs with renderings of both kinds", () => {
    const image = discImage(2, 2);
    const photographs = Array.from({ length: 4 }, () => ({ image, balls: [{ u: 80, v: 60, r: 20 }] }));
    const metrics = measureRenderStatistics(context, photographs);
    expect(metrics.render_distance).toBeGreaterThan(0.1);
    expect(metrics.photo_rim_contrast_p50).toBeCloseTo(80 / 280, 1);
    expect(Object.values(metrics).filter((value) => !Number.isNaN(value)).length).toBeGreaterThan(25);
  });
});
