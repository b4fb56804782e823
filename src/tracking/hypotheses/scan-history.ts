import { type Scan, type ScanImage, scanTime } from "../filter/scan.js";
import type { HypothesisSet } from "./hypothesis.js";
import type { HypothesisTree } from "./hypothesis-tree.js";
import { StoredScan } from "./stored-scan.js";

/** What became of a scan. */
export const ScanOutcome = {
  /** The newest: gone through. */
  processed: 0,
  /** Late: put where it belongs, and all newer ones gone through again. */
  reordered: 1,
  /** The other camera's image of a scan that had one: joined to it, and gone through again. */
  completed: 2,
  /** That camera's image of that time is here already. */
  duplicate: 3,
  /** Older than what is kept. */
  tooLate: 4,
  /** Without an image, or with a time that is no number. */
  invalid: 5,
} as const;
export type ScanOutcome = (typeof ScanOutcome)[keyof typeof ScanOutcome];

/** Exposures of the two cameras that differ by less count as one scan [s]. */
const SAME_TIME = 5e-4;

/**
 * The newest scans and the hypotheses after each. A scan that comes late, or after a newer one, is put in its place and
 * the newer ones are gone through again: the result is that of the right order, to the last bit, and no scan has to wait
 * for one that may never come, as in a buffer that reorders. Hypotheses share nodes that never change, so keeping those
 * of a few scans costs no copying.
 */
export class ScanHistory {
  /** Circles and points that were none, of all scans. */
  invalidMeasurements = 0;
  readonly #tree: HypothesisTree;
  /** In order of time; those from `#count` on are not in use. */
  readonly #scans: StoredScan[];
  /** Before the first scan, and after each. */
  readonly #sets: HypothesisSet[];
  #count = 0;

  constructor(tree: HypothesisTree, lateScans: number) {
    this.#tree = tree;
    this.#scans = Array.from({ length: lateScans + 1 }, () => new StoredScan());
    this.#sets = Array.from({ length: lateScans + 2 }, () => tree.createSet());
    this.#sets[0]!.begin();
  }

  /** The hypotheses after the newest scan. */
  get newest(): HypothesisSet {
    return this.#sets[this.#count]!;
  }

  add(scan: Scan): ScanOutcome {
    const time = scanTime(scan);
    if (!Number.isFinite(time)) return ScanOutcome.invalid;
    const twin = this.#findTwin(scan, time);
    if (twin >= 0) return scan.kind === "circles" ? this.#complete(twin, scan.left, scan.right) : ScanOutcome.duplicate;
    if (!(time > this.#sets[0]!.time)) return ScanOutcome.tooLate;
    let place = this.#count;
    while (place > 0 && this.#scans[place - 1]!.time > time) place--;
    if (this.#count === this.#scans.length) {
      if (place === 0) return ScanOutcome.tooLate;
      this.#forgetOldest();
      place--;
    }
    this.#insert(place, scan, time);
    this.#growFrom(place);
    return place === this.#count - 1 ? ScanOutcome.processed : ScanOutcome.reordered;
  }

  /** The stored scan of the same kind and time; −1 if there is none. */
  #findTwin(scan: Scan, time: number): number {
    for (let k = 0; k < this.#count; k++) {
      const stored = this.#scans[k]!;
      if (stored.kind === scan.kind && Math.abs(stored.time - time) < SAME_TIME) return k;
    }
    return -1;
  }

  #complete(k: number, left: ScanImage | null, right: ScanImage | null): ScanOutcome {
    const stored = this.#scans[k]!;
    const takesLeft = left !== null && !stored.images[0]!.isPresent;
    const takesRight = right !== null && !stored.images[1]!.isPresent;
    if (takesLeft) this.#storeImage(stored, 0, left);
    if (takesRight) this.#storeImage(stored, 1, right);
    if (!takesLeft && !takesRight) return ScanOutcome.duplicate;
    this.#tree.findBirths(stored);
    this.#growFrom(k);
    return ScanOutcome.completed;
  }

  #storeImage(stored: StoredScan, camera: number, image: ScanImage): void {
    this.invalidMeasurements += stored.images[camera]!.store(image, stored.time);
  }

  #forgetOldest(): void {
    rotate(this.#scans, this.#count);
    rotate(this.#sets, this.#count + 1);
    this.#count--;
  }

  #insert(place: number, scan: Scan, time: number): void {
    const stored = this.#scans[this.#count]!;
    for (let k = this.#count; k > place; k--) this.#scans[k] = this.#scans[k - 1]!;
    this.#scans[place] = stored;
    this.#count++;
    stored.reset(scan.kind, time);
    if (scan.kind === "points") {
      this.invalidMeasurements += stored.storePoints(scan.points);
    } else {
      if (scan.left !== null) this.#storeImage(stored, 0, scan.left);
      if (scan.right !== null) this.#storeImage(stored, 1, scan.right);
    }
    this.#tree.findBirths(stored);
  }

  /** Goes through the scans from `place` on; nodes that nothing refers to any more go back to the pool. */
  #growFrom(place: number): void {
    for (let k = place; k < this.#count; k++) {
      this.#tree.grow(this.#sets[k]!, this.#scans[k]!, this.#sets[k + 1]!);
      for (let n = 0; n <= k + 1; n++) this.#tree.keep(this.#sets[n]!);
      this.#tree.pool.sweep();
    }
  }
}

/** Moves the first of `count` entries behind the others. */
function rotate<T>(list: T[], count: number): void {
  const kept = list[0]!;
  for (let n = 0; n < count - 1; n++) list[n] = list[n + 1]!;
  list[count - 1] = kept;
}
