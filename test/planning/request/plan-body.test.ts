import { afterEach, describe, expect, it, vi } from "vitest";
import { gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as pose from "../../../src/math/pose.js";
import * as quat from "../../../src/math/quat.js";
import * as vec3 from "../../../src/math/vec3.js";
import { NeckPointing } from "../../../src/planning/body/neck.js";
import { catchModes } from "../../../src/planning/problem/objectives.js";
import { type PlanAnswer, PlanAnswerSchema, type RampDescription } from "../../../src/planning/request/answer.js";
import { CarriedMotions } from "../../../src/planning/request/carried-motion.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { findProblems } from "../../../src/runtime/schema-problems.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { deep } from "../../support/deep.js";
import { request, robots } from "./requests.js";

const justin = robots.get("agile-justin");
const { model } = justin;
const ready = justin.postures.get("ready")!;
const planner = new Planner({ robots, settings: { starts: 8 } });
const throws = new ThrowGenerator(throwSpaceOf(justin), "plan body");
const bodyJoints = ["baseX", "baseY", "baseYaw", "torso1", "torso2", "torso3"];

/** From a throw's release until the robot may move [s]. */
const REACTION = 0.4;

function thrown(id: number, overrides: Partial<PlanRequest> = {}): PlanRequest {
  const { time, position, velocity } = throws.make(id, -REACTION).state;
  const state = { time, position: [...position], velocity: [...velocity] };
  return { robot: "agile-justin", body: "rule", ball: { state }, catchTime: { latest: 1.4 }, ...overrides };
}

/** Position and speed of a joint at `t`, by the words of docs/api.md alone. */
function follow(ramp: RampDescription, t: number): { readonly q: number; readonly w: number } {
  let [q, w, from] = [ramp.q0, ramp.w0, 0];
  const phases = [
    [ramp.ab, ramp.tb],
    [ramp.a, ramp.t1],
    [0, ramp.t2],
    [-ramp.a, ramp.T],
  ] as const;
  for (const [a, until] of phases) {
    const duration = Math.max(0, Math.min(t, until) - from);
    q += w * duration + 0.5 * a * duration ** 2;
    w += a * duration;
    from = Math.max(from, Math.min(t, until));
  }
  return { q, w };
}

/** The whole robot at `t`, by the ramps of an answer. */
function robotAt({ ramps }: PlanAnswer, t: number): RobotState {
  const state = new RobotState(model);
  state.q.set(ready);
  for (const ramp of ramps!) state.q[model.dofNames.indexOf(ramp.joint)] = follow(ramp, t).q;
  forwardKinematics(state);
  return state;
}

function flightOf({ ball }: PlanRequest): Flight {
  const { time = 0, position, velocity } = ball.state!;
  const [p, v] = [position, velocity].map((values) => vec3.create(...(values as [number, number, number])));
  const flight = new Flight();
  flight.reset({ time, position: p!, velocity: v!, drag: 0.032 }, gravity(), time, 1.5);
  return flight;
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

afterEach(() => vi.restoreAllMocks());

describe("a plan with the body's help", () => {
  it("has the hand at the ball in the world, facing it as the moving arm's base sees it", () => {
    let moved = 0;
    for (let id = 0; id < deep(24, 200); id++) {
      const value = thrown(id, { mode: catchModes[id % catchModes.length]! });
      const answer = planner.plan(value);
      expect(findProblems(PlanAnswerSchema, answer)).toEqual([]);
      if (answer.catch === undefined || answer.body !== "moved") continue;
      moved++;
      const { time, handPosition, handQuaternion, ballPosition, ballVelocity } = answer.catch;
      const group = model.groups.find(({ name }) => name === answer.group)!;
      const worldFromHand = robotAt(answer, time).worldFromLink[group.tipLink]!;
      const hand = pose.getTranslation(worldFromHand, vec3.create());
      const flight = flightOf(value);
      const ball = flight.position(time, vec3.create());
      expect(distance(hand, ball)).toBeLessThan(1e-4);
      expect(distance(handPosition, hand)).toBeLessThan(1e-6);
      expect(distance(ballPosition, ball)).toBeLessThan(1e-6);
      expect(distance(ballVelocity, flight.velocity(time, vec3.create()))).toBeLessThan(1e-6);
      const said = quat.fromMat3(worldFromHand, quat.create());
      expect(Math.abs(said.reduce((sum, value, k) => sum + value * handQuaternion[k]!, 0))).toBeCloseTo(1, 9);
      expect(facing(answer, flight, time, group.baseLink, worldFromHand)).toBeLessThan(-0.99999);
    }
    expect(moved).toBeGreaterThan(deep(18, 150));
  });

  it("lists arm, base, torso and neck, from where they are to rest, within limits", () => {
    let moved = 0;
    for (let id = 0; id < 8; id++) {
      const limits = id % 2 === 0 ? {} : { velocityScale: 0.9, accelerationScale: 0.8 };
      const { velocityScale = 1, accelerationScale = 1 } = limits as PlanRequest["limits"] & object;
      const answer = planner.plan(thrown(id, { limits, sample: { rateHz: 100 } }));
      if (answer.body !== "moved" || answer.ramps === undefined) continue;
      moved++;
      const arm = model.groups.find(({ name }) => name === answer.group)!.dofs.map((dof) => model.dofNames[dof]!);
      expect(answer.ramps.map(({ joint }) => joint)).toEqual([...arm, ...bodyJoints, "neckPan", "neckTilt"]);
      expect(answer.samples!.position[0]).toHaveLength(15);
      for (const ramp of answer.ramps) {
        const dof = model.dofNames.indexOf(ramp.joint);
        expect([ramp.q0, ramp.w0]).toEqual([ready[dof], 0]);
        expect(follow(ramp, ramp.T).q).toBeCloseTo(ramp.q, 9);
        expect(follow(ramp, ramp.T).w).toBeCloseTo(0, 9);
        expect(Math.abs(ramp.a)).toBeLessThanOrEqual(accelerationScale * model.maxAcceleration[dof]! * (1 + 1e-6));
        for (let t = 0; t <= ramp.T; t += 0.01) {
          const { q, w } = follow(ramp, t);
          expect(Math.abs(w)).toBeLessThanOrEqual(velocityScale * model.maxVelocity[dof]! * (1 + 1e-6));
          expect(q).toBeGreaterThanOrEqual(model.lower[dof]! - 1e-7);
          expect(q).toBeLessThanOrEqual(model.upper[dof]! + 1e-7);
        }
      }
    }
    expect(moved).toBeGreaterThan(5);
  });

  it("turns the head to the ball at the catch", () => {
    const answer = planner.plan(thrown(1));
    expect(answer).toMatchObject({ status: "solved", body: "moved" });
    const neck = new NeckPointing(justin);
    const { time, ballPosition } = answer.catch!;
    const state = robotAt(answer, time);
    const [eye, axis] = [vec3.create(), vec3.create()];
    neck.opticalAxis(
      Float64Array.from(neck.group.dofs, (dof) => state.q[dof]!),
      eye,
      axis,
    );
    const ball = vec3.create(...(ballPosition as [number, number, number]));
    const baseFromWorld = relativePose(state, neck.baseLink, justin.frames.world, pose.create());
    const line = vec3.subtract(pose.transformPoint(baseFromWorld, ball, ball), eye, vec3.create());
    // The neck has as long as the arm: it is there, unless a limit stops it.
    const isAtLimit = neck.group.dofs.some((dof, i) =>
      [neck.lower[i]!, neck.upper[i]!].some((limit) => Math.abs(state.q[dof]! - limit) < 1e-9),
    );
    expect(isAtLimit).toBe(false);
    expect(vec3.dot(vec3.normalize(line, line), axis)).toBeGreaterThan(1 - 1e-9);
  });

  it("catches more, and loses nothing", () => {
    const caught = { none: 0, rule: 0 };
    for (let id = 0; id < deep(30, 200); id++) {
      const [none, rule] = (["none", "rule"] as const).map((body) =>
        planner.plan(thrown(id, { group: "rightArm", body })),
      );
      expect(none!.body).toBe("none");
      expect(["moved", "stayed"]).toContain(rule!.body);
      if (none!.catch !== undefined) expect(rule!.catch).toBeDefined();
      caught.none += none!.catch === undefined ? 0 : 1;
      caught.rule += rule!.catch === undefined ? 0 : 1;
    }
    expect(caught.rule).toBeGreaterThan(caught.none);
  });

  it("takes the better of two arms, each with its own motion of the body", () => {
    for (const id of [0, 1, 2, 3]) {
      const any = planner.plan(thrown(id));
      const arms = ["leftArm", "rightArm"].map((group) => planner.plan(thrown(id, { group })));
      const found = arms.filter(({ catch: caught }) => caught !== undefined);
      const best = found.reduce((a, b) => (b.objective! < a.objective! ? b : a));
      expect({ ...any, statistics: null }).toEqual({ ...best, statistics: null });
    }
  });

  it("gives the same bits again", () => {
    const [first, , again] = [thrown(5), thrown(6), thrown(5)].map((value) => planner.plan(value));
    expect({ ...again, statistics: null }).toEqual({ ...first, statistics: null });
  });
});

describe("a body that moves at the start", () => {
  const velocity = { torso1: 0.2, torso3: -0.3, baseY: -0.15, neckPan: 0.4 };

  it("goes on from there", () => {
    let moved = 0;
    for (let id = 0; id < 6; id++) {
      const value = thrown(id, { start: { velocity } });
      const answer = planner.plan(value);
      if (answer.ramps === undefined) continue;
      moved++;
      expect(answer.body).toBe("moved");
      for (const { joint, w0 } of answer.ramps) expect(w0).toBe(velocity[joint as keyof typeof velocity] ?? 0);
      const { time } = answer.catch!;
      const { tipLink } = model.groups.find(({ name }) => name === answer.group)!;
      const hand = pose.getTranslation(robotAt(answer, time).worldFromLink[tipLink]!, vec3.create());
      expect(distance(hand, flightOf(value).position(time, vec3.create()))).toBeLessThan(1e-4);
    }
    expect(moved).toBeGreaterThan(4);
  });

  it("comes to rest, and the arm catches from there, where the rule's motion does not pass the last check", () => {
    const { tipLink } = model.groups.find(({ name }) => name === "rightArm")!;
    const refusal = { kind: "collision", sentence: "a touches b" } as const;
    let caught = 0;
    for (let id = 0; id < 10; id++) {
      vi.restoreAllMocks();
      vi.spyOn(CarriedMotions.prototype, "verify").mockReturnValueOnce({ motion: null, refusal });
      const value = thrown(id, { group: "rightArm", start: { velocity } });
      const answer = planner.plan(value);
      expect(answer.body).toBe("moved");
      if (answer.ramps === undefined) continue;
      caught++;
      const body = answer.ramps.filter(({ joint }) => bodyJoints.includes(joint));
      const slowest = Math.max(...body.map(({ w0, joint }) => Math.abs(w0) / limitOf(joint)));
      for (const { w0, q0, q, T } of body) {
        expect(T).toBeCloseTo(slowest, 9);
        expect(q - q0).toBeCloseTo((w0 * slowest) / 2, 9);
      }
      const { time } = answer.catch!;
      const hand = pose.getTranslation(robotAt(answer, time).worldFromLink[tipLink]!, vec3.create());
      expect(distance(hand, flightOf(value).position(time, vec3.create()))).toBeLessThan(1e-4);
    }
    expect(caught).toBeGreaterThan(2);
  });

  it("is refused without the rule", () => {
    const value = thrown(1, { start: { velocity }, body: "none" });
    expect(() => planner.plan(value)).toThrow(expect.objectContaining({ code: "FLY_PLAN_BASE_MOVES" }));
  });
});

describe("a plan that the body cannot help", () => {
  it("is made as without, and says so, for a robot that has no rule", () => {
    const [none, rule] = (["none", "rule"] as const).map((body) => planner.plan(request({ body })));
    expect(rule).toMatchObject({ status: "solved", body: "none" });
    expect({ ...rule, statistics: null }).toEqual({ ...none, statistics: null });
  });

  it("is made with the body standing if what was found with its help does not pass the last check", () => {
    const id = Array.from({ length: 20 }, (_, k) => k).find(
      (k) => planner.plan(thrown(k, { body: "none" })).catch !== undefined,
    )!;
    const none = planner.plan(thrown(id, { body: "none" }));
    refuseAll();
    const { statistics, ...rule } = planner.plan(thrown(id));
    const { statistics: without, ...expected } = none;
    expect(rule).toEqual({ ...expected, body: "stayed" });
    expect(statistics.starts).toBeGreaterThan(without.starts);
  });

  it("is none, for that reason, if there is no other", () => {
    const only = Array.from({ length: 40 }, (_, k) => thrown(k, { group: "rightArm" })).find((value) => {
      const isStandingEnough = planner.plan({ ...value, body: "none" }).catch !== undefined;
      return !isStandingEnough && planner.plan(value).catch !== undefined;
    })!;
    refuseAll();
    const answer = planner.plan(only);
    expect(answer).toMatchObject({ status: "unreachable", body: "moved", reasons: [{ kind: "collision" }] });
    expect(answer.ramps).toBeUndefined();
  });

  function refuseAll(): void {
    const refusal = { kind: "collision", sentence: "a touches b" } as const;
    vi.spyOn(CarriedMotions.prototype, "verify").mockReturnValue({ motion: null, refusal });
  }
});

/** [rad/s² or m/s²] */
const limitOf = (joint: string) => model.maxAcceleration[model.dofNames.indexOf(joint)]!;

/** Cosine between the hand's z axis and the ball's velocity relative to the base, by differences. */
function facing(answer: PlanAnswer, flight: Flight, t: number, base: number, worldFromHand: pose.Pose): number {
  const h = 1e-5;
  const inBase = (at: number) =>
    pose.transformPointInverse(
      robotAt(answer, at).worldFromLink[base]!,
      flight.position(at, vec3.create()),
      vec3.create(),
    );
  const velocity = vec3.subtract(inBase(t + h), inBase(t - h), vec3.create());
  pose.rotateVector(robotAt(answer, t).worldFromLink[base]!, vec3.normalize(velocity, velocity), velocity);
  return vec3.dot(vec3.create(worldFromHand[2], worldFromHand[5], worldFromHand[8]), velocity);
}
