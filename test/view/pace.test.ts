import { describe, expect, test } from "vitest";
import { Pace } from "../../src/view/pace.js";

/** A wall clock that moves on only while the pace waits. */
function paced(speed: number): { readonly pace: Pace; readonly wall: { now: number } } {
  const pace = new Pace(Pace.memory());
  pace.set(speed, false);
  return { pace, wall: { now: 0 } };
}

describe("the pace of a lock-step run", () => {
  test("waits until a tick's time has come", () => {
    const { pace, wall } = paced(0.5);
    pace.keep(
      0,
      () => wall.now,
      () => undefined,
    );
    pace.keep(
      10,
      () => wall.now,
      () => {
        wall.now += 4;
      },
    );
    expect(wall.now).toBeGreaterThanOrEqual(19.5);
  });

  test("does not hurry after it was held up", () => {
    const { pace, wall } = paced(1);
    pace.keep(
      0,
      () => wall.now,
      () => undefined,
    );
    wall.now = 1000;
    pace.keep(
      1,
      () => wall.now,
      () => undefined,
    );
    const before = wall.now;
    pace.keep(
      11,
      () => wall.now,
      () => {
        wall.now += 1;
      },
    );
    expect(wall.now - before).toBeGreaterThanOrEqual(9);
  });

  test("lets a paused run make the steps it was asked for, and no more", () => {
    const { pace } = paced(1);
    pace.set(1, true);
    pace.step(3);
    let looks = 0;
    for (let tick = 0; tick < 3; tick++)
      pace.keep(
        tick,
        () => 0,
        () => undefined,
      );
    expect(pace.stepsLeft).toBe(0);
    pace.keep(
      3,
      () => 0,
      () => {
        if (++looks === 3) pace.set(1, false);
      },
    );
    expect(looks).toBe(3);
  });
});
