import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import type { LoadFigures } from "../../src/run/run-load.js";
import { isColdLoadNormal, SpeedGovernor, speeds, strainOf } from "../../src/run/speed-governor.js";

const idle: LoadFigures = { latency: 0.01, late: 0, plans: 20, missed: 0, stops: 0 };

/** The load of a machine that takes `work` [s, by the wall clock] from image to plan. */
function loadAt(speed: number, work: number): LoadFigures {
  return { ...idle, latency: work * speed };
}

describe("strainOf", () => {
  it("is the worst of latency, late plans and missed ticks", () => {
    expect(strainOf(idle)).toBeLessThan(1);
    expect(strainOf({ ...idle, latency: 0.1 })).toBeGreaterThan(1);
    expect(strainOf({ ...idle, late: 10 })).toBeGreaterThan(1);
    expect(strainOf({ ...idle, missed: 0.1 })).toBeGreaterThan(1);
  });

  it("says nothing of a throw without plans", () => {
    expect(strainOf({ latency: Number.NaN, late: 0, plans: 0, missed: 0, stops: 0 })).toBe(0);
    expect(strainOf({ latency: Number.NaN, late: 2, plans: 2, missed: 0, stops: 0 })).toBe(0);
  });
});

describe("isColdLoadNormal", () => {
  it("allows a first throw more, but no stop", () => {
    expect(isColdLoadNormal({ ...idle, latency: 0.1 })).toBe(true);
    expect(isColdLoadNormal({ ...idle, latency: 0.2 })).toBe(false);
    expect(isColdLoadNormal({ ...idle, stops: 1 })).toBe(false);
  });
});

describe("SpeedGovernor", () => {
  it("chooses the highest speed that a machine holds, for every machine", () => {
    const random = new Random("machines");
    for (let k = 0; k < 1000; k++) {
      const work = 0.3 * random.uniform();
      const governor = new SpeedGovernor();
      const speed = governor.choose(loadAt(1, work));
      const holds = (candidate: number) => strainOf(loadAt(candidate, work)) <= 1;
      expect(speed).toBe(speeds.find(holds) ?? speeds.at(-1));
    }
  });

  it("does not mind one throw of a little too much load, but two", () => {
    const governor = new SpeedGovernor();
    const much = loadAt(1, 0.055);
    expect(governor.next(much)).toBe(1);
    expect(governor.next(idle)).toBe(1);
    expect(governor.next(much)).toBe(1);
    expect(governor.next(much)).toBe(0.75);
  });

  it("slows down at once where the load is far too much, and no further than the slowest", () => {
    const governor = new SpeedGovernor();
    expect(governor.next(loadAt(1, 0.09))).toBe(0.5);
    expect(governor.next(loadAt(0.5, 10))).toBe(0.25);
    expect(governor.next(loadAt(0.25, 10))).toBe(0.25);
  });

  it("slows down by a step at once when the robot was stopped for what came late", () => {
    const governor = new SpeedGovernor();
    expect(governor.next({ ...idle, stops: 1 })).toBe(0.75);
    expect(governor.next({ ...idle, stops: 2 })).toBe(0.5);
    expect(governor.choose({ ...idle, stops: 1 })).toBe(0.25);
  });

  it("becomes faster again after calm throws, more of them each time", () => {
    const governor = new SpeedGovernor();
    const throwsUntil = (speed: number): number => {
      for (let k = 1; k < 1000; k++) if (governor.next(loadAt(governor.speed, 0.01)) === speed) return k;
      return Number.POSITIVE_INFINITY;
    };
    governor.next(loadAt(1, 0.09));
    expect(governor.speed).toBe(0.5);
    expect(throwsUntil(0.75)).toBe(6);
    governor.next(loadAt(0.75, 0.12));
    expect(governor.speed).toBe(0.25);
    expect(throwsUntil(0.5)).toBe(12);
  });

  it("holds its speed where the next higher one would not", () => {
    const governor = new SpeedGovernor();
    governor.choose(loadAt(1, 0.06));
    expect(governor.speed).toBe(0.75);
    for (let k = 0; k < 100; k++) expect(governor.next(loadAt(0.75, 0.06))).toBe(0.75);
  });
});
