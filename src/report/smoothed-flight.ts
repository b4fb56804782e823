import { SphereOutline } from "../camera/sphere-outline.js";
import { type Ball, type BallState, copyBallState, FlightStatus, gravity } from "../flight/ball.js";
import { FitStatus, FlightFit } from "../flight/fit.js";
import { Flight } from "../flight/flight.js";
import type { Mat3 } from "../math/mat3.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { SeenFrame } from "../run/replay/replay-run.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import type { CircleSet } from "../tracking/circles/circle-set.js";
import { BallBelief, beliefCovariance, FilterStatus, STATE_SIZE } from "../tracking/filter/ball-belief.js";
import { BallBirth } from "../tracking/filter/ball-birth.js";
import { BallFilter } from "../tracking/filter/ball-filter.js";
import type { CameraView } from "../tracking/filter/scan.js";

/** The flight that fits all that was seen of a ball best, and how well it does. */
export interface SmoothedFlight {
  readonly state: BallState;
  /** Of position, velocity and drag at the state's time. [7 × 7] */
  readonly covariance: Float64Array;
  readonly flight: Flight;
  /** Positions that went into it; squared residuals against their own sigmas, and how many are free. */
  readonly samples: number;
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
}

/** Span of time, both ends included [s]. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** A position that was seen of a ball, with its covariance [m²]. */
export interface SeenPosition {
  readonly time: number;
  readonly position: vec3.Vec3;
  readonly covariance: Mat3;
}

type PositionSink = (time: number, position: vec3.Vec3, covariance: Mat3) => void;

/** Frames that a flight may go through at most. */
const MOST_SAMPLES = 2000;
/** Circles farther from where the ball should be are not of it [px], in the first round and in those after. */
const GATES = [12, 4, 4] as const;
/** The same of points [m]. */
const POINT_GATES = [0.15, 0.05, 0.05] as const;
/** What is not known of a ball's drag [1/m]: a few per cent, as balls differ. */
const DRAG_SIGMA = 0.002;
/** Flights are laid out so far beyond what was seen of them [s]. */
const BEYOND = 1;
/** Fewer positions do not make a flight. */
const LEAST_SAMPLES = 4;

/**
 * Smooths a track after the fact: one flight under gravity and drag through all that was seen of the ball, by least squares
 * over the whole of it. It knows what came later and so is the reference for what had been predicted; it owes the tracker
 * nothing but `start`, by which measurements are found that belong to the ball.
 */
export class FlightSmoother {
  readonly #ball: Ball;
  readonly #gravity: vec3.Vec3;
  readonly #fit = new FlightFit(MOST_SAMPLES, { duration: 6 });
  readonly #flight = new Flight({ duration: 6 });
  readonly #birth: BallBirth;
  readonly #belief = new BallBelief();
  readonly #covariance = new Float64Array(STATE_SIZE * STATE_SIZE);
  readonly #position = vec3.create();
  readonly #inCamera = vec3.create();
  readonly #outline = new Float64Array(3);
  readonly #outlines = new Map<CameraView["camera"], SphereOutline>();

  /** `down` is the acceleration of a falling ball there [m/s²]. */
  constructor(ball: Ball, down: vec3.Vec3 = gravity()) {
    this.#ball = ball;
    this.#gravity = down;
    this.#birth = new BallBirth(new BallFilter({ ball }));
  }

