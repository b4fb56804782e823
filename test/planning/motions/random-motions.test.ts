import { describe, expect, it } from "vitest";
import { parseMotionObstacles } from "../../../src/collision/making/obstacle-parts.js";
import { Random } from "../../../src/math/random.js";
import { MotionPlanner } from "../../../src/planning/motions/motion-planner.js";
import type { MotionRequest } from "../../../src/planning/motions/motion-request.js";
import { LoadedRobots } from "../../../src/planning/request/loaded-robots.js";
import { robotAmong } from "../../../src/robot/loading/obstacles.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";
import { faultsOf, placeLinks } from "./motion-judge.js";

const robots = new LoadedRobots();
const names = listRobots().map((robot) => (typeof robot === "string" ? robot : (robot as { name: string }).name));
const planners = new Map(names.map((name) => [name, new MotionPlanner({ robots, clock: null })]));

/** Requests of all robots together. */
const REQUESTS = deep(60, 100_000);

interface Drawn {
  readonly request: MotionRequest;
  readonly dofs: readonly number[];
  readonly end?: number[];
  readonly place?: { link: number; at: number[]; rotation?: number[] };
}

describe("random motions of all shipped robots", () => {
  it(
    "start, end, keep their limits and touch nothing, by other kinematics and distances",
    () => {
      const random = new Random("random motions");
      const outcomes = { planned: 0, none: 0, refused: 0 };
      for (let k = 0; k < REQUESTS; k++) {
        const name = names[k % names.length]!;
        const robot = robots.get(name);
        const drawn = draw(name, random);
        try {
          const answer = planners.get(name)!.plan(drawn.request);
          if (answer.motion === undefined) {
            outcomes.none++;
            expect(answer.reasons?.length).toBeGreaterThan(0);
            continue;
          }
          outcomes.planned++;
          const { model } = robot;
          const posture = model.lower.map((_, dof) => robot.postures.get("ready")![dof]!);
          const position = drawn.request.start!.position as Record<string, number>;
          for (const [joint, q] of Object.entries(position)) posture[model.dofNames.indexOf(joint)] = q;
          const { limits } = drawn.request;
          const judged = {
            robot: robotAmong(robot, parseMotionObstacles(drawn.request.obstacles ?? [])),
            posture,
            velocity: drawn.dofs.map(
              (dof) => (drawn.request.start!.velocity as Record<string, number>)[model.dofNames[dof]!] ?? 0,
            ),
            maxVelocity: drawn.dofs.map((dof) => limits!.velocityScale! * model.maxVelocity[dof]!),
            maxAcceleration: drawn.dofs.map((dof) => model.maxAcceleration[dof]!),
            maxJerk: drawn.dofs.map(() => limits!.jerk as number),
            ...(drawn.end && { end: drawn.end }),
            ...(drawn.place && { place: drawn.place }),
          };
          const faults = faultsOf(answer, judged, deep(0.04, 0.02));
          expect(faults, JSON.stringify(drawn.request)).toEqual([]);
        } catch (error) {
          if (!(error instanceof FlycatcherError)) throw error;
          expect(["FLY_MOTION_START_COLLIDES", "FLY_MOTION_GOAL_COLLIDES"]).toContain(error.code);
          outcomes.refused++;
        }
      }
      expect(outcomes.planned).toBeGreaterThan(0.3 * REQUESTS);
    },
    deep(60_000, 40_000_000),
  );
});

