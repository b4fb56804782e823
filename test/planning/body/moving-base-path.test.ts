import { describe, expect, it } from "vitest";
import { FlightStatus, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import { BodyKinematics } from "../../../src/planning/body/body-kinematics.js";
import { type BaseMotion, type HeadMeasurement, MovingBasePath } from "../../../src/planning/body/moving-base-path.js";
import { forwardKinematics, forwardVelocities, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { heapBytesPerCall } from "../../support/heap.js";

const robot = loadRobot("agile-justin");
const { model } = robot;
const link = (name: string): number => model.linkNames.indexOf(name);
const base = link("rightArmBase");
const head = link("head");
const ready = robot.postures.get("ready")!;
const path = new MovingBasePath(robot, base);
const bodyDofs = path.bodyDofs;
const pick = (values: Float64Array, dofs: readonly number[]) => Float64Array.from(dofs, (dof) => values[dof]!);

/** Body joints of the ready posture to somewhere near, all seven of them, within the limits. */
function randomMotion(random: Random, start = 0): BaseMotion {
  const ramps = new JointRamps(bodyDofs.length);
  const q0 = pick(ready, bodyDofs);
  const w0 = q0.map(() => random.uniformIn(-0.1, 0.1));
  const q = q0.map((x) => x + random.uniformIn(-0.3, 0.3));
  const [vmax, amax] = [pick(model.maxVelocity, bodyDofs), pick(model.maxAcceleration, bodyDofs)];
  const fastest = ramps.minimalTimes(q0, w0, q, vmax, amax, new Float64Array(bodyDofs.length));
  expect(ramps.plan(q0, w0, q, fastest * random.uniformIn(1, 1.5), vmax, amax)).toBe(RampStatus.ok);
  return { ramps, start };
}

function randomFlight(random: Random): Flight {
  const flight = new Flight();
  const position = vec3.create(random.uniformIn(4, 6), random.uniformIn(-0.5, 0.5), random.uniformIn(1.3, 1.8));
  const velocity = vec3.create(random.uniformIn(-8, -5), random.uniformIn(-1, 1), random.uniformIn(2, 4));
  const state = { time: -0.2, position, velocity, drag: 0.032 };
  expect(flight.reset(state, gravity(), -0.2, 1.9)).toBe(FlightStatus.ok);
  return flight;
}

/** The world as it truly is: the planned body, but the chest somewhere else than planned, by a constant error. */
class Truth {
  readonly #state = new RobotState(model);
  readonly #motion: BaseMotion;
  readonly #flight: Flight;
  readonly #error: pose.Pose;
  readonly #q = new Float64Array(bodyDofs.length);

  constructor(motion: BaseMotion, flight: Flight, error: pose.Pose = pose.create()) {
    this.#state.q.set(ready);
    this.#motion = motion;
    this.#flight = flight;
    this.#error = error;
  }

  worldFromLink(index: number, t: number, neck?: Float64Array): pose.Pose {
    this.#motion.ramps.positions(t - this.#motion.start, this.#q);
    for (const [i, dof] of bodyDofs.entries()) this.#state.q[dof] = this.#q[i]!;
    if (neck !== undefined) for (const [i, dof] of path.neckDofs.entries()) this.#state.q[dof] = neck[i]!;
    forwardKinematics(this.#state);
    return pose.compose(this.#error, this.#state.worldFromLink[index]!, pose.create());
  }

  /** The ball in the base's frame at t: by kinematics of the whole robot, no velocities. */
  ball(t: number): vec3.Vec3 {
    const world = this.#flight.position(t, vec3.create());
    return pose.transformPointInverse(this.worldFromLink(base, t), world, vec3.create());
  }
}

function kinks({ ramps, start }: BaseMotion): number[] {
  return [...ramps.tb, ...ramps.t1, ...ramps.t2, ...ramps.T].map((t) => t + start).concat(start);
}

describe("the body's kinematics", () => {
  const body = new BodyKinematics(model, robot.frames.world, base);
  const random = new Random("body kinematics");
  const state = new RobotState(model);

  it("knows the dofs that carry an arm", () => {
    const names = body.dofs.map((dof) => model.dofNames[dof]);
    expect(names).toEqual(["baseX", "baseY", "baseYaw", "torso1", "torso2", "torso3"]);
  });

  it("agrees with the kinematics of the whole robot", () => {
    for (let n = 0; n < 200; n++) {
      const [q, qd, qdd] = [0.5, 1, 5].map((size) => body.dofs.map(() => random.uniformIn(-size, size)));
      for (const [i, dof] of body.dofs.entries()) {
        state.q[dof] = q![i]!;
        state.qd[dof] = qd![i]!;
      }
      forwardKinematics(state);
      forwardVelocities(state);
      body.update(Float64Array.from(q!), Float64Array.from(qd!), Float64Array.from(qdd!));
      for (let k = 0; k < 12; k++) expect(body.chain.baseFromTip[k]).toBeCloseTo(state.worldFromLink[base]![k]!, 12);
      for (let k = 0; k < 6; k++) expect(body.velocity[k]).toBeCloseTo(state.linkVelocity[6 * base + k]!, 12);
      body.update(Float64Array.from(q!), Float64Array.from(qd!), new Float64Array(body.dofs.length));
      for (let k = 0; k < 6; k++)
        expect(body.acceleration[k]).toBeCloseTo(state.linkBiasAcceleration[6 * base + k]!, 11);
    }
  });
});

describe("a ball seen from a moving base", () => {
  const random = new Random("moving base");
  const [p, v, a] = [vec3.create(), vec3.create(), vec3.create()];

  it("is where the whole robot's kinematics has it, to a tenth of a millimetre, and moves so: by finite differences of that", () => {
    const worst = { position: 0, velocity: 0, acceleration: 0 };
    for (let n = 0; n < deep(15, 300); n++) {
      const flight = randomFlight(random);
      const motion = randomMotion(random, random.uniformIn(-0.2, 0));
      const truth = new Truth(motion, flight);
      expect(path.reset(flight, motion, null, 0, 1.8)).toBe(FlightStatus.ok);
      const steps = kinks(motion);
      for (let k = 0; k < 60; k++) {
        const t = random.uniformIn(0, 1.8);
        path.evaluate(t, p, v, a);
        worst.position = Math.max(worst.position, vec3.distance(p, truth.ball(t)));
        const isSmooth = steps.every((step) => Math.abs(step - t) > 0.012);
        const h = 1e-4;
        const [before, after] = [truth.ball(t - h), truth.ball(t + h)];
        const difference = vec3.scale(vec3.subtract(after, before, vec3.create()), 0.5 / h, vec3.create());
        worst.velocity = Math.max(worst.velocity, vec3.distance(v, difference));
        if (!isSmooth) continue;
        const sum = vec3.add(after, before, vec3.create());
        vec3.scale(vec3.addScaled(sum, truth.ball(t), -2, sum), 1 / h ** 2, sum);
        worst.acceleration = Math.max(worst.acceleration, vec3.distance(a, sum));
      }
    }
    expect(worst.position).toBeLessThan(1e-4);
    expect(worst.velocity).toBeLessThan(0.05);
    expect(worst.acceleration).toBeLessThan(1e-3);
  });

  it("has the exact derivatives of its own position, and no jumps up to the second", () => {
    const motion = randomMotion(random);
    path.reset(randomFlight(random), motion, null, 0, 1.8);
    const [before, after] = [vec3.create(), vec3.create()];
    const h = 1e-6;
    for (let k = 0; k < 500; k++) {
      const t = random.uniformIn(0.001, 1.79);
      path.evaluate(t, p, v, a);
      path.position(t - h, before);
      path.position(t + h, after);
      expect(vec3.distance(vec3.scale(vec3.subtract(after, before, after), 0.5 / h, after), v)).toBeLessThan(1e-6);
      path.velocity(t - h, before);
      path.velocity(t + h, after);
      expect(vec3.distance(vec3.scale(vec3.subtract(after, before, after), 0.5 / h, after), a)).toBeLessThan(0.05);
    }
    for (let node = 1; node < 179; node++) {
      path.acceleration(node * 0.01 - 1e-10, before);
      path.acceleration(node * 0.01 + 1e-10, after);
      expect(vec3.distance(before, after)).toBeLessThan(1e-3);
    }
  });

  it("is the ball in the base's frame when nothing moves", () => {
    const ramps = new JointRamps(bodyDofs.length);
    ramps.hold(pick(ready, bodyDofs));
    const flight = randomFlight(random);
    const truth = new Truth({ ramps, start: 0 }, flight);
    path.reset(flight, { ramps, start: 0 }, null, 0, 1.8);
    for (let t = 0; t < 1.8; t += 0.013) expect(vec3.distance(path.position(t, p), truth.ball(t))).toBeLessThan(1e-9);
  });

  it("refuses what cannot be: no head to measure, ramps of other joints, times before the motion, NaN", () => {
    const motion = randomMotion(random);
    const flight = randomFlight(random);
    expect(path.reset(flight, motion, null, -0.1, 1.8)).toBe(FlightStatus.invalid);
    expect(path.reset(flight, motion, null, 0, 5)).toBe(FlightStatus.tooLong);
    expect(path.reset(flight, { ramps: new JointRamps(2), start: 0 }, null, 0, 1)).toBe(FlightStatus.invalid);
    const measurement = measure(new Truth(motion, flight), motion, 0, new Float64Array(2));
    measurement.worldFromHead[4] = Number.NaN;
    expect(path.reset(flight, motion, measurement, 0, 1.8)).toBe(FlightStatus.invalid);
    motion.ramps.a[3] = Number.NaN;
    expect(path.reset(flight, motion, null, 0, 1.8)).toBe(FlightStatus.invalid);
    const table = loadRobot("lwr-arm");
    const still = new MovingBasePath(table, table.model.groups[0]!.baseLink);
    const none = { ramps: new JointRamps(0), start: 0 };
    expect(still.reset(flight, none, null, 0, 1)).toBe(FlightStatus.ok);
    expect(still.reset(flight, none, measurement, 0, 1)).toBe(FlightStatus.invalid);
  });

  it("allocates in a reset at most the time of each node, which the engine boxes, and nothing when evaluated", () => {
    const motion = randomMotion(random);
    const flight = randomFlight(random);
    const measurement = measure(new Truth(motion, flight), motion, 0, new Float64Array(2));
    const perReset = heapBytesPerCall(() => void path.reset(flight, motion, measurement, 0, 1.8), 100);
    const [boxed, nodes, calls] = [16, 181, 2];
    expect(perReset).toBeLessThan(boxed * nodes * calls);
    const perEvaluation = heapBytesPerCall((k) => path.evaluate((k % 180) / 100, p, v, a), 5000);
    expect(perEvaluation).toBeLessThan(20);
  });
});

/** What the head-pose filter, the encoders and the commands say at tl. */
function measure(truth: Truth, { ramps, start }: BaseMotion, tl: number, neck: Float64Array): HeadMeasurement {
  return {
    worldFromHead: truth.worldFromLink(head, tl, neck),
    neck,
    body: ramps.positions(tl - start, new Float64Array(bodyDofs.length)),
  };
}

describe("the precision trick", () => {
  const random = new Random("precision trick");
  const p = vec3.create();

  /** A torso deflected by up to 1.5°, on a platform that slipped by some millimetres. */
  function randomError(): pose.Pose {
    const angle = () => random.uniformIn(-0.026, 0.026);
    const slip = () => random.uniformIn(-0.006, 0.006);
    return pose.fromRpyTranslation(angle(), angle(), angle(), slip(), slip(), slip(), pose.create());
  }

  it("takes no harm from any error of the body before tl; believing the plan would miss by centimetres", () => {
    let missed = 0;
    for (let n = 0; n < deep(20, 150); n++) {
      const flight = randomFlight(random);
      const motion = randomMotion(random, -0.25);
      const truth = new Truth(motion, flight, randomError());
      const neck = Float64Array.of(random.uniformIn(-0.5, 0.5), random.uniformIn(-0.5, 0.5));
      const measurement = measure(truth, motion, random.uniformIn(-0.2, 0), neck);
      expect(path.reset(flight, motion, measurement, 0, 1.8)).toBe(FlightStatus.ok);
      for (let t = 0; t <= 1.8; t += 0.05) {
        expect(vec3.distance(path.position(t, p), truth.ball(t))).toBeLessThan(1e-4);
        const worldFromBase = path.worldFromBase(t, pose.create());
        const trueBase = truth.worldFromLink(base, t);
        for (let k = 0; k < 12; k++) expect(worldFromBase[k]).toBeCloseTo(trueBase[k]!, 9);
      }
      path.reset(flight, motion, null, 0, 1.8);
      missed = Math.max(missed, vec3.distance(path.position(1, p), truth.ball(1)));
    }
    expect(missed).toBeGreaterThan(0.02);
  });

  it("does not depend on where the plan believes the platform to be", () => {
    const flight = randomFlight(random);
    const motion = randomMotion(random);
    // Yaw turns the plan's x and y with it, so the carriages stand here.
    for (const field of ["w0", "a", "ab"] as const) motion.ramps[field].fill(0, 0, 2);
    for (let i = 0; i < 2; i++) motion.ramps.end[i] = motion.ramps.q0[i]!;
    const measurement = measure(new Truth(motion, flight), motion, 0.1, Float64Array.of(0.2, -0.1));
    path.reset(flight, motion, measurement, 0, 1.8);
    const before = path.position(0.9, vec3.create());
    // Odometry 40 cm and 20° off, in ramps and commanded positions alike.
    const shifted = new JointRamps(bodyDofs.length);
    shifted.copyFrom(motion.ramps);
    for (const [i, offset] of [0.4, -0.3, 0.35].entries()) {
      shifted.q0[i]! += offset;
      shifted.end[i]! += offset;
    }
    const body = shifted.positions(0.1, new Float64Array(bodyDofs.length));
    path.reset(flight, { ramps: shifted, start: 0 }, { ...measurement, body }, 0, 1.8);
    expect(vec3.distance(path.position(0.9, p), before)).toBeLessThan(1e-9);
    path.reset(flight, { ramps: shifted, start: 0 }, null, 0, 1.8);
    expect(vec3.distance(path.position(0.9, p), before)).toBeGreaterThan(0.2);
  });

  it("keeps the chest's place against the head, whatever the neck does", () => {
    const state = new RobotState(model);
    const flight = randomFlight(random);
    const motion = randomMotion(random);
    for (const pan of [-1, 0, 1]) {
      const neck = Float64Array.of(pan, 0.3);
      const truth = new Truth(motion, flight);
      const measurement = measure(truth, motion, 0, neck);
      path.reset(flight, motion, measurement, 0, 1.8);
      state.q.set(ready);
      for (const [i, dof] of path.neckDofs.entries()) state.q[dof] = neck[i]!;
      forwardKinematics(state);
      const headFromBase = relativePose(state, head, base, pose.create());
      const expected = pose.compose(measurement.worldFromHead, headFromBase, pose.create());
      const found = path.worldFromBase(0, pose.create());
      for (let k = 0; k < 12; k++) expect(found[k]).toBeCloseTo(expected[k]!, 9);
    }
  });
});
