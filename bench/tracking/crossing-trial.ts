import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import type { TrackerOptions } from "../../src/tracking/hypotheses/tracker-options.js";
import { ThrownBall, throwsOf } from "./round-objects.js";
import { FRAME_PERIOD, ScanSimulator } from "./scan-simulator.js";

/** A track this near to a ball may be of that ball [m]. */
const SAME_BALL = 0.1;
/** Balls nearer than this to each other cannot be told apart by where they are [m]: about a diameter. */
const APART = 0.08;
/** Of a difference along x, the cameras' line of sight, only this share counts: there they measure ten times worse. */
const ALONG_SIGHT = 0.1;
/** Length of the occlusion [s]. */
const HIDDEN_FOR = 0.2;
/** The balls come this near to each other as the cameras see them [rad]: at 3 m a ball has a radius of 0.014. */
const NEAREST = 0.012;
/** They do so no sooner than this after the later one's release [s]: a ball that is to be followed must have been seen. */
const SOONEST = 0.24;
/** And the rest of the flight is no shorter than this [s]. */
const REMAINING = 0.25;
/** Most throws from which two are taken. */
const THROWS = 200;
const EYES = vec3.create(0, 0, 1.6);

export interface CrossingResult {
  /** Both balls confirmed, with one identity each to the end of their flights, and not the same. */
  readonly kept: boolean;
  /** Sightings of each ball until it was confirmed; NaN if never. */
  readonly framesToConfirm: readonly number[];
}

/**
 * Two balls in the air whose outlines meet as the cameras see them, one of them hidden for 200 ms around that time, among
 * ten false circles an image.
 */
export function runCrossing(seed: number, options: TrackerOptions = {}): CrossingResult {
  const balls = crossingBalls(seed);
  const tracker = new BallTracker({ clutterPerImage: 10, ...options });
  const simulator = new ScanSimulator({ seed, clutter: 10 });
  const watches = balls.map((ball) => new IdentityWatch(ball));
  const end = Math.max(...balls.map((ball) => ball.end));
  for (let k = 0; k * FRAME_PERIOD < end; k++) {
    tracker.process(simulator.expose(k * FRAME_PERIOD, balls));
    const apart = apartAsSeen(balls[0], balls[1], tracker.time);
    for (const watch of watches) watch.look(tracker, apart);
  }
  const [a, b] = [watches[0]!, watches[1]!];
  return { kept: a.isKept && b.isKept && a.id !== b.id, framesToConfirm: [a.framesToConfirm, b.framesToConfirm] };
}

/** Two of the design's throws, released within 0.2 s, that cross; the first one is hidden at that time. */
export function crossingBalls(seed: number): [ThrownBall, ThrownBall] {
  const random = new Random(seed).fork("crossing");
  const throws = throwsOf(seed);
  const balls: ThrownBall[] = [];
  while (balls.length < THROWS) {
    const second = new ThrownBall(throws.make(balls.length, 0.1 + random.uniformIn(0, 0.2)));
    for (const first of balls) {
      const hiddenFrom = timeOfCrossing(first, second) - first.release - random.uniformIn(0, HIDDEN_FOR);
      if (hiddenFrom > SOONEST - HIDDEN_FOR / 2) return [new ThrownBall(first.throw, hiddenFrom, HIDDEN_FOR), second];
    }
    balls.push(second);
  }
  throw new Error(`no two throws of seed ${seed} cross`);
}

/** When the two are nearest to each other as the eyes see them; NaN if they do not meet, or too soon, or too late. */
function timeOfCrossing(first: ThrownBall, second: ThrownBall): number {
  const from = Math.max(first.release, second.release) + SOONEST;
  const until = Math.min(first.end, second.end) - REMAINING;
  const [a, b] = [vec3.create(), vec3.create()];
  let nearest = NEAREST;
  let found = Number.NaN;
  for (let time = from; time < until; time += FRAME_PERIOD / 2) {
    for (const [ball, sight] of [
      [first, a],
      [second, b],
    ] as const) {
      ball.position(time, sight);
      vec3.normalize(vec3.subtract(sight, EYES, sight), sight);
    }
    const angle = vec3.distance(a, b);
    if (angle >= nearest) continue;
    nearest = angle;
    found = time;
  }
  return found;
}

function distanceAsSeen(a: Float64Array, b: Float64Array): number {
  return Math.hypot(ALONG_SIGHT * (a[0]! - b[0]!), a[1]! - b[1]!, a[2]! - b[2]!);
}

/** Infinity while one of them is not in the air. */
function apartAsSeen(first: ThrownBall, second: ThrownBall, time: number): number {
  const [a, b] = [vec3.create(), vec3.create()];
  if (!first.position(time, a) || !second.position(time, b)) return Number.POSITIVE_INFINITY;
  return distanceAsSeen(a, b);
}

/** Follows which identity one ball has among the confirmed tracks. */
class IdentityWatch {
  id = 0;
  framesToConfirm = Number.NaN;
  #changes = 0;
  #frames = 0;
  #isSeenLast = false;
  readonly #ball: ThrownBall;
  readonly #place = vec3.create();

  constructor(ball: ThrownBall) {
    this.#ball = ball;
  }

  /** Whether it was confirmed, never changed, and was still there when it was last in view. */
  get isKept(): boolean {
    return this.id !== 0 && this.#changes === 0 && this.#isSeenLast;
  }

  /** Which track is which ball's can be told only while the balls are well `apart` [m]. */
  look(tracker: BallTracker, apart: number): void {
    if (!this.#ball.position(tracker.time, this.#place)) return;
    this.#frames++;
    const id = this.#nearest(tracker);
    if (id !== 0 && Number.isNaN(this.framesToConfirm)) this.framesToConfirm = this.#frames;
    if (apart < APART) return;
    if (id !== 0 && this.id !== 0 && id !== this.id) this.#changes++;
    if (this.id === 0) this.id = id;
    this.#isSeenLast = id !== 0;
  }

  /** Identity of the nearest track; 0 if none is near, or if it is not confirmed. */
  #nearest(tracker: BallTracker): number {
    let id = 0;
    let least = SAME_BALL;
    for (let n = 0; n < tracker.trackCount; n++) {
      const track = tracker.tracks[n]!;
      const { mean } = track.belief;
      const away = distanceAsSeen(mean, this.#place);
      if (away >= least) continue;
      least = away;
      id = track.confirmed ? track.id : 0;
    }
    return id;
  }
}
