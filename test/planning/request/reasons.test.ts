import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { CatchPlanner } from "../../../src/planning/arm/arm-planner.js";
import type { Shortfall } from "../../../src/planning/arm/shortfall.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import type { Reason } from "../../../src/planning/request/answer.js";
import { buildStandingTask } from "../../../src/planning/request/arm-task.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import { standardSettings } from "../../../src/planning/request/planner-settings.js";
import { describeShortfall } from "../../../src/planning/request/reasons.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { resolveRequest } from "../../../src/planning/request/resolve-request.js";
import { request, robots, tableThrow } from "./requests.js";

const planner = new Planner({ robots, settings: { starts: 6 } });

function missOf(value: PlanRequest): Reason {
  const { status, reasons, catch: caught } = planner.plan(value);
  expect({ status, caught }).toEqual({ status: "unreachable", caught: undefined });
  for (const { sentence } of reasons!) expect(sentence).toMatch(/^[A-Z].*\.$/);
  return reasons![0]!;
}

const throwFrom = (position: number[], velocity: number[], time = 0) =>
  request({ ball: { state: { time, position, velocity } } });

describe("a ball out of reach", () => {
  const wide = throwFrom([4.5, 2.2, 1.4], [-4.6, 0, 4.1]);

  it("is missed by its distance to what the arm can reach, where it is nearest", () => {
    const reason = missOf(wide);
    expect(reason.kind).toBe("out-of-reach");
    const resolved = resolveRequest(wide, robots, standardSettings);
    const arm = buildCatchArm(resolved.robot, "arm");
    const { task } = buildStandingTask(resolved, new CatchPlanner(arm, resolved.start.q));
    const shoulder = vec3.create(...shoulderOf(arm.chain));
    let nearest = Number.POSITIVE_INFINITY;
    for (let t = 0; t < 1.2; t += 1e-4)
      nearest = Math.min(nearest, vec3.distance(task.path.position(t, vec3.create()), shoulder));
    // Stretched out, the catch frame is as far from the shoulder as the links are long.
    arm.chain.update(new Float64Array(7));
    const reach = vec3.distance(pose.getTranslation(arm.chain.baseFromTip, vec3.create()), shoulder);
    expect(reason.distance).toBeCloseTo(nearest - reach, 1);
    expect(reason.sentence).toContain(`${(100 * reason.distance!).toFixed(1)} cm`);
  });

  it("is missed by less from nearer", () => {
    const nearer = throwFrom([4.5, 2.0, 1.4], [-4.6, 0, 4.1]);
    const difference = missOf(wide).distance! - missOf(nearer).distance!;
    expect(difference).toBeGreaterThan(0.1);
    expect(difference).toBeLessThan(0.2);
  });

  it("may fall short of the robot", () => {
    const { kind, sentence } = missOf(throwFrom([4.5, 0, 0.1], [-6, 0, 0.5]));
    expect(kind).toBe("out-of-reach");
    expect(sentence).toMatch(/It lands at 0\.\d+ s/);
  });
});

/** Where the first three axes of the LWR meet: the origin of its second joint. */
function shoulderOf(chain: { readonly jointOrigin: Float64Array }): [number, number, number] {
  return [chain.jointOrigin[3]!, chain.jointOrigin[4]!, chain.jointOrigin[5]!];
}

describe("no flight to speak of", () => {
  it.each([
    ["it begins too late", throwFrom(tableThrow.position, tableThrow.velocity, 2), /flies from 2\.000 s on/],
    [
      "it lands before the earliest catch",
      { ...throwFrom([2, 0, 0.5], [-1, 0, 0]), catchTime: { earliest: 1 } },
      /lands at 0\.3\d+ s, before the earliest catch at 1\.000 s/,
    ],
    ["it flies away", throwFrom([2.5, 0, 1.4], [5, 0, 3]), /flies away/],
    [
      "it comes too late",
      { ...throwFrom([9, 0, 1.4], [-4.6, 0, 8]), catchTime: { latest: 0.8 } },
      /does not come near/,
    ],
  ])("%s", (_, value, sentence) => {
    const reason = missOf(value);
    expect(reason.kind).toBe("no-flight");
    expect(reason.sentence).toMatch(sentence);
  });
});

