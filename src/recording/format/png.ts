import { constants, crc32, deflateSync, inflateSync } from "node:zlib";

/*
 * Gray and colour images as PNG, lossless. Each row is stored as the differences of neighbours, and these by Huffman codes and runs alone:
 * a camera's noise leaves nothing for a search of repetitions to find, which would take twice the time.
 */

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const IHDR_LENGTH = 13;
/** Bit depth 8, colour type, deflate, the usual filters, not interlaced. */
const formats = { mono8: [8, 0, 0, 0, 0], rgb8: [8, 2, 0, 0, 0] } as const;
type PixelEncoding = keyof typeof formats;
const bytesPerPixel = { mono8: 1, rgb8: 3 } as const;
const Filter = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

export interface PngPixels {
  readonly width: number;
  readonly height: number;
  /** Gray if left out. */
  readonly encoding?: PixelEncoding;
  /** Rows from top to bottom: gray values, or red, green and blue. */
  readonly pixels: Uint8Array;
}

export function encodePng({ width, height, encoding = "mono8", pixels }: PngPixels): Buffer {
  const header = Buffer.alloc(IHDR_LENGTH);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(formats[encoding], 8);
  const step = bytesPerPixel[encoding];
  const data = deflateSync(differences(step * width, height, pixels, step), { level: 1, strategy: constants.Z_RLE });
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

/** Of rows of `width` bytes, in which neighbours are `step` bytes apart. */
function differences(width: number, height: number, pixels: Uint8Array, step: number): Uint8Array {
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0, to = 0, from = 0; y < height; y++) {
    rows[to++] = Filter.sub;
    for (let x = 0; x < width; x++, from++) rows[to++] = pixels[from]! - (x >= step ? pixels[from - step]! : 0);
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** The pixels of an 8-bit PNG of the size and encoding given, however its rows are filtered; throws with the reason if it is none. */
export function decodePng(png: Uint8Array, width: number, height: number, encoding: PixelEncoding): Uint8Array {
  const { header, data } = chunksOf(png);
  const isAsked =
    header.length === IHDR_LENGTH && header.readUInt32BE(0) === width && header.readUInt32BE(4) === height;
  if (!isAsked || !formats[encoding].every((value, k) => header[8 + k] === value)) {
    throw new RangeError(`the image is not ${encoding} of ${width} × ${height}`);
  }
  const step = bytesPerPixel[encoding];
  return inflateRows(data, step * width, height, step);
}

/** Bytes of a pixel by the colour types of PNG: gray, RGB, gray and alpha, RGBA. */
const bytesByColour: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** Larger images are none that a camera made [px]. */
const LARGEST = 20_000;

/** Any PNG of 8 bits a channel, without palette and not interlaced; throws with the reason if it is none. */
export function decodeAnyPng(png: Uint8Array): PngPixels {
  const { header, data } = chunksOf(png);
  const [width, height] = header.length === IHDR_LENGTH ? [header.readUInt32BE(0), header.readUInt32BE(4)] : [0, 0];
  const bytes = bytesByColour[header[9] ?? -1];
  const isPlain = header[8] === 8 && header[12] === 0 && width > 0 && width <= LARGEST && height <= LARGEST;
  if (!isPlain || bytes === undefined) throw new RangeError("the PNG is not of 8 bits a channel, without palette");
  const pixels = inflateRows(data, bytes * width, height, bytes);
  if (bytes === 1) return { width, height, pixels };
  if (bytes === 3) return { width, height, encoding: "rgb8", pixels };
  if (bytes === 2) return { width, height, pixels: pixels.filter((_, k) => k % 2 === 0) };
  return { width, height, encoding: "rgb8", pixels: pixels.filter((_, k) => k % 4 !== 3) };
}

function chunksOf(png: Uint8Array): { readonly header: Buffer; readonly data: Buffer } {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new RangeError("the image is not PNG");
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let offset = SIGNATURE.length; offset + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(offset);
    const type = bytes.toString("latin1", offset + 4, offset + 8);
    const content = bytes.subarray(offset + 8, offset + 8 + length);
    if (type === "IHDR") header = content;
    if (type === "IDAT") data.push(content);
    offset += 12 + length;
  }
  return { header, data: Buffer.concat(data) };
}

/** Rows of `width` bytes, each with its filter before it; neighbours are `step` bytes apart. */
function inflateRows(data: Buffer, width: number, height: number, step = 1): Uint8Array {
  const size = (width + 1) * height;
  const rows = inflateSync(data, { maxOutputLength: Math.max(1, size) });
  if (rows.length !== size) throw new RangeError("the image has too few rows");
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (width + 1)]!;
    const to = y * width;
    for (let x = 0; x < width; x++) {
      const left = x >= step ? pixels[to + x - step]! : 0;
      const above = y > 0 ? pixels[to + x - width]! : 0;
      const corner = x >= step && y > 0 ? pixels[to + x - width - step]! : 0;
      pixels[to + x] = rows[y * (width + 1) + 1 + x]! + predicted(filter, left, above, corner);
    }
  }
  return pixels;
}

/** The filters of the PNG specification, section 9. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case Filter.none:
      return 0;
    case Filter.sub:
      return left;
    case Filter.up:
      return above;
    case Filter.average:
      return (left + above) >> 1;
    case Filter.paeth:
      return paeth(left, above, corner);
    default:
      throw new RangeError(`a row of the image has the unknown filter ${filter}`);
  }
}

function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
