import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { FlycatcherError } from "../../../runtime/errors.js";
import type { PngPixels } from "../../format/png.js";
import { aviFrames, readAviHeader } from "./avi.js";
import { ByteReader } from "./byte-reader.js";
import { decodedStream } from "./decoder-process.js";
import { readY4mFrame, readY4mHeader, type WantedPixels } from "./y4m.js";

/** A video that is being read. */
export interface OpenVideo {
  /** Frames a second, as the file says; null: it does not. */
  readonly rateHz: number | null;
  /** Its frames, once; ends the reading, too, where it is not gone through to the end. */
  readonly frames: AsyncGenerator<PngPixels>;
}

/** Codecs of AVI files that are decoded here. */
const ownCodecs: readonly string[] = ["MJPG", "mjpg"];

/** Opens a video: Y4M and Motion JPEG (AVI) are read here, others by a program that is installed. */
export async function openVideo(path: string, wanted: WantedPixels): Promise<OpenVideo> {
  const file = await opened(path);
  const first = Buffer.alloc(10);
  await file.read(first, 0, first.length, 0);
  if (first.toString("latin1") === "YUV4MPEG2 ") {
    await file.close();
    return openStream(path, createReadStream(path), wanted);
  }
  const avi = await readAviHeader(file);
  if (avi !== null && ownCodecs.includes(avi.codec)) {
    return { rateHz: avi.rateHz, frames: closing(aviFrames(file, avi), path, () => file.close()) };
  }
  await file.close();
  return openStream(path, decodedStream(path), wanted);
}

async function openStream(path: string, chunks: AsyncIterable<Uint8Array>, wanted: WantedPixels): Promise<OpenVideo> {
  const reader = new ByteReader(chunks);
  try {
    const header = await readY4mHeader(reader);
    const frames = async function* (): AsyncGenerator<PngPixels> {
      for (;;) {
        const frame = await readY4mFrame(reader, header, wanted);
        if (frame === null) return;
        yield frame;
      }
    };
    return { rateHz: header.rateHz, frames: closing(frames(), path, () => reader.close()) };
  } catch (error) {
    await reader.close();
    throw unreadable(path, error);
  }
}

async function* closing(
  frames: AsyncGenerator<PngPixels>,
  path: string,
  close: () => Promise<void>,
): AsyncGenerator<PngPixels> {
  try {
    yield* frames;
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await close();
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): FlycatcherError {
  if (error instanceof FlycatcherError) return error;
  const found = error instanceof Error ? error.message : String(error);
  return new FlycatcherError("FLY_VIDEO", "the video cannot be read", { path, expected: "a video file", found });
}

/** Some columns of an image. */
export function columnsOf(picture: PngPixels, from: number, count: number): PngPixels {
  const { width, height, encoding = "mono8" } = picture;
  const step = encoding === "rgb8" ? 3 : 1;
  const pixels = new Uint8Array(step * count * height);
  for (let row = 0; row < height; row++) {
    const first = step * (row * width + from);
    pixels.set(picture.pixels.subarray(first, first + step * count), row * step * count);
  }
  return { width: count, height, encoding, pixels };
}
