import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import type { RobotModel } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { shuffle } from "../../support/random-draws.js";
import { relativeJacobian } from "../point-motion.js";
import { randomModel, randomVector } from "../random-model.js";
import { maxDifference } from "./reference-kinematics.js";

const cases = deep(300, 5000);

/** A chain between two random links whose own dofs are a random part of the model's, and a state that agrees. */
function randomChain(random: Random, model: RobotModel): { chain: KinematicChain; state: RobotState; q: Float64Array } {
  const state = new RobotState(model);
  randomVector(random, 3, state.q);
  const dofs = shuffle(random, [...state.q.keys()]).slice(0, 1 + random.integer(model.dofCount));
  const chain = new KinematicChain(
    model,
    random.integer(model.linkCount),
    random.integer(model.linkCount),
    dofs,
    state.q,
  );
  const q = randomVector(random, 3, new Float64Array(dofs.length));
  dofs.forEach((dof, i) => {
    state.q[dof] = q[i]!;
  });
  forwardKinematics(state);
  return { chain, state, q };
}

describe("a kinematic chain", () => {
  it("agrees with the whole robot's kinematics, upwards, downwards, with couplings and held dofs", () => {
    const random = new Random(31);
    let upwards = 0;
    for (let k = 0; k < cases; k++) {
      const model = randomModel(random, { links: 14, coupled: 0.3 });
      if (model.dofCount === 0) continue;
      const { chain, state, q } = randomChain(random, model);
      const { baseLink, tipLink, dofCount } = chain;
      chain.update(q);
      const expected = relativePose(state, baseLink, tipLink, pose.create());
      expect(maxDifference(chain.baseFromTip, expected)).toBeLessThan(1e-12);

      const J = chain.jacobian(new Float64Array(6 * dofCount));
      const full = new Float64Array(6 * model.dofCount);
      relativeJacobian(state, baseLink, tipLink, vec3.create(), full);
      for (let row = 0; row < 6; row++) {
        const own = [...chain.dofs].map((dof) => full[row * model.dofCount + dof]!);
        expect(maxDifference(J.subarray(row * dofCount, (row + 1) * dofCount), own)).toBeLessThan(1e-11);
      }
      if (baseLink > tipLink && chain.jointCount > 0) upwards++;
    }
    expect(upwards).toBeGreaterThan(cases / 10);
  });

  it("knows where its joints are", () => {
    const random = new Random(32);
    for (let k = 0; k < cases; k++) {
      const model = randomModel(random, { links: 12, coupled: 0.3 });
      if (model.dofCount === 0) continue;
      const { state, q, chain: other } = randomChain(random, model);
      // From the root every joint is passed from parent to child, so joint frame and link frame share their origin.
      const chain = new KinematicChain(model, 0, other.tipLink, other.dofs, state.q);
      chain.update(q);
      for (let j = 0; j < chain.jointCount; j++) {
        const link = chain.joints[j]!;
        const origin = state.linkPoses.subarray(12 * link + 9, 12 * link + 12);
        expect(maxDifference(chain.jointOrigin.subarray(3 * j, 3 * j + 3), origin)).toBeLessThan(1e-12);
        const axis = state.worldAxis.subarray(3 * link, 3 * link + 3);
        expect(maxDifference(chain.jointAxis.subarray(3 * j, 3 * j + 3), axis)).toBeLessThan(1e-12);
      }
    }
  });

  it("refuses a dof on its way that nothing sets, naming the joint", () => {
    const model = randomModel(new Random(33), { links: 12, coupled: 0 });
    const link = model.dofJoint[model.dofCount - 1]!;
    expect(() => new KinematicChain(model, 0, link, [])).toThrowError(
      expect.objectContaining({ code: "FLY_CHAIN_LOOSE_DOF" }),
    );
    expect(() => new KinematicChain(model, 0, link, [])).toThrow(/joint\d+ among the chain's dofs/);
    expect(new KinematicChain(model, 0, link, [], new Float64Array(model.dofCount)).jointCount).toBe(0);
  });

  it.each([
    ["a base that is no link", [-1, 1, [0]]],
    ["a tip that is no link", [0, 99, [0]]],
    ["a link that is NaN", [0, Number.NaN, [0]]],
    ["a dof that is none", [0, 1, [99]]],
    ["a dof twice", [0, 1, [0, 0]]],
  ] as const)("refuses %s", (_, [base, tip, dofs]) => {
    const model = randomModel(new Random(34), { links: 12, coupled: 0 });
    const held = new Float64Array(model.dofCount);
    expect(() => new KinematicChain(model, base, tip, dofs, held)).toThrow(FlycatcherError);
    expect(() => new KinematicChain(model, base, tip, dofs, held)).toThrowError(
      expect.objectContaining({ code: "FLY_CHAIN_INVALID" }),
    );
  });

  it.each([
    ["too few held positions", new Float64Array(1)],
    ["a held position that is NaN", new Float64Array(20).fill(Number.NaN)],
  ])("refuses %s", (_, held) => {
    const model = randomModel(new Random(34), { links: 12, coupled: 0 });
    const positions = held.length === 1 ? held : held.slice(0, model.dofCount);
    expect(() => new KinematicChain(model, 0, 1, [0], positions)).toThrowError(
      expect.objectContaining({ code: "FLY_CHAIN_INVALID" }),
    );
  });

  it("has a clone that moves on its own", () => {
    const random = new Random(36);
    const model = randomModel(random, { links: 14, coupled: 0.3 });
    const { chain, q } = randomChain(random, model);
    chain.update(q);
    const before = chain.baseFromTip.slice();
    const clone = chain.clone();
    clone.update(q);
    expect(clone.baseFromTip).toEqual(before);
    clone.update(q.map((x) => x + 1));
    expect(chain.baseFromTip).toEqual(before);
  });

  it("allocates nothing", () => {
    const random = new Random(35);
    const model = randomModel(random, { links: 14, coupled: 0 });
    const dofs = [...Array(model.dofCount).keys()];
    const chain = new KinematicChain(model, 0, 13, dofs);
    const q = randomVector(random, 3, new Float64Array(dofs.length));
    const J = new Float64Array(6 * dofs.length);
    const work = (i: number): void => {
      q[0] = 1e-4 * i;
      chain.update(q);
      chain.jacobian(J);
    };
    expect(heapBytesPerCall(work)).toBeLessThan(boxedNumbers);
  });
});
