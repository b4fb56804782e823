import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { ALL_CHECKS, Check } from "../../../src/planning/problem/checks.js";
import { buildStandingTask } from "../../../src/planning/request/arm-task.js";
import { RobotWorkspaces } from "../../../src/planning/request/loaded-robots.js";
import { standardSettings } from "../../../src/planning/request/planner-settings.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { resolveRequest } from "../../../src/planning/request/resolve-request.js";
import type { JointGroup, Robot } from "../../../src/robot/robot.js";
import type { FlycatcherError } from "../../../src/runtime/errors.js";
import { SchemaError } from "../../../src/runtime/schema-problems.js";
import { diagonalCovariance, request, robots, tableThrow } from "./requests.js";

const workspaces = new RobotWorkspaces();
const plannerOf = (robot: Robot, group: JointGroup) => workspaces.of(robot).planner(group);
const resolve = (value: PlanRequest) => resolveRequest(value, robots, standardSettings);

/** The task of the one arm that a request names. */
function taskOf(value: PlanRequest) {
  const resolved = resolve(value);
  return buildStandingTask(resolved, plannerOf(resolved.robot, resolved.groups[0]!));
}

function errorOf(value: unknown): FlycatcherError {
  try {
    taskOf(value as PlanRequest);
  } catch (error) {
    return error as FlycatcherError;
  }
  throw new Error("the request was taken");
}

const state = (overrides: object) => ({ ball: { state: { ...tableThrow, ...overrides } } });
const identity = diagonalCovariance(1, 1);
const withEntry = (r: number, c: number, value: number) =>
  identity.map((row, i) => row.map((entry, j) => (i === r && j === c ? value : entry)));
const sample = (time: number, x = 4.5 - 4.6 * time) => ({
  time,
  position: [x, 0, 1.4 + 4.1 * time - 4.905 * time * time],
});
const samples = (...list: object[]) => ({ ball: { samples: list } });
const justin = { robot: "agile-justin", group: "rightArm" };

describe("a request that breaks its schema", () => {
  it.each([
    ["a wrong size", state({ position: [1, 2] }), "/ball/state/position"],
    ["NaN", state({ velocity: [Number.NaN, 0, 0] }), "/ball/state/velocity/0"],
    ["Infinity", state({ time: Number.POSITIVE_INFINITY }), "/ball/state/time"],
    ["an infinite start", { start: { position: [0, 0, 0, 0, 0, 0, Number.NEGATIVE_INFINITY] } }, "/start/position/6"],
    ["a NaN by name", { start: { velocity: { arm1: Number.NaN } } }, "/start/velocity/arm1"],
    ["a covariance of five rows", state({ covariance: identity.slice(1) }), "/ball/state/covariance"],
    ["an absurd number", state({ position: [1e9, 0, 1] }), "/ball/state/position/0"],
    ["an unknown mode", { mode: "brave" }, "/mode"],
    ["a check that there is not", { verify: ["motion", "colour"] }, "/verify/1"],
    ["a check twice", { verify: ["motion", "motion"] }, "/verify"],
    ["an unknown key", { speed: 3 }, "/speed"],
    ["too few samples", samples(sample(0), sample(0.1)), "/ball/samples"],
    ["a scale above 1", { limits: { velocityScale: 1.5 } }, "/limits/velocityScale"],
    ["no starts", { budget: { starts: 0 } }, "/budget/starts"],
    ["a keep-out shape of no kind", { handKeepOut: [{ name: "a", type: "blob" }] }, "/handKeepOut/0/type"],
    [
      "a keep-out shape without radius",
      { handKeepOut: [{ name: "a", type: "sphere", center: [0, 0, 0] }] },
      "/handKeepOut/0/radius",
    ],
  ])("is refused: %s", (_, overrides, path) => {
    const error = errorOf({ ...request(), ...overrides });
    expect(error).toBeInstanceOf(SchemaError);
    expect(error.code).toBe("FLY_PLAN_REQUEST_INVALID");
    expect((error as SchemaError).problems.map((problem) => problem.path)).toContain(path);
  });

  it("is refused: nothing at all", () => {
    expect(errorOf(undefined).code).toBe("FLY_PLAN_REQUEST_INVALID");
    expect(errorOf({}).details.path).toBe("/ball");
  });
});

