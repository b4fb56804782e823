import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { BallTracker } from "../../../src/tracking/ball-tracker.js";
import type { BallTrack } from "../../../src/tracking/events/ball-track.js";
import type { TrackerEvent } from "../../../src/tracking/events/tracker-event.js";
import { PointSet } from "../../../src/tracking/filter/scan.js";

type Place = readonly [number, number, number];

const SIGMA = 0.003;
const FALL = 9.81;
const ball = { diameter: 0.07, mass: 0.12, drag: 0 };

/** Measures balls with noise, all at one time. */
class PointSensor {
  readonly #random: Random;
  readonly #points = new PointSet();

  constructor(seed: string) {
    this.#random = new Random(seed);
  }

  measure(tracker: BallTracker, time: number, places: readonly Place[]): void {
    const points = this.#points;
    points.count = places.length;
    for (const [i, place] of places.entries()) {
      points.covariance.fill(0, 9 * i, 9 * i + 9);
      for (let axis = 0; axis < 3; axis++) {
        points.position[3 * i + axis] = place[axis]! + SIGMA * this.#random.normal();
        points.covariance[9 * i + 4 * axis] = SIGMA ** 2;
      }
    }
    tracker.process({ kind: "points", time, points });
  }
}

function tracksOf({ tracks, trackCount }: BallTracker): BallTrack[] {
  return tracks.slice(0, trackCount);
}

function distance({ belief: { mean } }: BallTrack, [x, y, z]: Place): number {
  return Math.hypot(mean[0]! - x, mean[1]! - y, mean[2]! - z);
}

/** Dwell of a juggled ball in a hand, and its flight to the other one [s]. */
const DWELL = 0.3;
const FLIGHT = 0.55;
const BALLS = 3;
const HALF = DWELL + FLIGHT;
/** Where hands catch and throw, from the middle between them, and at what height [m]. */
const OUTER = 0.42;
const INNER = 0.18;
const HEIGHT = 1.1;

/** Ball `b` of a cascade: thrown by one hand from inside, caught by the other outside, carried inwards, thrown back. */
function juggled(b: number, time: number): Place {
  const period = 2 * HALF;
  const within = (time + (b * period) / BALLS) % period;
  const side = within < HALF ? 1 : -1;
  const t = within % HALF;
  const up = (FALL * FLIGHT) / 2;
  const across = (-(OUTER + INNER) * side) / FLIGHT;
  if (t >= DWELL) {
    const s = t - DWELL;
    return [2, INNER * side + across * s, HEIGHT + up * s - (FALL / 2) * s * s];
  }
  const y = hermite(OUTER * side, -across, INNER * side, across, t);
  return [2, y, hermite(HEIGHT, -up, HEIGHT, up, t)];
}

/** Cubic over the dwell, by places and velocities at its ends. */
function hermite(from: number, v0: number, to: number, v1: number, t: number): number {
  const s = t / DWELL;
  const [a, b, d] = [v0 * DWELL, v1 * DWELL, to - from];
  return from + a * s + (3 * d - 2 * a - b) * s * s + (a + b - 2 * d) * s * s * s;
}

describe("juggled balls", () => {
  it.each([25, 100])("keep their identities, and fly when they fly, at %d Hz", (rate) => {
    const tracker = new BallTracker({ ball });
    const sensor = new PointSensor(`juggling ${rate}`);
    const identities = new Map<number, number>();
    let [late, flying] = [0, 0];
    for (let k = 0; k < 8 * rate; k++) {
      const time = k / rate;
      const places = Array.from({ length: BALLS }, (_, b) => juggled(b, time));
      sensor.measure(tracker, time, places);
      for (const [b, place] of places.entries()) {
        const own = tracksOf(tracker).find((track) => distance(track, place) < 0.08);
        if (own === undefined || k < 3) continue;
        expect(identities.get(b) ?? own.id).toBe(own.id);
        identities.set(b, own.id);
        if ((time + (b * 2 * HALF) / BALLS) % HALF < DWELL + 0.2) continue;
        flying++;
        if (!own.confirmed) late++;
      }
      // No ghost flies where no ball is.
      for (const track of tracksOf(tracker)) {
        if (track.confirmed) expect(Math.min(...places.map((place) => distance(track, place)))).toBeLessThan(0.15);
      }
    }
    expect(identities.size).toBe(BALLS);
    expect(late / flying).toBeLessThan(0.05);
  });
});

describe("a ball among many lamps", () => {
  it.each([12, 30])("is found, of %d lamps", (lamps) => {
    const random = new Random("lamps");
    const places = Array.from(
      { length: lamps },
      (): Place => [random.uniformIn(0, 5), random.uniformIn(-2, 2), random.uniformIn(0.5, 2.5)],
    );
    const tracker = new BallTracker({ ball });
    const sensor = new PointSensor("lamps");
    let confirmedAt = Number.NaN;
    for (let k = 0; k < 140; k++) {
      const t = k / 25 - 5;
      const thrown: Place[] = t < 0 ? [] : [[4 - 6 * t, 0.2, 1.5 + 3 * t - (FALL / 2) * t * t]];
      sensor.measure(tracker, t, [...places, ...thrown]);
      if (Number.isNaN(confirmedAt) && tracksOf(tracker).some(({ confirmed }) => confirmed)) confirmedAt = t;
    }
    expect(confirmedAt).toBeGreaterThan(0);
    expect(confirmedAt).toBeLessThan(0.2);
  });

  it("is found as a new one when it leaves its place among them", () => {
    const random = new Random("leaves");
    const lamps = Array.from(
      { length: 14 },
      (): Place => [random.uniformIn(0, 3), random.uniformIn(-2, 2), random.uniformIn(0.5, 2.5)],
    );
    const tracker = new BallTracker({ ball });
    const sensor = new PointSensor("leaves");
    let isThrown = false;
    for (let k = 0; k < 150; k++) {
      const t = Math.max(0, k / 25 - 5);
      sensor.measure(tracker, k / 25, [...lamps, [4 - 4 * t, 0, 1.2 + 4 * t - (FALL / 2) * t * t]]);
      isThrown ||= tracksOf(tracker).some(({ confirmed }) => confirmed);
      if (k < 125) expect(isThrown).toBe(false);
    }
    expect(isThrown).toBe(true);
  });
});

describe("a ball that bounces", () => {
  it("stays the same ball, and flies on", () => {
    const events: TrackerEvent[] = [];
    const tracker = new BallTracker({ ball }, (event) => events.push(event));
    const sensor = new PointSensor("bounce");
    let [z, vz] = [1, 2];
    for (let k = 0; k < 140; k++) {
      const t = k / 100;
      sensor.measure(tracker, t, [[3 - 2 * t, 0, z]]);
      for (let n = 0; n < 100; n++) {
        z += vz * 1e-4;
        vz -= FALL * 1e-4;
        if (z < 0.035 && vz < 0) vz = -0.78 * vz;
      }
    }
    const told = events.filter(({ code }) => code.startsWith("track-")).map(({ code }) => code);
    expect(told).toEqual(["track-born", "track-confirmed"]);
    const [track] = tracksOf(tracker);
    expect(track?.confirmed).toBe(true);
    expect(distance(track!, [3 - 2 * 1.39, 0, track!.belief.mean[2]!])).toBeLessThan(0.02);
  });
});
