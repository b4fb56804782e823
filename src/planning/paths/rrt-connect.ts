import type { PathCheck } from "../../collision/path-check.js";
import type { Random } from "../../math/random.js";
import type { JointSpace } from "./joint-space.js";
import { KdTreeNeighbours } from "./kd-tree-neighbours.js";
import { LinearNeighbours, type NeighbourIndex } from "./neighbours.js";
import {
  noPath,
  type PathBudget,
  PathOutcome,
  type PathPlanner,
  type PathProblem,
  type PathResult,
} from "./path-planner.js";

export interface RrtConnectOptions {
  /** Longest edge [rad]. Default 1: long edges cost little where `PathCheck` proves them free. */
  readonly range?: number;
  /** Where the edge is not free, one so many times shorter is tried; 1: none. Default 4. */
  readonly shorter?: number;
  /** Share of the configurations that are drawn about a node of the tree that grows, for ways out of narrow places. Default 0.25. */
  readonly local?: number;
  /** Default `kd-tree`. */
  readonly neighbours?: "linear" | "kd-tree";
}

/** Configurations between two looks at the clock. */
const LOOK_EVERY = 8;
const NO_PARENT = -1;
/** Standard deviation of a configuration drawn about a node [rad]. */
const LOCAL_WIDTH = 0.35;

/** A tree of free edges. */
class Tree {
  readonly nodes: NeighbourIndex;
  /** Number of the node before each. */
  parents: number[] = [];

  constructor(nodes: NeighbourIndex) {
    this.nodes = nodes;
  }

  clear(): void {
    this.nodes.clear();
    this.parents = [];
  }

  add(q: Float64Array, at: number, parent: number): number {
    this.parents.push(parent);
    return this.nodes.add(q, at);
  }
}

/**
 * Two trees, one from the start and one from all goals, that grow towards random configurations in turn and each time try
 * to connect (Kuffner and LaValle, "RRT-Connect: An efficient approach to single-query path planning", 2000).
 */
export class RrtConnect implements PathPlanner {
  readonly name: string;
  readonly #range: number;
  /** What is tried one after the other where the longer edge is not free. */
  readonly #ranges: readonly number[];
  readonly #local: number;
  readonly #kind: "linear" | "kd-tree";
  #trees: { readonly space: JointSpace; readonly start: Tree; readonly goal: Tree } | null = null;
  #drawn = new Float64Array(0);
  #next = new Float64Array(0);

  constructor(options: RrtConnectOptions = {}) {
    this.#range = options.range ?? 1;
    const { shorter = 4 } = options;
    this.#ranges = shorter > 1 ? [this.#range, this.#range / shorter] : [this.#range];
    this.#local = options.local ?? 0.25;
    this.#kind = options.neighbours ?? "kd-tree";
    this.name = "rrt-connect";
  }

  plan(problem: PathProblem, random: Random, budget: PathBudget): PathResult {
    const { space, check, start, goals } = problem;
    const { start: startTree, goal: goalTree } = this.#treesOf(space);
    startTree.clear();
    goalTree.clear();
    startTree.add(start, 0, NO_PARENT);
    for (const goal of goals) goalTree.add(goal, 0, NO_PARENT);
    if (goals.length === 0) return noPath(PathOutcome.none);
    const first = check.samples;
    let [from, to] = [startTree, goalTree];
    for (let round = 0; check.samples - first < budget.samples; round++) {
      if (round % LOOK_EVERY === 0 && budget.isOver()) break;
      this.#draw(from, space, random);
      const grown = this.#grow(from, space, check, this.#drawn, 0);
      if (grown !== NO_PARENT) {
        const met = this.#connect(to, space, check, from.nodes.points, grown * space.count);
        if (met !== NO_PARENT) {
          const isForward = from === startTree;
          return join(space, startTree, isForward ? grown : met, goalTree, isForward ? met : grown);
        }
      }
      [from, to] = [to, from];
    }
    return noPath(PathOutcome.exhausted);
  }

  #draw(tree: Tree, space: JointSpace, random: Random): void {
    space.sample(random, this.#drawn);
    if (!(random.uniform() < this.#local)) return;
    const from = space.count * random.integer(tree.nodes.size);
    for (let i = 0; i < space.count; i++) {
      const q = tree.nodes.points[from + i]! + LOCAL_WIDTH * random.normal();
      this.#drawn[i] = space.wraps[i] === 1 ? q : Math.min(Math.max(q, space.lower[i]!), space.upper[i]!);
    }
  }

  #treesOf(space: JointSpace) {
    if (this.#trees?.space !== space) {
      const nodes = () => (this.#kind === "linear" ? new LinearNeighbours(space) : new KdTreeNeighbours(space));
      this.#trees = { space, start: new Tree(nodes()), goal: new Tree(nodes()) };
      this.#drawn = new Float64Array(space.count);
      this.#next = new Float64Array(space.count);
    }
    return this.#trees;
  }

  /** One edge of `tree` towards a configuration; its new node, or NO_PARENT if it is not free. */
  #grow(tree: Tree, space: JointSpace, check: PathCheck, target: Float64Array, at: number): number {
    const nearest = tree.nodes.nearest(target, at);
    return this.#extend(tree, nearest, space, check, target, at);
  }

  #extend(tree: Tree, node: number, space: JointSpace, check: PathCheck, target: Float64Array, at: number): number {
    const from = node * space.count;
    const distance = space.distance(tree.nodes.points, from, target, at);
    for (const range of this.#ranges) {
      space.between(tree.nodes.points, from, target, at, Math.min(1, range / distance), this.#next);
      if (!check.isFree(this.#next) || !check.isEdgeFree(tree.nodes.points, from, this.#next, 0)) continue;
      return tree.add(this.#next, 0, node);
    }
    return NO_PARENT;
  }

  /** Edges of `tree` up to a configuration; the node there, or NO_PARENT if one of them is not free. */
  #connect(tree: Tree, space: JointSpace, check: PathCheck, target: Float64Array, at: number): number {
    let node = tree.nodes.nearest(target, at);
    while (space.distance(tree.nodes.points, node * space.count, target, at) > this.#range) {
      node = this.#extend(tree, node, space, check, target, at);
      if (node === NO_PARENT) return NO_PARENT;
    }
    space.between(tree.nodes.points, node * space.count, target, at, 1, this.#next);
    if (!check.isEdgeFree(tree.nodes.points, node * space.count, this.#next, 0)) return NO_PARENT;
    return node;
  }
}

/** The path through the two nodes where the trees met. */
function join(space: JointSpace, startTree: Tree, startNode: number, goalTree: Tree, goalNode: number): PathResult {
  const corner = (tree: Tree, node: number) => tree.nodes.points.slice(node * space.count, (node + 1) * space.count);
  const path: Float64Array[] = [];
  for (let node = startNode; node !== NO_PARENT; node = startTree.parents[node]!) path.push(corner(startTree, node));
  path.reverse();
  let goal = goalNode;
  for (let node = goalNode; node !== NO_PARENT; node = goalTree.parents[node]!) {
    path.push(corner(goalTree, node));
    goal = node;
  }
  space.unwrap(path);
  return { outcome: PathOutcome.found, path, goal };
}
