import { CAMERAS } from "./track-node.js";

/**
 * One explanation of all that was seen: which balls there are, and which circles each of them made; all other circles
 * are false. It holds the newest node of each track.
 */
export class Hypothesis {
  /** Natural logarithm of its probability, once normalised. */
  logWeight = 0;
  /** Tracks in use. */
  count = 0;
  /** Node of each track; while a scan is being explained, the track's explanation so far. [maxTracks] */
  readonly nodes: Int32Array;
  /** Numbers of the hypotheses it descends from: after the newest scan, after the one before it, … [scanDepth + 1] */
  readonly ancestors: Int32Array;
  /** Which circles of the scan are explained by tracks. [camera][circle] */
  readonly used: readonly Uint8Array[];

  constructor(maxTracks: number, scanDepth: number, maxCircles: number) {
    this.nodes = new Int32Array(maxTracks);
    this.ancestors = new Int32Array(scanDepth + 1);
    this.used = Array.from({ length: CAMERAS }, () => new Uint8Array(maxCircles));
  }

  copy(other: Hypothesis): void {
    this.copyPast(other);
    this.count = other.count;
    for (let n = 0; n < other.count; n++) this.nodes[n] = other.nodes[n]!;
    for (let camera = 0; camera < CAMERAS; camera++) this.used[camera]!.set(other.used[camera]!);
  }

  /** All but the tracks and the circles they use. */
  copyPast(other: Hypothesis): void {
    this.logWeight = other.logWeight;
    for (let n = 0; n < this.ancestors.length; n++) this.ancestors[n] = other.ancestors[n]!;
  }
}

/** The explanations that are kept after a scan, most probable first. */
export class HypothesisSet {
  readonly items: Hypothesis[];
  count = 0;
  /** Of the scan [s]. */
  time = Number.NEGATIVE_INFINITY;

  constructor(maxHypotheses: number, maxTracks: number, scanDepth: number, maxCircles: number) {
    this.items = Array.from({ length: maxHypotheses }, () => new Hypothesis(maxTracks, scanDepth, maxCircles));
  }

  get capacity(): number {
    return this.items.length;
  }

  /** The one explanation before anything was seen: there is no ball. */
  begin(): void {
    const [first] = this.items;
    this.count = 1;
    this.time = Number.NEGATIVE_INFINITY;
    first!.logWeight = 0;
    first!.count = 0;
    first!.ancestors.fill(0);
  }

  /** Swaps two hypotheses. */
  swap(a: number, b: number): void {
    const kept = this.items[a]!;
    this.items[a] = this.items[b]!;
    this.items[b] = kept;
  }
}
