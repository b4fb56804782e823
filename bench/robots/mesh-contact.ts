import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";

/** Triangles in a leaf at most. */
const LEAF = 8;

interface Node {
  /** A ball about the node's triangles, in the surface's own frame. */
  readonly centre: vec3.Vec3;
  readonly radius: number;
  /** The two halves; null in a leaf, which has triangles. */
  readonly halves: readonly [Node, Node] | null;
  readonly triangles: readonly number[];
}

/** A surface of nine numbers a triangle, in balls within balls: so two that move need not be looked at triangle by triangle. */
export class SurfaceTree {
  readonly soup: Float64Array;
  readonly root: Node;

  constructor(soup: Float64Array) {
    this.soup = soup;
    const all = Array.from({ length: soup.length / 9 }, (_, i) => 9 * i);
    this.root = nodeOf(soup, all);
  }
}

function nodeOf(soup: Float64Array, triangles: readonly number[]): Node {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const t of triangles) {
    for (let k = 0; k < 9; k++) {
      low[k % 3] = Math.min(low[k % 3]!, soup[t + k]!);
      high[k % 3] = Math.max(high[k % 3]!, soup[t + k]!);
    }
  }
  const centre = vec3.create(...([0, 1, 2].map((k) => (low[k]! + high[k]!) / 2) as [number, number, number]));
  let radius = 0;
  for (const t of triangles) {
    for (let k = 0; k < 9; k += 3) radius = Math.max(radius, vec3.distance(vec3.view(soup, t + k), centre));
  }
  if (triangles.length <= LEAF) return { centre, radius, halves: null, triangles };
  const sizes = high.map((value, k) => value - low[k]!);
  const axis = sizes.indexOf(Math.max(...sizes));
  const along = (t: number) => soup[t + axis]! + soup[t + 3 + axis]! + soup[t + 6 + axis]!;
  const sorted = [...triangles].sort((one, other) => along(one) - along(other));
  const middle = sorted.length >> 1;
  const halves = [nodeOf(soup, sorted.slice(0, middle)), nodeOf(soup, sorted.slice(middle))] as const;
  return { centre, radius, halves, triangles: [] };
}

/** Whether two surfaces touch, the first placed in the frame of the second: some edge of the one passes through the other. */
export function surfacesTouch(a: SurfaceTree, secondFromFirst: pose.Pose, b: SurfaceTree): boolean {
  const place = vec3.create();
  const moved = new Float64Array(9);
  const stack: [Node, Node][] = [[a.root, b.root]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [first, second] = pair;
    pose.transformPoint(secondFromFirst, first.centre, place);
    if (vec3.distance(place, second.centre) > first.radius + second.radius) continue;
    if (first.halves !== null && (second.halves === null || first.radius >= second.radius)) {
      stack.push([first.halves[0], second], [first.halves[1], second]);
    } else if (second.halves !== null) {
      stack.push([first, second.halves[0]], [first, second.halves[1]]);
    } else if (leavesTouch(a.soup, first, secondFromFirst, b.soup, second, moved)) return true;
  }
  return false;
}

function leavesTouch(
  soup: Float64Array,
  { triangles }: Node,
  secondFromFirst: pose.Pose,
  other: Float64Array,
  { triangles: others }: Node,
  moved: Float64Array,
): boolean {
  return triangles.some((i) => {
    for (let k = 0; k < 9; k += 3) {
      pose.transformPoint(secondFromFirst, vec3.view(soup, i + k), vec3.view(moved, k));
    }
    return others.some((j) => boxesMeet(moved, 0, other, j) && trianglesTouch(moved, 0, other, j));
  });
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
