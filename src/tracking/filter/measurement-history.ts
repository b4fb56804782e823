import type { Mat3 } from "../../math/mat3.js";
import * as mat3 from "../../math/mat3.js";
import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import type { CameraView } from "../camera-view.js";
import type { CircleSet } from "../circles/circle-set.js";
import { type BallBelief, copyBelief, createBelief } from "./ball-belief.js";
import type { BallFilter } from "./ball-filter.js";
import { CirclePrediction, StereoPrediction } from "./circle-prediction.js";
import { FilterStatus } from "./filter-status.js";
import { isUsablePoint, isUsableSight, MeasurementKind, StoredMeasurement } from "./stored-measurement.js";

export interface HistoryOptions {
  /** Measurements kept; the oldest makes room for a new one. */
  readonly capacity?: number;
  /** How much older than the newest measurement one may be that still counts [s]. */
  readonly horizon?: number;
}

const DEFAULT_CAPACITY = 32;
const DEFAULT_HORIZON = 0.25;

/**
 * One ball's latest measurements, in the order of their times and not of their arrival. A late one is put in its place,
 * and it and all after it are applied again from the belief that was there before. So what is believed depends on what
 * was measured alone: frames that arrive swapped give the same bits as frames in order. Measurements of the same time go
 * in the order of their source numbers.
 *
 * @example
 * history.start(belief);
 * history.addStereo(0, leftView, leftCircles, i, rightView, rightCircles, j);
 * forecast.reset(history.belief, …);
 */
export class MeasurementHistory {
  /** What is believed after all measurements. */
  readonly belief: BallBelief = createBelief();
  readonly capacity: number;
  readonly horizon: number;
  readonly #filter: BallFilter;
  readonly #slots: StoredMeasurement[];
  /** Slots in the order of time; those after the first `count` are free. */
  readonly #order: Int32Array;
  #count = 0;
  /** Belief that the oldest measurement kept was applied to. */
  readonly #base = createBelief();
  readonly #scratch = createBelief();
  readonly #circle = new CirclePrediction();
  readonly #stereo = new StereoPrediction();

  constructor(filter: BallFilter, options: HistoryOptions = {}) {
    const { capacity = DEFAULT_CAPACITY, horizon = DEFAULT_HORIZON } = options;
    if (!(Number.isInteger(capacity) && capacity > 0))
      throw new RangeError(`capacity: expected > 0, found ${capacity}`);
    if (!(horizon >= 0)) throw new RangeError(`horizon: expected ≥ 0 s, found ${horizon}`);
    this.#filter = filter;
    this.capacity = capacity;
    this.horizon = horizon;
    // One more, so that a new measurement has a place before the oldest leaves its own.
    this.#slots = Array.from({ length: capacity + 1 }, () => new StoredMeasurement());
    this.#order = Int32Array.from({ length: capacity + 1 }, (_, n) => n);
  }

  /** Measurements kept. */
  get count(): number {
    return this.#count;
  }

