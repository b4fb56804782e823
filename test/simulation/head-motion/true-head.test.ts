import { describe, expect, it } from "vitest";
import { ReachingMotion } from "../../../bench/simulation/reaching-motion.js";
import * as lie from "../../../src/math/lie.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { inverseDynamics } from "../../../src/robot/dynamics/inverse-dynamics.js";
import { forwardKinematics, forwardVelocities } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { type Challenges, fullChallenges, noChallenges } from "../../../src/simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { TrueHead } from "../../../src/simulation/head-motion/true-head.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const { dofCount } = robot.model;

interface Ride {
  readonly head: TrueHead;
  readonly motion: ReachingMotion;
  /** Greatest excursion of each mode. */
  readonly peaks: number[];
}

function ride(seed: number, challenges: Challenges, until: number): Ride {
  const head = new TrueHead(robot, { challenges, seed });
  const motion = new ReachingMotion(robot, ready, 0.05, new Random(seed).fork("ride"));
  const [q, qd, qdd] = [0, 1, 2].map(() => new Float64Array(dofCount)) as [Float64Array, Float64Array, Float64Array];
  const peaks = [0, 0];
  head.start(0, ready);
  while (head.time < until - 1e-9) {
    motion.evaluate(head.time + head.period, q, qd, qdd);
    head.step(q, qd, qdd);
    for (const mode of [0, 1]) peaks[mode] = Math.max(peaks[mode]!, Math.abs(head.vibration(mode)));
  }
  return { head, motion, peaks };
}

function expectClose(actual: Float64Array, expected: Float64Array, tolerance: number): void {
  expect(Math.max(...actual.map((x, i) => Math.abs(x - expected[i]!)))).toBeLessThan(tolerance);
}

function placeOf(worldFromBody: pose.Pose): vec3.Vec3 {
  return pose.getTranslation(worldFromBody, vec3.create());
}

