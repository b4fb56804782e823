import { describe, expect, it } from "vitest";
import { runCrossing } from "../../bench/tracking/crossing-trial.js";
import { countConfirmed, countGhosts } from "../../bench/tracking/ghost-trial.js";
import { Lamp, RollingBall, ThrownBall, throwsOf, WalkingPerson } from "../../bench/tracking/round-objects.js";
import { FRAME_PERIOD, type RoundObject, ScanSimulator } from "../../bench/tracking/scan-simulator.js";
import * as cholesky from "../../src/math/cholesky.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import type { BallTrack } from "../../src/tracking/events/ball-track.js";
import { beliefCovariance } from "../../src/tracking/filter/ball-belief.js";
import { PointSet } from "../../src/tracking/filter/scan.js";
import { ScanOutcome } from "../../src/tracking/hypotheses/scan-history.js";
import { deep } from "../support/deep.js";
import { heapBytesPerCall } from "../support/heap.js";
import { answerOf, black, copyScan, leftOnly, listeningTracker, rightOnly, scansOf } from "./hypotheses/scenes.js";

/** Throws of one ball, with ten false circles an image. */
function thrown(seed: number, hiddenFrom?: number, hiddenFor?: number): ThrownBall {
  return new ThrownBall(throwsOf(seed).make(0, 0.2), hiddenFrom, hiddenFor);
}

/** Distance of the nearest track to a ball at the tracker's time [m]. */
function missOf(tracker: BallTracker, ball: RoundObject): number {
  const place = vec3.create();
  if (!ball.position(tracker.time, place)) return Number.NaN;
  const misses = tracker.tracks
    .slice(0, tracker.trackCount)
    .map(({ belief: { mean } }) => Math.hypot(mean[0]! - place[0], mean[1]! - place[1], mean[2]! - place[2]));
  return Math.min(...misses);
}

/** eᵀP⁻¹e of position and velocity. */
function normalizedError({ belief }: BallTrack, ball: ThrownBall): number {
  const [place, velocity] = [vec3.create(), vec3.create()];
  ball.position(belief.time, place);
  ball.velocity(belief.time, velocity);
  const covariance = beliefCovariance(belief, new Float64Array(49));
  const error = Float64Array.from({ length: 6 }, (_, n) => belief.mean[n]! - (n < 3 ? place[n]! : velocity[n - 3]!));
  const factor = Float64Array.from({ length: 36 }, (_, n) => covariance[7 * Math.floor(n / 6) + (n % 6)]!);
  cholesky.factor(factor, 6, factor);
  return cholesky.solveLower(factor, error, 6, error).reduce((sum, x) => sum + x * x, 0);
}

