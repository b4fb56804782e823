import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as quat from "../../../src/math/quat.js";
import * as vec3 from "../../../src/math/vec3.js";
import { type CatchMode, catchModes } from "../../../src/planning/problem/objectives.js";
import { PlanAnswerSchema } from "../../../src/planning/request/answer.js";
import { exampleRequest } from "../../../src/planning/request/example-request.js";
import { Planner, planCatch } from "../../../src/planning/request/plan-catch.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { resolveStart } from "../../../src/planning/request/start-state.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import { packageRoot } from "../../../src/runtime/package-root.js";
import { findProblems } from "../../../src/runtime/schema-problems.js";
import { rotate } from "../../support/rotations.js";
import { request, robots } from "./requests.js";

function readRequest(name: string): PlanRequest {
  return JSON.parse(readFileSync(join(packageRoot, "data", "requests", `${name}.json`), "utf8")) as PlanRequest;
}

const planner = new Planner({ robots, settings: { starts: 8 } });

describe("the shipped example requests", () => {
  it.each(listRobots())("%s: are what --example prints, and are solved in every mode", (name) => {
    const example = readRequest(name);
    expect(exampleRequest(robots.get(name))).toEqual(example);
    for (const mode of catchModes) {
      const answer = planner.plan({ ...example, mode });
      expect(findProblems(PlanAnswerSchema, answer)).toEqual([]);
      expect(answer).toMatchObject({ robot: name, mode, covariance: "given" });
      // The optimum of these modes may be one that the monitor would brake.
      if (mode === "soft" || mode === "cool") expect(answer.status).toBe("solved");
      else expect(["solved", "feasible"]).toContain(answer.status);
      expect(answer.catch!.time).toBeGreaterThan(0.5);
      expect(answer.catch!.time).toBeLessThan(1);
      expect(answer.verified).toEqual(["limits", "ramps", "hand", "hand-keep-out", "clearance", "motion"]);
    }
  });

  it("unreachable: is a normal answer with its reasons", () => {
    const answer = planner.plan(readRequest("unreachable"));
    expect(findProblems(PlanAnswerSchema, answer)).toEqual([]);
    expect(answer.status).toBe("unreachable");
    expect(answer.reasons![0]!.kind).toBe("out-of-reach");
    expect(answer.catch).toBeUndefined();
  });
});

describe("planCatch", () => {
  it("gives the same bits again, whatever was planned in between", () => {
    const value = request({ budget: { starts: 4 } });
    const { statistics: _, ...first } = planCatch(value);
    planCatch({ ...value, mode: "latest", handKeepOut: [{ name: "a", type: "sphere", center: [9, 9, 9], radius: 1 }] });
    const { statistics: __, ...again } = planCatch(value);
    const { statistics: ___, ...fresh } = new Planner().plan(value);
    expect(again).toEqual(first);
    expect(fresh).toEqual(first);
  });

  it("takes a clock of one's own, and none", () => {
    let now = 5;
    const clock = () => {
      now += 1e-4;
      return now;
    };
    const timed = planCatch(request({ budget: { starts: 2, milliseconds: 5000 } }), { robots, clock });
    expect(timed.statistics.milliseconds).toBeGreaterThan(0.1);
    const untimed = planCatch(request({ budget: { starts: 2, milliseconds: 1e-3 } }), { robots, clock: null });
    expect(untimed.status).toBe("solved");
    expect(untimed.statistics.milliseconds).toBe(0);
  });

  it("says where an unknown robot stands in the request", () => {
    expect(() => planCatch(request({ robot: "nobody" }))).toThrow(
      expect.objectContaining({ code: "FLY_ROBOT_UNKNOWN", details: expect.objectContaining({ path: "/robot" }) }),
    );
  });

  it("assumes a covariance in mode sure alone", () => {
    const sure = planner.plan(request({ mode: "sure" }));
    expect(sure).toMatchObject({ status: "solved", covariance: "assumed" });
    expect(sure.successProbability).toBeGreaterThan(0.9);
    const soft = planner.plan(request());
    expect(soft.successProbability).toBeUndefined();
    expect(soft.covariance).toBeUndefined();
  });
});

describe("the frame of the ball", () => {
  const justin = readRequest("agile-justin");
  const { position, velocity } = justin.ball.state!;

  it("does not change the plan", () => {
    const robot = robots.get("agile-justin");
    const group = robot.model.groups.find(({ name }) => name === "rightArm")!;
    // A turned and bent torso, so that no two frames are parallel.
    const start = { position: { torso1: 0.3, torso2: -0.6, torso3: 1.2, baseYaw: 0.2 } };
    const state = resolveStart(robot, [group], start);
    const plan = (ball: PlanRequest["ball"]) =>
      planner.plan({ robot: "agile-justin", group: "rightArm", start, ball, catchTime: { latest: 1.5 } });
    const reference = plan({ frame: "world", state: { time: -0.25, position, velocity } });
    expect(reference.status).toBe("solved");
    for (const frame of ["base", "chest", "group"] as const) {
      const rootFromFrame = state.worldFromLink[frame === "group" ? group.baseLink : robot.frames[frame]!]!;
      const [p, v] = [
        vec3.create(...(position as [number, number, number])),
        vec3.create(...(velocity as [number, number, number])),
      ];
      const answer = plan({
        frame,
        state: {
          time: -0.25,
          position: [...pose.transformPointInverse(rootFromFrame, p, p)],
          velocity: [...pose.rotateVectorInverse(rootFromFrame, v, v)],
        },
      });
      for (const key of ["handPosition", "handQuaternion", "ballPosition", "ballVelocity", "joints"] as const)
        for (const [k, value] of answer.catch![key].entries())
          expect(Math.abs(value - reference.catch![key][k]!)).toBeLessThan(1e-9);
      expect(Math.abs(answer.catch!.time - reference.catch!.time)).toBeLessThan(1e-9);
    }
  });
});

