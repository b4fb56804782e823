import { describe, expect, it } from "vitest";
import { type Estimate, identifyFlights, usualPrior } from "../../../src/calibration/flight/identify-flights.js";
import { deep } from "../../support/deep.js";
import { madeFlights, type TrueRoom } from "./made-flights.js";

const room: TrueRoom = {
  gravity: [0.3, -0.2, -9.6],
  drag: 0.05,
  lift: 0.25,
  acceleration: 0.05,
  sigma: 0.002,
  stated: 0.004,
};
const prior = { ...usualPrior, drag: 0.032 };

const errorOf = ({ value, sigma }: Estimate, truth: number): number => (value - truth) / sigma;

describe("learning how balls fly", () => {
  it("finds gravity, drag, lift and noise within their sigmas", () => {
    const rooms = deep(6, 40);
    const squares = { gravity: 0, drag: 0 };
    for (let seed = 0; seed < rooms; seed++) {
      const found = identifyFlights(madeFlights(40, room, `room ${seed}`), prior)!;
      expect(found.flights).toBeGreaterThan(35);
      const gravity = found.gravity.map((axis, n) => errorOf(axis, room.gravity[n]!));
      const drag = errorOf(found.drag, room.drag);
      for (const error of [...gravity, drag]) expect(Math.abs(error)).toBeLessThan(4);
      expect(Math.abs(errorOf(found.lift, room.lift))).toBeLessThan(4);
      expect(Math.abs(errorOf(found.accelerationNoise, room.acceleration))).toBeLessThan(4);
      expect(found.noiseScale.value).toBeGreaterThan(0.42);
      expect(found.noiseScale.value).toBeLessThan(0.58);
      expect(found.accelerationNoiseWithoutLift.value).toBeGreaterThan(2 * found.accelerationNoise.value);
      squares.gravity += gravity.reduce((sum, error) => sum + error ** 2, 0) / (3 * rooms);
      squares.drag += drag ** 2 / rooms;
    }
    // Errors are about as large as their sigmas say: neither far more nor far less.
    expect(squares.gravity).toBeGreaterThan(0.2);
    expect(squares.gravity).toBeLessThan(2.5);
    expect(squares.drag).toBeLessThan(3);
  });

  it("leaves out samples of a hand and of a bounce, and flights that are none", () => {
    const flights = madeFlights(20, { ...room, lift: 0, acceleration: 0 }, "spoilt");
    for (const [k, { position }] of flights.entries()) {
      const last = position.length - 1;
      if (k % 2 === 0) for (let n = 0; n < 3; n++) position[last - n] = position[last - n]! + 0.3;
      if (k % 2 === 0) for (let n = 3; n < 6; n++) position[last - n] = position[last - n]! + 0.15;
      if (k % 3 === 0) for (let n = 0; n < 6; n++) position[n] = position[n]! - 0.1;
    }
    const { position } = flights[7]!;
    for (let n = 0; n < position.length; n++) position[n] = position[n]! + 0.05 * Math.sin(n);
    const found = identifyFlights(flights, prior)!;
    expect(found.leftOut).toBe(1);
    expect(Math.abs(found.gravity[2].value + 9.6)).toBeLessThan(0.1);
    expect(Math.abs(found.drag.value - 0.05)).toBeLessThan(0.01);
  });

  it("says nothing of too few flights", () => {
    expect(identifyFlights(madeFlights(2, room, "few"), prior)).toBeNull();
    expect(identifyFlights([], prior)).toBeNull();
  });
});
