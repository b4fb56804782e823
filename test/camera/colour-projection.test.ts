import { describe, expect, it } from "vitest";
import { type ColourImage, ColourProjector, luma } from "../../src/camera/colour-projection.js";
import { type ColorOrder, createImage, grayFromColor } from "../../src/camera/gray-image.js";
import { Random } from "../../src/math/random.js";

const [width, height] = [21, 14];

function randomImage(order: ColorOrder, seed: string): ColourImage {
  const random = new Random(seed);
  const pixels = Uint8Array.from({ length: width * height * order.length }, () => random.integer(256));
  return { width, height, order, pixels };
}

/** The projection by its definition: sharp brightness, and colours smoothed by 1 2 1 both ways; borders repeat. */
function reference(image: ColourImage, red: number, green: number, blue: number, offset: number): number[] {
  const sum = red + green + blue;
  const gray = grayFromColor(image.pixels, image.order, createImage(width, height)).pixels;
  const colour = (x: number, y: number): number => {
    const column = Math.max(0, Math.min(width - 1, x));
    const row = Math.max(0, Math.min(height - 1, y));
    const [r, g, b] = [...image.pixels.subarray(3 * (row * width + column), 3 * (row * width + column) + 3)];
    return (red - sum * luma.red) * r! + (green - sum * luma.green) * g! + (blue - sum * luma.blue) * b!;
  };
  return Array.from(gray, (value, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    let smooth = 0;
    for (let j = -1; j <= 1; j++) {
      for (let k = -1; k <= 1; k++) smooth += ((2 - j * j) * (2 - k * k) * colour(x + k, y + j)) / 16;
    }
    return Math.max(0, Math.min(255, sum * value + smooth + offset));
  });
}

describe("projection of colours", () => {
  it.each(["rgb", "bgr", "rgba", "bgra"] as const)("is luma with the weights of luma, in the order %s", (order) => {
    const image = randomImage(order, order);
    const gray = grayFromColor(image.pixels, order, createImage(width, height)).pixels;
    expect(new ColourProjector(width, height, luma).project(image).pixels).toEqual(gray);
  });

  it("weighs sharp brightness and smoothed colours", () => {
    const image = randomImage("rgb", "weights");
    const projection = { red: 0.9, green: 0.2, blue: -0.7, offset: 60 };
    const projected = new ColourProjector(width, height, projection).project(image).pixels;
    const expected = reference(image, 0.9, 0.2, -0.7, 60);
    for (const [i, value] of expected.entries()) expect(Math.abs(projected[i]! - value)).toBeLessThan(0.51);
  });

  it("has parts as they are in the whole image, on black", () => {
    const image = randomImage("rgb", "parts");
    const projection = { red: 0.9, green: 0.2, blue: -0.7, offset: 60 };
    const whole = new ColourProjector(width, height, projection).project(image).pixels;
    const parts = [
      { left: 3, top: 4, width: 6, height: 5 },
      { left: -2, top: 11, width: 5, height: 9 },
      { left: 17, top: -3, width: 30, height: 6 },
    ];
    const projector = new ColourProjector(width, height, projection);
    projector.project(randomImage("rgb", "another before"));
    const { pixels } = projector.projectParts(image, parts);
    for (let i = 0; i < pixels.length; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      const isIn = parts.some((p) => x >= p.left && x < p.left + p.width && y >= p.top && y < p.top + p.height);
      expect(pixels[i]).toBe(isIn ? whole[i] : 0);
    }
  });

  it("takes the same colours in any order of bytes", () => {
    const image = randomImage("rgb", "order");
    const swapped = image.pixels.slice();
    for (let k = 0; k < swapped.length; k += 3) {
      swapped[k] = image.pixels[k + 2]!;
      swapped[k + 2] = image.pixels[k]!;
    }
    const projection = { red: 1, green: 0, blue: -1, offset: 128 };
    const one = new ColourProjector(width, height, projection).project(image).pixels.slice();
    const other = new ColourProjector(width, height, projection).project({ ...image, order: "bgr", pixels: swapped });
    expect(other.pixels).toEqual(one);
  });
});
