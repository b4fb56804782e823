import { BLOCK_SIZE, type RayTable } from "./ray-table.js";

/** A rectangle of whole pixels. */
export interface PixelRegion {
  /** First column and row. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of a region that is on an image; undefined if there is none. */
export function clipRegion(region: PixelRegion, width: number, height: number): PixelRegion | undefined {
  const left = Math.max(0, Math.floor(region.left));
  const top = Math.max(0, Math.floor(region.top));
  const right = Math.min(width, Math.ceil(region.left + region.width));
  const bottom = Math.min(height, Math.ceil(region.top + region.height));
  return left < right && top < bottom ? { left, top, width: right - left, height: bottom - top } : undefined;
}

/** Marks the blocks that have pixels within `margin` of a region. [blockRows × blockColumns] */
export function markBlocks(region: PixelRegion, margin: number, rays: RayTable, wanted: Uint8Array): void {
  const firstColumn = Math.max(0, Math.floor((region.left - margin) / BLOCK_SIZE));
  const firstRow = Math.max(0, Math.floor((region.top - margin) / BLOCK_SIZE));
  const endColumn = Math.min(rays.blockColumns, Math.ceil((region.left + region.width + margin) / BLOCK_SIZE));
  const endRow = Math.min(rays.blockRows, Math.ceil((region.top + region.height + margin) / BLOCK_SIZE));
  if (firstColumn >= endColumn) return;
  for (let row = firstRow; row < endRow; row++) {
    wanted.fill(1, row * rays.blockColumns + firstColumn, row * rays.blockColumns + endColumn);
  }
}
