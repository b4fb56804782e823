import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { poseFromOrigin } from "../../../src/robot/loading/build-model.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot, RobotHand } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { distanceToSegment } from "./point-to-hull.js";

/** The ball of the thesis [m]. */
const ballRadius = 0.0425;

/** Parts of a hand in the frame of its catch link: fingers as capsules, the palm as a box. */
interface HandShape {
  readonly fingers: readonly Capsule[];
  readonly palm: { readonly center: vec3.Vec3; readonly halfSize: vec3.Vec3 };
}

interface Capsule {
  readonly from: vec3.Vec3;
  readonly to: vec3.Vec3;
  readonly radius: number;
}

function shapeOf(robot: Robot, hand: RobotHand, fingers: Float64Array): HandShape {
  const { model } = robot;
  const state = new RobotState(model);
  for (const [k, dof] of hand.dofs.entries()) state.q[dof] = fingers[k]!;
  forwardKinematics(state);
  const capsules = hand.dofs.flatMap((dof) => {
    const link = model.dofJoint[dof]!;
    const catchFromLink = relativePose(state, hand.catchLink, link, pose.create());
    return robot.shapes[link]!.collisions.map(({ origin, geometry }) => {
      const catchFromShape = pose.compose(catchFromLink, poseFromOrigin(origin), pose.create());
      const half = geometry.type === "cylinder" ? geometry.length / 2 : 0;
      if (geometry.type !== "cylinder" && geometry.type !== "sphere") throw new Error("fingers are rods and tips");
      const end = (z: number) => pose.transformPoint(catchFromShape, vec3.create(0, 0, z), vec3.create());
      return { from: end(-half), to: end(half), radius: geometry.radius };
    });
  });
  const palmLink = model.parentLink[hand.catchLink]!;
  const palm = robot.shapes[palmLink]!.collisions[0]!;
  if (palm.geometry.type !== "box") throw new Error("the palm is a box");
  const toCatch = relativePose(state, hand.catchLink, palmLink, pose.create());
  const center = pose.transformPoint(toCatch, vec3.create(...palm.origin.xyz), vec3.create());
  const [x, y, z] = palm.geometry.size;
  return { fingers: capsules, palm: { center, halfSize: vec3.create(x / 2, y / 2, z / 2) } };
}

/** Free space around a ball whose centre is there [m]; negative: it is inside something. */
function clearance({ fingers, palm }: HandShape, ball: vec3.Vec3): number {
  const beyond = [0, 1, 2].map((i) => Math.max(0, Math.abs(ball[i]! - palm.center[i]!) - palm.halfSize[i]!));
  const toPalm = Math.hypot(...beyond);
  const toFingers = fingers.map(({ from, to, radius }) => distanceToSegment(ball, from, to) - radius);
  return Math.min(toPalm, ...toFingers) - ballRadius;
}

/** Height of the palm's surface over the catch frame; negative, for the palm is behind it. */
function palmHeight({ palm }: HandShape): number {
  return palm.center[2] + palm.halfSize[2];
}

/** Spacing of the grid on which the ball is moved about in the closed hand [m]. */
const spacing = 0.003;

/**
 * A free path of the ball passes every point within half a grid cell's diagonal of a grid point, and the grid points
 * along it are neighbours. So a ball that may sink into the hand by that much and still finds no way out cannot leave.
 */
const sinking = (spacing * Math.sqrt(3)) / 2;

/** Whether a ball that starts at a place can get 12 cm away from it, by flooding the grid. */
function canEscape(shape: HandShape, start: vec3.Vec3): boolean {
  const reach = Math.round(0.12 / spacing);
  const side = 2 * reach + 1;
  const seen = new Uint8Array(side ** 3);
  const at = (i: number, j: number, k: number) => ((i + reach) * side + j + reach) * side + k + reach;
  const open: [number, number, number][] = [[0, 0, 0]];
  seen[at(0, 0, 0)] = 1;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [i, j, k] = node;
    if (Math.max(Math.abs(i), Math.abs(j), Math.abs(k)) === reach) return true;
    for (let n = 0; n < 27; n++) {
      const next: [number, number, number] = [
        i + (n % 3) - 1,
        j + (Math.floor(n / 3) % 3) - 1,
        k + Math.floor(n / 9) - 1,
      ];
      if (seen[at(...next)] === 1) continue;
      seen[at(...next)] = 1;
      const ball = vec3.create(
        start[0] + spacing * next[0],
        start[1] + spacing * next[1],
        start[2] + spacing * next[2],
      );
      if (clearance(shape, ball) >= -sinking) open.push(next);
    }
  }
  return false;
}

const hands = ["lwr-arm", "agile-justin"].flatMap((name) => {
  const robot = loadRobot(name);
  return robot.hands.map((hand): [string, Robot, RobotHand] => [`${hand.name} of ${name}`, robot, hand]);
});

describe.each(hands)("the %s", (_, robot, hand) => {
  const open = shapeOf(robot, hand, hand.open);
  const closed = shapeOf(robot, hand, hand.closed);

  it("lets a ball in that comes 2 cm off the middle, down to the palm, without touching a finger", () => {
    for (let direction = 0; direction < 32; direction++) {
      const angle = (direction * Math.PI) / 16;
      const [x, y] = [hand.positionTolerance * Math.cos(angle), hand.positionTolerance * Math.sin(angle)];
      for (let z = 0.1; z > palmHeight(open) + ballRadius; z -= 0.001) {
        expect(clearance(open, vec3.create(x, y, z))).toBeGreaterThan(0);
      }
    }
  });

  it("does not let in a ball that comes 4 cm off towards a finger", () => {
    const off = 0.04 / Math.SQRT2;
    expect(clearance(open, vec3.create(off, off, 0))).toBeLessThan(0);
  });

  it("has its catch frame in the mouth: the finger tips end within 1 cm of it", () => {
    const tips = open.fingers.map(({ to, radius }) => to[2] + radius);
    expect(Math.abs(Math.max(...tips))).toBeLessThan(0.01);
  });

  it("holds a ball on the palm without squeezing it, and lets it out by no way when closed", () => {
    const rest = vec3.create(0, 0, palmHeight(closed) + ballRadius);
    expect(clearance(closed, rest)).toBeGreaterThan(-1e-9);
    expect(canEscape(closed, rest)).toBe(false);
    expect(canEscape(open, rest)).toBe(true);
  });

  it("has fingers that do not overlap when closed", () => {
    const tips = closed.fingers.filter(({ from, to }) => vec3.distance(from, to) === 0);
    for (const [i, a] of tips.entries()) {
      for (const b of tips.slice(i + 1)) {
        if (vec3.distance(a.from, b.from) > 1e-9) {
          expect(vec3.distance(a.from, b.from)).toBeGreaterThan(a.radius + b.radius);
        }
      }
    }
  });

  it("can close in its closing time within the joints' speed and acceleration limits", () => {
    const { maxVelocity, maxAcceleration } = robot.model;
    const times = hand.dofs.map((dof, k) => {
      const way = Math.abs(hand.closed[k]! - hand.open[k]!);
      const peak = Math.sqrt(way * maxAcceleration[dof]!);
      const isTriangle = peak <= maxVelocity[dof]!;
      return isTriangle
        ? (2 * peak) / maxAcceleration[dof]!
        : way / maxVelocity[dof]! + maxVelocity[dof]! / maxAcceleration[dof]!;
    });
    expect(Math.max(...times)).toBeLessThanOrEqual(hand.closingTime);
    expect(Math.max(...times)).toBeGreaterThan(0.9 * hand.closingTime);
  });
});
