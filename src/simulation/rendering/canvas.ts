import type { KernelMemory } from "./kernel-memory.js";
import type { RayTable } from "./ray-table.js";

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