describe("a request that its schema cannot find wrong", () => {
  it.each([
    ["an unknown robot", { robot: "nobody" }, "FLY_ROBOT_UNKNOWN", undefined],
    ["an unknown group", { group: "leg" }, "FLY_PLAN_GROUP_UNKNOWN", "/group"],
    ["a group that cannot catch", { ...justin, group: "torso" }, "FLY_PLAN_GROUP_UNKNOWN", "/group"],
    ["an unknown posture", { start: { posture: "yoga" } }, "FLY_PLAN_POSTURE_UNKNOWN", "/start/posture"],
    ["an unknown joint", { start: { position: { "a/b": 0 } } }, "FLY_PLAN_JOINT_UNKNOWN", "/start/position/a~1b"],
    [
      "a dependent joint",
      { ...justin, start: { position: { torso4: 0 } } },
      "FLY_PLAN_JOINT_UNKNOWN",
      "/start/position/torso4",
    ],
    ["a list too long", { start: { position: [0, 0, 0, 0, 0, 0, 0, 0] } }, "FLY_PLAN_JOINT_COUNT", "/start/position"],
    [
      "a list for one of two arms",
      { robot: "agile-justin", start: { velocity: [0, 0, 0, 0, 0, 0, 0] } },
      "FLY_PLAN_JOINT_COUNT",
      "/start/velocity",
    ],
    [
      "a start outside limits",
      { start: { position: { arm1: 3 } } },
      "FLY_PLAN_START_OUTSIDE_LIMITS",
      "/start/position/arm1",
    ],
    [
      "a start outside limits, in a list",
      { start: { position: [3, 0, 0, 0, 0, 0, 0] } },
      "FLY_PLAN_START_OUTSIDE_LIMITS",
      "/start/position/0",
    ],
    [
      "a torso that moves",
      { ...justin, start: { velocity: { torso2: 0.1 } } },
      "FLY_PLAN_BASE_MOVES",
      "/start/velocity/torso2",
    ],
    ["no ball", { ball: {} }, "FLY_PLAN_BALL_AMBIGUOUS", "/ball"],
    [
      "two balls",
      { ball: { state: tableThrow, ...samples(sample(0), sample(0.1), sample(0.2)).ball } },
      "FLY_PLAN_BALL_AMBIGUOUS",
      "/ball",
    ],
    ["a ball under the floor", state({ position: [4, 0, -0.01] }), "FLY_PLAN_BALL_UNDER_FLOOR", "/ball/state/position"],
    [
      "a sample under the floor",
      samples(sample(0), sample(0.1), { time: 0.2, position: [3, 0, -1] }),
      "FLY_PLAN_BALL_UNDER_FLOOR",
      "/ball/samples/2/position",
    ],
    [
      "a ball under the table's floor",
      { ball: { frame: "base", state: { ...tableThrow, position: [4, 0, -0.8] } } },
      "FLY_PLAN_BALL_UNDER_FLOOR",
      "/ball/state/position",
    ],
    ["a ball too fast for the air", state({ velocity: [-900, 0, 0] }), "FLY_PLAN_BALL_UNFLYABLE", "/ball"],
    [
      "an unsymmetric covariance",
      state({ covariance: withEntry(3, 1, 0.1) }),
      "FLY_PLAN_COVARIANCE",
      "/ball/state/covariance/3/1",
    ],
    ["a zero variance", state({ covariance: withEntry(2, 2, 0) }), "FLY_PLAN_COVARIANCE", "/ball/state/covariance"],
    [
      "a negative variance",
      state({ covariance: withEntry(5, 5, -1) }),
      "FLY_PLAN_COVARIANCE",
      "/ball/state/covariance",
    ],
    ["samples out of order", samples(sample(0), sample(0.2), sample(0.1)), "FLY_PLAN_SAMPLES", "/ball/samples/2/time"],
    ["samples at one time", samples(sample(0), sample(0.1), sample(0.1)), "FLY_PLAN_SAMPLES", "/ball/samples/2/time"],
    ["samples too close", samples(sample(0), sample(1e-12), sample(2e-12)), "FLY_PLAN_SAMPLES", "/ball/samples"],
    [
      "an earlier catch of another arm",
      { near: { joints: [0, 0, 0], time: 0.5 } },
      "FLY_PLAN_JOINT_COUNT",
      "/near/joints",
    ],
    [
      "an earlier catch of any arm",
      { robot: "agile-justin", near: { joints: [0, 0, 0, 0, 0, 0, 0], time: 0.5 } },
      "FLY_PLAN_JOINT_COUNT",
      "/near/joints",
    ],
    ["crossed times", { catchTime: { earliest: 1, latest: 0.5 } }, "FLY_PLAN_TIMES", "/catchTime/earliest"],
    ["a body rule of another kind", { body: "dance" }, "FLY_PLAN_REQUEST_INVALID", "/body"],
    [
      "a keep-out on no link",
      { handKeepOut: [{ name: "a", link: "moon", type: "sphere", center: [0, 0, 0], radius: 1 }] },
      "FLY_PLAN_KEEP_OUT",
      "/handKeepOut/0/link",
    ],
    [
      "a flat box",
      { handKeepOut: [{ name: "a", type: "box", origin: { xyz: [0, 0, 0] }, size: [1, 0, 1] }] },
      "FLY_PLAN_KEEP_OUT",
      "/handKeepOut/0/size",
    ],
    [
      "a half-space without normal",
      { handKeepOut: [{ name: "a", type: "half-space", normal: [0, 0, 0], offset: 0 }] },
      "FLY_PLAN_KEEP_OUT",
      "/handKeepOut/0/normal",
    ],
    [
      "the frame of any of two groups",
      { robot: "agile-justin", ball: { frame: "group", state: tableThrow } },
      "FLY_PLAN_FRAME_UNKNOWN",
      "/ball/frame",
    ],
  ] as const)("is refused: %s", (_, overrides, code, path) => {
    const { code: found, details } = errorOf({ ...request(), ...overrides });
    expect({ code: found, path: details.path }).toEqual({ code, path });
  });

  it("is refused where the robot has no chest", () => {
    const { chest: _, ...frames } = robots.get("lwr-arm").frames;
    const chestless = { get: () => ({ ...robots.get("lwr-arm"), frames }) };
    const value = request({ ball: { frame: "chest", state: tableThrow } });
    expect(() => resolveRequest(value, chestless, standardSettings)).toThrow(/FLY_PLAN|frame is not known/);
  });
});

