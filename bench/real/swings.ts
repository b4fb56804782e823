import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { Thrower } from "../../src/simulation/world/thrower.js";
import type { Throw } from "../../src/simulation/world/throws.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import { type PointScan, PointSet, type Scan } from "../../src/tracking/filter/scan.js";
import type { BenchContext, Metrics } from "../harness.js";
import { ThrownBall, throwsOf, WalkingPerson } from "../tracking/round-objects.js";
import { type RoundObject, ScanSimulator } from "../tracking/scan-simulator.js";
import { CarriedBall, SwungBall } from "./carried-balls.js";

/** Durations of drawn swings [s]: 0 is a ball at rest until its release. */
export const swingDurations = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5] as const;
/** [Hz] */
export const swingRates = [25, 50, 100] as const;
export const swingSensors = ["circles", "points"] as const;

/** Standard deviation of a point [m]. */
const POINT_SIGMA = 0.003;
/** False circles in an image. */
const CLUTTER = 10;
/** A track nearer than this to the ball is its own [m]. */
const NEAR = 0.3;
/** A ball that begins in a hand may be confirmed so much later than one that appears at its release [s]. */
const ALLOWED_DELAY = 0.15;
/** Length of the trials in which nothing is thrown [s]: half an hour in all. */
const CARRYING = 900;

/** One trial of a swing. */
interface SwingOutcome {
  /** From the release to the first scan with a confirmed track of the ball; infinite if there is none [s]. */
  readonly delay: number;
  /** Whether some track was confirmed before the swing began. */
  readonly isFalse: boolean;
}

/**
 * Swings of 0 to 0.5 s that end in the throws of the suites, at about 7 m/s: drawn as circles of the stereo head or as points, at 25, 50 and
 * 100 Hz, after the ball was carried. `swing_confirmed_min` is the smallest share of a cell that is confirmed at most 0.15 s later than the
 * same ball that appears at its release.
 */
export async function measureSwings({ seed, full, progress }: BenchContext): Promise<Metrics> {
  const count = full ? 100 : 20;
  const metrics: Record<string, number> = {};
  const [shares, falseCounts]: [number[], number[]] = [[], []];
  for (const sensor of swingSensors) {
    for (const rate of swingRates) {
      for (const swing of swingDurations) {
        progress(`swings of ${swing} s as ${sensor} at ${rate} Hz`);
        const outcomes = Array.from({ length: count }, (_, id) => trySwing({ seed, id, sensor, rate, swing }));
        const share = outcomes.filter(({ isTimely }) => isTimely).length / count;
        metrics[`swing_${sensor}_${rate}hz_${Math.round(1e3 * swing)}ms`] = share;
        shares.push(share);
        falseCounts.push(outcomes.filter(({ isFalse }) => isFalse).length);
        await new Promise(setImmediate);
      }
    }
  }
  const sum = falseCounts.reduce((total, value) => total + value, 0);
  return { swing_confirmed_min: Math.min(...shares), swing_false_share: sum / (count * shares.length), ...metrics };
}

interface SwingTrial {
  readonly seed: number;
  readonly id: number;
  readonly sensor: (typeof swingSensors)[number];
  readonly rate: number;
  readonly swing: number;
}

function trySwing(trial: SwingTrial): { readonly isTimely: boolean; readonly isFalse: boolean } {
  const { seed, id, swing } = trial;
  const clean = throwsOf(seed).make(id, RELEASE);
  const thrower = new Thrower({ kind: "standard", fakes: 0, handOvers: 0, swing: [swing, swing] }, seed);
  const swung = follow(trial, clean, new SwungBall(thrower.prepare(clean)));
  const appearing = follow(trial, clean, new ThrownBall(clean));
  const isTimely = Number.isFinite(swung.delay) && swung.delay <= appearing.delay + ALLOWED_DELAY;
  return { isTimely, isFalse: swung.isFalse };
}

/** Later than any ball is carried before its throw [s]. */
const RELEASE = 10;