describe("group any", () => {
  const justin = readRequest("agile-justin");

  it("takes the better of the two arms", () => {
    const any = planner.plan(justin);
    const arms = ["leftArm", "rightArm"].map((group) => planner.plan({ ...justin, group }));
    const found = arms.filter(({ status }) => status === "solved");
    const best = found.reduce((a, b) => (b.objective! < a.objective! ? b : a));
    expect(any.group).toBe(best.group);
    expect(any.catch).toEqual(best.catch);
    expect(any.statistics.starts).toBe(arms[0]!.statistics.starts + arms[1]!.statistics.starts);
  });

  it("is mirrored with the ball", () => {
    const { state } = justin.ball;
    const mirror = ([x, y, z]: readonly number[]) => [x!, -y!, z!];
    const mirrored = planner.plan({
      ...justin,
      ball: { state: { ...state!, position: mirror(state!.position), velocity: mirror(state!.velocity) } },
    });
    const plain = planner.plan(justin);
    expect([plain.group, mirrored.group]).toEqual(["rightArm", "leftArm"]);
    expect(mirrored.objective).toBeCloseTo(plain.objective!, 4);
    expect(mirrored.catch!.handPosition[1]).toBeCloseTo(-plain.catch!.handPosition[1]!, 3);
  });
});

describe("what a request asks for", () => {
  const caught = (overrides: Partial<PlanRequest>) => planner.plan(request(overrides)).catch!;

  it("keeps the catch between its times", () => {
    const { time } = caught({});
    expect(caught({ mode: "latest", catchTime: { latest: time + 0.02 } }).time).toBeCloseTo(time + 0.02, 6);
    expect(caught({ mode: "soft", catchTime: { earliest: time + 0.02 } }).time).toBeGreaterThanOrEqual(
      time + 0.02 - 1e-9,
    );
  });

  it("keeps the hand out of a shape that is added", () => {
    const [x, y, z] = caught({}).handPosition as [number, number, number];
    const keepOut = [{ name: "glass", type: "sphere" as const, center: [x, y, z], radius: 0.08 }];
    const answer = planner.plan(request({ handKeepOut: keepOut }));
    expect(answer.status).toBe("solved");
    const hand = answer.catch!.handPosition as [number, number, number];
    expect(Math.hypot(hand[0] - x, hand[1] - y, hand[2] - z)).toBeGreaterThanOrEqual(0.08 - 1e-6);
  });

  it("starts from where the robot is and how it moves", () => {
    const velocity = { arm1: 0.2, arm4: -0.3 };
    const { ramps } = planner.plan(request({ start: { velocity } }));
    expect(ramps!.map(({ w0 }) => w0)).toEqual([0.2, 0, 0, -0.3, 0, 0, 0]);
  });

  it("follows a new prediction from an earlier catch, in one solve", () => {
    const { catch: first } = planner.plan(request());
    const near = { joints: first!.joints, time: first!.time };
    const moved = { state: { position: [4.51, 0.11, 1.41], velocity: [-4.62, 0.01, 4.08] } };
    const answer = planner.plan(request({ ball: moved, near }));
    expect(answer).toMatchObject({ status: "solved", statistics: { starts: 1 } });
    expect(answer.objective! / planner.plan(request({ ball: moved })).objective!).toBeLessThan(1.01);
  });

  it("searches everywhere if the earlier catch leads nowhere", () => {
    const near = { joints: [2, 2, 2, 2, 2, 2, 2], time: 0.1 };
    const [answer, expected] = [planner.plan(request({ near })), planner.plan(request())];
    expect(answer.status).toBe("solved");
    expect(answer.objective).toBeLessThanOrEqual(expected.objective! * 1.5);
  });

  it("orders the modes as the thesis does", () => {
    const of = (mode: CatchMode) => planner.plan(request({ mode }));
    const [soft, latest, cool] = [of("soft"), of("latest"), of("cool")];
    expect(latest.catch!.time).toBeGreaterThan(soft.catch!.time);
    expect(cool.catch!.arrival).toBeLessThan(soft.catch!.arrival);
    expect(cool.catch!.arrival).toBeLessThan(cool.catch!.time);
    const effort = (answer: typeof soft) => Math.max(...answer.ramps!.map(({ a }) => Math.abs(a)));
    expect(effort(soft)).toBeLessThan(effort(cool));
  });
});

describe("the hand", () => {
  it("is at the ball and faces it", () => {
    const { catch: found } = planner.plan(request());
    const { handPosition, ballPosition, ballVelocity, handQuaternion } = found!;
    const rotation = quat.create();
    rotation.set(handQuaternion);
    const z = rotate(rotation, vec3.create(0, 0, 1), vec3.create());
    const speed = Math.hypot(...ballVelocity);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(handPosition[k]! - ballPosition[k]!)).toBeLessThan(1e-6);
      expect(Math.abs(z[k as 0 | 1 | 2] + ballVelocity[k]! / speed)).toBeLessThan(1e-6);
    }
  });
});

describe("solver nlopt", () => {
  it("finds the same catch, once it is made ready", async () => {
    const value = request({ budget: { starts: 2 } });
    const nlopt = new Planner({ robots, solver: "nlopt" });
    expect(() => nlopt.plan(value)).toThrow(expect.objectContaining({ code: "FLY_PLAN_SOLVER_NOT_LOADED" }));
    await nlopt.prepare(value);
    const answer = nlopt.plan(value);
    expect(["solved", "feasible"]).toContain(answer.status);
    expect(answer.statistics.solver).toBe("nlopt");
    expect(answer.objective! / planner.plan(value).objective!).toBeLessThan(1.01);
  });
});
