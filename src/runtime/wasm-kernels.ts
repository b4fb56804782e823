import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FlycatcherError } from "./errors.js";
import { getOrCreate } from "./get-or-create.js";
import { packageRoot } from "./package-root.js";

/** What we use of WebAssembly, which @types/node leaves to the browser's types. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

export const PAGE_BYTES = 65536;

const compiled = new Map<string, object>();

/** Linear memory for kernels to work in. */
export function createWasmMemory(byteLength: number): WasmMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(byteLength / PAGE_BYTES) });
}

/** The functions of the kernels `name`, a path below src/ without its ending, over a memory. Each is compiled once. */
export function loadKernels<Functions>(name: string, memory: WasmMemory): Functions {
  const module = getOrCreate(compiled, name, () => new WebAssembly.Module(readKernels(name)));
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Functions;
}

/** Where the compiled kernels `name` are. */
export function kernelFile(name: string): string {
  return join(packageRoot, "dist", "src", `${name}.wasm`);
}

function readKernels(name: string): Uint8Array {
  const path = kernelFile(name);
  if (!existsSync(path)) {
    throw new FlycatcherError("FLY_KERNELS_MISSING", "The WebAssembly kernels have not been built", { path });
  }
  return readFileSync(path);
}
