import { describe, expect, it } from "vitest";
import { parseMotionObstacles } from "../../../src/collision/making/obstacle-parts.js";
import { MotionPlanner } from "../../../src/planning/motions/motion-planner.js";
import type { MotionRequest } from "../../../src/planning/motions/motion-request.js";
import { LoadedRobots } from "../../../src/planning/request/loaded-robots.js";
import { robotAmong } from "../../../src/robot/loading/obstacles.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { faultsOf, placeLinks, valueAt } from "./motion-judge.js";

const robots = new LoadedRobots();
const panda = robots.get("panda");
const { model } = panda;
const group = model.groups.find(({ name }) => name === "arm")!;
const planner = new MotionPlanner({ robots, clock: null });
const plan = (request: Partial<MotionRequest>) => planner.plan({ robot: "panda", ...request });
const ready = panda.postures.get("ready")!;
const limits = {
  robot: panda,
  maxVelocity: group.dofs.map((dof) => model.maxVelocity[dof]!),
  maxAcceleration: group.dofs.map((dof) => model.maxAcceleration[dof]!),
  maxJerk: group.dofs.map((dof) => panda.maxJerk?.[dof] ?? 10 * model.maxAcceleration[dof]!),
};
const post = {
  name: "post",
  type: "box" as const,
  origin: { xyz: [0.55, 0, 0.5] as [number, number, number] },
  size: [0.08, 0.08, 1] as [number, number, number],
};
const beside = { arm1: -0.7, arm2: 0.6, arm4: -1.9 };
const other = { joints: { ...beside, arm1: 0.7 } };

function postureWith(position: Record<string, number>): Float64Array {
  const q = ready.slice();
  for (const [name, value] of Object.entries(position)) q[model.dofNames.indexOf(name)] = value;
  return q;
}

function codeOf(request: Partial<MotionRequest>): string {
  try {
    plan(request);
    return "none";
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw error;
    return error.code;
  }
}

describe("goals", () => {
  const aim = placeLinks(panda, postureWith({ arm1: 0.4, arm2: 0.5, arm4: -1.6 }))[group.tipLink]!;
  const at = [0, 1, 2].map((i) => aim[i]![3]!);
  const rpy = [
    Math.atan2(aim[2]![1]!, aim[2]![2]!),
    Math.atan2(-aim[2]![0]!, Math.hypot(aim[2]![1]!, aim[2]![2]!)),
    Math.atan2(aim[1]![0]!, aim[0]![0]!),
  ];

  it.each<[string, NonNullable<MotionRequest["goal"]>]>([
    ["a position", { position: at }],
    ["a free roll", { position: at, rpy, free: "roll" }],
    ["a cone", { position: at, rpy, free: "cone", cone: 0.4 }],
    ["a pose", { position: at, rpy }],
  ])("%s is reached", (_, goal) => {
    const answer = plan({ goal });
    expect(answer.status).toBe("planned");
    expect(faultsOf(answer, { ...limits, posture: ready, place: { link: group.tipLink, at } })).toEqual([]);
    const q = ready.slice();
    for (const [i, dof] of group.dofs.entries()) q[dof] = answer.joints![i]!;
    const tip = placeLinks(panda, q)[group.tipLink]!;
    if (goal.rpy === undefined) return;
    const along = (axis: number) => [0, 1, 2].reduce((sum, i) => sum + aim[i]![axis]! * tip[i]![axis]!, 0);
    expect(along(2)).toBeGreaterThanOrEqual(goal.free === "cone" ? Math.cos(0.4) - 1e-6 : 1 - 1e-9);
    if (goal.free === undefined) expect(along(0)).toBeGreaterThanOrEqual(1 - 1e-9);
  });

  it("of several goals any will do", () => {
    const answer = plan({ goals: [{ position: [3, 0, 0] }, { joints: { arm1: 0.4 } }] });
    expect(answer).toMatchObject({ status: "planned", goal: 1 });
  });

  it("what moves is met when it is there", () => {
    const coefficients: [number, number, number][] = [
      [0.75, -0.5, 0.5],
      [-0.15, 0.5, 0],
    ];
    const answer = plan({
      goal: { course: { polynomial: { coefficients } }, free: "orientation" },
      when: { earliest: 0.3 },
    });
    expect(answer.status).toBe("planned");
    const at = coefficients[0]!.map((c, i) => c + answer.arrival! * coefficients[1]![i]!);
    expect(faultsOf(answer, { ...limits, posture: ready, place: { link: group.tipLink, at } })).toEqual([]);
  });

  it("a place out of reach is a normal answer with its reason", () => {
    const answer = plan({ goal: { position: [3, 0, 0.5] } });
    expect(answer.status).toBe("unreachable");
    expect(answer.reasons![0]).toMatchObject({ kind: "out-of-reach", goal: 0 });
    expect(answer.reasons![0]!.distance).toBeGreaterThan(1);
  });
});

