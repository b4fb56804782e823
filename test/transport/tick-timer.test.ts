import { describe, expect, it } from "vitest";
import { TickTimer } from "../../src/transport/tick-timer.js";

/** A clock that a test sets, and that moves on a little with each reading so that a spinning loop ends. */
class HandClock {
  time = 100;
  readonly read = (): number => {
    this.time += 0.01;
    return this.time;
  };
}

describe("TickTimer", () => {
  it("ticks at multiples of its period, and says how late it woke", () => {
    const clock = new HandClock();
    const timer = new TickTimer({ periodMs: 1, spinMs: 10 }, clock.read);
    const dues = [timer.wait(), timer.wait(), timer.wait()];
    expect(dues[1]! - dues[0]!).toBeCloseTo(1, 9);
    expect(dues[2]! - dues[1]!).toBeCloseTo(1, 9);
    expect(timer.ticks).toBe(3);
    expect(timer.missed).toBe(0);
    expect(timer.lateness).toBeGreaterThanOrEqual(0);
    expect(timer.lateness).toBeLessThan(0.02);
  });

  it("leaves out ticks that it slept through, and keeps to the grid", () => {
    const clock = new HandClock();
    const timer = new TickTimer({ periodMs: 1, spinMs: 10 }, clock.read);
    const first = timer.wait();
    clock.time += 5.4;
    const next = timer.wait();
    expect(timer.missed).toBe(4);
    expect(next - first).toBeCloseTo(5, 9);
    expect(timer.lateness).toBeCloseTo(0.4, 1);
    expect(timer.wait() - next).toBeCloseTo(1, 9);
  });

  it("sleeps on the real clock without losing time", () => {
    const timer = new TickTimer({ periodMs: 2, spinMs: 0.2 });
    const begin = performance.now();
    for (let n = 0; n < 20; n++) timer.wait();
    expect(performance.now() - begin).toBeGreaterThanOrEqual(39);
    expect(timer.ticks).toBeGreaterThanOrEqual(20);
  });
});