describe("TrueHead", () => {
  it("bends more or less as its challenge is changed, without a jolt", () => {
    const challenges = { ...noChallenges };
    const head = new TrueHead(robot, { challenges, seed: 1 });
    const exact = new RobotState(robot.model);
    exact.q.set(ready);
    forwardKinematics(exact);
    const still = new Float64Array(dofCount);
    const out = createRigidMotion();
    const stray = () => {
      head.headAt(head.time, out);
      return vec3.distance(placeOf(out.worldFromBody), placeOf(exact.worldFromLink[robot.frames.head!]!));
    };
    const wait = (seconds: number): number => {
      let fastest = 0;
      for (const end = head.time + seconds; head.time < end - 1e-9; ) {
        head.step(ready, still, still);
        head.headAt(head.time, out);
        fastest = Math.max(fastest, Math.hypot(out.acceleration[0]!, out.acceleration[1]!, out.acceleration[2]!));
      }
      return fastest;
    };
    head.start(0, ready);
    wait(0.5);
    expect(stray()).toBeLessThan(1e-9);
    Object.assign(challenges, { deflection: 1 });
    // A tenth of gravity: an arm that sets out shakes the head more.
    expect(wait(3)).toBeLessThan(1);
    const bent = new TrueHead(robot, { challenges: fullChallenges, seed: 1 });
    bent.start(0, ready);
    bent.headAt(0, out);
    const expected = placeOf(out.worldFromBody);
    head.headAt(head.time, out);
    expectClose(placeOf(out.worldFromBody), expected, 1e-6);
    Object.assign(challenges, { deflection: 0 });
    wait(3);
    expect(stray()).toBeLessThan(1e-6);
  });

  it("without challenges is where the joints say", () => {
    const { head, motion } = ride(1, noChallenges, 0.6);
    const state = new RobotState(robot.model);
    const qdd = new Float64Array(dofCount);
    const out = createRigidMotion();
    for (let k = 1; k < 60; k++) {
      const time = k / 100;
      motion.evaluate(time, state.q, state.qd, qdd);
      forwardKinematics(state);
      forwardVelocities(state);
      expect(head.headAt(time, out)).toBe(true);
      const link = robot.frames.head!;
      expectClose(out.worldFromBody, state.worldFromLink[link]!, 1e-9);
      expectClose(out.twist, state.linkVelocity.subarray(6 * link, 6 * link + 6), 1e-7);
      head.chestAt(time, out);
      expectClose(out.worldFromBody, state.worldFromLink[robot.frames.chest!]!, 1e-9);
    }
  });

  it("has a velocity and an acceleration that are the derivatives of its pose", () => {
    const { head } = ride(2, fullChallenges, 0.6);
    const [before, now, after] = [createRigidMotion(), createRigidMotion(), createRigidMotion()];
    const h = 1e-5;
    for (let k = 5; k < 59; k++) {
      // Not at a step, where the acceleration jumps.
      const time = k / 100 + 0.00043;
      head.imuAt(time - h, before);
      head.imuAt(time, now);
      head.imuAt(time + h, after);
      for (let i = 0; i < 3; i++) {
        const [a, b] = [before.worldFromBody[9 + i]!, after.worldFromBody[9 + i]!];
        expect((b - a) / (2 * h)).toBeCloseTo(now.twist[i]!, 6);
        const c = now.worldFromBody[9 + i]!;
        expect((b - 2 * c + a) / (h * h)).toBeCloseTo(now.acceleration[i]!, 3);
        expect((after.twist[3 + i]! - before.twist[3 + i]!) / (2 * h)).toBeCloseTo(now.acceleration[3 + i]!, 4);
      }
      const turn = pose.compose(after.worldFromBody, pose.invert(before.worldFromBody, pose.create()), pose.create());
      const twist = lie.se3Log(turn, new Float64Array(6));
      for (let i = 3; i < 6; i++) expect(twist[i]! / (2 * h)).toBeCloseTo(now.twist[i]!, 6);
    }
  });

  it("shakes to about the stated peaks, in proportion to its gain", () => {
    const rides = Array.from({ length: 9 }, (_, seed) => ride(seed, fullChallenges, 0.7).peaks);
    const middle = (mode: number): number => rides.map((peaks) => peaks[mode]!).sort((a, b) => a - b)[4]!;
    for (const [mode, { peak }] of robot.sidecar.simulation!.elasticity!.modes.entries()) {
      expect(middle(mode)).toBeGreaterThan(0.7 * peak);
      expect(middle(mode)).toBeLessThan(1.4 * peak);
    }
    const twice = ride(3, { ...fullChallenges, vibration: 2 }, 0.7).peaks;
    for (const [mode, peak] of rides[3]!.entries()) expect(twice[mode]).toBeCloseTo(2 * peak, 9);
  });

  it("bends at rest by compliance times the weight's torque", () => {
    const head = new TrueHead(robot, { challenges: fullChallenges, seed: 1 });
    head.start(0, ready);
    const bent = createRigidMotion();
    head.chestAt(0, bent);
    const state = new RobotState(robot.model);
    state.q.set(ready);
    forwardKinematics(state);
    const torque = inverseDynamics(
      state,
      new Float64Array(dofCount),
      vec3.create(0, 0, -9.81),
      new Float64Array(dofCount),
    );
    // Torques of the dofs include the coupled joint's: torso4 = −(torso2 + torso3), so it cancels in their difference.
    const name = (dof: string): number => torque[robot.model.dofNames.indexOf(dof)]!;
    const { compliance, maxDeflection } = robot.sidecar.simulation!.elasticity!;
    const chest = state.worldFromLink[robot.frames.chest!]!;
    const turn = pose.compose(bent.worldFromBody, pose.invert(chest, pose.create()), pose.create());
    const pitch = lie.se3Log(turn, new Float64Array(6))[4]!;
    expect(compliance!.torso2).toBe(compliance!.torso3);
    // Both joints turn about y; the weight pulls opposite to the torque that holds it.
    const shared = jointTorque(state, "torso4");
    const expected = -compliance!.torso2! * (name("torso2") + shared + name("torso3") + shared);
    expect(Math.abs(pitch)).toBeLessThan(maxDeflection! * 2);
    expect(Math.abs(pitch)).toBeGreaterThan(0.5 * Math.abs(expected));
    expect(Math.sign(pitch)).toBe(Math.sign(expected));
    expect(Math.abs(pitch - expected)).toBeLessThan(0.15 * Math.abs(expected));
  });

  it("slips only when the platform moves, and not beyond its bound", () => {
    const slip = robot.sidecar.simulation!.elasticity!.maxSlip!;
    for (let seed = 0; seed < 5; seed++) {
      const { head, motion } = ride(seed, { ...noChallenges, slip: 1 }, 1.2);
      expect(beside(head, motion, 0.04)).toBeLessThan(1e-12);
      expect(beside(head, motion, 1.2)).toBeGreaterThan(0);
      // Half of the bound for speeding up and half for braking; replans may do either once more.
      expect(beside(head, motion, 1.2)).toBeLessThanOrEqual(2 * slip);
    }
  });

  it("gives the same bits for the same seed, others for another", () => {
    const [a, b, c] = [createRigidMotion(), createRigidMotion(), createRigidMotion()];
    ride(4, fullChallenges, 0.5).head.headAt(0.4321, a);
    ride(4, fullChallenges, 0.5).head.headAt(0.4321, b);
    ride(5, fullChallenges, 0.5).head.headAt(0.4321, c);
    expect(b.worldFromBody).toEqual(a.worldFromBody);
    expect(b.acceleration).toEqual(a.acceleration);
    expect(c.worldFromBody).not.toEqual(a.worldFromBody);
  });

  it("knows nothing outside its memory", () => {
    const head = new TrueHead(robot, { challenges: fullChallenges, seed: 1, memory: 0.1 });
    const still = new Float64Array(dofCount);
    const out = createRigidMotion();
    head.start(3, ready);
    for (let k = 0; k < 300; k++) head.step(ready, still, still);
    expect(head.headAt(3.25, out)).toBe(true);
    expect(head.headAt(3.15, out)).toBe(false);
    expect(head.headAt(3.31, out)).toBe(false);
    expect(head.headAt(Number.NaN, out)).toBe(false);
  });
});

