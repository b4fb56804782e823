import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { Oscillator } from "../../../src/simulation/head-motion/oscillator.js";

/** Runge–Kutta with many small steps: ÿ = ω²(u − y) − 2ζω·ẏ, u linear from u0 to u1. */
function integrate(state: [number, number], omega: number, zeta: number, u0: number, u1: number, h: number): void {
  const steps = 200;
  const dt = h / steps;
  const slope = (y: number, v: number, t: number): [number, number] => [
    v,
    omega * omega * (u0 + ((u1 - u0) * t) / h - y) - 2 * zeta * omega * v,
  ];
  for (let k = 0; k < steps; k++) {
    const t = k * dt;
    const [y, v] = state;
    const a = slope(y, v, t);
    const b = slope(y + (dt / 2) * a[0], v + (dt / 2) * a[1], t + dt / 2);
    const c = slope(y + (dt / 2) * b[0], v + (dt / 2) * b[1], t + dt / 2);
    const d = slope(y + dt * c[0], v + dt * c[1], t + dt);
    state[0] += (dt / 6) * (a[0] + 2 * b[0] + 2 * c[0] + d[0]);
    state[1] += (dt / 6) * (a[1] + 2 * b[1] + 2 * c[1] + d[1]);
  }
}

describe("Oscillator", () => {
  it("steps as the differential equation says, under, at and over critical damping", () => {
    const random = new Random("oscillator");
    for (const zeta of [0, 0.03, 0.7, 1, 1.6]) {
      const frequency = random.uniformIn(2, 20);
      const period = random.uniformIn(0.001, 0.01);
      const oscillator = new Oscillator(frequency, zeta, period);
      const state: [number, number] = [0, 0];
      let before = 0;
      for (let k = 0; k < 20; k++) {
        const input = random.uniformIn(-1, 1);
        integrate(state, 2 * Math.PI * frequency, zeta, before, input, period);
        oscillator.step(input);
        before = input;
        expect(oscillator.value).toBeCloseTo(state[0], 8);
        expect(oscillator.rate).toBeCloseTo(state[1], 6);
      }
    }
  });

  it("rings at its frequency and fades by its damping", () => {
    const period = 0.0005;
    const [frequency, zeta] = [12, 0.03];
    const oscillator = new Oscillator(frequency, zeta, period);
    oscillator.step(0);
    oscillator.rate = 1;
    const peaks: { time: number; value: number }[] = [];
    let last = oscillator.rate;
    for (let k = 1; peaks.length < 11; k++) {
      oscillator.step(0);
      if (last > 0 && oscillator.rate <= 0) peaks.push({ time: k * period, value: oscillator.value });
      last = oscillator.rate;
    }
    const damped = frequency * Math.sqrt(1 - zeta * zeta);
    expect((peaks[10]!.time - peaks[0]!.time) / 10).toBeCloseTo(1 / damped, 4);
    const decrement = Math.log(peaks[0]!.value / peaks[10]!.value) / 10;
    expect(decrement).toBeCloseTo((2 * Math.PI * zeta) / Math.sqrt(1 - zeta * zeta), 3);
  });

  it("stays where it has settled", () => {
    const oscillator = new Oscillator(19, 0.03, 0.001);
    oscillator.settle(0.7);
    for (let k = 0; k < 100; k++) oscillator.step(0.7);
    expect(oscillator.value).toBe(0.7);
    expect(oscillator.rate).toBe(0);
  });
});
