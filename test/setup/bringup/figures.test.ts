import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { brakeFigures } from "../../../src/setup/bringup/brake-figures.js";
import { directionOf } from "../../../src/setup/bringup/catch-direction.js";
import { compareJoints } from "../../../src/setup/bringup/joint-comparison.js";
import { jointResponse } from "../../../src/setup/bringup/joint-response.js";
import { stateTiming } from "../../../src/setup/bringup/state-timing.js";

describe("the timing of states", () => {
  it("is that of the stamps, with the jitter of the arrivals", () => {
    const stamps = Array.from({ length: 501 }, (_, k) => k * 0.002);
    const arrivals = stamps.map((time, k) => time + (k === 250 ? 0.012 : 0.001));
    const timing = stateTiming(stamps, arrivals)!;
    expect(timing.rateHz).toBeCloseTo(500, 6);
    expect(timing.periodMs).toBeCloseTo(2, 6);
    expect(timing.jitterMs.p50).toBeCloseTo(0, 6);
    expect(timing.jitterMs.max).toBeCloseTo(11, 6);
    expect(timing.longestGapMs).toBeCloseTo(13, 6);
    expect(timing.lostShare).toBe(0);
  });

  it("counts periods without a state", () => {
    const stamps = Array.from({ length: 1000 }, (_, k) => k * 0.002).filter((_, k) => k % 10 !== 5);
    expect(stateTiming(stamps, stamps)!.lostShare).toBeCloseTo(0.1, 2);
    expect(stateTiming(stamps.slice(0, 10), stamps.slice(0, 10))).toBeNull();
  });
});

describe("the comparison of joints", () => {
  const joint = { name: "arm1", lower: -1, upper: 2, maxSpeed: 2 };
  const standing = (q: number, noise: number) => {
    const random = new Random("joints");
    return Array.from({ length: 400 }, () => [q + noise * random.normal()]);
  };

  it("tells where a joint stands, its noise and its room", () => {
    const [found] = compareJoints([joint], standing(0.5, 1e-4));
    expect(found!.position).toBeCloseTo(0.5, 4);
    expect(found!.noise).toBeGreaterThan(0.8e-4);
    expect(found!.noise).toBeLessThan(1.2e-4);
    expect(found!.room).toBeCloseTo(1.5, 3);
    expect(found!.wrong).toBe("");
  });

  it.each([
    ["stands outside its limits", standing(2.1, 1e-4), joint],
    ["does not stand still", standing(0, 0.01), joint],
    ["reports no finite number", [[Number.NaN]], joint],
    ["has no speed limit", standing(0, 1e-4), { ...joint, maxSpeed: Number.POSITIVE_INFINITY }],
  ])("finds that one %s", (wrong, positions, described) => {
    expect(compareJoints([described], positions)[0]!.wrong).toBe(wrong);
  });
});

describe("the answer of joints to a small motion", () => {
  const names = ["a", "b", "c"];
  const out = (goals: readonly number[]) =>
    Array.from({ length: 21 }, (_, k) => goals.map((goal) => 1 + (goal * (10 - Math.abs(k - 10))) / 10));

  it.each([
    ["", [0, 0.04, 0]],
    ["moved the other way", [0, -0.04, 0]],
    ["did not move", [0, 0, 0]],
    ["c moved in its place", [0, 0, 0.04]],
    ["c moved as well", [0, 0.04, 0.03]],
    ["went 2.00 times as far as commanded", [0, 0.08, 0]],
    ["was not measured", [0, Number.NaN, 0]],
  ])("is judged: %s", (wrong, goals) => {
    expect(jointResponse(names, 1, 0.04, out(goals)).wrong).toBe(wrong);
  });
});

describe("figures of a brake", () => {
  it("are time and distance from the order to rest", () => {
    const [speed, deceleration, asked] = [0.1, 1, 0.5];
    const end = asked + speed / deceleration;
    const times = Array.from({ length: 1001 }, (_, k) => k / 1000);
    const speeds = times.map((time) => [time < asked ? speed : Math.max(0, speed - deceleration * (time - asked)), 0]);
    const positions = times.map((time) => {
      const braked = Math.min(time, end) - asked;
      return [time < asked ? speed * time : speed * asked + speed * braked - (deceleration * braked ** 2) / 2, 3];
    });
    const found = brakeFigures(asked, times, positions, speeds)!;
    expect(found.isAtRest).toBe(true);
    expect(found.speed).toBeCloseTo(speed, 6);
    // Rest begins below 5 mrad/s.
    expect(found.time).toBeCloseTo(0.1, 1);
    expect(found.distance).toBeCloseTo(0.005, 4);
    expect(brakeFigures(asked, times.slice(0, 550), positions.slice(0, 550), speeds.slice(0, 550))!.isAtRest).toBe(
      false,
    );
    expect(brakeFigures(-1, times, positions, speeds)).toBeNull();
  });
});

describe("where the catcher goes", () => {
  it("is a word, and the opposite one for the other sign", () => {
    const robot = loadRobot("ur10e-net");
    const words = robot.model.dofNames.map((_, dof) => [directionOf(robot, dof, 1), directionOf(robot, dof, -1)]);
    // The base turns to the left, counter-clockwise from above, where the arm reaches forwards.
    expect(words[0]).toContain("to the robot's left");
    for (const [there, back] of words)
      expect(there === null ? back : there).not.toBe(there === null ? undefined : back);
  });
});
