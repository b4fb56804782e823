import { createWasmMemory, loadKernels, PAGE_BYTES, type WasmMemory } from "../../runtime/wasm-kernels.js";
import type { RayTable } from "./ray-table.js";

/** Addresses are multiples of this [bytes]. Below it nothing is kept: zero is no address. */
const ALIGNMENT = 64;

/** The linear memory that a renderer's kernels share. It grows as parts of it are given out. */
export class KernelMemory {
  /** The whole memory as bytes and as numbers; others after each `allocate`, so not to be kept. */
  bytes!: Uint8Array;
  words!: Int32Array;
  floats!: Float32Array;
  readonly #memory: WasmMemory;
  #end = ALIGNMENT;

  constructor() {
    this.#memory = createWasmMemory(PAGE_BYTES);
    this.#look();
  }

  /** Address of so many bytes, and at least ALIGNMENT more that may be read and overwritten. */
  allocate(byteLength: number): number {
    const address = this.#end;
    this.#end += ALIGNMENT * (Math.ceil(byteLength / ALIGNMENT) + 1);
    const missing = this.#end - this.bytes.length;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#look();
    }
    return address;
  }

  /** The functions of kernels/<name>.as, at work in this memory. */
  load<Functions>(name: string): Functions {
    return loadKernels<Functions>(`simulation/rendering/kernels/${name}`, this.#memory);
  }

  #look(): void {
    const { buffer } = this.#memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
  }
}

/** What the parts of a renderer share in the kernels' memory. */
export interface Canvas {
  readonly memory: KernelMemory;
  readonly rays: RayTable;
  /** Addresses of the table's x and y. */
  readonly raysX: number;
  readonly raysY: number;
  /** Address of the gray values, f32: rows of whole blocks. [rays.pixelRows × rays.pixelStride] */
  readonly light: number;
}

export function createCanvas(memory: KernelMemory, rays: RayTable): Canvas {
  const raysX = memory.allocate(rays.x.byteLength);
  const raysY = memory.allocate(rays.y.byteLength);
  const light = memory.allocate(4 * rays.pixelStride * rays.pixelRows);
  memory.floats.set(rays.x, raysX / 4);
  memory.floats.set(rays.y, raysY / 4);
  return { memory, rays, raysX, raysY, light };
}
