import { describe, expect, it } from "vitest";
import { HeadClearance } from "../../../src/control/neck/head-clearance.js";
import { NeckFollower } from "../../../src/control/neck/neck-follower.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { BallPrediction } from "../../../src/messages/prediction.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { NearestPairs } from "../../../src/view/view.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const neck = robot.model.groups.find(({ kind }) => kind === "neck")!.dofs;
const nearest = new NearestPairs(robot);

/** Distance of the head to the arms, by the list of all pairs. */
function distanceOfHead(q: Float64Array): number {
  const isCarried = (name: string): boolean => name === "head" || name === "neck";
  const isArm = (name: string): boolean => /^(left|right)(Arm[1-7]|Hand)$/.test(name);
  const all = nearest.at(q, robot.pairs.length);
  const pairs = all.filter(({ a, b }) => (isCarried(a) && isArm(b)) || (isCarried(b) && isArm(a)));
  return Math.min(...pairs.map(({ distance }) => distance));
}

/** Postures of the right arm; some bring its hand to the face. */
function postures(count: number): Float64Array[] {
  const random = new Random(8);
  const { dofs } = robot.model.groups.find(({ name }) => name === "rightArm")!;
  return Array.from({ length: count }, () => {
    const q = ready.slice();
    for (const dof of dofs) {
      const [lower, upper] = [robot.model.lower[dof]!, robot.model.upper[dof]!];
      q[dof] = lower + (upper - lower) * random.uniform();
    }
    return q;
  });
}

const pick = (q: Float64Array): Float64Array => Float64Array.from(neck, (dof) => q[dof]!);

describe("room for the head", () => {
  it("is there as long as nothing is within three centimetres of a head that stands", () => {
    const room = new HeadClearance(robot, neck);
    let tight = 0;
    let time = 0;
    for (const q of postures(2000)) {
      const distance = distanceOfHead(q);
      if (Math.abs(distance - 0.03) < 1e-6) continue;
      time += 1;
      const isTight = room.isTight(time, q, pick(q), new Float64Array(neck.length));
      expect(isTight).toBe(distance < 0.03);
      if (isTight) tight++;
    }
    expect(tight).toBeGreaterThan(5);
  });

  it("must be wider the faster the head moves", () => {
    const room = new HeadClearance(robot, neck);
    const near = postures(2000).find((q) => distanceOfHead(q) > 0.035 && distanceOfHead(q) < 0.06)!;
    expect(room.isTight(0, near, pick(near), new Float64Array(neck.length))).toBe(false);
    room.forget();
    expect(room.isTight(0.001, near, pick(near), new Float64Array(neck.length).fill(2))).toBe(true);
  });
});

describe("a head with nothing near", () => {
  it("is not looked at again before something can have come near, and never too late", () => {
    const room = new HeadClearance(robot, neck);
    const still = new Float64Array(neck.length);
    const [far, tight] = [ready, postures(2000).find((q) => distanceOfHead(q) < 0.02)!];
    expect(room.isTight(0, far, pick(far), still)).toBe(false);
    // Nothing moves that fast: an arm that is at the head at once has been put there.
    expect(room.isTight(0.001, tight, pick(tight), still)).toBe(false);
    expect(room.isTight(0.011, tight, pick(tight), still)).toBe(true);
    expect(room.isTight(0.2, far, pick(far), still)).toBe(false);
    room.forget();
    expect(room.isTight(0.201, tight, pick(tight), still)).toBe(true);
  });
});

describe("a neck that follows a ball", () => {
  it("turns back as soon as the ball is said not to fly: it was a false one, or it was caught", () => {
    const follower = new NeckFollower(robot, ready, 1e-3);
    const state = { time: 0, position: vec3.create(3, 1.8, 1.2), velocity: vec3.create(-4, 0, 3), drag: 0.03 };
    const ball: BallPrediction = { track: 1, state, covariance: null, lastSeen: 0, confirmed: true };
    const [q, qd] = [new Float64Array(neck.length), new Float64Array(neck.length)];
    const turned = (): number => Math.max(...q.map((angle, i) => Math.abs(angle - pick(ready)[i]!)));
    follower.watch([ball]);
    for (let k = 1; k <= 80; k++) follower.follow(k * 1e-3, ready, q, qd);
    follower.watch([{ ...ball, confirmed: false }]);
    // It brakes first, and goes back at the speed of a neck without a ball.
    for (let k = 81; k <= 200; k++) follower.follow(k * 1e-3, ready, q, qd);
    const farthest = turned();
    expect(farthest).toBeGreaterThan(0.01);
    for (let k = 201; k <= 280; k++) follower.follow(k * 1e-3, ready, q, qd);
    expect(turned()).toBeLessThan(farthest - 0.02);
  });

  it("brakes where the head has no room, and follows again when it has", () => {
    const tight = postures(2000).find((q) => distanceOfHead(q) < 0.02)!;
    const follower = new NeckFollower(robot, ready, 1e-3);
    const state = { time: 0, position: vec3.create(3, 1.8, 1.2), velocity: vec3.create(-4, 0, 3), drag: 0.03 };
    const ball: BallPrediction = { track: 1, state, covariance: null, lastSeen: 0, confirmed: true };
    follower.watch([ball]);
    const [q, qd] = [new Float64Array(neck.length), new Float64Array(neck.length)];
    const follow = (from: number, ticks: number, command: Float64Array): void => {
      for (let k = 1; k <= ticks; k++) follower.follow(from + k * 1e-3, command, q, qd);
    };
    follow(0, 30, ready);
    const speed = Math.max(...qd.map(Math.abs));
    expect(speed).toBeGreaterThan(0.1);
    follow(0.03, 150, tight);
    expect(Math.max(...qd.map(Math.abs))).toBe(0);
    const stopped = q.slice();
    follow(0.18, 50, tight);
    expect([...q]).toEqual([...stopped]);
    follow(0.23, 30, ready);
    expect(Math.max(...qd.map(Math.abs))).toBeGreaterThan(0);
  });
});
