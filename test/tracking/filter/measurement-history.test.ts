import { describe, expect, it } from "vitest";
import { gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { FilterStatus } from "../../../src/tracking/filter/filter-status.js";
import { type HistoryOptions, MeasurementHistory } from "../../../src/tracking/filter/measurement-history.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { beliefAbout, circleOf, isotropic, viewFrom } from "./reference.js";

const filter = new BallFilter();
const first = beliefAbout(0, [5, 0, 1.5], [-6, 0, 3], [0.1, 1, 0]);
const flight = new Flight();
const release = { time: 0, position: vec3.create(5.05, 0.02, 1.5), velocity: vec3.create(-6.2, 0.3, 3), drag: 0.032 };
flight.reset(release, gravity(), 0, 1.5);

type Measurement = (history: MeasurementHistory) => FilterStatus;

/** Fifteen frames of circles, pairs and points, in order. */
function measurements(random: Random): Measurement[] {
  return Array.from({ length: 15 }, (_, k) => {
    const time = 0.04 * (k + 1);
    const ball = flight.position(time, vec3.create());
    const [left, right] = [viewFrom(time, 0.1, 1e-3), viewFrom(time, -0.1, 1e-3)];
    const [a, b] = [circleOf(left, ball, 0.2, random), circleOf(right, ball, 0.2, random)];
    const one: Measurement[] = [
      (history) => history.addCircle(0, left, a, 0),
      (history) => history.addCircle(1, right, b, 0),
    ];
    const pair: Measurement[] = [(history) => history.addStereo(2, left, a, 0, right, b, 0)];
    const point: Measurement[] = [(history) => history.addPoint(3, time, ball, isotropic(0.01))];
    return [one, pair, point][k % 3]!;
  }).flat();
}

function started(options: HistoryOptions = { horizon: 1 }): MeasurementHistory {
  const history = new MeasurementHistory(filter, options);
  history.start(first);
  return history;
}

describe("the measurement history", () => {
  it("gives the same bits whatever the order of arrival", () => {
    const random = new Random("order");
    const ordered = measurements(new Random("circles"));
    const reference = started();
    for (const add of ordered) expect(add(reference)).toBe(FilterStatus.ok);
    for (let run = 0; run < deep(10, 300); run++) {
      const shuffled = random.shuffle([...ordered]);
      const history = started();
      for (const add of shuffled) expect(add(history)).toBe(FilterStatus.ok);
      expect(history.belief).toEqual(reference.belief);
    }
    // Neighbours swapped, as a network would.
    const history = started();
    for (let k = 0; k < ordered.length; k += 2) for (const add of ordered.slice(k, k + 2).reverse()) add(history);
    expect(history.belief).toEqual(reference.belief);
  });

  it("does what the filter alone does with measurements in order", () => {
    const history = started();
    const belief = beliefAbout(0, [5, 0, 1.5], [-6, 0, 3], [0.1, 1, 0]);
    for (let k = 1; k < 10; k++) {
      const ball = flight.position(0.04 * k, vec3.create());
      history.addPoint(0, 0.04 * k, ball, isotropic(0.02));
      filter.predict(belief, 0.04 * k, belief);
      filter.updatePoint(belief, ball, isotropic(0.02), belief);
    }
    expect(history.belief).toEqual(belief);
  });

  it("refuses what is too late, and what is nonsense", () => {
    const history = started({ horizon: 0.1 });
    const add = (time: number, ball = flight.position(time, vec3.create())): FilterStatus =>
      history.addPoint(0, time, ball, isotropic(0.02));
    expect(add(-0.01)).toBe(FilterStatus.tooLate);
    expect(add(0.4)).toBe(FilterStatus.ok);
    const before = { ...history.belief, mean: history.belief.mean.slice(), factor: history.belief.factor.slice() };
    expect(add(0.29)).toBe(FilterStatus.tooLate);
    expect(add(0.41, vec3.create(Number.NaN, 0, 0))).toBe(FilterStatus.invalid);
    expect(add(Number.NaN)).toBe(FilterStatus.invalid);
    expect(history.addPoint(0, 0.41, vec3.create(), isotropic(Number.NaN))).toBe(FilterStatus.invalid);
    const view = viewFrom(0.41, 0);
    const circles = circleOf(view, vec3.create(3, 0, 1.6), 0.2);
    circles.r[0] = Number.POSITIVE_INFINITY;
    expect(history.addCircle(0, view, circles, 0)).toBe(FilterStatus.invalid);
    const behind = circleOf(viewFrom(0.41, 0), vec3.create(3, 0, 1.6), 0.2);
    const turned = viewFrom(0.41, 0);
    turned.worldFromCamera.set([0, 0, -1, 1, 0, 0, 0, -1, 0, 0, 0, 1.6]);
    expect(history.addCircle(0, turned, behind, 0)).toBe(FilterStatus.outOfView);
    expect(history.belief).toEqual(before);
    expect(add(0.31)).toBe(FilterStatus.ok);
    expect(history.belief).not.toEqual(before);
  });

  it("forgets the oldest when it is full, and nothing that it said", () => {
    const long = started({ capacity: 100, horizon: 1 });
    const short = started({ capacity: 4, horizon: 1 });
    const ordered = measurements(new Random("ring"));
    for (const add of ordered) for (const history of [long, short]) expect(add(history)).toBe(FilterStatus.ok);
    expect(short.count).toBe(4);
    expect(short.belief).toEqual(long.belief);
    expect(ordered[0]!(short)).toBe(FilterStatus.tooLate);
    expect(() => new MeasurementHistory(filter, { capacity: 0 })).toThrow(RangeError);
    expect(() => new MeasurementHistory(filter, { horizon: Number.NaN })).toThrow(RangeError);
  });

  it("allocates nothing", () => {
    const history = started({ capacity: 16, horizon: 1 });
    const ball = flight.position(0.1, vec3.create());
    const covariance = isotropic(0.02);
    const work = (k: number): void => {
      if (k % 10 === 0) history.start(first);
      history.addPoint(0, 0.01 * ((k % 10) ^ 1), ball, covariance);
    };
    // Every other call applies two measurements.
    expect(heapBytesPerCall(work, 5000, 2 * boxedNumbers)).toBeLessThan(2 * boxedNumbers);
  });
});
