import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { poseFromOrigin } from "../../../src/robot/loading/build-model.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import type { CollisionHull, Robot, RobotHand } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import type { UrdfGeometry, UrdfShape } from "../../../src/robot/urdf/urdf-document.js";
import { deep } from "../../support/deep.js";
import { distanceToHull } from "./point-to-hull.js";

/** Points on a rim; between two neighbours it bulges by radius·(1 − cos(π/96)), below 0.06 mm for our shapes. */
const rimPoints = 96;

/** Rounding of the shapes' and the hulls' printed coordinates, added up over a chain [m]. */
const roundOff = 1e-9;

/** A shape is the hull of these points, grown by `radius`; a cylinder only up to `rimPoints`. */
interface Corners {
  readonly points: readonly vec3.Vec3[];
  readonly radius: number;
}

function cornersOf(geometry: UrdfGeometry, rim: number): Corners {
  switch (geometry.type) {
    case "sphere":
      return { points: [vec3.create()], radius: geometry.radius };
    case "box": {
      const [x, y, z] = geometry.size;
      const signs = [-0.5, 0.5];
      const points = signs.flatMap((i) => signs.flatMap((j) => signs.map((k) => vec3.create(i * x, j * y, k * z))));
      return { points, radius: 0 };
    }
    case "cylinder": {
      const points = Array.from({ length: 2 * rim }, (_, i) => {
        const angle = (2 * Math.PI * i) / rim;
        const [x, y] = [geometry.radius * Math.cos(angle), geometry.radius * Math.sin(angle)];
        return vec3.create(x, y, (i < rim ? 0.5 : -0.5) * geometry.length);
      });
      return { points, radius: 0 };
    }
    default:
      throw new Error(`shipped robots are made of boxes, cylinders and spheres, found ${geometry.type}`);
  }
}

/** How far a shape of a link sticks out of a hull [m]; negative or 0: it lies inside. */
function protrusion(shape: UrdfShape, hullFromLink: pose.Pose, hull: CollisionHull, rim = rimPoints): number {
  const hullFromShape = pose.compose(hullFromLink, poseFromOrigin(shape.origin), pose.create());
  const { points, radius } = cornersOf(shape.geometry, rim);
  const hullPoints = pointsOf(hull);
  const reach = points.map((point) =>
    distanceToHull(pose.transformPoint(hullFromShape, point, vec3.create()), hullPoints),
  );
  return Math.max(...reach) + radius - hull.radius;
}