describe("an arm that is too slow", () => {
  it("names the joint and the time it lacks", () => {
    const { kind, joint, time, at } = missOf(request({ limits: { accelerationScale: 0.01 } }));
    expect(kind).toBe("too-fast");
    expect(joint).toMatch(/^arm[1-7]$/);
    expect(time).toBeGreaterThan(0.01);
    expect(at).toBeGreaterThan(0.7);
  });

  it("needs less time with more acceleration", () => {
    const lacks = [0.005, 0.01].map((accelerationScale) => missOf(request({ limits: { accelerationScale } })).time!);
    expect(lacks[0]).toBeGreaterThan(lacks[1]!);
  });

  it("says so if it cannot even stop", () => {
    const value = request({ start: { velocity: { arm1: 2 } }, limits: { accelerationScale: 0.05 } });
    expect(missOf(value)).toMatchObject({
      kind: "too-fast",
      joint: "arm1",
      sentence: expect.stringContaining("to stop"),
    });
  });
});

describe("what is in the way", () => {
  it("is a keep-out shape, with its name and depth", () => {
    const keepOut = [{ name: "bubble", type: "sphere" as const, center: [0, 0, 1], radius: 2 }];
    const { kind, shape, distance } = missOf(request({ handKeepOut: keepOut }));
    expect({ kind, shape }).toEqual({ kind: "keep-out", shape: "bubble" });
    expect(distance).toBeGreaterThan(0.5);
  });
});

describe("a search that was cut short", () => {
  it("says so", () => {
    let now = 0;
    const hurried = new Planner({ robots, clock: () => now++ });
    const slow = request({ limits: { accelerationScale: 0.01 }, budget: { milliseconds: 1 } });
    const { status, reasons, statistics } = hurried.plan(slow);
    expect(status).toBe("budget-exhausted");
    expect(reasons).toEqual([{ kind: "budget", sentence: expect.any(String) }]);
    expect(statistics.milliseconds).toBeGreaterThan(0);
  });
});

describe("describeShortfall", () => {
  const nothing: Shortfall = {
    time: 0.8,
    distance: 0,
    angle: 0,
    turn: 0,
    turnedAway: 0,
    lag: 0,
    laggingJoint: "late",
    lateness: 0,
    slowestJoint: "slow",
    overshoot: 0,
    overshootingJoint: "wild",
    depth: 0,
    shape: "wall",
    overlap: 0,
  };

  it.each([
    [{ distance: 0.041 }, { kind: "out-of-reach", distance: 0.041 }, "4.1 cm"],
    [{ angle: 0.1 }, { kind: "orientation", angle: 0.1 }, "5.7°"],
    [{ lateness: 0.072 }, { kind: "too-fast", time: 0.072, joint: "slow" }, "slow comes 72 ms"],
    [{ overshoot: 0.2 }, { kind: "overshoot", joint: "wild" }, "wild has gone 0.200"],
    [{ depth: 0.03 }, { kind: "keep-out", distance: 0.03, shape: "wall" }, "3.0 cm inside the keep-out shape wall"],
    [{ overlap: 0.01 }, { kind: "collision", distance: 0.01 }, "by 1.0 cm"],
  ])("puts %j into words", (figures, reason, words) => {
    const [found, ...others] = describeShortfall({ ...nothing, ...figures });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ ...reason, at: 0.8 });
    expect(found!.sentence).toContain(words);
    expect(found!.sentence).toContain("at 0.800 s");
  });

  it("puts the weightiest first and leaves out what is negligible", () => {
    const reasons = describeShortfall({ ...nothing, distance: 1e-5, depth: 0.02, lateness: 0.3 });
    expect(reasons.map(({ kind }) => kind)).toEqual(["too-fast", "keep-out"]);
  });
});