describe("the start", () => {
  it("is the ready posture at rest if nothing is said", () => {
    const { start, robot } = resolve(request());
    expect(start.q).toEqual(robot.postures.get("ready"));
    expect(Math.max(...start.qd)).toBe(0);
  });

  it("is the same by name, in the group's order and in the robot's", () => {
    const { robot, groups } = resolve(request(justin));
    const ready = robot.postures.get("ready")!;
    const values = groups[0]!.dofs.map((dof, k) => ready[dof]! + 0.01 * k);
    const byName = Object.fromEntries(groups[0]!.dofs.map((dof, k) => [robot.model.dofNames[dof]!, values[k]!]));
    const whole = Array.from(ready);
    for (const [k, dof] of groups[0]!.dofs.entries()) whole[dof] = values[k]!;
    const starts = [values, byName, whole].map(
      (position) => resolve(request({ ...justin, start: { position, velocity: byName } })).start,
    );
    for (const start of starts) {
      expect(start.q).toEqual(Float64Array.from(whole));
      expect(groups[0]!.dofs.map((dof) => start.qd[dof])).toEqual(values);
    }
  });

  it("lets the other arm and the neck move", () => {
    const velocity = { leftArm1: 0.5, neckPan: 1 };
    expect(() => taskOf(request({ ...justin, start: { velocity } }))).not.toThrow();
  });

  it("is set onto a limit that it exceeds by rounding", () => {
    const { robot } = resolve(request());
    const upper = robot.model.upper[robot.model.dofNames.indexOf("arm1")]!;
    const { task } = taskOf(request({ start: { position: { arm1: upper + 5e-10 } } }));
    expect(task.q0[0]).toBe(upper);
  });
});

