/** A surface as nine numbers a triangle: pieces of a mesh, closed where they were cut. */
export type Soup = Float64Array;

/** normal·x = offset, with a unit normal. */
export interface CutPlane {
  readonly normal: readonly [number, number, number];
  readonly offset: number;
}

/** Ends of cuts nearer than this are one [m]. */
const joinDistance = 1e-6;

/**
 * Cuts a surface in two by a plane. Every triangle that crosses it is divided, so that its parts lie on one side each;
 * and the cut itself, loop by loop, is closed on both sides by the triangles of its outline. So the two convex hulls
 * together contain all that the surface encloses, however often it is cut.
 */
export function splitSurface(soup: Soup, plane: CutPlane): { above: Soup; below: Soup } {
  const sides = { above: [] as number[], below: [] as number[] };
  const cuts: number[] = [];
  for (let t = 0; t < soup.length; t += 9) clip(soup, t, plane, sides, cuts);
  for (const loop of loopsOf(cuts)) {
    for (const value of fan(loop)) {
      sides.above.push(value);
      sides.below.push(value);
    }
  }
  return { above: Float64Array.from(sides.above), below: Float64Array.from(sides.below) };
}

function clip(
  soup: Soup,
  at: number,
  plane: CutPlane,
  sides: { above: number[]; below: number[] },
  cuts: number[],
): void {
  const heights = [0, 3, 6].map((k) => heightOf(soup, at + k, plane));
  const whole = heights.every((height) => height >= 0)
    ? sides.above
    : heights.every((height) => height <= 0)
      ? sides.below
      : null;
  if (whole !== null) {
    for (let k = 0; k < 9; k++) whole.push(soup[at + k]!);
    return;
  }
  const parts: { above: number[][]; below: number[][] } = { above: [], below: [] };
  const ends: number[][] = [];
  for (let k = 0; k < 3; k++) {
    const corner = [...soup.subarray(at + 3 * k, at + 3 * k + 3)];
    const next = (k + 1) % 3;
    if (heights[k]! >= 0) parts.above.push(corner);
    if (heights[k]! <= 0) parts.below.push(corner);
    if (heights[k] === 0) ends.push(corner);
    if (heights[k]! * heights[next]! >= 0) continue;
    const share = heights[k]! / (heights[k]! - heights[next]!);
    const between = corner.map((value, i) => value + share * (soup[at + 3 * next + i]! - value));
    parts.above.push(between);
    parts.below.push(between);
    ends.push(between);
  }
  sides.above.push(...fan(parts.above));
  sides.below.push(...fan(parts.below));
  if (ends.length === 2) cuts.push(...ends[0]!, ...ends[1]!);
}

function heightOf(soup: Soup, at: number, { normal, offset }: CutPlane): number {
  return normal[0] * soup[at]! + normal[1] * soup[at + 1]! + normal[2] * soup[at + 2]! - offset;
}

/** Triangles from the first corner of a polygon to all its sides. */
function fan(corners: readonly number[][]): number[] {
  const triangles: number[] = [];
  for (let k = 2; k < corners.length; k++) triangles.push(...corners[0]!, ...corners[k - 1]!, ...corners[k]!);
  return triangles;
}

/** Cut segments (six numbers each) that hang together, as the list of their ends. */
function loopsOf(cuts: readonly number[]): number[][][] {
  const parents: number[] = [];
  const find = (i: number): number => {
    while (parents[i] !== i) i = parents[i] = parents[parents[i]!]!;
    return i;
  };
  const nodes = new Map<string, number>();
  const nodeAt = (at: number): number => {
    const key = [0, 1, 2].map((k) => Math.round(cuts[at + k]! / joinDistance)).join(" ");
    const known = nodes.get(key);
    if (known !== undefined) return known;
    nodes.set(key, parents.length);
    return parents.push(parents.length) - 1;
  };
  const starts: number[] = [];
  for (let at = 0; at < cuts.length; at += 6) {
    const [a, b] = [nodeAt(at), nodeAt(at + 3)];
    parents[find(a)] = find(b);
    starts.push(a);
  }
  const loops = new Map<number, number[][]>();
  for (const [i, start] of starts.entries()) {
    const root = find(start);
    const loop = loops.get(root) ?? [];
    loop.push([...cuts.slice(6 * i, 6 * i + 3)], [...cuts.slice(6 * i + 3, 6 * i + 6)]);
    loops.set(root, loop);
  }
  return [...loops.values()];
}
