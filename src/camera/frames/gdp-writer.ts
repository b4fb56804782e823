import type { FramePixels } from "./frame-pixels.js";
import { crc16 } from "./gdp-stream.js";

/** Bytes before the payload of each packet; see gdp-stream.ts. */
const HEADER = 62;
const Packet = { buffer: 1, caps: 2 } as const;
const NO_TIME = 2n ** 64n - 1n;

/** The packet that says what frames look like: comes before the first. */
export function gdpCaps(encoding: FramePixels["encoding"], width: number, height: number, rateHz: number): Buffer {
  const format = encoding === "mono8" ? "GRAY8" : "RGB";
  const rate = `${Math.round(1000 * rateHz)}/1000`;
  const size = `width=(int)${width}, height=(int)${height}`;
  const text = `video/x-raw, format=(string)${format}, ${size}, framerate=(fraction)${rate}\0`;
  return packet(Packet.caps, Buffer.from(text), NO_TIME);
}

/** A frame whose rows are padded to whole words of four bytes, as GStreamer's are. */
export function gdpFrame({ encoding, pixels }: FramePixels, width: number, stampNs: number): Buffer {
  const row = (encoding === "mono8" ? 1 : 3) * width;
  const stride = 4 * Math.ceil(row / 4);
  return packet(Packet.buffer, stride === row ? pixels : padded(pixels, row, stride), BigInt(Math.round(stampNs)));
}

function padded(pixels: Uint8Array, row: number, stride: number): Uint8Array {
  const height = pixels.length / row;
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) out.set(pixels.subarray(y * row, (y + 1) * row), y * stride);
  return out;
}

function packet(type: number, payload: Uint8Array, stamp: bigint): Buffer {
  const bytes = Buffer.alloc(HEADER + payload.length);
  bytes[0] = 1;
  bytes[2] = 1;
  bytes.writeUInt16BE(type, 4);
  bytes.writeUInt32BE(payload.length, 6);
  bytes.writeBigUInt64BE(stamp, 10);
  bytes.writeBigUInt64BE(NO_TIME, 18);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 58)), 58);
  bytes.set(payload, HEADER);
  return bytes;
}
