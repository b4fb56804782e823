/** A box along the axes [m]. */
export interface PartBox {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

export interface HeightGrid {
  /** Row by row [m]. */
  readonly heights: readonly number[];
  readonly columns: number;
  /** Edge of a cell [m]. */
  readonly cell: number;
  /** Lower end of all boxes [m]. */
  readonly floor: number;
  /** By how much cells may be raised to be one box [m]. */
  readonly tolerance: number;
}

/** Most boxes of one height map or cloud. */
const MOST_BOXES = 256;

/** Boxes that contain everything under a height map: blocks of cells, halved where their heights differ too much. */
export function heightBoxes(grid: HeightGrid): PartBox[] {
  const { heights, columns } = grid;
  const whole = { x: 0, y: 0, width: columns, depth: heights.length / columns };
  const blocks = split(
    { block: whole, spread: spreadOf(grid, whole) },
    ({ block }) => halvesOfBlock(block).map((half) => ({ block: half, spread: spreadOf(grid, half) })),
    ({ spread, block }) => (block.width * block.depth > 1 && spread > grid.tolerance ? spread : 0),
  );
  return blocks.flatMap(({ block }) => {
    const top = highest(grid, block);
    if (!(top > grid.floor)) return [];
    const { x, y, width, depth } = block;
    const { cell, floor } = grid;
    return [{ low: [x * cell, y * cell, floor], high: [(x + width) * cell, (y + depth) * cell, top] }];
  });
}

/** Boxes around neighbouring points, halved along their longest edge until none is longer than `resolution` [m]. */
export function cloudBoxes(points: Float64Array, resolution: number): PartBox[] {
  const all = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
  const groups = split<{ readonly members: Uint32Array; readonly box: PartBox }>(
    { members: all, box: boxOf(points, all) },
    ({ members, box }) =>
      halvesOfGroup(points, members, box).map((half) => ({ members: half, box: boxOf(points, half) })),
    ({ box }) => {
      const longest = Math.max(...edgesOf(box));
      return longest > resolution ? longest : 0;
    },
  );
  return groups.map(({ box }) => box);
}

/** Halves the part with the greatest `need` until none has any, or there are as many as may be. */
function split<Part>(whole: Part, halves: (part: Part) => Part[], need: (part: Part) => number): Part[] {
  const parts = [whole];
  const needs = [need(whole)];
  while (parts.length < MOST_BOXES) {
    let worst = 0;
    for (let k = 1; k < parts.length; k++) if (needs[k]! > needs[worst]!) worst = k;
    if (!(needs[worst]! > 0)) break;
    const [first, second] = halves(parts[worst]!);
    parts[worst] = first!;
    needs[worst] = need(first!);
    parts.push(second!);
    needs.push(need(second!));
  }
  return parts;
}

interface Block {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly depth: number;
}

function halvesOfBlock({ x, y, width, depth }: Block): [Block, Block] {
  if (width >= depth) {
    const half = width >> 1;
    return [
      { x, y, width: half, depth },
      { x: x + half, y, width: width - half, depth },
    ];
  }
  const half = depth >> 1;
  return [
    { x, y, width, depth: half },
    { x, y: y + half, width, depth: depth - half },
  ];
}

/** Volume by which the cells of a block are raised, as a height over one cell [m]. */
function spreadOf(grid: HeightGrid, block: Block): number {
  return highest(grid, block) - lowest(grid, block);
}

function highest(grid: HeightGrid, block: Block): number {
  return extreme(grid, block, Math.max, Number.NEGATIVE_INFINITY);
}

function lowest(grid: HeightGrid, block: Block): number {
  return extreme(grid, block, Math.min, Number.POSITIVE_INFINITY);
}

function extreme(
  { heights, columns }: HeightGrid,
  { x, y, width, depth }: Block,
  choose: (a: number, b: number) => number,
  start: number,
): number {
  let value = start;
  for (let row = y; row < y + depth; row++) {
    for (let column = x; column < x + width; column++) value = choose(value, heights[row * columns + column]!);
  }
  return value;
}

function boxOf(points: Float64Array, members: Uint32Array): PartBox {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const i of members) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, points[3 * i + k]!);
      high[k] = Math.max(high[k]!, points[3 * i + k]!);
    }
  }
  return { low, high };
}

function edgesOf({ low, high }: PartBox): number[] {
  return low.map((value, k) => high[k]! - value);
}

/** Halves at the middle of the longest edge; neither is empty, for points lie at both of its ends. */
function halvesOfGroup(points: Float64Array, members: Uint32Array, box: PartBox): [Uint32Array, Uint32Array] {
  const edges = edgesOf(box);
  const axis = edges.indexOf(Math.max(...edges));
  const middle = 0.5 * (box.low[axis]! + box.high[axis]!);
  const isBelow = (i: number) => points[3 * i + axis]! < middle;
  return [members.filter(isBelow), members.filter((i) => !isBelow(i))];
}
