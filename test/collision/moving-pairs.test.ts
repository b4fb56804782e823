import { describe, expect, it } from "vitest";
import { BodyMotion } from "../../src/collision/body-motion.js";
import { HullBodies } from "../../src/collision/hull-bodies.js";
import { MovingPairs, PairVerdict } from "../../src/collision/moving-pairs.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { randomModel } from "../robot/random-model.js";
import { deep } from "../support/deep.js";
import { hullRobot } from "./hull-robot.js";
import { randomWithin } from "./random-configurations.js";
import { TrueDistances } from "./true-distance.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 900_000);

/** `state` somewhere within the deviations of `middle`, at their very ends as often as not. */
function stray(state: RobotState, middle: Float64Array, dofs: number[], deviation: Float64Array, random: Random): void {
  state.q.set(middle);
  for (const [i, dof] of dofs.entries()) {
    const share = random.uniform() < 0.5 ? Math.sign(random.uniformIn(-1, 1)) : random.uniformIn(-1, 1);
    state.q[dof] = middle[dof]! + share * deviation[i]!;
  }
  forwardKinematics(state);
}

function someDofs(robot: Robot, random: Random): number[] {
  return [...robot.model.dofJoint.keys()].filter(() => random.uniform() < 0.7);
}

describe("the motion of bodies", () => {
  it(
    "stays within its bound, on trees with sliding and coupled joints",
    () => {
      const random = new Random("bounds");
      let tightest = 0;
      for (let i = 0; i < deep(60, 2000); i++) {
        const robot = hullRobot(randomModel(random, { links: 10, coupled: 0.3 }), random);
        const dofs = someDofs(robot, random);
        const bodies = new HullBodies(robot.hulls);
        const motion = new BodyMotion(robot.model, bodies, dofs);
        const [state, other] = [new RobotState(robot.model), new RobotState(robot.model)];
        randomWithin(robot.model.lower, robot.model.upper, random, state.q);
        forwardKinematics(state);
        bodies.placeAll(state.linkPoses);
        const deviation = Float64Array.from(dofs, () => (random.uniform() < 0.4 ? 0 : random.uniformIn(0, 0.4)));
        motion.update(state, deviation);
        for (let sample = 0; sample < 10; sample++) {
          stray(other, state.q, dofs, deviation, random);
          for (let body = 0; body < bodies.count; body++) {
            const bound = motion.moves(body) ? motion.bound[motion.start[body]!]! : 0;
            const moved = displacement(robot, state, other, body);
            if (!(moved <= bound + 1e-12)) throw new Error(`body ${body} moved ${moved}, bound ${bound}`);
            if (bound > 0) tightest = Math.max(tightest, moved / bound);
          }
        }
      }
      expect(tightest).toBeGreaterThan(0.9);
    },
    patience,
  );
});

function displacement(robot: Robot, before: RobotState, after: RobotState, body: number): number {
  const { points, link } = robot.hulls[body]!;
  let greatest = 0;
  for (let k = 0; k < points.length; k += 3) {
    const from = pose.transformPoint(before.worldFromLink[link]!, vec3.view(points, k), vec3.create());
    const to = pose.transformPoint(after.worldFromLink[link]!, vec3.view(points, k), vec3.create());
    greatest = Math.max(greatest, vec3.distance(from, to));
  }
  return greatest;
}

