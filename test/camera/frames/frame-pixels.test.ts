import { describe, expect, it } from "vitest";
import { pixelsOf } from "../../../src/camera/frames/frame-pixels.js";
import type { PixelFormat } from "../../../src/camera/frames/frame-stream.js";
import { createImage, grayFromBayer, grayFromColor } from "../../../src/camera/gray-image.js";
import { Random } from "../../../src/math/random.js";

const [width, height] = [6, 4];

/** A picture whose brightness and colours are known at each pixel. */
const luma = (x: number, y: number) => 10 + 7 * x + 20 * y;

function frame(stride: number, rows: number, byteAt: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: stride * rows }, (_, i) => byteAt(i % stride, Math.floor(i / stride)));
}

function shape(format: PixelFormat) {
  return { format, width, height };
}

describe("pixelsOf", () => {
  const expected = frame(width, height, luma);

  it.each([
    ["gray8, packed", "gray8", frame(6, 4, luma)],
    ["gray8, padded", "gray8", frame(8, 4, (x, y) => (x < 6 ? luma(x, y) : 255))],
    ["yuy2", "yuy2", frame(12, 4, (x, y) => (x % 2 === 0 ? luma(x / 2, y) : 128))],
    ["nv12, packed", "nv12", frame(6, 6, (x, y) => (y < 4 ? luma(x, y) : 128))],
    ["nv12, padded", "nv12", frame(8, 6, (x, y) => (y < 4 && x < 6 ? luma(x, y) : 128))],
    ["i420, padded", "i420", frame(8, 7, (x, y) => (y < 4 && x < 6 ? luma(x, y) : 128)).subarray(0, 32 + 2 * 2 * 4)],
    ["rgb of gray", "rgb", frame(18, 4, (x, y) => luma(Math.floor(x / 3), y))],
  ] as const)("takes brightness out of %s", (_, format, bytes) => {
    expect(pixelsOf(shape(format), bytes, "gray")).toEqual({ encoding: "mono8", pixels: expected });
  });

  it("keeps colours where they are wanted, in the order red, green, blue", () => {
    const bgr = frame(20, 4, (x, y) => (x < 18 ? 10 * Math.floor(x / 3) + (x % 3) + y : 0));
    const { encoding, pixels } = pixelsOf(shape("bgr"), bgr, "colour");
    expect(encoding).toBe("rgb8");
    expect([...pixels.subarray(0, 6)]).toEqual([2, 1, 0, 12, 11, 10]);
    expect(pixels).toHaveLength(72);
  });

  it.each(["rggb", "grbg", "gbrg", "bggr"] as const)("has the brightness of an even surface in %s", (pattern) => {
    const bytes = frame(8, 4, (x) => (x < 6 ? 90 : 0));
    expect(pixelsOf(shape(pattern), bytes, "colour").pixels.every((value) => value === 90)).toBe(true);
  });

  it.each(["rggb", "grbg", "gbrg", "bggr"] as const)("agrees with the plain conversion of %s", (pattern) => {
    const random = new Random(pattern);
    const bytes = Uint8Array.from({ length: 14 * 10 }, () => 256 * random.uniform());
    const seen = { format: pattern, width: 14, height: 10 };
    const plain = grayFromBayer(bytes, pattern, createImage(14, 10)).pixels;
    expect(pixelsOf(seen, bytes, "gray").pixels).toEqual(plain);
    // The luma of interpolated colours is the interpolated luma, but for rounding.
    const colours = pixelsOf(seen, bytes, "colour").pixels;
    const luma = grayFromColor(colours, "rgb", createImage(14, 10)).pixels;
    for (const [k, value] of luma.entries()) expect(Math.abs(value - plain[k]!)).toBeLessThanOrEqual(1);
  });

  it.each(["rgb", "bgr"] as const)("agrees with the plain conversion of %s", (format) => {
    const random = new Random(format);
    const bytes = Uint8Array.from({ length: 3 * 8 * 5 }, () => 256 * random.uniform());
    const plain = grayFromColor(bytes, format, createImage(8, 5)).pixels;
    expect(pixelsOf({ format, width: 8, height: 5 }, bytes, "gray").pixels).toEqual(plain);
  });

  it("takes 8-bit colours out of YUY2, NV12 and I420", () => {
    // Two columns of colour: red, then blue, by BT.601 with values from 16 to 240.
    const [red, blue] = [
      { y: 81, u: 90, v: 240 },
      { y: 41, u: 240, v: 110 },
    ];
    const at = (x: number) => (x < 2 ? red : blue);
    const luma4 = Array.from({ length: 16 }, (_, i) => at(i % 4).y);
    const layouts = {
      yuy2: Array.from({ length: 4 }, () => [red.y, red.u, red.y, red.v, blue.y, blue.u, blue.y, blue.v]).flat(),
      nv12: [...luma4, ...[0, 1].flatMap(() => [red.u, red.v, blue.u, blue.v])],
      i420: [...luma4, ...[0, 1].flatMap(() => [red.u, blue.u]), ...[0, 1].flatMap(() => [red.v, blue.v])],
    };
    for (const [format, bytes] of Object.entries(layouts)) {
      const shown = { format: format as PixelFormat, width: 4, height: 4 };
      const { encoding, pixels } = pixelsOf(shown, Uint8Array.from(bytes), "colour");
      expect(encoding).toBe("rgb8");
      for (const [x, wanted] of [
        [0, [254, 0, 0]],
        [3, [0, 0, 255]],
      ] as const) {
        for (const [k, value] of wanted.entries()) expect(Math.abs(pixels[3 * x + k]! - value)).toBeLessThanOrEqual(2);
      }
    }
  });
});
