import type { RoundObject } from "../../../bench/tracking/scan-simulator.js";
import { FRAME_PERIOD, ScanSimulator, type SimulatorOptions } from "../../../bench/tracking/scan-simulator.js";
import { BallTracker } from "../../../src/tracking/ball-tracker.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import type { TrackerEvent } from "../../../src/tracking/events/tracker-event.js";
import type { CircleScan, ScanImage } from "../../../src/tracking/filter/scan.js";
import type { TrackerOptions } from "../../../src/tracking/hypotheses/tracker-options.js";

/** A tracker that remembers what it told. */
export function listeningTracker(options: TrackerOptions = {}): { tracker: BallTracker; events: TrackerEvent[] } {
  const events: TrackerEvent[] = [];
  const tracker = new BallTracker({ clutterPerImage: 10, ...options }, (event) => events.push(event));
  return { tracker, events };
}

/** Scans of their own, one every 40 ms. */
export function scansOf(objects: readonly RoundObject[], frames: number, options: SimulatorOptions): CircleScan[] {
  const simulator = new ScanSimulator(options);
  return Array.from({ length: frames }, (_, k) => copyScan(simulator.expose(k * FRAME_PERIOD, objects)));
}

export function copyScan({ left, right }: CircleScan): CircleScan {
  return { kind: "circles", left: copyImage(left), right: copyImage(right) };
}

function copyImage(image: ScanImage | null): ScanImage | null {
  if (image === null) return null;
  const circles = new CircleSet();
  circles.count = image.circles.count;
  for (const name of ["u", "v", "r", "covariance", "score"] as const) circles[name].set(image.circles[name]);
  return { view: { ...image.view }, circles };
}

export function leftOnly({ left }: CircleScan): CircleScan {
  return { kind: "circles", left, right: null };
}

export function rightOnly({ right }: CircleScan): CircleScan {
  return { kind: "circles", left: null, right };
}

/** An image of nothing. */
export function black({ view }: ScanImage): ScanImage {
  return { view, circles: new CircleSet() };
}

/** All numbers of a tracker's answer, for comparison bit by bit. */
export function answerOf(tracker: BallTracker): number[] {
  const answer = [tracker.time, tracker.trackCount, tracker.hypotheses.count];
  for (const { id, belief, confirmed, ...rest } of tracker.tracks.slice(0, tracker.trackCount)) {
    answer.push(id, Number(confirmed), ...belief.mean, ...belief.factor, rest.flyingProbability, rest.probability);
    answer.push(rest.lastMeasurement, rest.scans, rest.score);
  }
  return answer;
}
