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

export const pixelFormats = ["gray8", "rgb", "bgr", "yuy2", "nv12", "i420", "rggb", "grbg", "gbrg", "bggr"] as const;
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

/** Where the bytes of a frame are. */
export interface FrameLayout {
  /** From a row of pixels, or of their brightness, to the next. */
  readonly stride: number;
  /** Of all. */
  readonly bytes: number;
  /** Where samples of colour begin, if they have planes of their own; how far apart samples and rows of them are. */
  readonly chroma: {
    readonly blues: number;
    readonly reds: number;
    readonly step: number;
    readonly stride: number;
  } | null;
}

/** Bytes of a frame; rows are packed, or padded to whole words of four bytes, as GStreamer does. */
export function frameBytes(shape: FrameShape, rows: "packed" | "padded"): number {
  return frameLayout(shape, rows).bytes;
}

/** The layout of a frame of so many bytes. */
export function layoutOf(shape: FrameShape, bytes: number): FrameLayout {
  const packed = frameLayout(shape, "packed");
  return packed.bytes === bytes ? packed : frameLayout(shape, "padded");
}

function frameLayout({ format, width, height }: FrameShape, rows: "packed" | "padded"): FrameLayout {
  const padded = (bytes: number) => (rows === "padded" ? 4 * Math.ceil(bytes / 4) : bytes);
  const stride = padded(bytesOfRow(format, width));
  if (format !== "nv12" && format !== "i420") return { stride, bytes: stride * height, chroma: null };
  const [columns, lines] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const blues = stride * (rows === "padded" ? 2 * lines : height);
  if (format === "nv12") {
    const chroma = padded(2 * columns);
    return { stride, bytes: blues + chroma * lines, chroma: { blues, reds: blues + 1, step: 2, stride: chroma } };
  }
  const chroma = padded(columns);
  const reds = blues + chroma * lines;
  return { stride, bytes: reds + chroma * lines, chroma: { blues, reds, step: 1, stride: chroma } };
}

function bytesOfRow(format: PixelFormat, width: number): number {
  if (format === "rgb" || format === "bgr") return 3 * width;
  return format === "yuy2" ? 4 * Math.ceil(width / 2) : width;
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