describe("when", () => {
  it("arrives exactly then, or as soon as it can and says how much too late", () => {
    const soonest = plan({ goal: { joints: { arm1: 1 } } });
    expect(plan({ goal: { joints: { arm1: 1 } }, when: { at: 2 } }).arrival).toBeCloseTo(2, 9);
    const late = plan({ goal: { joints: { arm1: 1 } }, when: { at: 0.1 } });
    expect(late).toMatchObject({ status: "late", arrival: soonest.arrival });
    expect(late.late).toBeCloseTo(soonest.arrival! - 0.1, 9);
    expect(plan({ goal: { joints: { arm1: 1 } }, when: { earliest: 1.5, latest: 3 } }).arrival).toBeCloseTo(1.5, 9);
  });

  it("a running motion is replaced without a step", () => {
    const first = plan({ goal: { joints: { arm1: 1 } } });
    const second = plan({ running: { motion: first.motion!, at: 0.31 }, goal: { joints: { arm1: -0.6 } } });
    expect(second).toMatchObject({ status: "planned", from: 0.31 });
    for (let order = 0; order <= 2; order++) {
      expect(valueAt(second.motion!.pieces[0]!, 0, order)).toBeCloseTo(
        valueAt(first.motion!.pieces[0]!, 0.31, order),
        6,
      );
    }
  });
});

