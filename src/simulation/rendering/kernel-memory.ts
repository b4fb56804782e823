import { createWasmMemory, loadKernels, PAGE_BYTES, type WasmMemory } from "../../runtime/kernels/wasm-kernels.js";

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
