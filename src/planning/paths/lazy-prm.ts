import type { Random } from "../../math/random.js";
import type { JointSpace } from "./joint-space.js";
import { KdTreeNeighbours } from "./kd-tree-neighbours.js";
import {
  noPath,
  type PathBudget,
  PathOutcome,
  type PathPlanner,
  type PathProblem,
  type PathResult,
} from "./path-planner.js";

/** Configurations added each time the roadmap does not connect start and goal. */
const BATCH = 60;
/** Neighbours that a new configuration is joined to. */
const NEIGHBOURS = 10;
const NONE = -1;

/** What is known of a configuration or an edge. */
const Known = { nothing: 0, free: 1, blocked: 2 } as const;

/** An edge of the roadmap, as each of its ends sees it. */
interface RoadEdge {
  readonly to: number;
  readonly length: number;
  /** Shared by both directions. */
  readonly fact: { known: number };
}

/**
 * A roadmap of random configurations that are looked at only when a shortest path leads through them (Bohlin and Kavraki,
 * "Path planning using lazy PRM", 2000): of what is blocked the roadmap forgets, and where no path is left it grows.
 */
export class LazyPrm implements PathPlanner {
  readonly name = "lazy-prm";

  plan(problem: PathProblem, random: Random, budget: PathBudget): PathResult {
    const { space, check, start, goals } = problem;
    if (goals.length === 0) return noPath(PathOutcome.none);
    const map = new Roadmap(space);
    map.add(start, Known.free);
    for (const goal of goals) map.add(goal, Known.free);
    const drawn = new Float64Array(space.count);
    const first = check.samples;
    while (check.samples - first < budget.samples && !budget.isOver()) {
      const nodes = map.shortest(goals.length);
      if (nodes === null) {
        for (let k = 0; k < BATCH; k++) {
          space.sample(random, drawn);
          map.add(drawn, Known.nothing);
          if (budget.isOver()) return noPath(PathOutcome.exhausted);
        }
        // Growing without looking must end, too.
        if (map.size > budget.samples) break;
      } else if (map.isFree(nodes, problem)) {
        return { outcome: PathOutcome.found, path: map.corners(nodes), goal: nodes[nodes.length - 1]! - 1 };
      }
    }
    return noPath(PathOutcome.exhausted);
  }
}

class Roadmap {
  readonly #space: JointSpace;
  readonly #nodes: KdTreeNeighbours;
  readonly #known: number[] = [];
  readonly #edges: RoadEdge[][] = [];
  readonly #near = new Int32Array(NEIGHBOURS);
  readonly #target: Float64Array;

  constructor(space: JointSpace) {
    this.#space = space;
    this.#nodes = new KdTreeNeighbours(space);
    this.#target = new Float64Array(space.count);
  }

  get size(): number {
    return this.#nodes.size;
  }

  add(q: Float64Array, known: number): void {
    const count = this.#nodes.nearestOf(q, 0, NEIGHBOURS, this.#near);
    const node = this.#nodes.add(q);
    this.#known.push(known);
    this.#edges.push([]);
    for (let k = 0; k < count; k++) {
      const other = this.#near[k]!;
      if (this.#known[other] === Known.blocked) continue;
      const length = this.#space.distance(this.#nodes.points, other * this.#space.count, q, 0);
      const fact: RoadEdge["fact"] = { known: Known.nothing };
      this.#edges[node]!.push({ to: other, length, fact });
      this.#edges[other]!.push({ to: node, length, fact });
    }
  }

  /** Nodes of a shortest path from node 0 to any of the `goals` that follow it, over all that is not known to be blocked. */
  shortest(goals: number): number[] | null {
    const { count } = this.#space;
    const points = this.#nodes.points;
    const best = new Float64Array(this.size).fill(Number.POSITIVE_INFINITY);
    const before = new Int32Array(this.size).fill(NONE);
    const guess = (node: number) => {
      let least = Number.POSITIVE_INFINITY;
      for (let g = 1; g <= goals; g++) {
        least = Math.min(least, this.#space.squaredDistance(points, node * count, points, g * count));
      }
      return Math.sqrt(least);
    };
    const open = new NodeHeap();
    best[0] = 0;
    open.push(0, guess(0));
    for (let node = open.pop(); node !== NONE; node = open.pop()) {
      if (node >= 1 && node <= goals) return traced(before, node);
      for (const { to, length, fact } of this.#edges[node]!) {
        if (fact.known === Known.blocked || this.#known[to] === Known.blocked) continue;
        const way = best[node]! + length;
        if (!(way < best[to]!)) continue;
        best[to] = way;
        before[to] = node;
        open.push(to, way + guess(to));
      }
    }
    return null;
  }

  /** Looks at the nodes and then the edges of a path; blocks the first that is not free. */
  isFree(nodes: readonly number[], { check }: PathProblem): boolean {
    const { count } = this.#space;
    for (const node of nodes) {
      if (this.#known[node] === Known.free) continue;
      this.#known[node] = check.isFree(this.#nodes.points, node * count) ? Known.free : Known.blocked;
      if (this.#known[node] === Known.blocked) return false;
    }
    for (let k = 1; k < nodes.length; k++) {
      const from = nodes[k - 1]!;
      const { fact } = this.#edges[from]!.find(({ to }) => to === nodes[k])!;
      if (fact.known === Known.free) continue;
      this.#space.between(this.#nodes.points, from * count, this.#nodes.points, nodes[k]! * count, 1, this.#target);
      const isFree = check.isEdgeFree(this.#nodes.points, from * count, this.#target, 0);
      fact.known = isFree ? Known.free : Known.blocked;
      if (!isFree) return false;
    }
    return true;
  }

  corners(nodes: readonly number[]): Float64Array[] {
    const { count } = this.#space;
    const path = nodes.map((node) => this.#nodes.points.slice(node * count, (node + 1) * count));
    this.#space.unwrap(path);
    return path;
  }
}

function traced(before: Int32Array, end: number): number[] {
  const nodes: number[] = [];
  for (let node = end; node !== NONE; node = before[node]!) nodes.push(node);
  return nodes.reverse();
}

/** Nodes by what they cost, the least first; a node may be in it more than once. */
class NodeHeap {
  readonly #nodes: number[] = [];
  readonly #costs: number[] = [];

  push(node: number, cost: number): void {
    let at = this.#nodes.length;
    this.#nodes.push(node);
    this.#costs.push(cost);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#costs[parent]! <= cost) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#nodes[at] = node;
    this.#costs[at] = cost;
  }

  pop(): number {
    const first = this.#nodes[0];
    if (first === undefined) return NONE;
    const node = this.#nodes.pop()!;
    const cost = this.#costs.pop()!;
    const size = this.#nodes.length;
    if (size === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#costs[child + 1]! < this.#costs[child]!) child++;
      if (this.#costs[child]! >= cost) break;
      this.#move(child, at);
      at = child;
    }
    this.#nodes[at] = node;
    this.#costs[at] = cost;
    return first;
  }

  #move(from: number, to: number): void {
    this.#nodes[to] = this.#nodes[from]!;
    this.#costs[to] = this.#costs[from]!;
  }
}