  /** The flight nearest to what `frames` saw within `span`; null if that was too little. */
  smooth(frames: readonly SeenFrame[], start: BallState, span: TimeSpan): SmoothedFlight | null {
    const seen = frames.filter(({ exposureNs }) => isWithin(exposureNs / 1e9, span));
    let state = start;
    for (let round = 0; round < GATES.length; round++) {
      const begin = Math.min(span.from, state.time);
      if (this.#flight.reset(state, this.#gravity, begin, Math.max(span.until, state.time)) !== FlightStatus.ok)
        return null;
      this.#fit.clear();
      for (const frame of seen) this.#addFrame(frame, round, this.#addToFit);
      if (this.#fit.count < LEAST_SAMPLES || !this.#solve(span.until)) return null;
      state = copyBallState(this.#fit.state);
    }
    return this.#outcome(state, span);
  }

  /** The positions that `frames` saw within `span` near a flight, each with its covariance. */
  collect(frames: readonly SeenFrame[], near: BallState, span: TimeSpan): SeenPosition[] {
    const [begin, end] = [Math.min(span.from, near.time), Math.max(span.until, near.time)];
    if (this.#flight.reset(near, this.#gravity, begin, end) !== FlightStatus.ok) return [];
    const seen: SeenPosition[] = [];
    const add: PositionSink = (time, position, covariance) =>
      void seen.push({ time, position: vec3.copy(position, vec3.create()), covariance });
    for (const frame of frames) {
      if (isWithin(frame.exposureNs / 1e9, span)) this.#addFrame(frame, GATES.length - 1, add);
    }
    return seen;
  }

  readonly #addToFit: PositionSink = (time, position, covariance) =>
    void this.#fit.addWithCovariance(time, position, covariance);

  #solve(time: number): boolean {
    const settings = { gravity: this.#gravity, time, drag: this.#ball.drag, dragSigma: DRAG_SIGMA };
    return this.#fit.solve(settings) === FitStatus.ok;
  }

  #addFrame({ exposureNs, left, right, points }: SeenFrame, round: number, add: PositionSink): void {
    const time = exposureNs / 1e9;
    this.#flight.position(time, this.#position);
    if (left !== null && right !== null) {
      const i = this.#nearestCircle(left.view, left.circles, GATES[round]!);
      const j = this.#nearestCircle(right.view, right.circles, GATES[round]!);
      if (i >= 0 && j >= 0) this.#addStereo(left.view, left.circles, i, right.view, right.circles, j, add);
      return;
    }
    if (points === null) return;
    const { position, covariance } = points;
    for (let k = 0; 3 * k < position.length; k++) {
      const point = vec3.create(position[3 * k]!, position[3 * k + 1]!, position[3 * k + 2]!);
      if (vec3.distance(point, this.#position) > POINT_GATES[round]!) continue;
      add(time, point, covariance.slice(9 * k, 9 * k + 9) as Mat3);
    }
  }

  #addStereo(
    left: CameraView,
    lefts: CircleSet,
    i: number,
    right: CameraView,
    rights: CircleSet,
    j: number,
    add: PositionSink,
  ): void {
    if (this.#birth.fromStereo(left, lefts, i, right, rights, j, this.#belief) !== FilterStatus.ok) return;
    const { mean, time } = this.#belief;
    beliefCovariance(this.#belief, this.#covariance);
    const covariance = new Float64Array(9) as Mat3;
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) covariance[3 * r + c] = this.#covariance[STATE_SIZE * r + c]!;
    add(time, vec3.create(mean[0]!, mean[1]!, mean[2]!), covariance);
  }

  /** The circle nearest to the outline of a ball at `#position`; −1 if none is within `gate` [px]. */
  #nearestCircle({ camera, worldFromCamera }: CameraView, { count, u, v, r }: CircleSet, gate: number): number {
    const outline = getOrCreate(this.#outlines, camera, () => new SphereOutline(camera, this.#ball.diameter / 2));
    pose.transformPointInverse(worldFromCamera, this.#position, this.#inCamera);
    if (!outline.measure(this.#inCamera, this.#outline)) return -1;
    let best = -1;
    let least = gate;
    for (let k = 0; k < count; k++) {
      const away = Math.hypot(u[k]! - this.#outline[0]!, v[k]! - this.#outline[1]!, r[k]! - this.#outline[2]!);
      if (!(away < least)) continue;
      least = away;
      best = k;
    }
    return best;
  }

  #outcome(state: BallState, span: TimeSpan): SmoothedFlight | null {
    const flight = new Flight({ duration: 8 });
    const end = Math.max(span.until, state.time) + BEYOND;
    if (flight.reset(state, this.#gravity, Math.min(span.from, state.time) - 0.2, end) !== FlightStatus.ok) return null;
    const { covariance, count, chiSquare, degreesOfFreedom } = this.#fit;
    return { state, covariance: covariance.slice(), flight, samples: count, chiSquare, degreesOfFreedom };
  }
}

function isWithin(time: number, { from, until }: TimeSpan): boolean {
  return time >= from && time <= until;
}
