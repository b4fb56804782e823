import { describe, expect, it } from "vitest";
import { pixelsOf } from "../../../src/camera/frames/frame-pixels.js";
import type { PixelFormat } from "../../../src/camera/frames/frame-stream.js";

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
});