/** Verdicts over random states and deviations of a robot; throws where a pair judged clear comes nearer than the margin. */
function judgeRandomly(robot: Robot, dofs: number[], reach: number, random: Random, rounds: number): number[] {
  const margin = 0.01;
  const pairs = new MovingPairs(robot, dofs, margin);
  const [state, other] = [new RobotState(robot.model), new RobotState(robot.model)];
  const verdicts = [0, 0, 0, 0];
  const truth = new TrueDistances(robot);
  for (let round = 0; round < rounds; round++) {
    randomWithin(robot.model.lower, robot.model.upper, random, state.q);
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    const deviation = Float64Array.from(dofs, () => random.uniformIn(0, reach));
    pairs.motion.update(state, deviation);
    const clear: number[] = [];
    truth.place(state);
    for (let k = 0; k < pairs.count; k++) {
      const verdict = pairs.judge(state, k);
      verdicts[verdict] = verdicts[verdict]! + 1;
      const [a, b] = [pairs.bodyA[k]!, pairs.bodyB[k]!];
      if (verdict === PairVerdict.contact) expect(truth.between(a, b)).toBeLessThanOrEqual(margin + 1e-4 + 1e-9);
      else expect(truth.areWithin(a, b, margin)).toBe(false);
      if (verdict === PairVerdict.clear) clear.push(k);
    }
    for (let sample = 0; sample < 5; sample++) {
      stray(other, state.q, dofs, deviation, random);
      truth.place(other);
      for (const k of clear) {
        const [a, b] = [pairs.bodyA[k]!, pairs.bodyB[k]!];
        if (truth.areWithin(a, b, margin)) throw new Error(`pair ${a}, ${b} is not clear`);
      }
    }
  }
  return verdicts;
}

describe("a pair judged clear", () => {
  it(
    "stays clear wherever the dofs go within their deviations, on random trees",
    () => {
      const random = new Random("clear");
      const total = [0, 0, 0, 0];
      for (let i = 0; i < deep(40, 1000); i++) {
        const robot = hullRobot(randomModel(random, { links: 8, coupled: 0.3 }), random);
        const verdicts = judgeRandomly(robot, someDofs(robot, random), 0.3, random, 3);
        for (const [verdict, count] of verdicts.entries()) total[verdict] = total[verdict]! + count;
      }
      expect(
        Math.min(total[PairVerdict.clear]!, total[PairVerdict.open]!, total[PairVerdict.contact]!),
      ).toBeGreaterThan(50);
      expect(total[PairVerdict.invalid]).toBe(0);
    },
    patience,
  );

  it(
    "stays clear on agile-justin, moving whole",
    () => {
      const robot = loadRobot("agile-justin");
      const dofs = robot.model.groups.flatMap((group) => [...group.dofs]);
      const verdicts = judgeRandomly(robot, dofs, 0.1, new Random("justin"), deep(6, 200));
      expect(verdicts[PairVerdict.clear]).toBeGreaterThan(500);
    },
    patience,
  );

  it("does not count a turn about its partner's own axis", () => {
    const loaded = loadRobot("lwr-arm");
    const bodies = ["arm2", "arm4"].map((name) => loaded.hulls.findIndex((hull) => hull.name === name));
    const robot = { ...loaded, pairs: [[bodies[0]!, bodies[1]!] as const] };
    const dofs = [robot.model.dofNames.indexOf("arm3")];
    const pairs = new MovingPairs(robot, dofs, 0.01);
    const state = new RobotState(robot.model);
    state.q.set(robot.postures.get("ready")!);
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    pairs.motion.update(state, Float64Array.of(2));
    const names = (k: number) => [pairs.bodyA[k]!, pairs.bodyB[k]!].map((body) => robot.hulls[body]!.name);
    const k = [...pairs.bodyA.keys()].find((pair) => names(pair).sort().join() === "arm2,arm4")!;
    expect(pairs.motion.bound[pairs.motion.start[pairs.bodyB[k]!]!]).toBeGreaterThan(0.2);
    const truth = new TrueDistances(robot).place(state);
    expect(truth.between(pairs.bodyA[k]!, pairs.bodyB[k]!)).toBeLessThan(0.2);
    expect(pairs.judge(state, k)).toBe(PairVerdict.clear);
  });

  it("is none with a position that is not finite", () => {
    const robot = loadRobot("lwr-arm");
    const dofs = [...robot.model.groups.find(({ name }) => name === "arm")!.dofs];
    const pairs = new MovingPairs(robot, dofs, 0);
    const state = new RobotState(robot.model);
    state.q[dofs[1]!] = Number.NaN;
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    pairs.motion.update(state, new Float64Array(dofs.length));
    const hand = robot.hulls.findIndex(({ name }) => name === "hand");
    for (let k = 0; k < pairs.count; k++) {
      if (pairs.bodyA[k] === hand || pairs.bodyB[k] === hand) expect(pairs.judge(state, k)).toBe(PairVerdict.invalid);
    }
  });
});
