import { decode as decodeJpeg } from "jpeg-js";
import { decodeAnyPng, type PngPixels } from "../../format/png.js";

/** Endings of files of one picture. */
export const pictureEndings = [".png", ".jpg", ".jpeg", ".pgm", ".ppm"] as const;

/** Memory that a JPEG may take [MB]: one of 20 megapixels. */
const JPEG_MEMORY = 512;

/** A picture in PNG, JPEG, PGM or PPM, 8 bits a channel; throws with the reason if it is none. */
export function decodePicture(bytes: Uint8Array): PngPixels {
  if (bytes[0] === 0x89) return decodeAnyPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return decodeJpegPicture(bytes);
  if (bytes[0] === 0x50 && (bytes[1] === 0x35 || bytes[1] === 0x36)) return decodeNetpbm(bytes);
  throw new RangeError("neither PNG nor JPEG, PGM or PPM");
}

export function decodeJpegPicture(bytes: Uint8Array): PngPixels {
  const options = { useTArray: true, formatAsRGBA: false, maxMemoryUsageInMB: JPEG_MEMORY } as const;
  const { width, height, data } = decodeJpeg(bytes, options);
  return { width, height, encoding: "rgb8", pixels: data };
}

/** `P5` is gray, `P6` colour: words for width, height and the greatest value, a byte of white space, then the pixels. */
function decodeNetpbm(bytes: Uint8Array): PngPixels {
  const words: string[] = [];
  let at = 0;
  while (words.length < 4 && at < bytes.length) {
    const end = wordEnd(bytes, at);
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString("latin1");
    if (word.startsWith("#")) at = lineEnd(bytes, at);
    else {
      if (word !== "") words.push(word);
      at = end + 1;
    }
  }
  const [kind, width = 0, height = 0, greatest] = [words[0], ...words.slice(1).map(Number)];
  const size = (kind === "P6" ? 3 : 1) * width * height;
  if (greatest !== 255 || !(size > 0) || bytes.length - at < size) {
    throw new RangeError("the picture is cut off, or not of 8 bits a channel");
  }
  const pixels = bytes.slice(at, at + size);
  return kind === "P6" ? { width, height, encoding: "rgb8", pixels } : { width, height, pixels };
}

function wordEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! > 0x20) at++;
  return at;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(0x0a, from);
  return end < 0 ? bytes.length : end + 1;
}
