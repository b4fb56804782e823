import { describe, expect, it } from "vitest";
import { ChainBodies, STANDING } from "../../src/collision/chain-bodies.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { KinematicChain } from "../../src/robot/kinematics/chain.js";
import { forwardKinematics, relativePose } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { JointKind, type Robot, type RobotModel } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { expectCode, smallArm } from "../robot/fixtures/small-arm.js";
import { type LinkSpec, modelFrom, randomModel } from "../robot/random-model.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { hullRobot } from "./hull-robot.js";
import { randomWithin } from "./random-configurations.js";

/** Greatest distance [m] between where the chain and the whole robot's kinematics put a point, over random states. */
function worstPlacing(robot: Robot, chain: KinematicChain, random: Random, states: number): number {
  const posture = randomWithin(robot.model.lower, robot.model.upper, random);
  const placed = new ChainBodies(robot, chain, posture);
  let worst = 0;
  for (let i = 0; i < states; i++) {
    if (i % 5 === 0) placed.setPosture(chain, randomWithin(robot.model.lower, robot.model.upper, random, posture));
    const q = randomWithin(chain.lower, chain.upper, random);
    chain.update(q);
    placed.place(chain);
    const state = new RobotState(robot.model);
    state.q.set(posture);
    for (const [k, dof] of chain.dofs.entries()) state.q[dof] = q[k]!;
    forwardKinematics(state);
    for (const [body, hull] of robot.hulls.entries()) {
      const baseFromLink = relativePose(state, chain.baseLink, hull.link, pose.create());
      for (let k = 0; k < hull.points.length; k += 3) {
        const expected = pose.transformPoint(baseFromLink, vec3.view(hull.points, k), vec3.create());
        worst = Math.max(worst, vec3.distance(expected, vec3.view(placed.bodies.points[body]!, k)));
      }
      const center = vec3.view(placed.bodies.localCenter, 3 * body);
      const expected = pose.transformPoint(baseFromLink, center, vec3.create());
      worst = Math.max(worst, vec3.distance(expected, vec3.view(placed.bodies.center, 3 * body)));
    }
  }
  return worst;
}

describe("the bodies a chain carries", () => {
  it.each(listRobots())("are where the whole kinematics of %s puts them", (name) => {
    const robot = loadRobot(name);
    for (const { baseLink, tipLink, dofs, hand } of robot.model.groups) {
      if (hand === undefined) continue;
      const chain = new KinematicChain(robot.model, baseLink, tipLink, dofs);
      expect(worstPlacing(robot, chain, new Random("placing"), 50)).toBeLessThan(1e-12);
    }
  });

  it("are right on chains with sliding joints and any axes", () => {
    const random = new Random("chains");
    for (let i = 0; i < 60; i++) {
      const model = serial(randomModel(random, { links: 9, coupled: 0 }));
      const robot = hullRobot(model, random);
      const chain = new KinematicChain(model, 0, model.linkCount - 1, [...model.dofJoint.keys()]);
      expect(worstPlacing(robot, chain, random, 5)).toBeLessThan(1e-11);
    }
  });

  it("are right behind a rail that is held, and follow the posture", () => {
    const robot = smallArm();
    const { dofs, tipLink } = robot.model.groups[1]!;
    const carriage = robot.model.groups[1]!.baseLink;
    const chain = new KinematicChain(robot.model, carriage, tipLink, dofs);
    expect(worstPlacing(robot, chain, new Random("rail"), 50)).toBeLessThan(1e-12);
  });

  it("sit behind the last joint before their link; those that do not move stand", () => {
    const robot = loadRobot("agile-justin");
    const { baseLink, tipLink, dofs } = robot.model.groups.find(({ name }) => name === "rightArm")!;
    const chain = new KinematicChain(robot.model, baseLink, tipLink, dofs);
    const { carrier } = new ChainBodies(robot, chain, robot.postures.get("ready")!);
    const moving = [...carrier.keys()].filter((body) => carrier[body] !== STANDING);
    expect(moving.map((body) => [robot.hulls[body]!.name, carrier[body]])).toEqual([
      ["rightArm2", 1],
      ["rightArm3", 2],
      ["rightArm4", 3],
      ["rightArm5", 4],
      ["rightArm6", 5],
      ["rightArm7", 6],
      ["rightHand", 6],
    ]);
  });

  it("are refused where the chain does not show how they move", () => {
    const offset = pose.fromRpyTranslation(0, 0.4, 0, 0.3, 0, 0.2, pose.create());
    const specs: LinkSpec[] = [
      { parent: -1, kind: JointKind.fixed },
      { parent: 0, kind: JointKind.revolute, placement: offset },
      { parent: 1, kind: JointKind.revolute, axis: [0, 1, 0], placement: offset },
      { parent: 0, kind: JointKind.revolute, placement: offset, coupling: [{ link: 1, factor: 2 }] },
    ];
    const robot = hullRobot(modelFrom(specs), new Random("coupled"));
    const chain = new KinematicChain(robot.model, 0, 2, [0, 1]);
    const build = () => new ChainBodies(robot, chain, new Float64Array(2));
    expectCode(build, "FLY_CLEARANCE_UNSUPPORTED", "body3");
  });

  it("are placed without allocation", () => {
    const robot = loadRobot("agile-justin");
    const { baseLink, tipLink, dofs } = robot.model.groups.find(({ name }) => name === "leftArm")!;
    const chain = new KinematicChain(robot.model, baseLink, tipLink, dofs);
    const placed = new ChainBodies(robot, chain, robot.postures.get("ready")!);
    expect(heapBytesPerCall(() => placed.place(chain))).toBeLessThan(boxedNumbers);
  });
});

/** The same joints, one behind the other. */
function serial(model: RobotModel): RobotModel {
  return { ...model, parentLink: model.parentLink.map((_, i) => i - 1) };
}