describe("BallTracker on throws", () => {
  it("confirms every throw within a few frames, and knows where it is", () => {
    const frames: number[] = [];
    for (let seed = 0; seed < deep(10, 200); seed++) {
      const ball = thrown(seed);
      const { tracker, events } = listeningTracker();
      const frameCount = Math.floor(ball.end / FRAME_PERIOD);
      for (const scan of scansOf([ball], frameCount, { seed })) tracker.process(scan);
      const told = events.filter(({ code }) => code === "track-confirmed");
      expect(told).toHaveLength(1);
      frames.push((told[0]!.time - ball.release) / FRAME_PERIOD);
      expect(missOf(tracker, ball)).toBeLessThan(0.05);
    }
    frames.sort((a, b) => a - b);
    // The first image comes up to a frame after the release.
    expect(frames[frames.length >> 1]).toBeLessThan(4);
    expect(frames[Math.floor(0.95 * frames.length)]).toBeLessThan(6);
  });

  it("is as sure of a thrown ball as it may be", () => {
    let [sum, count] = [0, 0];
    for (let seed = 0; seed < deep(25, 400); seed++) {
      const ball = thrown(100 + seed);
      const tracker = new BallTracker({ clutterPerImage: 10 });
      for (const scan of scansOf([ball], 15, { seed })) tracker.process(scan);
      const confirmed = tracker.tracks.slice(0, tracker.trackCount).find((track) => track.confirmed);
      if (confirmed === undefined) continue;
      sum += normalizedError(confirmed, ball);
      count++;
    }
    expect(count).toBeGreaterThan(0.95 * deep(25, 400));
    // Six degrees of freedom each: the mean has the standard deviation √(12/count), 1.1 is what is not quite normal.
    expect(sum / count).toBeLessThan(6 * 1.1 + 4 * Math.sqrt(12 / count));
    expect(sum / count).toBeGreaterThan(6 * 0.9 - 4 * Math.sqrt(12 / count));
  });

  it("keeps the identities of two balls that cross, one hidden for 200 ms", () => {
    const runs = deep(10, 500);
    let kept = 0;
    for (let seed = 1; seed <= runs; seed++) if (runCrossing(seed).kept) kept++;
    expect(kept / runs).toBeGreaterThanOrEqual(0.99);
  });

  it("follows a ball through an occlusion of 200 ms without a new identity", () => {
    const ball = thrown(3, 0.25, 0.2);
    const { tracker, events } = listeningTracker();
    for (const scan of scansOf([ball], 25, { seed: 3 })) tracker.process(scan);
    expect(events.filter(({ code }) => code === "track-confirmed")).toHaveLength(1);
    expect(events.some(({ code }) => code === "track-lost")).toBe(false);
    expect(missOf(tracker, ball)).toBeLessThan(0.05);
  });

  it("sees that a ball carried by a hand is thrown", () => {
    for (let seed = 0; seed < deep(5, 50); seed++) {
      const ball = thrown(seed);
      const held: RoundObject = {
        position: (time, out) => (time < ball.release ? ball.position(ball.release, out) : ball.position(time, out)),
      };
      const { tracker, events } = listeningTracker();
      for (const scan of scansOf([held], 20, { seed })) tracker.process(scan);
      const told = events.filter(({ code }) => code === "track-confirmed");
      expect(told).toHaveLength(1);
      expect(told[0]!.time - ball.release).toBeLessThan(0.25);
    }
  });

  it("tells a caught ball from a flying one, or loses it", () => {
    const ball = thrown(2);
    const end = ball.release + 0.5;
    const caught: RoundObject = { position: (time, out) => ball.position(Math.min(time, end), out) };
    const { tracker } = listeningTracker();
    for (const scan of scansOf([caught], 60, { seed: 2 })) tracker.process(scan);
    expect(tracker.tracks.slice(0, tracker.trackCount).some(({ confirmed }) => confirmed)).toBe(false);
    expect(missOf(tracker, { position: (_, out) => ball.position(end, out) })).toBeLessThan(0.05);
  });
});

describe("BallTracker where nobody throws", () => {
  it("confirms nothing amid false circles and a person who walks with a ball", () => {
    expect(countGhosts(5, deep(40, 600))).toBe(0);
  });

  it("confirms no lamp", () => {
    const lamps = [vec3.create(4, 0.5, 2.4), vec3.create(6, -1, 2.2), vec3.create(3, 1, 1.5)].map((at) => new Lamp(at));
    expect(countConfirmed(1, deep(20, 200), lamps)).toBe(0);
  });

  it("confirms no ball that rolls", () => {
    for (const [seed, speed] of [0.5, 1, 2, 3, 4].entries()) {
      const ball = new RollingBall(vec3.create(6.5, -2, 0), vec3.create(0.1, speed, 0));
      expect(countConfirmed(seed, 4, [ball])).toBe(0);
    }
  });

  it("follows the ball in the hand all the same", () => {
    const person = new WalkingPerson(new Random(1));
    const { tracker } = listeningTracker();
    let [near, all] = [0, 0];
    for (const scan of scansOf([person], 250, { seed: 1 })) {
      tracker.process(scan);
      if (person.isHidden(tracker.time)) continue;
      all++;
      if (missOf(tracker, person) < 0.1) near++;
    }
    expect(near / all).toBeGreaterThan(0.9);
  });
});

