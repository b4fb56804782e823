import { describe, expect, it } from "vitest";
import { knownBall, knownBallNames, knownBalls } from "../../src/flight/known-balls.js";

describe("known balls", () => {
  it.each(knownBallNames)("%s has a diameter, a mass and a drag that a thrown ball can have", (name) => {
    const { diameter, mass, drag } = knownBall(name);
    expect(diameter).toBeGreaterThan(0.03);
    expect(diameter).toBeLessThan(0.1);
    expect(mass).toBeGreaterThan(0.002);
    expect(mass).toBeLessThan(0.2);
    // k·v² against g at 5 m/s: a table-tennis ball feels the air as much as a third of its weight, a baseball a sixtieth.
    expect((drag * 25) / 9.81).toBeGreaterThan(0.01);
    expect((drag * 25) / 9.81).toBeLessThan(0.4);
  });

  it("orders them by how much the air matters", () => {
    expect(knownBalls["table-tennis"].drag).toBeGreaterThan(knownBalls.default.drag);
    expect(knownBalls.default.drag).toBeGreaterThan(knownBalls.tennis.drag);
    expect(knownBalls.tennis.drag).toBeGreaterThan(knownBalls.baseball.drag);
  });

  it("refuses a name with the nearest one", () => {
    expect(() => knownBall("tenis")).toThrow(/tennis/);
  });
});
