import { FORBIDDEN } from "./assignment.js";
import { NONE } from "./associator.js";
import type { Hypothesis, HypothesisSet } from "./hypothesis.js";
import type { KBestAssignments } from "./k-best.js";
import type { MotionModels } from "./motion-models.js";
import type { NodePool } from "./node-pool.js";
import { notePresent } from "./presence.js";
import { type BirthCandidates, MAX_BIRTHS, NO_IDENTITY, type StoredScan } from "./stored-scan.js";
import { NOTHING } from "./track-node.js";

/** After a pause of the cameras, or in the first scan, new balls may have come for this long [s]. */
const LONGEST_INTERVAL = 0.2;

/**
 * Explains the circles that tracks have left over: pairs of them may be new balls, the rest are false. Which of them are
 * is one more assignment, of left circles to right ones or to none; its best solutions, of all hypotheses together,
 * become the hypotheses after the scan.
 */
export class BirthStage {
  readonly #pool: NodePool;
  readonly #models: MotionModels;
  readonly #kBest: KBestAssignments;
  readonly #logPruneRatio: number;
  /** Node of each candidate once it is born in some hypothesis. */
  readonly #nodeOf = new Int32Array(MAX_BIRTHS);
  /** Left and right circles among the candidates that a hypothesis has left over: rows and columns of its problem. */
  readonly #rows = new Int32Array(MAX_BIRTHS);
  readonly #columns = new Int32Array(MAX_BIRTHS);
  #rowCount = 0;
  #columnCount = 0;
  #lastIdentity = 0;
  #logInterval = 0;

  constructor(pool: NodePool, models: MotionModels, kBest: KBestAssignments, pruneRatio: number) {
    this.#pool = pool;
    this.#models = models;
    this.#kBest = kBest;
    this.#logPruneRatio = Math.log(pruneRatio);
  }

  /** `interval` is the time since the scan before [s], in which new balls may have come. */
  explain(input: HypothesisSet, scan: StoredScan, interval: number, output: HypothesisSet): void {
    this.#logInterval = Math.log(Math.min(interval, LONGEST_INTERVAL));
    this.#nodeOf.fill(NONE);
    this.#kBest.clear(output.capacity);
    for (let h = 0; h < input.count; h++) this.#pose(input.items[h]!, scan.births);
    output.count = 0;
    output.time = input.time;
    let best = Number.NaN;
    while (this.#kBest.next()) {
      if (output.count === 0) best = this.#kBest.cost;
      if (this.#kBest.cost > best + this.#logPruneRatio) break;
      const parent = input.items[this.#kBest.problem]!;
      if (this.#explain(parent, scan, output.items[output.count]!)) output.count++;
    }
  }

  #pose(hypothesis: Hypothesis, births: BirthCandidates): void {
    this.#collect(hypothesis, births);
    const rows = this.#rowCount;
    const columns = this.#columnCount + rows;
    const costs = this.#kBest.costs(this.#kBest.add(rows, columns, -hypothesis.logWeight));
    costs.fill(FORBIDDEN, 0, rows * columns);
    for (let row = 0; row < rows; row++) costs[row * columns + this.#columnCount + row] = 0;
    for (let k = 0; k < births.count; k++) {
      const row = find(this.#rows, rows, births.left[k]!);
      const column = find(this.#columns, this.#columnCount, births.right[k]!);
      if (row !== NONE && column !== NONE) costs[row * columns + column] = -births.logRatio[k]! - this.#logInterval;
    }
  }

  /** Finds the rows and columns of a hypothesis' problem: no more rows than there is room for tracks. */
  #collect(hypothesis: Hypothesis, births: BirthCandidates): void {
    const room = hypothesis.nodes.length - hypothesis.count;
    this.#rowCount = 0;
    this.#columnCount = 0;
    for (let k = 0; k < births.count; k++) {
      const left = births.left[k]!;
      const right = births.right[k]!;
      if (hypothesis.used[0]![left] === 1 || hypothesis.used[1]![right] === 1) continue;
      if (find(this.#rows, this.#rowCount, left) === NONE) {
        if (this.#rowCount === room) continue;
        this.#rows[this.#rowCount++] = left;
      }
      if (find(this.#columns, this.#columnCount, right) === NONE) this.#columns[this.#columnCount++] = right;
    }
  }

  /** False if there is no node left for a new track. */
  #explain(parent: Hypothesis, scan: StoredScan, out: Hypothesis): boolean {
    this.#collect(parent, scan.births);
    out.copy(parent);
    out.logWeight = -this.#kBest.cost;
    for (let row = 0; row < this.#rowCount; row++) {
      const column = this.#kBest.columnOfRow[row]!;
      if (column >= this.#columnCount) continue;
      const k = candidateOf(scan.births, this.#rows[row]!, this.#columns[column]!);
      const node = this.#bear(scan, k);
      if (node === NONE) return false;
      this.#insert(out, node);
    }
    return true;
  }

  /** Keeps the tracks in order of their identities, so that equal hypotheses look equal. */
  #insert(out: Hypothesis, node: number): void {
    const { id } = this.#pool.at(node);
    let place = out.count++;
    while (place > 0 && this.#pool.at(out.nodes[place - 1]!).id > id) {
      out.nodes[place] = out.nodes[place - 1]!;
      place--;
    }
    out.nodes[place] = node;
  }

  /** The first node of a candidate's track. */
  #bear(scan: StoredScan, k: number): number {
    if (this.#nodeOf[k] !== NONE) return this.#nodeOf[k]!;
    const node = this.#pool.acquire();
    if (node === null) return NONE;
    const { births } = scan;
    if (births.identity[k] === NO_IDENTITY) births.identity[k] = ++this.#lastIdentity;
    this.#models.begin(node, scan.time, births.position, births.factor, 3 * k);
    node.id = births.identity[k]!;
    node.bornAt = scan.time;
    notePresent(node);
    node.scans = 1;
    node.fullScans = 1;
    node.score = births.logRatio[k]! + this.#logInterval;
    node.taken[0] = births.left[k]!;
    node.taken[1] = scan.kind === "points" ? NOTHING : births.right[k]!;
    this.#nodeOf[k] = node.index;
    return node.index;
  }
}

function find(list: Int32Array, count: number, value: number): number {
  for (let n = 0; n < count; n++) if (list[n] === value) return n;
  return NONE;
}

function candidateOf(births: BirthCandidates, left: number, right: number): number {
  for (let k = 0; k < births.count; k++) if (births.left[k] === left && births.right[k] === right) return k;
  return NONE;
}