  /** Forgets all and begins with `belief`. */
  start(belief: BallBelief): void {
    this.#count = 0;
    copyBelief(belief, this.#base);
    copyBelief(belief, this.belief);
  }

  /**
   * A circle of one camera. `invalid` and `tooLate` ones are refused. One that cannot be used where it stands
   * (`outOfView`) changes nothing, but is kept: an older one still to come may make it useful.
   */
  addCircle(source: number, view: CameraView, circles: CircleSet, i: number): FilterStatus {
    if (!isUsableSight(view, circles, i)) return FilterStatus.invalid;
    if (this.#isTooLate(view.time)) return FilterStatus.tooLate;
    const slot = this.#freeSlot(MeasurementKind.circle, view.time, source);
    slot.left.store(view, circles, i);
    return this.#insert();
  }

  /** A pair of circles of two cameras that exposed together. */
  addStereo(
    source: number,
    leftView: CameraView,
    left: CircleSet,
    i: number,
    rightView: CameraView,
    right: CircleSet,
    j: number,
  ): FilterStatus {
    if (!(isUsableSight(leftView, left, i) && isUsableSight(rightView, right, j))) return FilterStatus.invalid;
    if (this.#isTooLate(leftView.time)) return FilterStatus.tooLate;
    const slot = this.#freeSlot(MeasurementKind.stereo, leftView.time, source);
    slot.left.store(leftView, left, i);
    slot.right.store(rightView, right, j);
    return this.#insert();
  }

  /** A measured position [m] with its covariance [m²]. */
  addPoint(source: number, time: number, position: Vec3, covariance: Mat3): FilterStatus {
    if (!isUsablePoint(time, position, covariance)) return FilterStatus.invalid;
    if (this.#isTooLate(time)) return FilterStatus.tooLate;
    const slot = this.#freeSlot(MeasurementKind.point, time, source);
    vec3.copy(position, slot.position);
    mat3.copy(covariance, slot.covariance);
    return this.#insert();
  }

  #isTooLate(time: number): boolean {
    const newest = this.#count > 0 ? this.#at(this.#count - 1).time : this.#base.time;
    return !(time >= this.#base.time && time >= newest - this.horizon);
  }

  #at(place: number): StoredMeasurement {
    return this.#slots[this.#order[place]!]!;
  }

  #freeSlot(kind: MeasurementKind, time: number, source: number): StoredMeasurement {
    const slot = this.#at(this.#count);
    slot.kind = kind;
    slot.time = time;
    slot.source = source;
    return slot;
  }

  /** Moves the slot just filled to its place, and applies it and all after it. */
  #insert(): FilterStatus {
    const slot = this.#order[this.#count]!;
    const { time, source } = this.#slots[slot]!;
    let place = this.#count;
    while (place > 0 && isAfter(this.#at(place - 1), time, source)) {
      this.#order[place] = this.#order[place - 1]!;
      place--;
    }
    this.#order[place] = slot;
    this.#count++;
    const status = this.#replay(place);
    if (this.#count > this.capacity) this.#dropOldest();
    return status;
  }

  /** Applies the measurements from `place` on; the status is that of the first of them. */
  #replay(place: number): FilterStatus {
    const { belief } = this;
    if (place === this.#count - 1) copyBelief(belief, this.#at(place).before);
    else copyBelief(this.#at(place + 1).before, this.#at(place).before);
    copyBelief(this.#at(place).before, belief);
    const status = this.#apply(this.#at(place), belief);
    for (let next = place + 1; next < this.#count; next++) {
      copyBelief(belief, this.#at(next).before);
      this.#apply(this.#at(next), belief);
    }
    return status;
  }

  /** Improves `belief` with a measurement, or leaves it as it is. */
  #apply(measurement: StoredMeasurement, belief: BallBelief): FilterStatus {
    const filter = this.#filter;
    const now = this.#scratch;
    let status = filter.predict(belief, measurement.time, now);
    if (status !== FilterStatus.ok) return status;
    const { left, right } = measurement;
    switch (measurement.kind) {
      case MeasurementKind.circle:
        filter.predictCircle(now, left.view, this.#circle);
        status = filter.updateCircle(now, this.#circle, left.circles, 0, now);
        break;
      case MeasurementKind.stereo:
        filter.predictStereo(now, left.view, right.view, this.#stereo);
        status = filter.updateStereo(now, this.#stereo, left.circles, 0, right.circles, 0, now);
        break;
      case MeasurementKind.point:
        status = filter.updatePoint(now, measurement.position, measurement.covariance, now);
        break;
    }
    if (status === FilterStatus.ok) copyBelief(now, belief);
    return status;
  }

  #dropOldest(): void {
    const slot = this.#order[0]!;
    for (let next = 1; next < this.#count; next++) this.#order[next - 1] = this.#order[next]!;
    this.#order[--this.#count] = slot;
    copyBelief(this.#at(0).before, this.#base);
  }
}

function isAfter(measurement: StoredMeasurement, time: number, source: number): boolean {
  return measurement.time > time || (measurement.time === time && measurement.source > source);
}
