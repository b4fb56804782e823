import { describe, expect, it } from "vitest";
import { maxSentenceBytes } from "../../../src/messages/parts.js";
import { BallTrack } from "../../../src/tracking/events/ball-track.js";
import { TrackReporter } from "../../../src/tracking/events/track-reporter.js";
import type { TrackerEvent } from "../../../src/tracking/events/tracker-event.js";

function trackOf(id: number, time: number, lastMeasurement = time): BallTrack {
  const track = new BallTrack();
  track.id = id;
  track.belief.time = time;
  track.belief.mean.set([3.2, -0.1, 1.5, -5, 0.2, 3]);
  track.lastMeasurement = lastMeasurement;
  track.scans = 4;
  track.score = 12;
  return track;
}

function reporter(): { book: TrackReporter; told: TrackerEvent[] } {
  const told: TrackerEvent[] = [];
  return { book: new TrackReporter(4, (event) => told.push(event)), told };
}

describe("TrackReporter", () => {
  it("tells of a ball's whole life, each thing once", () => {
    const { book, told } = reporter();
    const track = trackOf(7, 1);
    book.update(1, [track], 1, () => true);
    book.update(1, [track], 1, () => true);
    track.confirmed = true;
    track.flyingProbability = 0.998;
    book.update(1.04, [track], 1, () => true);
    track.confirmed = false;
    track.flyingProbability = 0.1;
    book.update(1.08, [track], 1, () => true);
    track.belief.time = 1.4;
    book.update(1.4, [track], 1, () => true);
    book.update(1.44, [], 0, () => false);
    expect(told.map(({ code }) => code)).toEqual(["track-born", "track-confirmed", "track-landed", "track-lost"]);
    expect(told[1]!.text).toBe(
      "ball 7 was thrown: 5.8 m/s at (3.20, -0.10, 1.50) m, flying with 99.80 % after 4 sightings in 1000 ms",
    );
    expect(told[3]!.text).toBe("ball 7 lost: not seen for 440 ms after 4 sightings; would be at (3.20, -0.10, 1.50) m");
    for (const { text, track: id } of told) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxSentenceBytes);
      expect(id).toBe(7);
    }
  });

  it("says nothing of a ball that only another hypothesis still has, and calls it rejected when none has", () => {
    const { book, told } = reporter();
    book.update(1, [trackOf(1, 1)], 1, () => true);
    book.update(1.04, [], 0, () => true);
    expect(told).toHaveLength(1);
    book.update(1.08, [], 0, () => false);
    expect(told.at(-1)!.code).toBe("track-rejected");
  });

  it("has room for so many balls and leaves out the rest", () => {
    const { book, told } = reporter();
    const tracks = [1, 2, 3, 4, 5].map((id) => trackOf(id, 1));
    book.update(1, tracks, 5, () => true);
    expect(told).toHaveLength(4);
  });
});
