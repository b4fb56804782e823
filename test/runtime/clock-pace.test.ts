import { describe, expect, it } from "vitest";
import { newRealTimeOrigin, RealTimeClock } from "../../src/runtime/clock.js";
import { ClockPace } from "../../src/runtime/clock-pace.js";

describe("ClockPace", () => {
  it("goes at speed 1 until it is changed", () => {
    const pace = new ClockPace(ClockPace.memory());
    expect(pace.timeAt(123_456)).toBe(123_456);
    expect(pace.speedAt(123_456)).toBe(1);
  });

  it("is continuous over changes made ahead of their time", () => {
    const pace = new ClockPace(ClockPace.memory());
    pace.change(0.5, 1000);
    expect([999, 1000, 1400].map((time) => pace.timeAt(time))).toEqual([999, 1000, 1200]);
    expect([999, 1000].map((time) => pace.speedAt(time))).toEqual([1, 0.5]);
    pace.change(0.25, 2000);
    expect([1400, 2000, 2400].map((time) => pace.timeAt(time))).toEqual([1200, 1500, 1600]);
  });

  it("has the same time in another process that follows its changes, whatever the two zeros", () => {
    const [mine, other] = [new ClockPace(ClockPace.memory()), new ClockPace(ClockPace.memory())];
    const zero = 5_000_000;
    for (const [speed, from] of [
      [0.75, 1000],
      [0.25, 4000],
      [1, 9000],
    ] as const) {
      const { fromNs, atNs } = mine.change(speed, from);
      other.follow({ fromNs: fromNs + zero, atNs: atNs + zero, speed });
      for (const time of [from - 1, from, from + 500]) {
        expect(other.timeAt(time + zero)).toBeCloseTo(mine.timeAt(time) + zero, 6);
      }
    }
  });
});

describe("RealTimeClock with a pace", () => {
  it("slows down, and never goes back", () => {
    const clock = new RealTimeClock(newRealTimeOrigin(ClockPace.memory()));
    clock.setSpeed(0.5, 0);
    let before = clock.nowNs();
    for (let k = 0; k < 1000; k++) {
      const now = clock.nowNs();
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
    expect(clock.speed).toBe(0.5);
  });

  it("has the same time in every thread", () => {
    const origin = newRealTimeOrigin(ClockPace.memory());
    const [one, other] = [new RealTimeClock(origin), new RealTimeClock(origin)];
    one.setSpeed(0.25, 0);
    const [first, between, last] = [one.nowNs(), other.nowNs(), one.nowNs()];
    const slack = one.uncertaintyNs + other.uncertaintyNs;
    expect(between).toBeGreaterThanOrEqual(first - slack);
    expect(between).toBeLessThanOrEqual(last + slack);
  });

  it("refuses to be slowed down without one", () => {
    expect(() => new RealTimeClock().setSpeed(0.5, 0)).toThrow(/no pace/);
  });
});
