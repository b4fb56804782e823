import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import {
  centreOfMass,
  dofsBetween,
  forwardKinematics,
  forwardKinematicsTo,
  forwardVelocities,
  relativePose,
} from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { pointVelocity } from "../point-motion.js";
import { randomModel, randomPose, randomVector } from "../random-model.js";
import { differenceTwist, maxDifference, referencePose } from "./reference-kinematics.js";

const robots = deep(60, 1000);

describe("forward kinematics", () => {
  it("equals plain recursion over poses for random trees with couplings", () => {
    const random = new Random(1);
    for (let n = 0; n < robots; n++) {
      const model = randomModel(random, { links: 3 + random.integer(20), coupled: 0.3 });
      const state = new RobotState(model);
      randomVector(random, 4, state.q);
      forwardKinematics(state);
      for (let link = 0; link < model.linkCount; link++) {
        expect(maxDifference(state.worldFromLink[link]!, referencePose(model, state.q, link))).toBeLessThan(1e-12);
      }
    }
  });

  it("of one chain gives the same poses on the way to its link, and leaves the others", () => {
    const random = new Random(2);
    const model = randomModel(random, { links: 24, coupled: 0.3 });
    const state = new RobotState(model);
    for (let link = 0; link < model.linkCount; link++) {
      randomVector(random, 4, state.q);
      const before = Float64Array.from(state.linkPoses);
      forwardKinematicsTo(state, link);
      const onTheWay = new Set<number>();
      for (let i = link; i >= 0; i = model.parentLink[i]!) onTheWay.add(i);
      for (let i = 0; i < model.linkCount; i++) {
        const expected = onTheWay.has(i) ? referencePose(model, state.q, i) : before.subarray(12 * i, 12 * i + 12);
        expect(maxDifference(state.worldFromLink[i]!, expected)).toBeLessThan(1e-12);
      }
    }
  });

  it("starts from the root's pose, which is the caller's", () => {
    const random = new Random(3);
    const model = randomModel(random, { links: 10, coupled: 0 });
    const state = new RobotState(model);
    randomVector(random, 2, state.q);
    const worldFromRoot = randomPose(random, 2);
    pose.copy(worldFromRoot, state.worldFromLink[0]!);
    forwardKinematics(state);
    const expected = pose.compose(worldFromRoot, referencePose(model, state.q, 9), pose.create());
    expect(maxDifference(state.worldFromLink[9]!, expected)).toBeLessThan(1e-12);
  });

  it("gives the pose of any link seen from any other", () => {
    const random = new Random(4);
    const model = randomModel(random, { links: 16, coupled: 0.3 });
    const state = new RobotState(model);
    randomVector(random, 3, state.q);
    forwardKinematics(state);
    const out = pose.create();
    for (let from = 0; from < 16; from++) {
      for (let to = 0; to < 16; to++) {
        const inverse = pose.invert(referencePose(model, state.q, from), pose.create());
        const expected = pose.compose(inverse, referencePose(model, state.q, to), pose.create());
        expect(maxDifference(relativePose(state, from, to, out), expected)).toBeLessThan(1e-12);
      }
    }
  });
});

describe("link velocities and accelerations", () => {
  it("equal finite differences of poses and of velocities", () => {
    const random = new Random(5);
    const h = 1e-6;
    for (let n = 0; n < robots; n++) {
      const model = randomModel(random, { links: 12, coupled: 0.3 });
      const state = new RobotState(model);
      const q = randomVector(random, 3, new Float64Array(model.dofCount));
      randomVector(random, 1, state.qd);
      const at = (t: number): void => {
        for (let i = 0; i < q.length; i++) state.q[i] = q[i]! + t * state.qd[i]!;
        forwardKinematics(state);
        forwardVelocities(state);
      };
      const link = model.linkCount - 1;
      const point = vec3.create(0.1, -0.2, 0.3);
      const [before, after] = [-h, h].map((t) => {
        at(t);
        return {
          pose: pose.copy(state.worldFromLink[link]!, pose.create()),
          velocity: state.linkVelocity.slice(6 * link, 6 * link + 6),
        };
      }) as [{ pose: pose.Pose; velocity: Float64Array }, { pose: pose.Pose; velocity: Float64Array }];
      at(0);
      const twist = differenceTwist(before.pose, after.pose, point, 2 * h);
      const velocity = pointVelocity(state, link, point, new Float64Array(6));
      const scale = 1 + Math.hypot(...velocity);
      expect(maxDifference(velocity, twist) / scale).toBeLessThan(1e-7);
      const acceleration = after.velocity.map((v, i) => (v - before.velocity[i]!) / (2 * h));
      const bias = state.linkBiasAcceleration.subarray(6 * link, 6 * link + 6);
      expect(maxDifference(bias, acceleration) / (1 + Math.hypot(...bias))).toBeLessThan(1e-6);
    }
  });
});

describe("centre of mass", () => {
  it("is the mean of the links' centres weighted by mass, for the robot and for any subtree", () => {
    const random = new Random(6);
    const model = randomModel(random, { links: 20, coupled: 0.2 });
    const state = new RobotState(model);
    randomVector(random, 3, state.q);
    forwardKinematics(state);
    for (let root = 0; root < model.linkCount; root++) {
      const sum = vec3.create();
      let mass = 0;
      for (let i = 0; i < model.linkCount; i++) {
        let ancestor = i;
        while (ancestor > root) ancestor = model.parentLink[ancestor]!;
        if (ancestor !== root) continue;
        const centre = model.centreOfMass.subarray(3 * i, 3 * i + 3) as vec3.Vec3;
        const world = pose.transformPoint(referencePose(model, state.q, i), centre, vec3.create());
        vec3.addScaled(sum, world, model.mass[i]!, sum);
        mass += model.mass[i]!;
      }
      const origin = state.linkPoses.subarray(12 * root + 9, 12 * root + 12);
      const expected = mass > 0 ? vec3.scale(sum, 1 / mass, vec3.create()) : origin;
      expect(maxDifference(centreOfMass(state, root, vec3.create()), expected)).toBeLessThan(1e-12);
    }
  });
});

it("kinematics allocates nothing", () => {
  const model = randomModel(new Random(7), { links: 20, coupled: 0.2 });
  const state = new RobotState(model);
  const out = pose.create();
  const centre = vec3.create();
  const work = (i: number): void => {
    state.q[0] = 1e-4 * i;
    forwardKinematics(state);
    forwardVelocities(state);
    forwardKinematicsTo(state, 19);
    relativePose(state, 3, 19, out);
    centreOfMass(state, 0, centre);
  };
  expect(heapBytesPerCall(work)).toBeLessThan(boxedNumbers);
});

describe("dofs between two links", () => {
  const { model } = loadRobot("agile-justin");
  const namesBetween = (a: string, b: string) =>
    dofsBetween(model, model.linkNames.indexOf(a), model.linkNames.indexOf(b)).map((dof) => model.dofNames[dof]);

  it("are those of the joints on the way, whichever link comes first", () => {
    const [chest, head] = ["chest", "head"];
    expect(namesBetween(chest, head)).toHaveLength(2);
    expect(namesBetween(head, chest)).toEqual(namesBetween(chest, head));
    expect(namesBetween(head, head)).toEqual([]);
  });

  it("include one that moves both links but one of them through a coupling", () => {
    // The coupled joint below the chest turns by −(q2 + q3), so q2 moves the chest against the link that q2 itself moves.
    const below = model.linkNames[model.parentLink[model.linkNames.indexOf("chest")]!]!;
    expect(namesBetween(below, "chest")).toHaveLength(2);
  });
});
