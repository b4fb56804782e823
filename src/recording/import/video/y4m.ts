import { pixelKernels } from "../../../camera/frames/pixel-kernels.js";
import type { PngPixels } from "../../format/png.js";
import type { ByteReader } from "./byte-reader.js";

/*
 * YUV4MPEG2, which is raw: a line for the stream and a line for each frame, then the planes Y, U and V. Programs that decode any
 * video write it to a pipe.
 */

/** Longest line of a header [bytes]. */
const LONGEST_LINE = 4096;
/** Larger images are none that a camera made [px]. */
const LARGEST = 20_000;

/** How many pixels share a sample of colour, along columns and rows; null: there is no colour. */
const layouts: Readonly<Record<string, readonly [number, number] | null>> = {
  mono: null,
  "420": [2, 2],
  "420jpeg": [2, 2],
  "420paldv": [2, 2],
  "420mpeg2": [2, 2],
  "422": [2, 1],
  "444": [1, 1],
};

/** What the first line says. */
export interface Y4mHeader {
  readonly width: number;
  readonly height: number;
  /** Frames a second; null: unknown. */
  readonly rateHz: number | null;
  readonly chroma: readonly [number, number] | null;
  /** Whether gray values go from 0 to 255, else from 16 to 235. */
  readonly isFullRange: boolean;
}

/** Whether pixels come as brightness alone, or in colour where there is any. */
export type WantedPixels = "gray" | "colour";

/** Throws with the reason if the stream is none of 8-bit pixels. */
export async function readY4mHeader(reader: ByteReader): Promise<Y4mHeader> {
  const line = await reader.line(LONGEST_LINE);
  if (line === null || !line.startsWith("YUV4MPEG2 ")) throw new RangeError("not a YUV4MPEG2 stream");
  const words = line.split(" ").slice(1);
  const word = (letter: string): string | undefined => words.find((text) => text.startsWith(letter))?.slice(1);
  const [width, height] = [Number(word("W")), Number(word("H"))];
  if (!(Number.isInteger(width) && Number.isInteger(height) && Math.min(width, height) > 0)) {
    throw new RangeError("the stream does not say how large its images are");
  }
  if (Math.max(width, height) > LARGEST) throw new RangeError(`images of ${width} × ${height} are too large`);
  const chroma = layouts[word("C") ?? "420"];
  if (chroma === undefined) throw new RangeError(`pixels of the layout ${word("C")} are not supported`);
  const [frames, seconds] = (word("F") ?? "").split(":").map(Number);
  const rateHz = frames! > 0 && seconds! > 0 ? frames! / seconds! : null;
  return { width, height, rateHz, chroma, isFullRange: words.includes("XCOLORRANGE=FULL") };
}

/** The next frame; null at the stream's end. A frame that is cut off is the end. */
export async function readY4mFrame(
  reader: ByteReader,
  header: Y4mHeader,
  wanted: WantedPixels,
): Promise<PngPixels | null> {
  const line = await reader.line(LONGEST_LINE);
  if (line === null) return null;
  if (!line.startsWith("FRAME")) throw new RangeError("a frame of the stream does not begin with FRAME");
  const { width, height, chroma } = header;
  const pixels = width * height;
  const side = chroma === null ? 0 : Math.ceil(width / chroma[0]) * Math.ceil(height / chroma[1]);
  const planes = await reader.bytes(pixels + 2 * side);
  if (planes === null) return null;
  const size = { width, height };
  if (wanted === "gray" || chroma === null) return { ...size, pixels: grayOf(planes.subarray(0, pixels), header) };
  return { ...size, encoding: "rgb8", pixels: coloursOf(planes, header, chroma) };
}

/** Luma from 16 to 235 is stretched to 0 to 255. */
const stretched = Uint8ClampedArray.from({ length: 256 }, (_, y) => (255 / 219) * (y - 16));

function grayOf(luma: Uint8Array, { isFullRange }: Y4mHeader): Uint8Array {
  const pixels = luma.slice();
  if (!isFullRange) for (let i = 0; i < pixels.length; i++) pixels[i] = stretched[pixels[i]!]!;
  return pixels;
}

function coloursOf(planes: Uint8Array, header: Y4mHeader, [across, down]: readonly [number, number]): Uint8Array {
  const { width, height, isFullRange } = header;
  const stride = Math.ceil(width / across);
  const blues = width * height;
  const reds = blues + stride * Math.ceil(height / down);
  const kernels = pixelKernels();
  const target = kernels.load(planes, 3 * blues);
  const { coloursOfYuv } = kernels.functions;
  const [right, below] = [Math.log2(across), Math.log2(down)];
  const range = isFullRange ? 1 : 0;
  coloursOfYuv(0, width, 1, blues, reds, stride, 1, right, below, range, target, width, height);
  return kernels.take(target, 3 * blues);
}
