import { Severity } from "../messages/severity.js";
import { BallTrack } from "./events/ball-track.js";
import { CameraWatch } from "./events/camera-watch.js";
import { FlightWatch } from "./events/flight-watch.js";
import { TrackReporter } from "./events/track-reporter.js";
import { NO_TRACK, type TrackerEventCode, type TrackerEventSink } from "./events/tracker-event.js";
import { type Scan, scanTime } from "./filter/scan.js";
import type { HypothesisSet } from "./hypotheses/hypothesis.js";
import { HypothesisTree } from "./hypotheses/hypothesis-tree.js";
import { ScanHistory, ScanOutcome } from "./hypotheses/scan-history.js";
import { settingsOf, type TrackerOptions, type TrackerSettings } from "./hypotheses/tracker-options.js";

/** A track is told to fly only if there is this ball with at least this probability. */
const SURE_OF_BALL = 0.9;

/** Least time between two complaints about measurements that are none [s]. */
const COMPLAINT_INTERVAL = 1;

/** What the tracker has gone through. */
class TrackerCounters {
  /** Scans used, of which late ones put in their place, or joined to the other camera's image. */
  scans = 0;
  reordered = 0;
  completed = 0;
  /** Scans not used: there twice, too late, without image or time. */
  duplicate = 0;
  tooLate = 0;
  invalid = 0;
  /** Circles and points that were none: NaN, without size, or with an impossible covariance. */
  invalidMeasurements = 0;
}

/**
 * Follows balls through the circles of two cameras, or the points of motion capture: which are balls, which are false,
 * and which of the balls were thrown. What it hands out is the most probable explanation of all that was seen.
 *
 * @example
 * const tracker = new BallTracker({ clutterPerImage: 5 }, (event) => console.log(event.text));
 * tracker.process({ kind: "circles", left: { view, circles }, right: null });
 * for (let n = 0; n < tracker.trackCount; n++) if (tracker.tracks[n]!.confirmed) plan(tracker.tracks[n]!.belief);
 */
export class BallTracker {
  readonly settings: TrackerSettings;
  /** Tracks of the most probable hypothesis, in order of their identities; the first `trackCount` count. */
  readonly tracks: readonly BallTrack[];
  trackCount = 0;
  readonly counters = new TrackerCounters();
  /** The nodes that hypotheses refer to: for tests and pictures. */
  readonly tree: HypothesisTree;
  readonly #history: ScanHistory;
  readonly #reporter: TrackReporter;
  readonly #cameras: CameraWatch;
  readonly #flights: FlightWatch;
  readonly #sink: TrackerEventSink;
  readonly #isAlive = (id: number): boolean => probabilityOf(this.hypotheses, this.tree, id) > 0;
  #lastComplaint = Number.NEGATIVE_INFINITY;
  #complaintsBefore = 0;

  constructor(options: TrackerOptions = {}, sink: TrackerEventSink = ignore) {
    this.settings = settingsOf(options);
    const { maxTracks, lateScans } = this.settings;
    this.tracks = Array.from({ length: maxTracks }, () => new BallTrack());
    this.tree = new HypothesisTree(this.settings);
    this.#history = new ScanHistory(this.tree, lateScans);
    this.#reporter = new TrackReporter(4 * maxTracks, sink);
    this.#cameras = new CameraWatch(sink);
    this.#flights = new FlightWatch(this.settings, sink);
    this.#sink = sink;
  }

  /** Time of the newest scan [s]; −Infinity before the first. */
  get time(): number {
    return this.hypotheses.time;
  }

  /** The explanations after the newest scan, most probable first: for tests and pictures. */
  get hypotheses(): HypothesisSet {
    return this.#history.newest;
  }

  /** Takes a scan in; it is copied. Late ones are put where they belong, within the last few scans. */
  process(scan: Scan): ScanOutcome {
    const outcome = this.#history.add(scan);
    this.#count(outcome, scanTime(scan));
    if (scan.kind === "circles") this.#cameras.update(scanTime(scan), scan);
    this.#complain(scanTime(scan));
    if (outcome > ScanOutcome.completed) return outcome;
    this.#fillTracks();
    this.#reporter.update(this.time, this.tracks, this.trackCount, this.#isAlive);
    this.#flights.update(this.time, this.tracks, this.trackCount);
    return outcome;
  }

  #fillTracks(): void {
    const set = this.hypotheses;
    const best = set.items[0]!;
    this.trackCount = best.count;
    for (let n = 0; n < best.count; n++) {
      const node = this.tree.pool.at(best.nodes[n]!);
      const probability = probabilityOf(set, this.tree, node.id);
      const track = this.tracks[n]!;
      track.fill(node, probability, node.confirmed && probability >= SURE_OF_BALL);
    }
  }

  #count(outcome: ScanOutcome, time: number): void {
    const { counters } = this;
    if (outcome <= ScanOutcome.reordered) counters.scans++;
    if (outcome === ScanOutcome.reordered) counters.reordered++;
    if (outcome === ScanOutcome.completed) counters.completed++;
    if (outcome === ScanOutcome.duplicate) counters.duplicate++;
    if (outcome === ScanOutcome.tooLate) {
      counters.tooLate++;
      this.#tell(time, "scan-late", `a scan came ${(1000 * (this.time - time)).toFixed(0)} ms late: not used`);
    }
    if (outcome === ScanOutcome.invalid) {
      counters.invalid++;
      this.#tell(this.time, "scan-unusable", "a scan without image, or whose time is no number: not used");
    }
  }

  /** At most once in a while: a detector that fails does so in every image. */
  #complain(time: number): void {
    const all = this.#history.invalidMeasurements;
    this.counters.invalidMeasurements = all;
    if (all === this.#complaintsBefore || !(time >= this.#lastComplaint + COMPLAINT_INTERVAL)) return;
    this.#tell(time, "circles-invalid", `${all - this.#complaintsBefore} measurements were no numbers: not used`);
    this.#complaintsBefore = all;
    this.#lastComplaint = time;
  }

  #tell(time: number, code: TrackerEventCode, text: string): void {
    this.#sink({ time, severity: Severity.warning, code, track: NO_TRACK, text });
  }
}

/** Sum of the probabilities of the hypotheses that have this ball. */
function probabilityOf(set: HypothesisSet, tree: HypothesisTree, id: number): number {
  let sum = 0;
  for (let h = 0; h < set.count; h++) {
    const { nodes, count, logWeight } = set.items[h]!;
    for (let n = 0; n < count; n++) if (tree.pool.at(nodes[n]!).id === id) sum += Math.exp(logWeight);
  }
  return sum;
}

function ignore(): void {}