describe("ways", () => {
  it("leads around an obstacle, the same way for the same seed", () => {
    const request = { start: { position: beside }, goal: other, obstacles: [post] };
    const answer = plan(request);
    expect(answer.status).toBe("planned");
    expect(answer.statistics.planner).not.toBe("straight");
    const robot = robotAmong(panda, parseMotionObstacles([post]));
    const end = group.dofs.map((dof) => postureWith(other.joints)[dof]!);
    expect(faultsOf(answer, { ...limits, robot, posture: postureWith(beside), end })).toEqual([]);
    expect(plan(request).motion).toEqual(answer.motion);
    const straight = plan({ ...request, planner: "straight" });
    expect(straight.status).toBe("unreachable");
    expect(straight.reasons!.some(({ kind, bodies }) => kind === "collision" && bodies!.includes("post"))).toBe(true);
  });

  it("begins in motion, and still leads around", () => {
    const velocity = { arm1: 0.4, arm4: -0.2 };
    const answer = plan({ start: { position: beside, velocity }, goal: other, obstacles: [post] });
    expect(answer.status).toBe("planned");
    const robot = robotAmong(panda, parseMotionObstacles([post]));
    const moving = group.dofs.map((dof) => (velocity as Record<string, number>)[model.dofNames[dof]!] ?? 0);
    expect(faultsOf(answer, { ...limits, robot, posture: postureWith(beside), velocity: moving })).toEqual([]);
  });

  it("what the hand holds is kept clear, too", () => {
    const held = {
      name: "rod",
      type: "capsule" as const,
      from: [0, 0, 0.12] as [number, number, number],
      to: [0, 0, 0.4] as [number, number, number],
      radius: 0.02,
      attachedTo: model.linkNames[group.tipLink]!,
    };
    const request = {
      start: { position: beside },
      goal: other,
      obstacles: [{ ...post, size: [0.02, 0.02, 1] as [number, number, number] }, held],
    };
    const answer = plan(request);
    expect(answer.status).toBe("planned");
    const robot = robotAmong(panda, parseMotionObstacles(request.obstacles));
    expect(
      robot.pairs.some(
        ([a, b]) =>
          [a, b]
            .map((k) => robot.hulls[k]!.name)
            .sort()
            .join() === "post,rod",
      ),
    ).toBe(true);
    expect(faultsOf(answer, { ...limits, robot, posture: postureWith(beside) })).toEqual([]);
  });

  it("waits or goes around what moves", () => {
    const motion = {
      polynomial: {
        coefficients: [
          [0.55, -0.4, 0.6],
          [0, 0.5, 0],
        ] as [number, number, number][],
      },
    };
    const mover = {
      name: "cart",
      type: "sphere" as const,
      center: [0, 0, 0] as [number, number, number],
      radius: 0.1,
      motion,
    };
    const answer = plan({
      start: { position: { ...beside, arm1: -1.4 } },
      goal: other,
      obstacles: [mover],
      budget: { samples: 20_000 },
    });
    const robot = robotAmong(panda, parseMotionObstacles([mover]));
    expect(answer.status).toBe("planned");
    expect(faultsOf(answer, { ...limits, robot, posture: postureWith({ ...beside, arm1: -1.4 }) })).toEqual([]);
  });

  it("passes by places, at rest at each", () => {
    const answer = plan({ via: [{ joints: { arm1: 0.5 } }], goal: { joints: { arm1: -0.5 } } });
    expect(answer.status).toBe("planned");
    const pieces = answer.motion!.pieces[0]!;
    const times = Array.from({ length: 2001 }, (_, k) => (answer.arrival! * k) / 2000);
    expect(Math.max(...times.map((t) => valueAt(pieces, t, 0)))).toBeCloseTo(0.5, 3);
    expect(faultsOf(answer, { ...limits, posture: ready })).toEqual([]);
  });

  it("keeps a straight line of the tool", () => {
    const from = placeLinks(panda, ready)
      [group.tipLink]!.slice(0, 3)
      .map((row) => row[3]!);
    const to = [from[0]! - 0.05, from[1]! + 0.2, from[2]! - 0.15];
    const answer = plan({ goal: { position: to, free: "orientation" }, line: { tolerance: 2e-4 } });
    expect(answer.status).toBe("planned");
    expect(faultsOf(answer, { ...limits, posture: ready, place: { link: group.tipLink, at: to } })).toEqual([]);
    const way = to.map((x, i) => x - from[i]!);
    const length = Math.hypot(...way);
    for (let k = 0; k <= 100; k++) {
      const q = ready.slice();
      for (const [i, dof] of group.dofs.entries())
        q[dof] = valueAt(answer.motion!.pieces[i]!, (answer.arrival! * k) / 100, 0);
      const at = placeLinks(panda, q)
        [group.tipLink]!.slice(0, 3)
        .map((row, i) => row[3]! - from[i]!);
      const along = at.reduce((sum, x, i) => sum + x * way[i]!, 0) / length;
      expect(Math.hypot(...at.map((x, i) => x - (along * way[i]!) / length))).toBeLessThan(3e-4);
    }
  });
});

