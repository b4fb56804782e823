import { describe, expect, it } from "vitest";
import { doBallsMeet } from "../../bench/catching/balls-meeting.js";
import { CatchSpace } from "../../bench/catching/catchable-throws.js";
import { timesOf } from "../../src/catching/catch-times.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { type Throw, ThrowGenerator, type ThrowSpace, throwSpaceOf } from "../../src/simulation/world/throws.js";

const robot = loadRobot("agile-justin");
const times = timesOf(robot);
const waiting = robot.postures.get("ready")!;
const space = new CatchSpace(robot, waiting, times);

/** A slow ball aimed at a place so far aside. */
function ballAt(aside: number, id = 0): Throw {
  const all = throwSpaceOf(robot);
  const target = { ...all.target, aside: [aside, aside] as const, height: [1.25, 1.3] as const };
  const there: ThrowSpace = { ...all, target, flightTime: [1, 1.05] };
  return new ThrowGenerator(there, 5).make(id, 1);
}

describe("the catch space", () => {
  it("has balls that come to either side, and none out of reach", () => {
    expect(space.contains([ballAt(0.4)])).toBe(true);
    expect(space.contains([ballAt(-0.4)])).toBe(true);
    expect(space.contains([ballAt(3)])).toBe(false);
  });

  it("has a pair that both arms catch together, each on its side", () => {
    expect(space.arms([ballAt(0.4), ballAt(-0.4, 1)])).toEqual(["leftArm", "rightArm"]);
    expect(space.arms([ballAt(-0.4), ballAt(0.4, 1)])).toEqual(["rightArm", "leftArm"]);
  });

  it("has no pair of which one is out of reach, though the other is not", () => {
    const arms = space.arms([ballAt(0.4), ballAt(3, 1)]);
    expect(arms).toEqual(["leftArm", null]);
    expect(space.contains([ballAt(0.4), ballAt(3, 1)])).toBe(false);
  });

  it("has no pair of balls that hit each other on their way", () => {
    const [left, right] = [ballAt(0.4), ballAt(-0.4, 1)];
    const middle = (_: number, i: number): number => (left.state.position[i]! + right.state.position[i]!) / 2;
    const position = vec3.create(...([0, 1, 2].map(middle) as [number, number, number]));
    const crossing = (ball: Throw, aside: number): Throw => ({
      ...ball,
      framePhase: 0.5,
      state: {
        ...left.state,
        position: vec3.create(position[0], aside, position[2]),
        velocity: vec3.create(-4, -aside, 4),
      },
    });
    expect(doBallsMeet(crossing(left, 0.3), crossing(right, -0.3), 0.04)).toBe(true);
    expect(doBallsMeet(crossing(left, 0.3), { ...crossing(right, -0.3), framePhase: 0 }, 2)).toBe(false);
    expect(doBallsMeet(left, right, 0.04)).toBe(false);
    expect(space.contains([crossing(left, 0.3), crossing(right, -0.3)])).toBe(false);
  });

  it("is smaller for a robot that begins later", () => {
    const late = new CatchSpace(robot, waiting, { ...times, trackingNs: times.trackingNs + 500e6 });
    const generator = new ThrowGenerator(throwSpaceOf(robot), 11);
    const throws = Array.from({ length: 6 }, (_, id) => generator.make(id, 1));
    const [usual, delayed] = [space, late].map((one) => throws.filter((ball) => one.contains([ball])).length);
    expect(usual!).toBeGreaterThan(delayed!);
  });
});
