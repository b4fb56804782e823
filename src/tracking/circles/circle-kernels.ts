import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FlycatcherError } from "../../runtime/errors.js";
import { packageRoot } from "../../runtime/package-root.js";

/** Directions into which the gradient is projected. */
export const DIRECTIONS = 8;
/** Samples of a circle's outline in the dense search. */
export const OUTLINE_SAMPLES = 16;
/** Pixels around an image within which outline samples may lie. */
export const PLANE_BORDER = 8;
/** The sum over an outline whose gradient is pure all along. */
export const FULL_SUM = 240;
/** Bytes that kernels may read or write beyond the end of a row. */
export const ROW_SLACK = 64;

/** The functions of kernels/circles.as; all pointers are bytes of the memory. */
export interface KernelFunctions {
  halve(
    source: number,
    sourceStride: number,
    target: number,
    targetStride: number,
    width: number,
    height: number,
  ): void;
  projectPurity(
    image: number,
    stride: number,
    width: number,
    height: number,
    noise: number,
    planes: number,
    planeStride: number,
    scratch: number,
  ): void;
  searchCircles(
    planes: number,
    rowStride: number,
    width: number,
    height: number,
    offsets: number,
    radii: number,
    least: number,
    best: number,
    radius: number,
    resultStride: number,
  ): void;
  findPeaks(
    best: number,
    stride: number,
    width: number,
    height: number,
    threshold: number,
    target: number,
    capacity: number,
  ): number;
}

/** What we use of WebAssembly, which @types/node leaves to the browser's types. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const PAGE_BYTES = 65536;

let compiled: object | null = null;

/** The compiled kernels over a memory of their own, of fixed size. */
export class CircleKernels {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly functions: KernelFunctions;

  constructor(byteLength: number) {
    const pages = Math.ceil(byteLength / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    compiled ??= new WebAssembly.Module(readKernels());
    const instance = new WebAssembly.Instance(compiled, { env: { memory } });
    this.functions = instance.exports as KernelFunctions;
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Int32Array(memory.buffer);
  }
}

function readKernels(): Uint8Array {
  const path = join(packageRoot, "dist", "src", "tracking", "circles", "kernels", "circles.wasm");
  if (!existsSync(path)) {
    throw new FlycatcherError("FLY_CIRCLES_KERNELS_MISSING", "The image kernels have not been built", { path });
  }
  return readFileSync(path);
}
