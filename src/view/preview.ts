import type { GrayImage } from "../camera/gray-image.js";
import type { ImagePacket } from "./pose-packet.js";

/** Widest preview [px]. */
const WIDEST = 400;

/** A smaller copy of an image, for people: every value the mean of a square of pixels. */
export function previewOf(
  { width, height, pixels }: GrayImage,
  camera: ImagePacket["camera"],
  time: number,
  windows: ImagePacket["windows"] = [],
): ImagePacket {
  const scale = Math.max(1, Math.ceil(width / WIDEST));
  const small = { width: Math.floor(width / scale), height: Math.floor(height / scale) };
  const out = new Uint8Array(small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      let sum = 0;
      for (let dy = 0; dy < scale; dy++) {
        const row = (y * scale + dy) * width + x * scale;
        for (let dx = 0; dx < scale; dx++) sum += pixels[row + dx]!;
      }
      out[y * small.width + x] = sum / (scale * scale);
    }
  }
  const shrunk = windows.map(({ u, v, halfSize }) => ({ u: u / scale, v: v / scale, halfSize: halfSize / scale }));
  return { camera, ...small, time, pixels: out, windows: shrunk };
}