describe("BallTracker when things go wrong", () => {
  const ball = thrown(1);
  const scans = scansOf([ball], 25, { seed: 1 });

  it("goes on with one camera when the other dies, says so once, and says when it is back", () => {
    const person = new WalkingPerson(new Random(2));
    const all = scansOf([person], 75, { seed: 2, clutter: 3 });
    const { tracker, events } = listeningTracker();
    for (const [k, scan] of all.entries()) tracker.process(k >= 20 && k < 50 ? leftOnly(scan) : scan);
    const told = events.filter(({ code }) => code.startsWith("camera"));
    expect(told.map(({ code }) => code)).toEqual(["camera-dead", "camera-back"]);
    expect(told[0]!.text).toContain("right camera");
    expect(told[0]!.time).toBeCloseTo(19 * FRAME_PERIOD + 0.28, 6);
  });

  it("updates tracks with a single camera, but begins none", () => {
    for (const cut of [leftOnly, rightOnly]) {
      const tracker = new BallTracker({ clutterPerImage: 10 });
      for (const [k, scan] of scans.entries()) tracker.process(k < 12 ? scan : cut(scan));
      expect(tracker.tracks[0]!.lastMeasurement).toBeGreaterThan(0.75);
      expect(missOf(tracker, ball)).toBeLessThan(0.1);
      const blind = new BallTracker({ clutterPerImage: 10 });
      for (const scan of scans) blind.process(cut(scan));
      expect(blind.trackCount).toBe(0);
    }
  });

  it("takes black images for images without circles, and tells of a camera that gives nothing else", () => {
    const lamp = new Lamp(vec3.create(4, 0.2, 1.8));
    const { tracker, events } = listeningTracker();
    for (const scan of scansOf([lamp], 60, { seed: 4, clutter: 1 })) {
      const right = tracker.time > 0.3 ? black(scan.right!) : scan.right;
      tracker.process({ kind: "circles", left: scan.left, right });
    }
    expect(events.filter(({ code }) => code === "camera-blind")).toHaveLength(1);
    expect(tracker.trackCount).toBe(1);
    for (let k = 60; k < 100; k++) {
      const view = { ...scans[0]!.left!.view, time: k * FRAME_PERIOD };
      const nothing = black({ view, circles: scans[0]!.left!.circles });
      tracker.process({ kind: "circles", left: nothing, right: nothing });
    }
    expect(tracker.trackCount).toBe(0);
  });

  it("bridges dropped frames", () => {
    const tracker = new BallTracker({ clutterPerImage: 10 });
    for (const [k, scan] of scans.entries()) if (k % 3 !== 2 && k !== 12) tracker.process(scan);
    expect(tracker.tracks[0]!.id).toBe(1);
    expect(tracker.tracks[0]!.confirmed).toBe(true);
    expect(missOf(tracker, ball)).toBeLessThan(0.05);
  });

  it("forgets after a long silence what it followed, and begins anew", () => {
    const { tracker, events } = listeningTracker();
    for (const start of [0, 1e7]) {
      for (const scan of scansOf([new Lamp(vec3.create(4, 0.2, 1.8))], 5, { seed: 6 })) {
        for (const image of [scan.left!, scan.right!]) (image.view as { time: number }).time += start;
        tracker.process(scan);
      }
    }
    expect(events.map(({ code }) => code)).toEqual(["track-born", "track-lost", "track-born"]);
    expect(tracker.trackCount).toBe(1);
  });

  it("drops circles that are no numbers, counts them and says so", () => {
    const clean = new BallTracker({ clutterPerImage: 10 });
    const { tracker, events } = listeningTracker();
    for (const scan of scans) {
      clean.process(scan);
      const spoiled = copyScan(scan);
      const { circles } = spoiled.left!;
      for (const [n, bad] of [Number.NaN, Number.POSITIVE_INFINITY, -1].entries()) {
        const i = circles.count++;
        for (let c = 0; c < 9; c++) circles.covariance[9 * i + c] = circles.covariance[c]!;
        circles.u[i] = n === 0 ? bad : 100;
        circles.v[i] = n === 1 ? bad : 100;
        circles.r[i] = n === 2 ? bad : 10;
      }
      const last = circles.count++;
      circles.u[last] = 50;
      circles.v[last] = 50;
      circles.r[last] = 10;
      circles.covariance.fill(Number.NaN, 9 * last, 9 * last + 9);
      tracker.process(spoiled);
    }
    expect(tracker.counters.invalidMeasurements).toBe(4 * scans.length);
    expect(events.filter(({ code }) => code === "circles-invalid")).toHaveLength(1);
    expect(answerOf(tracker)).toEqual(answerOf(clean));
  });

  it("gives the same bits whether scans come in order, swapped, or late", () => {
    const inOrder = new BallTracker({ clutterPerImage: 10 });
    for (const scan of scans) inOrder.process(scan);
    const orders = [
      scans.map((_, k) => k ^ 1),
      scans.map((_, k) => (k % 5 === 0 ? k + 4 : k % 5 === 4 ? k - 4 : k)),
      scans.map((_, k) => 4 * Math.floor(k / 4) + 3 - (k % 4)),
    ].map((order) => order.filter((k) => k < scans.length));
    for (const order of orders) {
      const tracker = new BallTracker({ clutterPerImage: 10 });
      for (const k of order) tracker.process(scans[k]!);
      for (const k of scans.keys()) if (!order.includes(k)) tracker.process(scans[k]!);
      expect(tracker.counters.reordered).toBeGreaterThan(3);
      expect(answerOf(tracker).slice(4)).toEqual(answerOf(inOrder).slice(4));
    }
  });

  it("joins an image that comes late to the other camera's", () => {
    const together = new BallTracker({ clutterPerImage: 10 });
    const apart = new BallTracker({ clutterPerImage: 10 });
    for (const scan of scans) {
      together.process(scan);
      expect(apart.process(rightOnly(scan))).toBe(ScanOutcome.processed);
      expect(apart.process(leftOnly(scan))).toBe(ScanOutcome.completed);
      expect(answerOf(apart)).toEqual(answerOf(together));
    }
  });

  it("refuses what is there twice, too late, or has no time, and says so", () => {
    const { tracker, events } = listeningTracker();
    for (const scan of scans) tracker.process(scan);
    const before = answerOf(tracker);
    expect(tracker.process(scans.at(-1)!)).toBe(ScanOutcome.duplicate);
    expect(tracker.process(scans[3]!)).toBe(ScanOutcome.tooLate);
    expect(tracker.process({ kind: "circles", left: null, right: null })).toBe(ScanOutcome.invalid);
    expect(tracker.process({ kind: "points", time: Number.NaN, points: new PointSet() })).toBe(ScanOutcome.invalid);
    expect(answerOf(tracker)).toEqual(before);
    expect(events.slice(-3).map(({ code }) => code)).toEqual(["scan-late", "scan-unusable", "scan-unusable"]);
    expect(tracker.counters).toMatchObject({ duplicate: 1, tooLate: 1, invalid: 2 });
  });

  it("gives the same bits again", () => {
    const [a, b] = [new BallTracker(), new BallTracker()];
    for (const scan of scans) {
      a.process(scan);
      b.process(copyScan(scan));
      expect(answerOf(a)).toEqual(answerOf(b));
    }
  });

  it("refuses options out of range", () => {
    const bad = [
      { detectionProbability: 1 },
      { clutterPerImage: Number.NaN },
      { gateProbability: 1 },
      { maxHypotheses: 1.5 },
      { scanDepth: 0 },
      { falseRadii: [5, 5] as const },
    ];
    for (const options of bad) expect(() => new BallTracker(options)).toThrow(FlycatcherError);
  });
});

