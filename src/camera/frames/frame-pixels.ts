import type { BayerPattern } from "../gray-image.js";
import { type FrameLayout, type FrameShape, layoutOf } from "./frame-stream.js";
import { type PixelKernels, pixelKernels } from "./pixel-kernels.js";

/** Pixels as messages carry them. */
export interface FramePixels {
  readonly encoding: "mono8" | "rgb8";
  readonly pixels: Uint8Array;
}

/** What of a frame is wanted: brightness, or colours where it has any. */
export type WantedColours = "gray" | "colour";

/** The pixels of a frame, in memory of their own. */
export function pixelsOf(shape: FrameShape, bytes: Uint8Array, wanted: WantedColours): FramePixels {
  const layout = layoutOf(shape, bytes.length);
  const { format, width, height } = shape;
  if (format === "gray8" && layout.stride === width)
    return { encoding: "mono8", pixels: bytes.slice(0, width * height) };
  if (format === "rgb" && wanted === "colour" && layout.stride === 3 * width) {
    return { encoding: "rgb8", pixels: bytes.slice() };
  }
  const isColour = wanted === "colour" && format !== "gray8";
  const size = (isColour ? 3 : 1) * width * height;
  const kernels = pixelKernels();
  const target = kernels.load(bytes, size);
  if (isColour) writeColours(kernels, shape, layout, target);
  else writeGray(kernels, shape, layout, target);
  return { encoding: isColour ? "rgb8" : "mono8", pixels: kernels.take(target, size) };
}

function writeGray(
  { functions }: PixelKernels,
  { format, width, height }: FrameShape,
  { stride }: FrameLayout,
  target: number,
): void {
  switch (format) {
    case "gray8":
    case "nv12":
    case "i420":
      functions.packRows(0, stride, target, width, height);
      return;
    case "yuy2":
      functions.evenBytes(0, stride, target, width, height);
      return;
    case "rgb":
      functions.grayOfColours(0, stride, 0, 2, target, width, height);
      return;
    case "bgr":
      functions.grayOfColours(0, stride, 2, 0, target, width, height);
      return;
    default:
      functions.demosaic(0, stride, ...redOf(format), target, width, height, 0);
      return;
  }
}

function writeColours(
  { functions }: PixelKernels,
  { format, width, height }: FrameShape,
  { stride, chroma }: FrameLayout,
  target: number,
): void {
  switch (format) {
    case "gray8":
      return;
    case "rgb":
      functions.packRows(0, stride, target, 3 * width, height);
      return;
    case "bgr":
      functions.swapColours(0, stride, target, width, height);
      return;
    case "yuy2":
      functions.coloursOfYuv(0, stride, 2, 1, 3, stride, 4, 1, 0, 0, target, width, height);
      return;
    case "nv12":
    case "i420": {
      const { blues, reds, step, stride: chromaStride } = chroma!;
      functions.coloursOfYuv(0, stride, 1, blues, reds, chromaStride, step, 1, 1, 0, target, width, height);
      return;
    }
    default:
      functions.demosaic(0, stride, ...redOf(format), target, width, height, 1);
      return;
  }
}

/** Parities of column and row of the red pixels. */
function redOf(pattern: BayerPattern): [number, number] {
  const at = pattern.indexOf("r");
  return [at % 2, at >> 1];
}
