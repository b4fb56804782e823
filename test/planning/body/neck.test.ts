import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { MotionLimiter } from "../../../src/motion/motion-limiter.js";
import { AimStatus, hasNeck, NeckPointing } from "../../../src/planning/body/neck.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { unitVector } from "../../support/random-draws.js";
import { justin, latest, ready, Throws } from "./body-setup.js";

/** The same robot with its cameras, or another link, mounted a little differently. */
function remounted(robot: Robot, turns: Record<string, readonly [number, number, number]>): Robot {
  const { model } = robot;
  const parentFromJoint = model.parentFromJoint.map((placement, link) => {
    const [r, p, y] = turns[model.linkNames[link]!] ?? [0, 0, 0];
    return pose.compose(
      placement,
      pose.fromRpyTranslation(r, p, y, 0.003, -0.002, 0.004, pose.create()),
      pose.create(),
    );
  });
  return { ...robot, model: { ...model, parentFromJoint } };
}

const robots: [string, Robot][] = [
  ["a pan–tilt head", justin],
  [
    "cameras mounted 1 to 3° off",
    remounted(justin, { cameraLeft: [0.02, 0.05, -0.01], cameraRight: [-0.03, 0.04, 0.02] }),
  ],
  ["neck axes that are not at right angles", remounted(justin, { neck: [0.1, -0.2, 0], head: [0.15, 0, 0.1] })],
];

/** Angle past `point` of the mean optical axis, by the whole robot's kinematics. */
class Reference {
  readonly #robot: Robot;
  readonly #state: RobotState;
  readonly #base: number;

  constructor(robot: Robot, neck: NeckPointing) {
    this.#robot = robot;
    this.#state = new RobotState(robot.model);
    this.#base = neck.baseLink;
  }