describe("BallTracker on points of motion capture", () => {
  it("confirms a throw among false points, and no resting one", () => {
    const random = new Random("capture");
    const ball = thrown(7);
    const { tracker, events } = listeningTracker({ clutterPerPointScan: 1 });
    const place = vec3.create();
    const points = new PointSet();
    points.covariance.fill(0);
    for (let n = 0; n < 9 * points.capacity; n++)
      if (n % 9 === 0 || n % 9 === 4 || n % 9 === 8) points.covariance[n] = 4e-6;
    for (let k = 0; k < 120; k++) {
      const time = k / 120;
      points.count = 0;
      const add = (x: number, y: number, z: number): void => {
        const noisy = [x, y, z].map((c) => c + 0.002 * random.normal());
        points.position.set(noisy, 3 * points.count++);
      };
      if (ball.position(time, place)) add(place[0], place[1], place[2]);
      add(3, 1, 1);
      if (random.uniform() < 0.5) add(random.uniformIn(1, 6), random.uniformIn(-2, 2), random.uniformIn(0, 3));
      tracker.process({ kind: "points", time, points });
    }
    expect(events.filter(({ code }) => code === "track-confirmed")).toHaveLength(1);
    expect(missOf(tracker, ball)).toBeLessThan(0.01);
    expect(missOf(tracker, new Lamp(vec3.create(3, 1, 1)))).toBeLessThan(0.01);
  });
});

