/** Whether two surfaces of nine numbers a triangle touch: some edge of the one passes through a triangle of the other. */
export function surfacesTouch(a: Float64Array, b: Float64Array): boolean {
  const box = commonBox(a, b);
  if (box === null) return false;
  return touchWithin(a, all(a), b, all(b), box, 0);
}

function all(soup: Float64Array): number[] {
  return Array.from({ length: soup.length / 9 }, (_, i) => 9 * i);
}

/** Few enough pairs to try them all, and how often the box is halved at most. */
const fewPairs = 64;
const maxHalvings = 24;

/** Looks for a contact in a box, halved again and again: where only one surface passes, there is none. */
function touchWithin(
  a: Float64Array,
  ofA: readonly number[],
  b: Float64Array,
  ofB: readonly number[],
  box: Box,
  depth: number,
): boolean {
  const nearA = trianglesIn(a, ofA, box);
  const nearB = nearA.length === 0 ? [] : trianglesIn(b, ofB, box);
  if (nearB.length === 0) return false;
  if (nearA.length * nearB.length <= fewPairs || depth >= maxHalvings) {
    return nearA.some((i) => nearB.some((j) => boxesMeet(a, i, b, j) && trianglesTouch(a, i, b, j)));
  }
  const sizes = box.high.map((value, k) => value - box.low[k]!);
  const axis = sizes.indexOf(Math.max(...sizes));
  const middle = (box.low[axis]! + box.high[axis]!) / 2;
  const lower = { low: box.low, high: box.high.map((value, k) => (k === axis ? middle : value)) };
  const upper = { low: box.low.map((value, k) => (k === axis ? middle : value)), high: box.high };
  return touchWithin(a, nearA, b, nearB, lower, depth + 1) || touchWithin(a, nearA, b, nearB, upper, depth + 1);
}

type Box = { readonly low: readonly number[]; readonly high: readonly number[] };

function boxOf(soup: Float64Array, from = 0, to = soup.length): Box {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    low[i % 3] = Math.min(low[i % 3]!, soup[i]!);
    high[i % 3] = Math.max(high[i % 3]!, soup[i]!);
  }
  return { low, high };
}

function commonBox(a: Float64Array, b: Float64Array): Box | null {
  const [first, second] = [boxOf(a), boxOf(b)];
  const low = first.low.map((value, k) => Math.max(value, second.low[k]!));
  const high = first.high.map((value, k) => Math.min(value, second.high[k]!));
  return low.every((value, k) => value <= high[k]!) ? { low, high } : null;
}

function trianglesIn(soup: Float64Array, candidates: readonly number[], { low, high }: Box): number[] {
  const found: number[] = [];
  for (const t of candidates) {
    let isIn = true;
    for (let k = 0; k < 3 && isIn; k++) {
      const [x, y, z] = [soup[t + k]!, soup[t + 3 + k]!, soup[t + 6 + k]!];
      isIn = Math.max(x, y, z) >= low[k]! && Math.min(x, y, z) <= high[k]!;
    }
    if (isIn) found.push(t);
  }
  return found;
}

function boxesMeet(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    const [p, q, r] = [a[i + k]!, a[i + 3 + k]!, a[i + 6 + k]!];
    const [s, t, u] = [b[j + k]!, b[j + 3 + k]!, b[j + 6 + k]!];
    if (Math.max(p, q, r) < Math.min(s, t, u) || Math.max(s, t, u) < Math.min(p, q, r)) return false;
  }
  return true;
}

function trianglesTouch(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 9; k += 3) {
    const next = (k + 3) % 9;
    if (passesThrough(a, i + k, i + next, b, j) || passesThrough(b, j + k, j + next, a, i)) return true;
  }
  return false;
}

/** Whether the segment between two corners meets a triangle (Möller and Trumbore, 1997). */
function passesThrough(soup: Float64Array, from: number, to: number, other: Float64Array, t: number): boolean {
  const vector = (list: Float64Array, p: number, q: number) => [0, 1, 2].map((k) => list[q + k]! - list[p + k]!);
  const along = vector(soup, from, to);
  const [u, v] = [vector(other, t, t + 3), vector(other, t, t + 6)];
  const p = cross(along, v);
  const determinant = dot(u, p);
  if (determinant === 0) return false;
  const offset = [0, 1, 2].map((k) => soup[from + k]! - other[t + k]!);
  const first = dot(offset, p) / determinant;
  const q = cross(offset, u);
  const second = dot(along, q) / determinant;
  const share = dot(v, q) / determinant;
  return first >= 0 && second >= 0 && first + second <= 1 && share >= 0 && share <= 1;
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