  anglePast(neck: NeckPointing, q: Float64Array, point: vec3.Vec3): number {
    for (const [i, dof] of neck.group.dofs.entries()) this.#state.q[dof] = q[i]!;
    forwardKinematics(this.#state);
    const world = pose.transformPoint(this.#state.worldFromLink[this.#base]!, point, vec3.create());
    const eye = vec3.create();
    const axis = vec3.create();
    for (const { link } of this.#robot.cameras) {
      const camera = this.#state.worldFromLink[link]!;
      vec3.addScaled(eye, pose.getTranslation(camera, vec3.create()), 0.5, eye);
      vec3.add(axis, vec3.create(camera[2], camera[5], camera[8]), axis);
    }
    const sight = vec3.subtract(world, eye, vec3.create());
    return Math.atan2(vec3.norm(vec3.cross(axis, sight, vec3.create())), vec3.dot(axis, sight));
  }
}

describe.each(robots)("pointing %s", (_, robot) => {
  const neck = new NeckPointing(robot);
  const reference = new Reference(robot, neck);
  const random = new Random("neck");
  const q = new Float64Array(2);

  it("looks at any point that some configuration looks at, and finds that configuration", () => {
    const eye = vec3.create();
    const direction = vec3.create();
    for (let n = 0; n < deep(500, 20_000); n++) {
      const wanted = Float64Array.from(neck.lower, (low, i) => random.uniformIn(low, neck.upper[i]!));
      neck.opticalAxis(wanted, eye, direction);
      const point = vec3.addScaled(eye, direction, random.uniformIn(0.4, 8), vec3.create());
      expect(neck.aim(point, wanted, q)).toBe(AimStatus.exact);
      expect(reference.anglePast(neck, q, point)).toBeLessThan(1e-6);
      expect(q[0]).toBeCloseTo(wanted[0]!, 5);
      expect(q[1]).toBeCloseTo(wanted[1]!, 5);
    }
  });

  it("looks at points anywhere as well as a search through all configurations does", () => {
    const grid = 60;
    const trial = new Float64Array(2);
    for (let n = 0; n < deep(12, 40); n++) {
      const point = unitVector(random, vec3.create());
      vec3.scale(point, random.uniformIn(0.7, 6), point);
      neck.aim(point, new Float64Array(2), q);
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < grid * grid; k++) {
        const shares = [(k % grid) / (grid - 1), Math.floor(k / grid) / (grid - 1)];
        for (let i = 0; i < 2; i++) trial[i] = neck.lower[i]! + shares[i]! * (neck.upper[i]! - neck.lower[i]!);
        least = Math.min(least, reference.anglePast(neck, trial, point));
      }
      for (let i = 0; i < 2; i++) {
        expect(q[i]).toBeGreaterThanOrEqual(neck.lower[i]!);
        expect(q[i]).toBeLessThanOrEqual(neck.upper[i]!);
      }
      expect(reference.anglePast(neck, q, point)).toBeLessThanOrEqual(least + 0.2);
    }
  });

  it("puts two balls to either side of the optical axis, equally far", () => {
    const [a, b, middle] = [vec3.create(), vec3.create(), vec3.create()];
    for (let n = 0; n < 100; n++) {
      vec3.set(random.uniformIn(2, 6), random.uniformIn(-1, 1), random.uniformIn(0, 1.5), a);
      vec3.set(random.uniformIn(2, 6), random.uniformIn(-1, 1), random.uniformIn(0, 1.5), b);
      q.fill(0);
      // The eye moves with the head: aim, then aim again from there.
      for (let round = 0; round < 4; round++) neck.aim(neck.middle(a, b, q, middle), q, q);
      expect(reference.anglePast(neck, q, a)).toBeCloseTo(reference.anglePast(neck, q, b), 4);
    }
  });
});

describe("the neck", () => {
  const neck = new NeckPointing(justin);

  it("refuses a point that is none, and robots without a neck", () => {
    const q = Float64Array.of(0.1, 0.2);
    expect(neck.aim(vec3.create(Number.NaN, 0, 0), q, q)).toBe(AimStatus.invalid);
    expect([...q]).toEqual([0.1, 0.2]);
    expect(() => new NeckPointing(loadRobot("lwr-arm"))).toThrow("cannot point its cameras");
    expect([justin, loadRobot("lwr-arm")].map(hasNeck)).toEqual([true, false]);
  });

  it("gives finite angles for points on its own axes", () => {
    const q = new Float64Array(2);
    for (const z of [-1, 0, 0.28, 0.4, 0.52, 3]) {
      neck.aim(vec3.create(0, 0, z), new Float64Array(2), q);
      expect(Number.isFinite(q[0]! + q[1]!)).toBe(true);
    }
  });

  it("allocates nothing", () => {
    const q = new Float64Array(2);
    const point = vec3.create(4, 0.5, 1);
    const bytes = heapBytesPerCall((k) => {
      point[1] = Math.sin(k * 0.01);
      neck.aim(point, q, q);
    }, 5000);
    expect(bytes).toBeLessThan(boxedNumbers);
  });

  it("follows a thrown ball through the limiter until it is near the hands, from any first look", () => {
    const [tick, horizontal, vertical] = [0.001, Math.PI / 6, Math.atan(300 / 692.8)];
    const random = new Random("neck follows");
    const throws = new Throws("neck follows");
    const state = new RobotState(justin.model);
    state.q.set(ready);
    forwardKinematics(state);
    const worldFromChest = state.worldFromLink[neck.baseLink]!;
    const pick = (values: Float64Array) => Float64Array.from(neck.group.dofs, (dof) => values[dof]!);
    const { maxVelocity, maxAcceleration } = justin.model;
    const limits = { ...neck, maxVelocity: pick(maxVelocity), maxAcceleration: pick(maxAcceleration) };
    const [ball, eye, axis, target] = [vec3.create(), vec3.create(), vec3.create(), new Float64Array(2)];
    for (let id = 0; id < deep(20, 200); id++) {
      const flight = throws.flight(id);
      const limiter = new MotionLimiter(limits, tick);
      limiter.reset(Float64Array.of(random.uniformIn(-0.3, 0.3), random.uniformIn(-0.2, 0.3)), new Float64Array(2));
      let farthest = 0;
      for (let t = 0; t < latest; t += tick) {
        pose.transformPointInverse(worldFromChest, flight.position(t, ball), ball);
        neck.aim(ball, limiter.position, target);
        limiter.step(target);
        neck.opticalAxis(limiter.position, eye, axis);
        const sight = vec3.subtract(ball, eye, vec3.create());
        if (ball[0] < 0.8) break;
        const past = Math.acos(Math.min(1, vec3.dot(vec3.normalize(sight, sight), axis)));
        if (t > 0.2) farthest = Math.max(farthest, past);
      }
      expect(farthest).toBeLessThan(Math.min(horizontal, vertical));
    }
  });
});
