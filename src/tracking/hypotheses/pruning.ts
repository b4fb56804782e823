import type { Hypothesis, HypothesisSet } from "./hypothesis.js";
import type { NodePool, TrackGrowth } from "./node-pool.js";

/** What is done to the hypotheses once a scan is explained: tracks given up, equal ones merged, the past settled. */
export function prune(set: HypothesisSet, pool: NodePool, growth: TrackGrowth, scanDepth: number): void {
  for (let h = 0; h < set.count; h++) dropLostTracks(set.items[h]!, pool, growth);
  mergeEqual(set);
  sortByWeight(set);
  normalize(set);
  settlePast(set, scanDepth - 1);
  normalize(set);
  numberAncestors(set);
}

function dropLostTracks(hypothesis: Hypothesis, pool: NodePool, growth: TrackGrowth): void {
  let kept = 0;
  for (let n = 0; n < hypothesis.count; n++) {
    const node = hypothesis.nodes[n]!;
    if (!growth.isLost(pool.at(node))) hypothesis.nodes[kept++] = node;
  }
  hypothesis.count = kept;
}

/**
 * N-scan pruning: what the best hypothesis says of the scan N ago is taken as true, and all that descend from another
 * explanation of it are dropped. The ancestors are still those of the parents: their first is of the scan before.
 */
function settlePast(set: HypothesisSet, depth: number): void {
  const settled = set.items[0]!.ancestors[depth]!;
  let kept = 0;
  for (let h = 0; h < set.count; h++) {
    if (set.items[h]!.ancestors[depth] !== settled) continue;
    set.swap(kept, h);
    kept++;
  }
  set.count = kept;
}

/** Of hypotheses with the same tracks one is left, with the probability of all. They differed in balls since given up. */
function mergeEqual(set: HypothesisSet): void {
  let kept = 0;
  for (let h = 0; h < set.count; h++) {
    const twin = findTwin(set, kept, set.items[h]!);
    if (twin === null) {
      set.swap(kept, h);
      kept++;
    } else {
      absorb(twin, set.items[h]!);
    }
  }
  set.count = kept;
}

function findTwin(set: HypothesisSet, count: number, hypothesis: Hypothesis): Hypothesis | null {
  for (let h = 0; h < count; h++) if (haveSameTracks(set.items[h]!, hypothesis)) return set.items[h]!;
  return null;
}

function haveSameTracks(a: Hypothesis, b: Hypothesis): boolean {
  if (a.count !== b.count) return false;
  for (let n = 0; n < a.count; n++) if (a.nodes[n] !== b.nodes[n]) return false;
  return true;
}

/** The descent is that of the more probable one. */
function absorb(into: Hypothesis, other: Hypothesis): void {
  const most = Math.max(into.logWeight, other.logWeight);
  const sum = most + Math.log(Math.exp(into.logWeight - most) + Math.exp(other.logWeight - most));
  if (other.logWeight > into.logWeight) into.copyPast(other);
  into.logWeight = sum;
}

/** Insertion sort: merging hardly disturbs the order. */
function sortByWeight(set: HypothesisSet): void {
  for (let h = 1; h < set.count; h++) {
    for (let k = h; k > 0 && set.items[k]!.logWeight > set.items[k - 1]!.logWeight; k--) set.swap(k, k - 1);
  }
}

function normalize(set: HypothesisSet): void {
  let sum = 0;
  const most = set.items[0]!.logWeight;
  for (let h = 0; h < set.count; h++) sum += Math.exp(set.items[h]!.logWeight - most);
  const total = most + Math.log(sum);
  for (let h = 0; h < set.count; h++) set.items[h]!.logWeight -= total;
}

/** Each hypothesis becomes the newest of its own ancestors. */
function numberAncestors(set: HypothesisSet): void {
  for (let h = 0; h < set.count; h++) {
    const { ancestors } = set.items[h]!;
    for (let n = ancestors.length - 1; n > 0; n--) ancestors[n] = ancestors[n - 1]!;
    ancestors[0] = h;
  }
}
