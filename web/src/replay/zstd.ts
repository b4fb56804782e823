import wasmAddress from "@foxglove/wasm-zstd/dist/wasm-zstd.wasm?url";

/**
 * What the WebAssembly of `@foxglove/wasm-zstd` 1.0.1 exports. The package's own loader wants Node's `Buffer`; the names are
 * those its loader uses.
 */
interface ZstdExports {
  /** Memory. */
  readonly c: WebAssembly.Memory;
  /** Initialises. */
  readonly d: () => void;
  /** malloc, free. */
  readonly f: (size: number) => number;
  readonly g: (pointer: number) => void;
  /** decompress(destination, destinationSize, source, sourceSize): bytes written, or −1. */
  readonly j: (to: number, toSize: number, from: number, fromSize: number) => number;
}

const PAGE_BYTES = 65_536;

/** Decompresses one Zstandard frame of known size. */
export type Decompress = (bytes: Uint8Array, size: bigint) => Uint8Array;

let loading: Promise<Decompress> | null = null;

/** Loads the decompressor once. */
export function loadZstd(): Promise<Decompress> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Decompress> {
  const memory = (): WebAssembly.Memory => exports.c;
  const imports = {
    a: {
      a: (wanted: number): number => grow(memory(), wanted >>> 0),
      b: (to: number, from: number, count: number): void =>
        void new Uint8Array(memory().buffer).copyWithin(to >>> 0, from >>> 0, (from + count) >>> 0),
    },
  };
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasmAddress), imports);
  const exports = instance.exports as unknown as ZstdExports;
  exports.d();
  return (bytes, size) => decompress(exports, bytes, Number(size));
}

function grow(memory: WebAssembly.Memory, wanted: number): number {
  try {
    memory.grow(Math.max(0, Math.ceil((wanted - memory.buffer.byteLength) / PAGE_BYTES)));
    return 1;
  } catch {
    return 0;
  }
}

function decompress({ c, f: malloc, g: free, j: run }: ZstdExports, bytes: Uint8Array, size: number): Uint8Array {
  const from = malloc(bytes.length);
  const to = malloc(size);
  try {
    new Uint8Array(c.buffer).set(bytes, from);
    const written = run(to, size, from, bytes.length);
    if (written !== size) throw new RangeError(`a chunk is damaged: ${written} bytes instead of ${size}`);
    return new Uint8Array(c.buffer).slice(to, to + size);
  } finally {
    free(from);
    free(to);
  }
}
