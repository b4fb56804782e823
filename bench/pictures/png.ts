import { crc32, deflateSync } from "node:zlib";

/** Just enough PNG for the pictures of the documentation: 8 bits a channel, rows without padding. */
export function encodePng(width: number, height: number, channels: 1 | 3, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 1 ? 0 : 2, 0, 0, 0], 8);
  const stride = width * channels;
  const filtered = Buffer.alloc(height * (stride + 1));
  for (let row = 0; row < height; row++)
    filterRow(pixels, row * stride, stride, channels, filtered, row * (stride + 1));
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const body = deflateSync(filtered, { level: 9 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", body), chunk("IEND", Buffer.alloc(0))]);
}

/** Filter 2, the difference to the row above; 1, to the left, in the first row. */
function filterRow(pixels: Uint8Array, from: number, stride: number, channels: number, out: Buffer, to: number): void {
  out[to] = from === 0 ? 1 : 2;
  for (let i = 0; i < stride; i++) {
    const before = from === 0 ? (i < channels ? 0 : pixels[i - channels]!) : pixels[from + i - stride]!;
    out[to + 1 + i] = pixels[from + i]! - before;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
