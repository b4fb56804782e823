import type { FileHandle } from "node:fs/promises";
import type { PngPixels } from "../../format/png.js";
import { decodeJpegPicture } from "./picture-file.js";

/*
 * Motion JPEG in AVI: a RIFF file whose list `movi` holds a JPEG for each frame. The index at its end is not needed.
 */

const CHUNK_HEADER = 8;
const LIST_HEADER = 12;
/** Longer header chunks are not read [bytes]. */
const LONGEST_HEADER = 65_536;

export interface AviHeader {
  /** Frames a second; null: unknown. */
  readonly rateHz: number | null;
  /** Four letters that name the codec of the video. */
  readonly codec: string;
  /** Where the frames begin in the file, and end. */
  readonly from: number;
  readonly until: number;
}

/** null if the file is no AVI. */
export async function readAviHeader(file: FileHandle): Promise<AviHeader | null> {
  const riff = await readAt(file, 0, LIST_HEADER);
  if (riff?.toString("latin1", 0, 4) !== "RIFF" || riff.toString("latin1", 8, 12) !== "AVI ") return null;
  let [at, rateHz, codec]: [number, number | null, string] = [LIST_HEADER, null, ""];
  for (;;) {
    const chunk = await readAt(file, at, LIST_HEADER);
    if (chunk === null) return null;
    const [name, size, kind] = [chunk.toString("latin1", 0, 4), chunk.readUInt32LE(4), chunk.toString("latin1", 8, 12)];
    if (name === "LIST" && kind === "movi") {
      return { rateHz, codec, from: at + LIST_HEADER, until: at + CHUNK_HEADER + size };
    }
    if (name === "LIST" && (kind === "hdrl" || kind === "strl")) {
      at += LIST_HEADER;
      continue;
    }
    if (size <= LONGEST_HEADER) {
      const body = await readAt(file, at + CHUNK_HEADER, size);
      if (name === "avih" && body !== null && body.readUInt32LE(0) > 0) rateHz = 1e6 / body.readUInt32LE(0);
      if (name === "strf" && codec === "" && body !== null && size >= 20) codec = body.toString("latin1", 16, 20);
    }
    at += CHUNK_HEADER + size + (size % 2);
  }
}

/** The frames of a Motion JPEG, one after the other. */
export async function* aviFrames(file: FileHandle, { from, until }: AviHeader): AsyncGenerator<PngPixels> {
  for (let at = from; at + CHUNK_HEADER <= until; ) {
    const head = await readAt(file, at, CHUNK_HEADER);
    if (head === null) return;
    const [name, size] = [head.toString("latin1", 0, 4), head.readUInt32LE(4)];
    if (name === "LIST") {
      at += LIST_HEADER;
      continue;
    }
    if (/^\d\dd[bc]$/.test(name) && size > 0) {
      const body = await readAt(file, at + CHUNK_HEADER, size);
      if (body === null) return;
      yield decodeJpegPicture(body);
    }
    at += CHUNK_HEADER + size + (size % 2);
  }
}

/** null where the file ends before. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytesRead === length ? bytes : null;
}