/** How far the head is from where the joints say [m]. */
function beside(head: TrueHead, motion: ReachingMotion, time: number): number {
  const state = new RobotState(robot.model);
  const out = createRigidMotion();
  motion.evaluate(time, state.q, state.qd, new Float64Array(dofCount));
  forwardKinematics(state);
  head.headAt(time, out);
  const kinematic = state.worldFromLink[robot.frames.head!]!;
  return vec3.distance(
    pose.getTranslation(kinematic, vec3.create()),
    pose.getTranslation(out.worldFromBody, vec3.create()),
  );
}

/** Torque of one joint that holds the weight of all it carries, by the moment of each link's weight about its axis. */
function jointTorque(state: RobotState, joint: string): number {
  const { model } = robot;
  const link = model.jointNames.indexOf(joint);
  const origin = pose.getTranslation(state.worldFromLink[link]!, vec3.create());
  const axis = vec3.view(state.worldAxis, 3 * link);
  let torque = 0;
  for (let i = link; i < model.linkCount; i++) {
    let ancestor = i;
    while (ancestor > link) ancestor = model.parentLink[ancestor]!;
    if (ancestor !== link) continue;
    const centre = vec3.copy(vec3.view(model.centreOfMass, 3 * i), vec3.create());
    const lever = vec3.subtract(pose.transformPoint(state.worldFromLink[i]!, centre, centre), origin, centre);
    torque += vec3.dot(axis, vec3.cross(lever, vec3.create(0, 0, 9.81 * model.mass[i]!), vec3.create()));
  }
  return torque;
}