describe("the task", () => {
  it("scales the limits", () => {
    const whole = taskOf(request()).task;
    const { task } = taskOf(request({ limits: { velocityScale: 0.5, accelerationScale: 0.25 } }));
    expect(task.maxVelocity).toEqual(whole.maxVelocity.map((value) => 0.5 * value));
    expect(task.maxAcceleration).toEqual(whole.maxAcceleration.map((value) => 0.25 * value));
  });

  it("says what to verify: all, unless the request leaves something out", () => {
    expect(taskOf(request()).task.checks).toBe(ALL_CHECKS);
    const some = taskOf(request({ verify: ["limits", "motion", "hand-keep-out"] }));
    expect(some.task.checks).toBe(Check.motion + Check.keepOut);
    expect(taskOf(request({ verify: ["clearance"] })).task.checks).toBe(Check.clearance);
    expect(taskOf(request({ verify: [] })).task.checks).toBe(0);
  });

  it("adds the request's keep-out shapes to the robot's, in the world unless they name a link", () => {
    const shape = { name: "ball of glass", type: "sphere" as const, center: [0.3, 0.2, 1.1], radius: 0.1 };
    const inTable = { ...shape, name: "in the table", link: "table", center: [0.55, 0.2, 0.35] };
    const { task, view } = taskOf(request({ handKeepOut: [shape, inTable] }));
    const worldFromBase = view.worldFromBase(0, pose.create());
    const { names, count } = task.keepOut;
    expect(names.slice(-2)).toEqual(["ball of glass", "in the table"]);
    const distances = new Float64Array(count);
    const point = pose.transformPointInverse(worldFromBase, vec3.create(0.3, 0.2, 1.4), vec3.create());
    task.keepOut.evaluate(point, distances, 0, new Float64Array(3 * count));
    expect(distances[count - 2]).toBeCloseTo(0.2, 12);
    expect(distances[count - 1]).toBeCloseTo(0.2, 12);
  });

  it("turns ball and gravity into the base's frame, from whichever frame they are given in", () => {
    const world = taskOf(request(justin));
    const { start, robot } = resolve(request(justin));
    for (const frame of ["base", "chest", "group"] as const) {
      const link = frame === "group" ? world.planner.arm.group.baseLink : robot.frames[frame]!;
      const rootFromFrame = start.worldFromLink[link]!;
      const given = {
        position: [...pose.transformPointInverse(rootFromFrame, vec3.create(4.5, 0.1, 1.4), vec3.create())],
        velocity: [...pose.rotateVectorInverse(rootFromFrame, vec3.create(-4.6, 0, 4.1), vec3.create())],
      };
      const { task } = taskOf(request({ ...justin, ball: { frame, state: given } }));
      for (const t of [0, 0.4, 0.9]) {
        const [p, v, a] = [vec3.create(), vec3.create(), vec3.create()];
        const [p0, v0, a0] = [vec3.create(), vec3.create(), vec3.create()];
        task.path.evaluate(t, p, v, a);
        world.task.path.evaluate(t, p0, v0, a0);
        for (const [one, other] of [
          [p, p0],
          [v, v0],
          [a, a0],
        ] as const)
          expect(vec3.distance(one, other)).toBeLessThan(1e-12);
      }
    }
  });

  it("lets a ball that was seen before the motion fly on", () => {
    const early = taskOf(request({ ball: { state: { ...tableThrow, time: -0.3 } } })).task.path;
    const now = taskOf(request()).task.path;
    const [a, b] = [vec3.create(), vec3.create()];
    expect(vec3.distance(early.position(0.5, a), now.position(0.8, b))).toBeLessThan(1e-9);
  });

  it("fits a flight to samples, with its covariance", () => {
    const truth = taskOf(request());
    const worldFromBase = truth.view.worldFromBase(0, pose.create());
    const seen = Array.from({ length: 8 }, (_, k) => {
      const p = truth.task.path.position(0.04 * k, vec3.create());
      return { time: 0.04 * k, position: [...pose.transformPoint(worldFromBase, p, p)], sigma: 0.01 };
    });
    const fitted = taskOf(request({ ball: { samples: seen } }));
    expect(fitted.covarianceFrom).toBe("fitted");
    const [a, b] = [vec3.create(), vec3.create()];
    expect(vec3.distance(fitted.task.path.position(0.9, a), truth.task.path.position(0.9, b))).toBeLessThan(1e-8);
  });

  it("ends where the ball lands", () => {
    const { task, landing, view } = taskOf(request({ catchTime: { latest: 3 } }));
    const worldFromBase = view.worldFromBase(landing, pose.create());
    const ground = task.path.position(landing, vec3.create());
    expect(pose.transformPoint(worldFromBase, ground, ground)[2]).toBeCloseTo(0, 9);
    expect(task.latest).toBe(landing);
    expect(landing).toBeGreaterThan(0.9);
  });

  it("does not begin before the ball flies", () => {
    expect(taskOf(request({ ball: { state: { ...tableThrow, time: 0.4 } } })).task.earliest).toBe(0.4);
  });
});