function pointsOf({ points }: CollisionHull): vec3.Vec3[] {
  return Array.from({ length: points.length / 3 }, (_, i) =>
    vec3.create(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
  );
}

/** Links that hang on a hand's finger joints. */
function fingerLinks({ model }: Robot, hand: RobotHand): number[] {
  const joints = new Set(hand.dofs.map((dof) => model.dofJoint[dof]!));
  return [...model.linkNames.keys()].filter((link) => joints.has(link));
}

/** The hull on the rigid body that carries the hand's catch link. */
function handHull(robot: Robot, hand: RobotHand): CollisionHull {
  const body = robot.model.parentLink[hand.catchLink]!;
  return robot.hulls.find(({ link }) => link === body)!;
}

describe.each(listRobots())("the collision hulls of %s", (name) => {
  const robot = loadRobot(name);
  const fingers = new Set(robot.hands.flatMap((hand) => fingerLinks(robot, hand)));

  it("contain every shape of the links they stand for", () => {
    const state = new RobotState(robot.model);
    forwardKinematics(state);
    const outside: string[] = [];
    for (const [link, { collisions }] of robot.shapes.entries()) {
      if (fingers.has(link)) continue;
      const hulls = robot.hulls.filter((hull) => robot.rigidBody[hull.link] === robot.rigidBody[link]);
      for (const [i, shape] of collisions.entries()) {
        const sticking = hulls.map((hull) => {
          return protrusion(shape, relativePose(state, hull.link, link, pose.create()), hull);
        });
        if (!(Math.min(...sticking) <= roundOff)) {
          outside.push(`${robot.model.linkNames[link]} shape ${i}: ${Math.min(...sticking)}`);
        }
      }
    }
    expect(outside).toEqual([]);
  });

  it("contain the fingers in the open shape, in the closed one, and on every way between", () => {
    const random = new Random("fingers");
    const state = new RobotState(robot.model);
    for (const hand of robot.hands) {
      const hull = handHull(robot, hand);
      for (let sample = 0; sample < deep(24, 100); sample++) {
        // Every joint on its own: a finger may be held up by the ball while the others close.
        for (const [k, dof] of hand.dofs.entries()) {
          const closing = sample === 0 ? 0 : sample === 1 ? 1 : random.uniform();
          state.q[dof] = hand.open[k]! + closing * (hand.closed[k]! - hand.open[k]!);
        }
        forwardKinematics(state);
        for (const link of fingerLinks(robot, hand)) {
          const hullFromLink = relativePose(state, hull.link, link, pose.create());
          for (const shape of robot.shapes[link]!.collisions) {
            expect(protrusion(shape, hullFromLink, hull, 8)).toBeLessThanOrEqual(roundOff);
          }
        }
      }
    }
  });

  it("have no needless point: each is a corner of its hull", () => {
    for (const hull of robot.hulls) {
      const points = pointsOf(hull);
      for (const [i, point] of points.entries()) {
        const others = points.filter((_, k) => k !== i);
        if (others.length > 0) expect(distanceToHull(point, others), `${hull.name} point ${i}`).toBeGreaterThan(1e-3);
      }
    }
  });

  it("leave the robot free of self-collision in `ready` and `drop`, and on the straight way between", () => {
    const state = new RobotState(robot.model);
    const [ready, drop] = [robot.postures.get("ready")!, robot.postures.get("drop")!];
    for (let step = 0; step <= 10; step++) {
      for (const dof of state.q.keys()) state.q[dof] = ready[dof]! + (step / 10) * (drop[dof]! - ready[dof]!);
      forwardKinematics(state);
      for (const [a, b] of robot.pairs) {
        const [first, second] = [robot.hulls[a]!, robot.hulls[b]!];
        const apart = hullDistance(state, first, second) - first.radius - second.radius;
        expect(apart, `${first.name} and ${second.name} at step ${step}`).toBeGreaterThan(0.01);
      }
    }
  });
});

/** Steps of Gilbert's iteration; a bound is a bound after any number of them. */
const gilbertSteps = 200;

/**
 * A lower bound of the distance of two hulls' point sets [m]: the widest gap seen along the directions of Gilbert's
 * iteration ("An iterative procedure for computing the minimum of a quadratic form on a convex set", 1966).
 */
function hullDistance(state: RobotState, first: CollisionHull, second: CollisionHull): number {
  const a = worldPoints(state, first);
  const b = worldPoints(state, second);
  const nearest = vec3.subtract(a[0]!, b[0]!, vec3.create());
  let gap = 0;
  for (let step = 0; step < gilbertSteps && vec3.norm(nearest) > 0; step++) {
    const lowest = furthest(a, nearest, -1);
    const highest = furthest(b, nearest, 1);
    const corner = vec3.subtract(lowest, highest, vec3.create());
    gap = Math.max(gap, vec3.dot(corner, nearest) / vec3.norm(nearest));
    const towards = vec3.subtract(corner, nearest, vec3.create());
    const share = -vec3.dot(nearest, towards) / vec3.squaredNorm(towards);
    if (!(share > 0)) break;
    vec3.addScaled(nearest, towards, Math.min(1, share), nearest);
  }
  return gap;
}

function worldPoints(state: RobotState, hull: CollisionHull): vec3.Vec3[] {
  return pointsOf(hull).map((point) => pose.transformPoint(state.worldFromLink[hull.link]!, point, vec3.create()));
}

function furthest(points: readonly vec3.Vec3[], direction: vec3.Vec3, sign: 1 | -1): vec3.Vec3 {
  return points.reduce((best, point) =>
    sign * (vec3.dot(point, direction) - vec3.dot(best, direction)) > 0 ? point : best,
  );
}
