import { type BayerPattern, createImage, grayFromBayer, grayFromColor } from "../gray-image.js";
import { type FrameShape, frameBytes, rowBytes } from "./frame-stream.js";

/** Pixels as messages carry them. */
export interface FramePixels {
  readonly encoding: "mono8" | "rgb8";
  readonly pixels: Uint8Array;
}

/** What of a frame is wanted: brightness, or colours where it has any. */
export type WantedColours = "gray" | "colour";

/** The pixels of a frame, in memory of their own. */
export function pixelsOf(shape: FrameShape, bytes: Uint8Array, wanted: WantedColours): FramePixels {
  const { format, width, height } = shape;
  const rows = bytes.length === frameBytes(shape, "packed") ? "packed" : "padded";
  const stride = rowBytes(format, width, rows);
  if (format === "gray8" || format === "nv12") return gray(everyByte(bytes, shape, stride, 1));
  if (format === "yuy2") return gray(everyByte(bytes, shape, stride, 2));
  const bytesOfPixel = format === "rgb" || format === "bgr" ? 3 : 1;
  const packed = withoutPadding(bytes, stride, bytesOfPixel * width, height);
  if (format !== "rgb" && format !== "bgr") {
    return gray(grayFromBayer(packed, format satisfies BayerPattern, createImage(width, height)).pixels);
  }
  if (wanted === "gray") return gray(grayFromColor(packed, format, createImage(width, height)).pixels);
  return { encoding: "rgb8", pixels: format === "rgb" ? packed.slice() : swapped(packed) };
}

function gray(pixels: Uint8Array): FramePixels {
  return { encoding: "mono8", pixels };
}

/** One byte of each `step`, row by row. */
function everyByte(bytes: Uint8Array, { width, height }: FrameShape, stride: number, step: number): Uint8Array {
  if (step === 1 && stride === width) return bytes.slice(0, width * height);
  const out = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = y * stride; x < width; x++, at += step) out[i++] = bytes[at]!;
  }
  return out;
}

function withoutPadding(bytes: Uint8Array, stride: number, row: number, height: number): Uint8Array {
  if (stride === row) return bytes;
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) out.set(bytes.subarray(y * stride, y * stride + row), y * row);
  return out;
}

function swapped(bgr: Uint8Array): Uint8Array {
  const out = new Uint8Array(bgr.length);
  for (let i = 0; i < bgr.length; i += 3) {
    out[i] = bgr[i + 2]!;
    out[i + 1] = bgr[i + 1]!;
    out[i + 2] = bgr[i]!;
  }
  return out;
}