function draw(name: string, random: Random): Drawn {
  const robot = robots.get(name);
  const { model } = robot;
  const arms = model.groups.filter(({ dofs }) => dofs.length >= 5);
  // Both arms of a robot that has two, at times.
  const isDual = arms.length > 1 && random.uniform() < 0.4;
  const groups = isDual ? arms : [arms[random.integer(arms.length)]!];
  const group = groups[0]!;
  const dofs = groups.flatMap((each) => [...each.dofs]);
  const ready = robot.postures.get("ready")!;
  const draw = (dof: number) =>
    random.uniformIn(Math.max(model.lower[dof]!, ready[dof]! - 1.2), Math.min(model.upper[dof]!, ready[dof]! + 1.2));
  const from = dofs.map(draw);
  const isMoving = random.uniform() < 0.3;
  const velocity = dofs.map((dof) =>
    isMoving ? random.uniformIn(-0.4, 0.4) * Math.min(1, model.maxVelocity[dof]!) : 0,
  );
  const named = (values: readonly number[]) =>
    Object.fromEntries(dofs.map((dof, i) => [model.dofNames[dof]!, values[i]!]));
  const obstacles = Array.from({ length: random.integer(4) }, (_, k) => obstacle(k, random));
  const common: Omit<MotionRequest, "goal"> = {
    robot: name,
    group: groups.map((each) => each.name),
    start: { position: named(from), velocity: named(velocity) },
    limits: { velocityScale: random.uniformIn(0.3, 1), jerk: random.uniformIn(50, 2000) },
    obstacles,
    budget: { samples: deep(6000, 20_000) },
    seed: random.integer(1000),
    ...(random.uniform() < 0.3 && { when: { at: random.uniformIn(0.5, 4) } }),
  };
  if (random.uniform() < 0.5) {
    const end = dofs.map(draw);
    return { request: { ...common, goal: { joints: named(end) } }, dofs, end };
  }
  const q = ready.slice();
  for (const dof of dofs) q[dof] = draw(dof);
  const at = placeLinks(robot, q)[group.tipLink]!;
  const position = [0, 1, 2].map((i) => at[i]![3]!);
  const isWhole = random.uniform() < 0.5;
  const rotation = [0, 1, 2].flatMap((i) => [0, 1, 2].map((k) => at[i]![k]!));
  const goal = isWhole ? { position, quaternion: quaternionOf(rotation) } : { position, free: "orientation" as const };
  return {
    request: { ...common, goal },
    dofs,
    place: { link: group.tipLink, at: position, ...(isWhole && { rotation }) },
  };
}

function obstacle(k: number, random: Random): NonNullable<MotionRequest["obstacles"]>[number] {
  const at = (): [number, number, number] => [
    random.uniformIn(0.2, 1),
    random.uniformIn(-0.8, 0.8),
    random.uniformIn(0, 1.6),
  ];
  const kind = random.integer(4);
  const name = `thing ${k}`;
  if (kind === 0) return { name, type: "sphere", center: at(), radius: random.uniformIn(0.03, 0.12) };
  if (kind === 1) return { name, type: "capsule", from: at(), to: at(), radius: 0.03 };
  if (kind === 2) {
    const motion = { polynomial: { coefficients: [at(), at().map((x) => 0.3 * x - 0.1) as [number, number, number]] } };
    return { name, type: "sphere", center: [0, 0, 0], radius: 0.06, motion };
  }
  return { name, type: "box", origin: { xyz: at(), rpy: [0, 0, random.uniformIn(-1, 1)] }, size: [0.1, 0.3, 0.05] };
}

/** x, y, z, w of a rotation, by its greatest component. */
function quaternionOf(r: readonly number[]): number[] {
  const [xx, yy, zz] = [r[0]!, r[4]!, r[8]!];
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
  const k = squares.indexOf(Math.max(...squares));
  const half = Math.sqrt(squares[k]!) / 2;
  const d = 1 / (4 * half);
  if (k === 3) return [(r[7]! - r[5]!) * d, (r[2]! - r[6]!) * d, (r[3]! - r[1]!) * d, half];
  if (k === 0) return [half, (r[1]! + r[3]!) * d, (r[2]! + r[6]!) * d, (r[7]! - r[5]!) * d];
  if (k === 1) return [(r[1]! + r[3]!) * d, half, (r[5]! + r[7]!) * d, (r[2]! - r[6]!) * d];
  return [(r[2]! + r[6]!) * d, (r[5]! + r[7]!) * d, half, (r[3]! - r[1]!) * d];
}
