import { describe, expect, it } from "vitest";
import { ChainBodies, STANDING } from "../../src/collision/chain-bodies.js";
import { chainScope, proveMinimumDistance } from "../../src/collision/minimum-distance-proof.js";
import { Random } from "../../src/math/random.js";
import { KinematicChain } from "../../src/robot/kinematics/chain.js";
import { dofsBetween, forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { randomModel } from "../robot/random-model.js";
import { deep } from "../support/deep.js";
import { withDefaultPairs } from "./default-pairs.js";
import { hullRobot } from "./hull-robot.js";
import { TrueDistances } from "./true-distance.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 900_000);

const margin = 0.03;

/** A chain of a robot, all else standing at a posture. */
interface Scene {
  readonly robot: Robot;
  readonly chain: KinematicChain;
  readonly placed: ChainBodies;
  readonly posture: Float64Array;
}

function sceneOf(robot: Robot, chain: KinematicChain, posture: Float64Array): Scene {
  return { robot, chain, placed: new ChainBodies(robot, chain, posture), posture };
}

/** Whether the proof is found for two bodies of the chain. */
function holds({ robot, chain, placed, posture }: Scene, outer: number, inner: number, margin: number): boolean {
  const scope = chainScope(robot, chain, placed, outer, inner, posture);
  return scope !== null && proveMinimumDistance(robot, outer, inner, margin, scope);
}

/** The arm's pairs, outer body first, of which the proof says that they are never nearer than the margin. */
function provenPairs(robot: Robot, chain: KinematicChain): [string, string][] {
  const scene = sceneOf(robot, chain, robot.postures.get("ready")!);
  const { carrier } = scene.placed;
  return robot.pairs
    .map(([a, b]) => (carrier[a]! > carrier[b]! ? [a, b] : [b, a]) as [number, number])
    .filter(([outer, inner]) => carrier[outer] !== carrier[inner] && carrier[outer] !== STANDING)
    .filter(([outer, inner]) => holds(scene, outer, inner, margin))
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
      expect(indices.length).toBeGreaterThan(1);
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
        const scene = sceneOf(robot, chain, new Float64Array(serial.dofCount));
        if (scene.placed.carrier[3] === STANDING || scene.placed.carrier[3] === scene.placed.carrier[0]) continue;
        const least = leastSampled(robot, chain, 3, 0, random);
        expect(holds(scene, 3, 0, least + 1e-4)).toBe(false);
        if (holds(scene, 3, 0, least - 0.02)) held++;
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
    const scene = sceneOf(robot, chain, robot.postures.get("ready")!);
    const body = (name: string) => robot.hulls.findIndex((hull) => hull.name === name);
    // The elbow bends to 120°: 0.2 m from it, the upper arm's capsules are 0.2·sin 60° from the forearm's axis.
    const least = 0.2 * Math.sin(Math.PI / 3) - 0.12;
    expect(holds(scene, body("arm4"), body("arm2"), least - 1e-3)).toBe(true);
    expect(holds(scene, body("arm4"), body("arm2"), least + 1e-3)).toBe(false);
  });
});

/**
 * What the proofs gave that this one replaced (one for arms, one for whole robots), pairs of all bodies: the verdicts decide
 * which pairs a planner looks at, and which a robot's sidecar names.
 */
