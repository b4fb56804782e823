import type { ImagePacket } from "../../../src/view/pose-packet.js";
import type { MarkedPixels } from "../connection/live-actions.js";

/** Where a person has marked a ball in an image [px]. */
export interface BallMark {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

/** Radius of a ball that was clicked, not drawn [px], and the least that can be drawn. */
const CLICKED_RADIUS = 6;
const LEAST_RADIUS = 2;
/** Background that is sent around a mark where an image is new only in windows: at least so many radii. */
const LEAST_AROUND = 2;

/** A mark from where the pointer went down, the ball's middle, to where it was let go, its rim. */
export function markBetween(from: readonly [number, number], to: readonly [number, number]): BallMark {
  const reach = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return { u: from[0], v: from[1], r: reach < LEAST_RADIUS ? CLICKED_RADIUS : reach };
}

/** The marked image as it is sent: only its new part, where it is new only in windows. */
export function marked(image: ImagePacket, mark: BallMark): MarkedPixels {
  const { left, top, right, bottom } = newPart(image, mark);
  const [width, height] = [right - left, bottom - top];
  const pixels = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * image.width + left);
    pixels.set(image.pixels.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { width, height, pixels: toBase64(pixels), balls: [{ u: mark.u - left, v: mark.v - top, r: mark.r }] };
}

function newPart({ width, height, windows }: ImagePacket, { u, v, r }: BallMark) {
  const around = windows.find(
    (square) => Math.abs(square.u - u) <= square.halfSize && Math.abs(square.v - v) <= square.halfSize,
  );
  if (around === undefined) return { left: 0, top: 0, right: width, bottom: height };
  const half = Math.max(around.halfSize, LEAST_AROUND * r);
  return {
    left: Math.max(0, Math.floor(around.u - half)),
    top: Math.max(0, Math.floor(around.v - half)),
    right: Math.min(width, Math.ceil(around.u + half) + 1),
    bottom: Math.min(height, Math.ceil(around.v + half) + 1),
  };
}

/** Characters are made of so many bytes at a time. */
const BLOCK = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BLOCK) text += String.fromCharCode(...bytes.subarray(at, at + BLOCK));
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
