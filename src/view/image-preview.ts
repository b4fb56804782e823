import type { Image } from "../messages/sensing.js";
import type { ImagePacket } from "./pose-packet.js";

/** Widest preview [px]. */
const WIDEST = 400;

/** A smaller copy of an image, for people: every value the mean of a square of pixels. */
export function previewOf(image: Image): ImagePacket {
  const { camera, width, height, encoding = "mono8", pixels, windows, exposureNs } = image;
  const channels = encoding === "rgb8" ? 3 : 1;
  const factor = Math.max(1, Math.ceil(width / WIDEST));
  const small = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
  const out = new Uint8Array(channels * small.width * small.height);
  for (let y = 0, to = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const first = channels * (y * factor * width + x * factor);
      for (let c = 0; c < channels; c++) out[to++] = meanOf(pixels, first + c, factor, channels, channels * width);
    }
  }
  const scale = image.scale / factor;
  const shrunk = windows.map(({ u, v, halfSize }) => ({ u: scale * u, v: scale * v, halfSize: scale * halfSize }));
  return { camera, ...small, time: exposureNs / 1e9, encoding, pixels: out, windows: shrunk };
}

/** Mean over a square of `side` pixels, from the byte `first` on; `step` and `stride` are the bytes to the next column and row. */
function meanOf(pixels: Uint8Array, first: number, side: number, step: number, stride: number): number {
  let sum = 0;
  for (let dy = 0; dy < side; dy++) {
    for (let dx = 0; dx < side; dx++) sum += pixels[first + dy * stride + dx * step]!;
  }
  return sum / (side * side);
}