const recorded = {
  "agile-justin": {
    arm: "leftArm2 platform, leftArm3 platform, leftArm2 housing, leftArm3 housing, leftArm2 torso1, leftArm3 torso1, leftArm2 torso2, leftArm3 torso2, leftArm2 torso3, leftArm3 torso3, leftArm2 neck, leftArm2 leftArmBase, leftArm3 leftArmBase, leftArm3 leftArm1, leftArm4 leftArm2, leftArm5 leftArm2, leftArm2 rightArmBase, leftArm2 rightArm1, leftArm2 rightArm2, leftArm2 rightArm3, leftArm2 rightArm4, leftArm2 rightArm5, leftArm2 rightArm6, leftArm2 rightArm7, leftArm2 rightHand, leftArm5 leftArm3, leftArm6 leftArm3, leftArm3 rightArmBase, leftArm3 rightArm1, leftArm3 rightArm2, leftArm3 rightArm3, leftArm3 rightArm4, leftArm3 rightArm5, leftArm3 rightArm6, leftArm3 rightArm7, leftArm3 rightHand, leftArm6 leftArm4, leftArm7 leftArm4, leftHand leftArm4, leftHand leftArm6",
    whole:
      "platform torso1, platform torso2, platform torso3, platform chest, platform neck, platform leftArmBase, platform leftArm1, platform rightArmBase, platform rightArm1, housing torso2, housing neck, torso1 leftArm1, torso1 rightArm1, torso2 leftArmBase, torso2 leftArm1, torso2 rightArmBase, torso2 rightArm1, torso3 leftArm1, torso3 rightArm1, chest head, neck leftArmBase, neck leftArm1, neck leftArm2, neck rightArmBase, neck rightArm1, neck rightArm2, head leftArmBase, head leftArm1, head rightArmBase, head rightArm1, leftArmBase leftArm2, leftArmBase leftArm3, leftArmBase leftArm4, leftArmBase rightArm1, leftArmBase rightArm2, leftArmBase rightArm3, leftArm1 leftArm3, leftArm1 leftArm4, leftArm1 leftArm5, leftArm1 rightArmBase, leftArm1 rightArm1, leftArm1 rightArm2, leftArm1 rightArm3, leftArm2 leftArm4, leftArm2 leftArm5, leftArm2 leftArm6, leftArm2 rightArmBase, leftArm2 rightArm1, leftArm2 rightArm2, leftArm3 leftArm5, leftArm3 leftArm6, leftArm3 leftArm7, leftArm3 rightArmBase, leftArm3 rightArm1, leftArm4 leftArm6, leftArm4 leftArm7, leftArm4 leftHand, leftArm5 leftArm7, leftArm5 leftHand, leftArm6 leftHand, rightArmBase rightArm2, rightArmBase rightArm3, rightArmBase rightArm4, rightArm1 rightArm3, rightArm1 rightArm4, rightArm1 rightArm5, rightArm2 rightArm4, rightArm2 rightArm5, rightArm2 rightArm6, rightArm3 rightArm5, rightArm3 rightArm6, rightArm3 rightArm7, rightArm4 rightArm6, rightArm4 rightArm7, rightArm4 rightHand, rightArm5 rightArm7, rightArm5 rightHand, rightArm6 rightHand",
  },
  "iiwa-14": {
    arm: "arm2 table, arm3 table, arm2 armBase, arm3 armBase, arm5 arm2, arm5 arm3, arm6 arm3, arm6 arm4, arm7 arm4, basket arm6",
    whole:
      "table arm1, table arm2, table arm3, armBase arm2, armBase arm3, arm1 arm3, arm1 arm4, arm1 arm5, arm2 arm4, arm2 arm5, arm2 arm6, arm3 arm5, arm3 arm6, arm3 arm7, arm4 arm6, arm4 arm7, arm5 arm7, arm5 basket, arm6 basket",
  },
  "lwr-arm": {
    arm: "arm2 table, arm3 table, arm2 armBase, arm3 armBase, arm3 arm1, arm4 arm2, arm5 arm2, arm5 arm3, arm6 arm3, arm6 arm4, arm7 arm4, hand arm4, hand arm6",
    whole:
      "table arm1, table arm2, table arm3, armBase arm2, armBase arm3, armBase arm4, arm1 arm3, arm1 arm4, arm1 arm5, arm2 arm4, arm2 arm5, arm2 arm6, arm3 arm5, arm3 arm6, arm3 arm7, arm4 arm6, arm4 arm7, arm4 hand, arm5 arm7, arm5 hand, arm6 hand",
  },
  panda: {
    arm: "arm2 table, arm3 table, arm2 armBase, arm3 armBase, arm4 arm2, arm5 arm2, arm6 arm3, arm6 arm4, arm7 arm4, basket arm6",
    whole:
      "table arm1, table arm2, table arm3, armBase arm2, armBase arm3, armBase arm4, arm1 arm3, arm1 arm4, arm2 arm4, arm2 arm5, arm3 arm5, arm3 arm6, arm3 arm7, arm4 arm6, arm4 arm7, arm6 basket",
  },
};

describe.each(Object.entries(recorded))("the verdicts recorded for %s", (name, { arm: ofArm, whole }) => {
  const robot = loadRobot(name);
  const all = robot.hulls.flatMap((_, a) => robot.hulls.slice(a + 1).map((_, i) => [a, a + 1 + i] as const));
  const namesOf = (pairs: readonly (readonly [number, number])[]): string =>
    pairs.map((pair) => pair.map((body) => robot.hulls[body]!.name).join(" ")).join(", ");

  it("are those of the arm's proof, at 0.03 m", () => {
    const chain = arm(robot);
    const scene = sceneOf(robot, chain, robot.postures.get("ready")!);
    const { carrier } = scene.placed;
    const proven = all
      .map(([a, b]) => (carrier[a]! > carrier[b]! ? [a, b] : [b, a]) as [number, number])
      .filter(([outer, inner]) => carrier[outer] !== carrier[inner])
      .filter(([outer, inner]) => holds(scene, outer, inner, 0.03));
    expect(namesOf(proven)).toBe(ofArm);
  });

  it("are those of the whole robot's proof, at 1 mm and with the monitor's tolerance of the limits", () => {
    const proven = all.filter(([a, b]) => {
      const dofs = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
      const scope = { dofs, limitTolerance: 0.02, budget: 20_000, halved: "own-motion" } as const;
      return dofs.length <= 4 && proveMinimumDistance(robot, a, b, 0.001, scope);
    });
    expect(namesOf(proven)).toBe(whole);
  });
});
