import * as vec3 from "../../math/vec3.js";
import { Severity } from "../../messages/severity.js";
import { NO_TRACK, type TrackerEventSink } from "../events/tracker-event.js";
import type { ScanImage } from "../filter/scan.js";
import { createSizedPoint, type SizedPoint, StereoSize } from "./stereo-size.js";

/** A diameter by stereo, and how surely [m]. */
export interface SizeEstimate {
  readonly diameter: number;
  readonly sigma: number;
  /** Pairs of circles that went into it. */
  readonly sightings: number;
}

/** Best circles of each image that are paired: it bounds the time. A ball that is never among them is not measured. */
const MOST_CIRCLES = 16;
/** Round things that are remembered, and how long [s]. */
const MOST_POINTS = 192;
const MEMORY = 0.6;
/** Least time over which something must fall [s], and times at which it must have been seen. */
const LEAST_FALL = 0.15;
const LEAST_SIGHTINGS = 5;
/** Distance from the path of free fall: in standard deviations of the depth, and beside [m]. */
const PATH_SIGMAS = 3;
const PATH_SLACK = 0.01;
/** How many times that distance a fall must sag for it to be told from a straight motion, and sightings where it does. */
const LEAST_SAG = 2;
const LEAST_SAGGING = 3;
/** Fall of a ball that is slower than this may be a swinging lamp [m/s]. */
const LEAST_SPEED = 1;
/** What outlines and calibration may be off in all sizes alike. */
const COMMON_SHARE = 0.01;
/** A told size is contradicted from so many standard deviations and this share on: less costs no ball. */
const CONTRADICTION_SIGMAS = 4;
const CONTRADICTION_SHARE = 0.05;
/** Least time between two complaints [s]. */
const COMPLAINT_INTERVAL = 5;

/**
 * Compares the size that balls are said to have with the size that they are seen to have. A wrong size makes a tracker take
 * every ball for something else, in silence, so tracks cannot tell: what tells is anything round, seen by both cameras, that
 * falls freely.
 */
export class BallSizeWatch {
  readonly #told: number;
  readonly #gravity: vec3.Vec3;
  readonly #sink: TrackerEventSink;
  readonly #size: StereoSize;
  readonly #points = Array.from({ length: MOST_POINTS }, createSizedPoint);
  #count = 0;
  #weight = 0;
  #weighted = 0;
  #sightings = 0;
  #lastFall = Number.NEGATIVE_INFINITY;
  #lastComplaint = Number.NEGATIVE_INFINITY;

  /** `told` is the diameter [m], `down` the acceleration of a falling body [m/s²]. */
  constructor(told: number, down: vec3.Vec3, sink: TrackerEventSink) {
    this.#told = told;
    this.#gravity = down;
    this.#sink = sink;
    this.#size = new StereoSize(told);
  }

  /** What the balls seen so far come to; null before the first that fell long enough. */
  get estimate(): SizeEstimate | null {
    if (this.#weight === 0) return null;
    const diameter = this.#weighted / this.#weight;
    const sigma = Math.hypot(1 / Math.sqrt(this.#weight), COMMON_SHARE * diameter);
    return { diameter, sigma, sightings: this.#sightings };
  }

  /** Takes in what both cameras saw at one time. */
  add(left: ScanImage, right: ScanImage): void {
    const { time } = left.view;
    this.#forget(time);
    const before = this.#count;
    for (let i = 0; i < Math.min(left.circles.count, MOST_CIRCLES); i++) {
      for (let j = 0; j < Math.min(right.circles.count, MOST_CIRCLES); j++) {
        if (this.#count === MOST_POINTS) return;
        if (this.#size.measure(left, i, right, j, this.#points[this.#count]!)) this.#count++;
      }
    }
    for (let n = before; n < this.#count; n++) this.#lookForFall(this.#points[n]!);
  }

  #forget(time: number): void {
    let kept = 0;
    for (let n = 0; n < this.#count; n++) {
      const point = this.#points[n]!;
      if (!(time - point.time < MEMORY && point.time < time)) continue;
      this.#points[n] = this.#points[kept]!;
      this.#points[kept++] = point;
    }
    this.#count = kept;
  }

  /** Each time that something falls is used once: the next look is after the memory has gone. */
  #lookForFall(last: SizedPoint): void {
    if (last.time - this.#lastFall < MEMORY) return;
    for (let n = 0; n < this.#count; n++) {
      const fall = this.#fallBetween(this.#points[n]!, last);
      if (fall === null) continue;
      this.#lastFall = last.time;
      this.#use(fall, last.time);
      return;
    }
  }

  /** The round things on the path of free fall between two of them; null unless they are enough. */
  #fallBetween(first: SizedPoint, last: SizedPoint): readonly SizedPoint[] | null {
    const duration = last.time - first.time;
    const tolerance = PATH_SIGMAS * Math.max(first.depthSigma, last.depthSigma) + PATH_SLACK;
    const sag = (vec3.norm(this.#gravity) * duration ** 2) / 8;
    if (duration < LEAST_FALL || sag < LEAST_SAG * tolerance) return null;
    if (vec3.distance(first.position, last.position) < LEAST_SPEED * duration) return null;
    const fall = [first];
    let sagging = 0;
    for (let n = 0; n < this.#count; n++) {
      const point = this.#points[n]!;
      if (!(point.time > first.time && point.time < last.time && point.time > fall.at(-1)!.time)) continue;
      if (!(this.#distanceFromPath(point, first, last) < tolerance && isAlike(point, first))) continue;
      fall.push(point);
      const share = (point.time - first.time) / duration;
      if (4 * sag * share * (1 - share) > LEAST_SAG * tolerance) sagging++;
    }
    fall.push(last);
    const isFall = sagging >= LEAST_SAGGING && fall.length >= LEAST_SIGHTINGS;
    return isFall && isAlike(last, first) ? fall : null;
  }

  #distanceFromPath(point: SizedPoint, first: SizedPoint, last: SizedPoint): number {
    const duration = last.time - first.time;
    const t = point.time - first.time;
    let sum = 0;
    for (let n = 0; n < 3; n++) {
      const straight = first.position[n]! + ((last.position[n]! - first.position[n]!) * t) / duration;
      const path = straight + 0.5 * this.#gravity[n]! * t * (t - duration);
      sum += (point.position[n]! - path) ** 2;
    }
    return Math.sqrt(sum);
  }

  #use(fall: readonly SizedPoint[], time: number): void {
    for (const { diameter, sigma } of fall) {
      this.#weight += 1 / sigma ** 2;
      this.#weighted += diameter / sigma ** 2;
      this.#sightings++;
    }
    const { diameter, sigma } = this.estimate!;
    const apart = Math.abs(diameter - this.#told);
    if (!(apart > CONTRADICTION_SIGMAS * sigma && apart > CONTRADICTION_SHARE * this.#told)) return;
    if (!(time >= this.#lastComplaint + COMPLAINT_INTERVAL)) return;
    this.#lastComplaint = time;
    const seen = `${(1e3 * diameter).toFixed(0)} ± ${(1e3 * sigma).toFixed(0)} mm`;
    const text = `the ball seen is ${seen}, told ${(1e3 * this.#told).toFixed(0)} mm: balls of another size are not followed; set its diameter`;
    this.#sink({ time, severity: Severity.warning, code: "ball-size", track: NO_TRACK, text });
  }
}

/** Whether two may be of one size. */
function isAlike(a: SizedPoint, b: SizedPoint): boolean {
  return Math.abs(a.diameter - b.diameter) < CONTRADICTION_SIGMAS * Math.hypot(a.sigma, b.sigma);
}