describe("limits and exports", () => {
  it("keeps the tool's speed", () => {
    const answer = plan({ goal: { joints: { arm1: 1 } }, limits: { toolSpeed: 0.4 } });
    expect(answer.toolSpeed).toBeLessThanOrEqual(0.4);
    expect(answer.toolSpeed).toBeGreaterThan(0.35);
  });

  it("writes CSV, a JointTrajectory and spline points", () => {
    const { exports, arrival, joints } = plan({
      goal: { joints: { arm1: 1 } },
      export: ["csv", "ros", "ur"],
      sample: { rateHz: 50 },
    });
    const rows = exports!.csv!.trim().split("\n");
    expect(rows.length).toBe(2 + Math.ceil(arrival! * 50));
    expect(rows.at(-1)!.split(",").slice(1, 8).map(Number)).toEqual(joints);
    const { points } = exports!.ros as {
      points: { positions: number[]; time_from_start: { sec: number; nanosec: number } }[];
    };
    expect(points.at(-1)!.positions).toEqual(joints);
    const last = points.at(-1)!.time_from_start;
    expect(last.sec + last.nanosec / 1e9).toBeCloseTo(arrival!, 8);
    expect(exports!.ur!.match(/\[\[/g)?.length ?? 0).toBeGreaterThan(10);
  });
});

describe("wrong requests", () => {
  const ball = { name: "ball", type: "sphere" as const, center: [0, 0, 0] as [number, number, number], radius: 0.4 };
  const tip = placeLinks(panda, ready)
    [group.tipLink]!.slice(0, 3)
    .map((row) => row[3]!) as [number, number, number];
  it.each<[string, Partial<MotionRequest>]>([
    ["FLY_MOTION_START_COLLIDES", { goal: other, obstacles: [{ ...ball, center: tip }] }],
    [
      "FLY_MOTION_GOAL_COLLIDES",
      { start: { position: beside }, goal: { joints: { arm1: 0, arm2: 0.6, arm4: -1.9 } }, obstacles: [post] },
    ],
    ["FLY_MOTION_GOAL_OUTSIDE_LIMITS", { goal: { joints: { arm1: 5 } } }],
    ["FLY_MOTION_GOAL_INVALID", {}],
    ["FLY_MOTION_GOAL_INVALID", { goal: {} }],
    ["FLY_MOTION_GOAL_INVALID", { goal: { position: [0, 0, 1], joints: { arm1: 0 } } }],
    ["FLY_MOTION_GOAL_INVALID", { goal: { position: [0, 0, 1], free: "cone" } }],
    ["FLY_MOTION_TIME_PAST", { goal: other, when: { at: -0.1 } }],
    ["FLY_PLAN_TIMES", { goal: other, when: { earliest: 2, latest: 1 } }],
    ["FLY_PLAN_JOINT_UNKNOWN", { goal: { joints: { elbow: 1 } } }],
    ["FLY_PLAN_JOINT_COUNT", { goal: { joints: [1, 2] } }],
    ["FLY_MOTION_GROUP_UNKNOWN", { group: "leg", goal: other }],
    ["FLY_LINK_UNKNOWN", { goal: { position: [0, 0, 1], frame: "tail" } }],
    ["FLY_PLAN_REQUEST_INVALID", { goal: { joints: { arm1: Number.NaN } } }],
    ["FLY_PLAN_REQUEST_INVALID", { goal: other, limits: { velocityScale: 2 } }],
    ["FLY_OBSTACLE_INVALID", { goal: other, obstacles: [post, post] }],
    [
      "FLY_PLAN_REQUEST_INVALID",
      { goal: other, obstacles: [{ name: "m", type: "mesh", vertices: Array(60_003).fill(0), triangles: [0, 1, 2] }] },
    ],
    [
      "FLY_MESH_INVALID",
      { goal: other, obstacles: [{ name: "m", type: "mesh", vertices: Array(9).fill(0), triangles: [0, 1, 7] }] },
    ],
  ])("%s", (code, request) => {
    expect(codeOf(request)).toBe(code);
  });

  it("a search that is called off at once ends with what it knows", () => {
    const stopped = new MotionPlanner({ robots, isCancelled: () => true });
    const answer = stopped.plan({ robot: "panda", start: { position: beside }, goal: other, obstacles: [post] });
    expect(answer.status).toBe("budget-exhausted");
    expect(answer.reasons![0]!.kind).toBe("budget");
  });
});
