import {
  ByteBuffer,
  type FrameShape,
  type FrameStream,
  frameBytes,
  LARGEST_SIDE,
  type PixelFormat,
  type StreamedFrame,
} from "./frame-stream.js";

/*
 * GStreamer's data protocol, as the element `gdppay` writes it: packets with a header of 62 bytes, big endian. Caps say what the
 * frames are; buffers are frames with their time stamps.
 */
const HEADER = 62;
const Packet = { buffer: 1, caps: 2 } as const;
const Flag = { headerCrc: 1, payloadCrc: 2 } as const;
/** Of a frame without a time stamp. */
const NO_TIME = 2n ** 64n - 1n;
/** Longest payload that is no frame [bytes]. */
const LONGEST_WORDS = 1 << 16;

/** Names of pixel formats in caps. */
const formats: Readonly<Record<string, PixelFormat>> = {
  ...{ GRAY8: "gray8", RGB: "rgb", BGR: "bgr", YUY2: "yuy2", NV12: "nv12", I420: "i420" },
  ...{ rggb: "rggb", grbg: "grbg", gbrg: "gbrg", bggr: "bggr" },
};

/** A stream of frames in GStreamer's data protocol. */
export class GdpFrameStream implements FrameStream {
  shape: FrameShape | null = null;
  readonly #buffer = new ByteBuffer();

  push(bytes: Uint8Array): void {
    this.#buffer.push(bytes);
  }

  next(): StreamedFrame | null {
    for (;;) {
      const head = this.#buffer.peek(HEADER);
      if (head === null) return null;
      const view = new DataView(head.buffer, head.byteOffset, HEADER);
      const length = this.#checkHeader(view, head);
      if (this.#buffer.length < HEADER + length) return null;
      const type = view.getUint16(4);
      const stamp = view.getBigUint64(10);
      const crc = (head[2]! & Flag.payloadCrc) === 0 ? null : view.getUint16(60);
      this.#buffer.take(HEADER);
      const payload = this.#buffer.take(length)!;
      if (crc !== null && crc16(payload) !== crc) throw new RangeError("the checksum of a packet is wrong");
      if (type === Packet.caps) this.shape = readCaps(payload);
      if (type === Packet.buffer) return this.#frame(payload, stamp);
    }
  }

  /** The payload's length. */
  #checkHeader(view: DataView, head: Uint8Array): number {
    if (view.getUint8(0) !== 1 || view.getUint8(1) !== 0) throw new RangeError("not a stream of GDP 1.0");
    if ((head[2]! & Flag.headerCrc) !== 0 && crc16(head.subarray(0, 58)) !== view.getUint16(58)) {
      throw new RangeError("the checksum of a header is wrong");
    }
    const length = view.getUint32(6);
    const isFrame = view.getUint16(4) === Packet.buffer;
    const longest = isFrame && this.shape !== null ? frameBytes(this.shape, "padded") : LONGEST_WORDS;
    if (length > longest) throw new RangeError(`a packet of ${length} bytes, at most ${longest} were expected`);
    return length;
  }

  #frame(bytes: Uint8Array, stamp: bigint): StreamedFrame {
    if (this.shape === null) throw new RangeError("a frame comes before the caps");
    const expected = frameBytes(this.shape, "padded");
    if (bytes.length !== expected) throw new RangeError(`a frame has ${bytes.length} bytes instead of ${expected}`);
    return { stampNs: stamp === NO_TIME ? null : Number(stamp), bytes };
  }
}

/** `video/x-raw, format=(string)GRAY8, width=(int)800, height=(int)600, …`, ended by a zero byte. */
function readCaps(payload: Uint8Array): FrameShape {
  const text = Buffer.from(payload).toString("latin1").replace(/\0.*$/s, "");
  const word = (name: string) => new RegExp(`[ ,]${name}=(?:\\([a-z]+\\))?([A-Za-z0-9]+)`).exec(text)?.[1] ?? "";
  const isVideo = /^video\/x-(raw|bayer)\b/.test(text);
  const format = Object.hasOwn(formats, word("format")) ? formats[word("format")] : undefined;
  if (!isVideo || format === undefined) {
    const known = Object.keys(formats).join(", ");
    throw new RangeError(`pixels of ${text.slice(0, 80)} are not supported; known formats are ${known}`);
  }
  const [width, height] = [Number(word("width")), Number(word("height"))];
  const isSize = (side: number) => Number.isInteger(side) && side > 0 && side <= LARGEST_SIDE;
  if (!isSize(width) || !isSize(height)) throw new RangeError(`images of ${word("width")} × ${word("height")}`);
  return { format, width, height };
}

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  return crc;
});

/** The checksum of the protocol: polynomial 0x1021, start 0xFFFF, inverted. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) crc = ((crc << 8) ^ crcTable[(crc >> 8) ^ byte]!) & 0xffff;
  return ~crc & 0xffff;
}
