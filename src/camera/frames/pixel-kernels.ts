import { createWasmMemory, loadKernels, PAGE_BYTES, type WasmMemory } from "../../runtime/wasm-kernels.js";

/** The functions of kernels/pixels.as; all pointers are bytes of the memory. */
interface PixelFunctions {
  packRows(source: number, stride: number, target: number, width: number, height: number): void;
  evenBytes(source: number, stride: number, target: number, width: number, height: number): void;
  grayOfColours(
    source: number,
    stride: number,
    red: number,
    blue: number,
    target: number,
    width: number,
    height: number,
  ): void;
  swapColours(source: number, stride: number, target: number, width: number, height: number): void;
  demosaic(
    source: number,
    stride: number,
    redX: number,
    redY: number,
    target: number,
    width: number,
    height: number,
    colours: number,
  ): void;
  coloursOfYuv(
    luma: number,
    stride: number,
    step: number,
    blues: number,
    reds: number,
    chromaStride: number,
    chromaStep: number,
    across: number,
    down: number,
    full: number,
    target: number,
    width: number,
    height: number,
  ): void;
}

/** Kernels may read so far beyond the end of a frame [bytes]. */
const SLACK = 64;

/** The compiled kernels over a memory that grows with the frames. */
export class PixelKernels {
  readonly functions: PixelFunctions;
  readonly #memory: WasmMemory = createWasmMemory(PAGE_BYTES);
  #bytes = new Uint8Array(this.#memory.buffer);

  constructor() {
    this.functions = loadKernels("camera/frames/kernels/pixels", this.#memory);
  }

  /** Puts a frame to address 0 of the memory; where what is made of it may begin. */
  load(frame: Uint8Array, outputBytes: number): number {
    const target = frame.length + SLACK;
    const missing = target + outputBytes + SLACK - this.#bytes.length;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#bytes = new Uint8Array(this.#memory.buffer);
    }
    this.#bytes.set(frame);
    return target;
  }

  /** A copy of what was made. */
  take(target: number, count: number): Uint8Array {
    return this.#bytes.slice(target, target + count);
  }
}

let shared: PixelKernels | null = null;

/** Those of this thread. */
export function pixelKernels(): PixelKernels {
  shared ??= new PixelKernels();
  return shared;
}
