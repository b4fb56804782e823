import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { KinematicChain } from "../../src/robot/kinematics/chain.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { listRobots, loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { ChainBodies, STANDING } from "../../src/safety/chain-bodies.js";
import { areNeverNearer } from "../../src/safety/never-nearer.js";
import { randomModel } from "../robot/random-model.js";
import { deep } from "../support/deep.js";
import { withDefaultPairs } from "./default-pairs.js";
import { hullRobot } from "./hull-robot.js";
import { TrueDistances } from "./true-distance.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 900_000);

const margin = 0.03;

/** The arm's pairs, outer body first, of which the proof says that they are never nearer than the margin. */
function provenPairs(robot: Robot, chain: KinematicChain): [string, string][] {
  const placed = new ChainBodies(robot, chain, robot.postures.get("ready")!);
  const { carrier } = placed;
  return robot.pairs
    .map(([a, b]) => (carrier[a]! > carrier[b]! ? [a, b] : [b, a]) as [number, number])
    .filter(([outer, inner]) => carrier[outer] !== carrier[inner] && carrier[outer] !== STANDING)
    .filter(([outer, inner]) => areNeverNearer(placed, chain, outer, inner, margin))
    .map(([outer, inner]) => [robot.hulls[outer]!.name, robot.hulls[inner]!.name]);
}

function arm(robot: Robot): KinematicChain {
  const { baseLink, tipLink, dofs } = robot.model.groups.find(({ hand }) => hand !== undefined)!;
  return new KinematicChain(robot.model, baseLink, tipLink, dofs);
}

/** The least true distance of two bodies over random configurations, the corners of the limits included [m]. */
function leastSampled(robot: Robot, chain: KinematicChain, a: number, b: number, random: Random): number {
  const state = new RobotState(robot.model);
  const truth = new TrueDistances(robot);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 400; i++) {
    for (const [k, dof] of chain.dofs.entries()) {
      const share = random.uniform() < 0.3 ? Math.round(random.uniform()) : random.uniform();
      state.q[dof] = chain.lower[k]! + share * (chain.upper[k]! - chain.lower[k]!);
    }
    forwardKinematics(state);
    if (truth.place(state).areWithin(a, b, least)) least = truth.between(a, b);
  }
  return least;
}

describe.each(listRobots())("pairs of %s proven to be never near", (name) => {
  const robot = withDefaultPairs(loadRobot(name));
  const chain = arm(robot);
  const proven = provenPairs(robot, chain);

  it(
    "are never near, at random and at the limits",
    () => {
      const random = new Random("never nearer");
      const state = new RobotState(robot.model);
      state.q.set(robot.postures.get("ready")!);
      const truth = new TrueDistances(robot);
      const indices = proven.map((pair) => pair.map((body) => robot.hulls.findIndex((hull) => hull.name === body)));
      expect(indices.length).toBeGreaterThan(2);
      for (let i = 0; i < deep(300, 20_000); i++) {
        for (const [k, dof] of chain.dofs.entries()) {
          const share = random.uniform() < 0.4 ? Math.round(random.uniform()) : random.uniform();
          state.q[dof] = chain.lower[k]! + share * (chain.upper[k]! - chain.lower[k]!);
        }
        forwardKinematics(state);
        truth.place(state);
        for (const [a, b] of indices) expect(truth.areWithin(a!, b!, margin - 1e-9)).toBe(false);
      }
    },
    patience,
  );
});

describe("the proof", () => {
  it(
    "never holds where sampling finds the pair nearer, on chains with sliding joints and any axes",
    () => {
      const random = new Random("refuted");
      let held = 0;
      for (let i = 0; i < deep(60, 2000); i++) {
        const model = randomModel(random, { links: 4, coupled: 0 });
        const limited = { ...model, lower: model.lower.map(() => -1), upper: model.upper.map(() => 1) };
        const serial = { ...limited, parentLink: model.parentLink.map((_, link) => link - 1) };
        const robot = hullRobot(serial, random);
        const chain = new KinematicChain(serial, 0, 3, [...serial.dofJoint.keys()]);
        const placed = new ChainBodies(robot, chain, new Float64Array(serial.dofCount));
        if (placed.carrier[3] === STANDING || placed.carrier[3] === placed.carrier[0]) continue;
        const least = leastSampled(robot, chain, 3, 0, random);
        expect(areNeverNearer(placed, chain, 3, 0, least + 1e-4)).toBe(false);
        if (areNeverNearer(placed, chain, 3, 0, least - 0.02)) held++;
      }
      expect(held).toBeGreaterThan(10);
    },
    patience,
  );

  it("holds for links next but one and fails for a hand that reaches the shoulder", () => {
    const robot = withDefaultPairs(loadRobot("lwr-arm"));
    const proven = provenPairs(robot, arm(robot)).map((pair) => pair.join(" "));
    expect(proven).toContain("arm4 arm2");
    expect(proven).toContain("arm5 arm3");
    expect(proven).not.toContain("hand armBase");
    expect(proven).not.toContain("hand arm2");
    expect(proven).not.toContain("hand table");
  });

  it("fails beyond the distance that the limits really allow", () => {
    const robot = loadRobot("lwr-arm");
    const chain = arm(robot);
    const placed = new ChainBodies(robot, chain, robot.postures.get("ready")!);
    const body = (name: string) => robot.hulls.findIndex((hull) => hull.name === name);
    // The elbow bends to 120°: 0.2 m from it, the upper arm's capsules are 0.2·sin 60° from the forearm's axis.
    const least = 0.2 * Math.sin(Math.PI / 3) - 0.12;
    expect(areNeverNearer(placed, chain, body("arm4"), body("arm2"), least - 1e-3)).toBe(true);
    expect(areNeverNearer(placed, chain, body("arm4"), body("arm2"), least + 1e-3)).toBe(false);
  });
});