function follow(trial: SwingTrial, { state, framePhase }: Throw, ball: SwungBall | ThrownBall): SwingOutcome {
  const { rate, swing } = trial;
  const sensor = new DrawnSensor(trial.sensor, `${trial.seed} ${trial.id}`);
  const tracker = new BallTracker({ clutterPerImage: CLUTTER });
  const begin = ball instanceof SwungBall ? ball.begin : ball.release;
  const place = vec3.create();
  let isFalse = false;
  // Scans lie on the same grid for both.
  const first = Math.ceil((begin - RELEASE) * rate + framePhase);
  for (let k = first; ; k++) {
    const time = RELEASE + (k - framePhase) / rate;
    if (time > ball.end) return { delay: Number.POSITIVE_INFINITY, isFalse };
    tracker.process(sensor.scan(time, [ball]));
    const confirmed = tracker.tracks.slice(0, tracker.trackCount).filter((track) => track.confirmed);
    if (time < state.time - swing) isFalse ||= confirmed.length > 0;
    if (time < state.time) continue;
    ball.position(time, place);
    if (confirmed.some(({ belief }) => vec3.distance(vec3.view(belief.mean, 0), place) < NEAR)) {
      return { delay: time - state.time, isFalse };
    }
  }
}

/**
 * Half an hour of people who walk with balls in their hands and hand them over: `false_throws_30min` is how often one is taken for a throw.
 * `fakes_confirmed_share` is the share of swings without release that are.
 */
export async function measureFalseThrows({ seed, progress }: BenchContext): Promise<Metrics> {
  progress("people who carry balls, as circles at 25 Hz");
  const circles = countConfirmed("circles", 25, `${seed} circles`, handOversOf(`${seed} circles`, CARRYING));
  await new Promise(setImmediate);
  progress("people who carry balls, as points at 50 Hz");
  const points = countConfirmed("points", 50, `${seed} points`, handOversOf(`${seed} points`, CARRYING));
  await new Promise(setImmediate);
  progress("fakes");
  const fakes = carriedBy(`${seed} fakes`, { fakes: 1, handOvers: 0 }, FAKES);
  const faked = countConfirmed("circles", 25, `${seed} fakes`, fakes, "alone");
  return {
    false_throws_30min: circles + points,
    false_throws_circles_15min: circles,
    false_throws_points_15min: points,
    fakes_confirmed_share: faked / FAKES,
  };
}

const FAKES = 60;

/** Balls that are carried and handed over for so long [s]. */
function handOversOf(seed: string, duration: number): CarriedBall {
  const shares = { fakes: 0, handOvers: 0.5 };
  for (let count = 64; ; count *= 2) {
    const ball = carriedBy(seed, shares, count);
    if (ball.duration >= duration) return ball;
  }
}

function carriedBy(seed: string, shares: { readonly fakes: number; readonly handOvers: number }, count: number) {
  const throws = throwsOf(seed);
  const thrower = new Thrower({ kind: "standard", ...shares }, seed);
  return new CarriedBall(Array.from({ length: count }, (_, id) => thrower.prepare(throws.make(id, 0))));
}

/** Tracks confirmed as thrown while nothing is: of a ball that is carried, and of one with a walking person. */
function countConfirmed(
  kind: SwingTrial["sensor"],
  rate: number,
  seed: string,
  ball: CarriedBall,
  company: "alone" | "person" = "person",
): number {
  const walking = company === "person" ? [new WalkingPerson(new Random(seed).fork("person"))] : [];
  const sensor = new DrawnSensor(kind, seed);
  let confirmed = 0;
  const tracker = new BallTracker({ clutterPerImage: CLUTTER }, ({ code }) => {
    if (code === "track-confirmed") confirmed++;
  });
  const duration = company === "person" ? CARRYING : ball.duration;
  for (let k = 0; k < duration * rate; k++) tracker.process(sensor.scan(k / rate, [ball, ...walking]));
  return confirmed;
}

/** Round objects as circles of the stereo head, or as points of motion capture. */
class DrawnSensor {
  readonly #circles: ScanSimulator | null;
  readonly #random: Random;
  readonly #points = new PointSet();
  readonly #place = vec3.create();

  constructor(kind: SwingTrial["sensor"], seed: string) {
    this.#circles = kind === "circles" ? new ScanSimulator({ seed, clutter: CLUTTER }) : null;
    this.#random = new Random(seed).fork("points");
  }

  scan(time: number, objects: readonly RoundObject[]): Scan {
    return this.#circles?.expose(time, objects) ?? this.#measure(time, objects);
  }

  #measure(time: number, objects: readonly RoundObject[]): PointScan {
    const points = this.#points;
    points.count = 0;
    for (const object of objects) {
      if (!object.position(time, this.#place) || object.isHidden?.(time) === true) continue;
      const i = points.count++;
      points.covariance.fill(0, 9 * i, 9 * i + 9);
      for (let axis = 0; axis < 3; axis++) {
        points.position[3 * i + axis] = this.#place[axis]! + POINT_SIGMA * this.#random.normal();
        points.covariance[9 * i + 4 * axis] = POINT_SIGMA ** 2;
      }
    }
    return { kind: "points", time, points };
  }
}
