import { describe, expect, test } from "vitest";
import { StandingDistances } from "../../src/collision/pairs/standing-distances.js";
import { Random } from "../../src/math/random.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { BrakingIntervals } from "../../src/safety/braking/braking-intervals.js";
import { makeSupportDirections } from "../../src/view/support-directions.js";
import { createSweptPacket, decodeSweptPacket, encodeSweptPacket, SWEPT_UNIT } from "../../src/view/swept-packet.js";
import { SweptVolumes } from "../../src/view/swept-volumes.js";
import { deep } from "../support/deep.js";

const directions = makeSupportDirections();
const count = directions.vectors.length / 3;
/** Each coordinate is rounded to a unit. */
const ROUNDING = SWEPT_UNIT;

/** Farthest a body reaches in each direction, its radius included, at one configuration: by its points, one by one. */
function reaches(robot: Robot, q: Float64Array, body: number): number[] {
  const state = new RobotState(robot.model);
  state.q.set(q);
  forwardKinematics(state);
  const { link, points, radius } = robot.hulls[body]!;
  const pose = state.linkPoses.subarray(12 * link, 12 * link + 12);
  return Array.from({ length: count }, (_, k) => {
    const d = directions.vectors.subarray(3 * k, 3 * k + 3);
    let greatest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < points.length; i += 3) {
      let along = 0;
      for (let row = 0; row < 3; row++) {
        const [a, b, c] = pose.subarray(3 * row, 3 * row + 3);
        const x = a! * points[i]! + b! * points[i + 1]! + c! * points[i + 2]! + pose[9 + row]!;
        along += d[row]! * x;
      }
      greatest = Math.max(greatest, along);
    }
    return greatest + radius;
  });
}

/** How far a volume reaches in its own directions. */
function told(points: Int16Array, body: number): number[] {
  return Array.from({ length: count }, (_, k) => {
    const at = 3 * (body * count + k);
    const d = directions.vectors.subarray(3 * k, 3 * k + 3);
    return SWEPT_UNIT * (d[0]! * points[at]! + d[1]! * points[at + 1]! + d[2]! * points[at + 2]!);
  });
}

test("directions are unit vectors, and their triangles a closed surface seen from outside", () => {
  const { vectors, triangles } = directions;
  expect([count, triangles.length / 3]).toEqual([162, 320]);
  for (let k = 0; k < vectors.length; k += 3) {
    expect(Math.hypot(vectors[k]!, vectors[k + 1]!, vectors[k + 2]!)).toBeCloseTo(1, 6);
  }
  const edges = new Set<string>();
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((n) =>
      Array.from(vectors.subarray(3 * triangles[k + n]!, 3 * triangles[k + n]! + 3)),
    );
    const volume =
      a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) +
      a![1]! * (b![2]! * c![0]! - b![0]! * c![2]!) +
      a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!);
    expect(volume).toBeGreaterThan(0);
    for (let n = 0; n < 3; n++) edges.add(`${triangles[k + n]} ${triangles[k + ((n + 1) % 3)]}`);
  }
  for (const edge of edges) expect(edges).toContain(edge.split(" ").reverse().join(" "));
});

describe.each(["lwr-arm", "agile-justin"])("swept volumes of %s", (name) => {
  const robot = loadRobot(name);
  const { dofCount, maxVelocity } = robot.model;
  const braking = { reactionTime: 0.013 };
  const volumes = new SweptVolumes(robot, braking);
  const q = Float64Array.from(robot.postures.get("ready")!);
  const still = new Float64Array(dofCount);

  test("hold the bodies wherever the robot can get until it stands", () => {
    const random = new Random(3);
    const intervals = new BrakingIntervals(robot, braking);
    const [low, high] = [new Float64Array(dofCount), new Float64Array(dofCount)];
    for (let trial = 0; trial < deep(3, 30); trial++) {
      const limited = (dof: number) => Math.min(2, maxVelocity[dof]!);
      const qd = Float64Array.from({ length: dofCount }, (_, dof) => random.uniformIn(-1, 1) * limited(dof));
      intervals.compute(q, qd, still, low, high);
      const { points } = volumes.compute(1, q, qd, still);
      for (let sample = 0; sample < deep(20, 200); sample++) {
        const reached = low.map((from, dof) => random.uniformIn(from, high[dof]!));
        const excess = robot.hulls.map((_, body) => {
          const whole = told(points, body);
          return Math.max(...reaches(robot, reached, body).map((own, k) => own - whole[k]!));
        });
        expect(Math.max(...excess)).toBeLessThanOrEqual(ROUNDING);
      }
    }
  });

  test("of a robot that stands are its bodies as they stand, and so are the distances", () => {
    const exact = new SweptVolumes(robot, { reactionTime: 0, positionError: 0, velocityError: 0 });
    const { points, distances } = exact.compute(1, q, still, still);
    const standing = new StandingDistances(robot);
    standing.place(q);
    for (let body = 0; body < robot.hulls.length; body++) {
      const [own, whole] = [reaches(robot, q, body), told(points, body)];
      expect(Math.max(...own.map((reach, k) => Math.abs(reach - whole[k]!)))).toBeLessThanOrEqual(ROUNDING);
      const all = robot.pairs.flatMap(([a, b], pair) => (a === body || b === body ? [standing.measure(pair)] : []));
      const nearest = Math.min(...all);
      if (nearest < 0.2) expect(distances[body]).toBeCloseTo(nearest, 4);
      else expect(distances[body]).toBeGreaterThanOrEqual(0.199);
    }
  });

  test("come back from bytes as they were, and not when cut or of another kind", () => {
    const packet = volumes.compute(12.5, q, still, still);
    const bytes = encodeSweptPacket(packet);
    expect(decodeSweptPacket(bytes)).toEqual(packet);
    expect(decodeSweptPacket(bytes.subarray(0, bytes.length - 1))).toBeNull();
    expect(decodeSweptPacket(Uint8Array.of(2, ...bytes.subarray(1)))).toBeNull();
    expect(decodeSweptPacket(new Uint8Array(3))).toBeNull();
  });
});

test("a packet without bodies is one, too", () => {
  const packet = createSweptPacket(0, 0);
  expect(decodeSweptPacket(encodeSweptPacket(packet))).toEqual(packet);
});
