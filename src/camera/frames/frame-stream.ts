/** One frame as it came out of a stream of frames. */
export interface StreamedFrame {
  /** When it was taken by the source's clock [ns]; null: the stream does not say. */
  readonly stampNs: number | null;
  /** Rows as they came, padding included; valid until the next call of `next`. */
  readonly bytes: Uint8Array;
}

/** What a stream says of its frames. */
export interface FrameShape {
  readonly format: PixelFormat;
  readonly width: number;
  readonly height: number;
}

export const pixelFormats = ["gray8", "rgb", "bgr", "yuy2", "nv12", "rggb", "grbg", "gbrg", "bggr"] as const;
/** How the bytes of a frame are laid out; the last four are Bayer patterns of one byte a pixel. */
export type PixelFormat = (typeof pixelFormats)[number];

/** Cuts bytes, as they come out of a pipe in whatever pieces, into frames. Throws a `RangeError` where a stream is torn. */
export interface FrameStream {
  /** Null until the stream has said it. */
  readonly shape: FrameShape | null;
  push(bytes: Uint8Array): void;
  /** The next whole frame; null if it has not come yet. */
  next(): StreamedFrame | null;
}

/** Larger images are none that a camera made [px]. */
export const LARGEST_SIDE = 8192;

/** Frames of a known shape one after the other, without anything between them. */
export class RawFrameStream implements FrameStream {
  readonly shape: FrameShape;
  readonly #size: number;
  readonly #buffer = new ByteBuffer();

  constructor(shape: FrameShape) {
    this.shape = shape;
    this.#size = frameBytes(shape, "packed");
  }

  push(bytes: Uint8Array): void {
    this.#buffer.push(bytes);
  }

  next(): StreamedFrame | null {
    const bytes = this.#buffer.take(this.#size);
    return bytes === null ? null : { stampNs: null, bytes };
  }
}

/** Bytes of a frame; rows are packed, or padded to whole words of four bytes. */
export function frameBytes({ format, width, height }: FrameShape, rows: "packed" | "padded"): number {
  if (format === "nv12") return rowBytes(format, width, rows) * (height + Math.ceil(height / 2));
  return rowBytes(format, width, rows) * height;
}

/** Bytes of a row of pixels, or of their brightness where that is a plane of its own. */
export function rowBytes(format: PixelFormat, width: number, rows: "packed" | "padded"): number {
  const pixel = format === "rgb" || format === "bgr" ? 3 : format === "yuy2" ? 2 : 1;
  const bytes = format === "yuy2" ? 4 * Math.ceil(width / 2) : pixel * width;
  return rows === "padded" ? 4 * Math.ceil(bytes / 4) : bytes;
}

/** Bytes that have come and were not taken yet, in memory that is used again. */
export class ByteBuffer {
  #memory = new Uint8Array(1 << 16);
  #from = 0;
  #until = 0;

  get length(): number {
    return this.#until - this.#from;
  }

  push(bytes: Uint8Array): void {
    if (this.#until + bytes.length > this.#memory.length) this.#makeRoom(bytes.length);
    this.#memory.set(bytes, this.#until);
    this.#until += bytes.length;
  }

  #makeRoom(count: number): void {
    const old = this.#memory;
    const needed = this.length + count;
    // Memory that was handed out stays as it is until the next call of `take`, which comes after this.
    if (needed > old.length) this.#memory = new Uint8Array(2 * needed);
    this.#memory.set(old.subarray(this.#from, this.#until));
    this.#until = this.length;
    this.#from = 0;
  }

  /** The next `count` bytes without taking them, valid until more are pushed; null if there are not so many. */
  peek(count: number): Uint8Array | null {
    if (this.length < count) return null;
    return this.#memory.subarray(this.#from, this.#from + count);
  }

  /** The next `count` bytes, valid until more are pushed; null if there are not so many. */
  take(count: number): Uint8Array | null {
    const bytes = this.peek(count);
    if (bytes !== null) this.#from += count;
    return bytes;
  }
}