describe("BallTracker over a long time", () => {
  it("stays within its bounds when images are full of circles", () => {
    const tracker = new BallTracker({ clutterPerImage: 10, maxHypotheses: 16 });
    const random = new Random("full");
    const lamps = Array.from(
      { length: 20 },
      () => new Lamp(vec3.create(random.uniformIn(3, 6), random.uniformIn(-1, 1), random.uniformIn(1.3, 2.4))),
    );
    const simulator = new ScanSimulator({ seed: 8, clutter: 44 });
    for (let k = 0; k < deep(25, 400); k++) {
      tracker.process(simulator.expose(k * FRAME_PERIOD, lamps));
      expect(tracker.hypotheses.count).toBeLessThanOrEqual(16);
      expect(tracker.trackCount).toBeLessThanOrEqual(tracker.settings.maxTracks);
    }
    expect(tracker.trackCount).toBe(tracker.settings.maxTracks);
  });

  it("does not grow: an hour of frames", () => {
    const tracker = new BallTracker({ clutterPerImage: 10 });
    const simulator = new ScanSimulator({ seed: 9 });
    const person = new WalkingPerson(new Random(9));
    const throws = throwsOf(9);
    let frame = 0;
    let ball = new ThrownBall(throws.make(0, 0));
    const run = (frames: number): void => {
      for (let k = 0; k < frames; k++, frame++) {
        const time = frame * FRAME_PERIOD;
        if (time > ball.end + 1) ball = new ThrownBall(throws.make(frame, time));
        tracker.process(simulator.expose(time, [person, ball]));
      }
    };
    const used = (): number => {
      globalThis.gc!();
      return process.memoryUsage().heapUsed;
    };
    run(deep(500, 5000));
    const available = tracker.tree.pool.available;
    const before = used();
    run(deep(1000, 85_000));
    // Compiled code may come and go; anything kept a frame would be megabytes.
    expect(used() - before).toBeLessThan(1_000_000);
    expect(tracker.tree.pool.available).toBeGreaterThan(available / 2);
  });

  it("allocates next to nothing for a scan", () => {
    const tracker = new BallTracker({ clutterPerImage: 10 });
    const lamps = [new Lamp(vec3.create(4, 0.2, 1.8)), new Lamp(vec3.create(5, -0.3, 1.7))];
    const scans = scansOf(lamps, 50, { seed: 5 });
    let frame = 0;
    const process = (): void => {
      const scan = scans[frame % scans.length]!;
      for (const image of [scan.left!, scan.right!]) (image.view as { time: number }).time = frame * FRAME_PERIOD;
      tracker.process(scan);
      frame++;
    };
    // Mostly boxed numbers that cross calls; a typed array a track or circle would be tens of kilobytes.
    expect(heapBytesPerCall(process, 500, 4000)).toBeLessThan(20_000);
  });
});
