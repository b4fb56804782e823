import { compress, decompress, isLoaded } from "@foxglove/wasm-zstd";

/** The name of the compression in MCAP files. */
export const ZSTD = "zstd";

/**
 * Chunks of recordings are Zstandard frames. Level 1: a little larger than the usual 3, twice as fast, and the recorder
 * shares its machine with a robot.
 */
const LEVEL = 1;

/** Settles when `compressChunk` and `decompressChunk` can be used: the WebAssembly is compiled in the background. */
export async function loadZstd(): Promise<void> {
  await isLoaded;
}

/** `level` from 1, quickest, to 22, smallest. */
export function compressChunk(bytes: Uint8Array, level = LEVEL): Uint8Array {
  return compress(bytes, level);
}

/** Throws if the frame is damaged or holds more than `size` bytes. */
export function decompressChunk(bytes: Uint8Array, size: number): Uint8Array {
  return decompress(bytes, size);
}
