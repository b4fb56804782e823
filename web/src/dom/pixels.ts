import type { ImagePacket } from "../../../src/view/pose-packet.js";

/** Gray or colour pixels on a canvas, which gets their size. */
export function paintPixels(
  canvas: HTMLCanvasElement,
  { width, height, encoding, pixels }: Pick<ImagePacket, "width" | "height" | "encoding" | "pixels">,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const image = context.createImageData(width, height);
  const step = encoding === "rgb8" ? 3 : 1;
  for (let k = 0, from = 0, to = 0; k < width * height; k++, from += step, to += 4) {
    image.data[to] = pixels[from]!;
    image.data[to + 1] = pixels[from + (step === 3 ? 1 : 0)]!;
    image.data[to + 2] = pixels[from + (step === 3 ? 2 : 0)]!;
    image.data[to + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
