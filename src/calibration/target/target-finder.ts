import type { GrayImage } from "../../camera/gray-image.js";
import { DiscFinder, type FoundDisc } from "./disc-finder.js";
import { markedDiscs, type TargetBoard } from "./target-board.js";

/** A disc of the board that was seen, and where the centre of its area is [px]. */
export interface SeenDisc {
  readonly column: number;
  readonly row: number;
  readonly u: number;
  readonly v: number;
}

/** A neighbour is where the last step leads to within this part of it. */
const NEAR = 0.35;
/** Fewer discs than this are no view of the board. */
const FEWEST = 12;

/** A found disc, its place on a lattice whose directions are not known yet, and the steps along it here [px]. */
interface Node {
  readonly disc: FoundDisc;
  readonly i: number;
  readonly j: number;
  readonly steps: readonly [readonly [number, number], readonly [number, number]];
}

/** Finds the board in an image: discs, the lattice that they form, and by the marked ones which is which. */
export class TargetFinder {
  readonly #board: TargetBoard;
  readonly #discs = new DiscFinder();

  constructor(board: TargetBoard) {
    this.#board = board;
  }

  /** The discs that were seen; null if the board was not recognised. */
  find(image: GrayImage): SeenDisc[] | null {
    const discs = this.#discs.find(image);
    for (const seed of discs.filter(({ isMarked }) => isMarked)) {
      const nodes = latticeFrom(seed, discs);
      const seen = nodes.length >= FEWEST ? this.#named(nodes) : null;
      if (seen !== null && seen.length >= FEWEST) return seen;
    }
    return null;
  }

  /**
   * The lattice's own directions may be any two that span it. The marked discs say which are columns and rows: of their three
   * differences only that along a row is even, and mirrored boards are not seen.
   */
  #named(nodes: readonly Node[]): SeenDisc[] | null {
    const marked = nodes.filter(({ disc }) => disc.isMarked);
    if (marked.length !== 3) return null;
    const [origin] = markedDiscs(this.#board);
    for (const first of marked) {
      for (const second of marked) {
        const third = marked.find((node) => node !== first && node !== second);
        if (second === first || third === undefined) continue;
        const along = [(second.i - first.i) / 2, (second.j - first.j) / 2] as const;
        const down = [third.i - first.i, third.j - first.j] as const;
        const determinant = along[0] * down[1] - along[1] * down[0];
        if (!Number.isInteger(along[0]) || !Number.isInteger(along[1]) || Math.abs(determinant) !== 1) continue;
        if (!isRightHanded(first, along, down)) continue;
        return this.#inside(nodes, (i, j) => [
          origin![0] + (down[1] * (i - first.i) - down[0] * (j - first.j)) / determinant,
          origin![1] + (along[0] * (j - first.j) - along[1] * (i - first.i)) / determinant,
        ]);
      }
    }
    return null;
  }

  #inside(nodes: readonly Node[], place: (i: number, j: number) => readonly [number, number]): SeenDisc[] {
    const { columns, rows } = this.#board;
    return nodes.flatMap(({ disc, i, j }) => {
      const [column, row] = place(i, j);
      const isInside = column >= 0 && row >= 0 && column < columns && row < rows;
      return isInside ? [{ column, row, u: disc.u, v: disc.v }] : [];
    });
  }
}

/** Whether going along a row and then down turns clockwise in the image, whose v points down. */
function isRightHanded({ steps: [a, b] }: Node, along: readonly [number, number], down: readonly [number, number]) {
  const [x, y] = [along[0] * a[0] + along[1] * b[0], along[0] * a[1] + along[1] * b[1]];
  const [s, t] = [down[0] * a[0] + down[1] * b[0], down[0] * a[1] + down[1] * b[1]];
  return x * t - y * s > 0;
}

/** All discs that are reached from `seed` by steps that change slowly. */
function latticeFrom(seed: FoundDisc, discs: readonly FoundDisc[]): Node[] {
  const steps = firstSteps(seed, discs);
  if (steps === null) return [];
  const nodes: Node[] = [{ disc: seed, i: 0, j: 0, steps }];
  const reached = new Set<FoundDisc>([seed]);
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k]!;
    for (const direction of [0, 1] as const) {
      for (const sign of [1, -1] as const) {
        const next = neighbourOf(node, direction, sign, discs);
        if (next === null || reached.has(next)) continue;
        reached.add(next);
        const step = [sign * (next.u - node.disc.u), sign * (next.v - node.disc.v)] as const;
        const [i, j] = direction === 0 ? [node.i + sign, node.j] : [node.i, node.j + sign];
        nodes.push({ disc: next, i, j, steps: direction === 0 ? [step, node.steps[1]] : [node.steps[0], step] });
      }
    }
  }
  return nodes;
}

function neighbourOf(
  { disc, steps }: Node,
  direction: 0 | 1,
  sign: 1 | -1,
  discs: readonly FoundDisc[],
): FoundDisc | null {
  const [x, y] = steps[direction];
  const found = nearest(disc.u + sign * x, disc.v + sign * y, discs);
  return found !== null && found.away < NEAR * Math.hypot(x, y) ? found.disc : null;
}

function nearest(u: number, v: number, discs: readonly FoundDisc[]): { disc: FoundDisc; away: number } | null {
  let best: { disc: FoundDisc; away: number } | null = null;
  for (const disc of discs) {
    const away = Math.hypot(disc.u - u, disc.v - v);
    if (best === null || away < best.away) best = { disc, away };
  }
  return best;
}

/** To the nearest neighbour, and to the nearest in another direction; null for a disc that stands alone. */
function firstSteps({ u, v }: FoundDisc, discs: readonly FoundDisc[]): Node["steps"] | null {
  const ways = discs
    .map((disc) => [disc.u - u, disc.v - v] as const)
    .filter(([x, y]) => x !== 0 || y !== 0)
    .sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  const [first] = ways;
  if (first === undefined) return null;
  const isAcross = ([x, y]: readonly [number, number]) =>
    Math.abs(first[0] * y - first[1] * x) > 0.4 * Math.hypot(...first) * Math.hypot(x, y);
  const second = ways.slice(0, 8).find(isAcross);
  return second === undefined ? null : [first, second];
}
