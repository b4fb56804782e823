import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { BallTracker } from "../../../src/tracking/ball-tracker.js";
import type { TrackerEvent } from "../../../src/tracking/events/tracker-event.js";
import { PointSet } from "../../../src/tracking/filter/scan.js";
import type { TrackerOptions } from "../../../src/tracking/hypotheses/tracker-options.js";

const RATE = 300;
const SIGMA = 0.001;

/** Where something is at `time` [s]. */
type Path = (time: number) => readonly [number, number, number];

/** When a push begins, and when it ends in a release [s]. */
const PUSH = 0.5;
const RELEASE = 0.56;

/** A ball that is held, pushed with 52 m/s² and flies. */
const flight: Path = (t) => {
  const pushed = Math.max(0, Math.min(t, RELEASE) - PUSH);
  const flown = Math.max(0, t - RELEASE);
  const along = 0.5 * pushed * pushed + (RELEASE - PUSH) * flown;
  return [15 * along, 2 * along, 1.8 + 50 * along - 4.905 * flown * flown];
};

/** The same, seen 15 mm aside for 17 ms after 60 ms of flight. */
const jumping: Path = (t) => {
  const [x, y, z] = flight(t);
  return t > RELEASE + 0.06 && t < RELEASE + 0.077 ? [x + 0.009, y - 0.012, z] : [x, y, z];
};

/** A ball that rolls on a table, pushed to and fro. */
const rolling: Path = (t) => [0.05 * Math.sin(12 * t), 0.1 * t, 1.2];

function follow(path: Path, duration: number, rate: number, options: TrackerOptions = {}): TrackerEvent[] {
  const events: TrackerEvent[] = [];
  const tracker = new BallTracker(options, (event) => void events.push(event));
  const points = new PointSet(1);
  points.covariance.set([SIGMA ** 2, 0, 0, 0, SIGMA ** 2, 0, 0, 0, SIGMA ** 2]);
  const random = new Random("robust");
  for (let k = 0; k < duration * rate; k++) {
    const place = path(k / rate);
    points.count = 1;
    for (let n = 0; n < 3; n++) points.position[n] = place[n]! + SIGMA * random.normal();
    tracker.process({ kind: "points", time: k / rate, points });
  }
  return events;
}

function count(events: readonly TrackerEvent[], code: string): number {
  return events.filter((event) => event.code === code).length;
}

describe("points that are off for a while", () => {
  it("do not end a flight", () => {
    const events = follow(jumping, 1, RATE);
    expect(count(events, "track-confirmed")).toBe(1);
    expect(count(events, "track-landed") + count(events, "track-lost")).toBe(0);
  });

  it("are no other ball, as they are where all points count as good", () => {
    expect(count(follow(jumping, 1, RATE), "track-born")).toBe(1);
    const events = follow(jumping, 1, RATE, { outlierRate: 0, pointBias: 0 });
    expect(count(events, "track-born") + count(events, "track-landed")).toBeGreaterThan(1);
  });

  it("do not make a ball fly that rolls", () => {
    for (const rate of [25, 50, 100, 300]) expect(count(follow(rolling, 3, rate), "track-confirmed")).toBe(0);
  });
});
