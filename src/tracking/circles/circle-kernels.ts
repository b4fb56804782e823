import { createWasmMemory, loadKernels } from "../../runtime/wasm-kernels.js";

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
interface KernelFunctions {
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

/** The compiled kernels over a memory of their own, of fixed size. */
export class CircleKernels {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly functions: KernelFunctions;

  constructor(byteLength: number) {
    const memory = createWasmMemory(byteLength);
    this.functions = loadKernels("tracking/circles/kernels/circles", memory);
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Int32Array(memory.buffer);
  }
}
