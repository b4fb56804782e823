import type { Pose } from "../../../src/math/pose.js";
import * as pose from "../../../src/math/pose.js";
import type { Random } from "../../../src/math/random.js";
import type { Vec3 } from "../../../src/math/vec3.js";
import * as vec3 from "../../../src/math/vec3.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { JointKind, type RobotModel } from "../../../src/robot/robot.js";
import { unitVector } from "../../support/random-draws.js";
import { modelFrom, randomPose } from "../random-model.js";

/** The chain of a group of a shipped robot. */
export function groupChain(robot: string, groupName: string): KinematicChain {
  const { model } = loadRobot(robot);
  const group = model.groups.find(({ name }) => name === groupName);
  if (group === undefined) throw new Error(`${robot} has no group ${groupName}`);
  return new KinematicChain(model, group.baseLink, group.tipLink, group.dofs);
}

/**
 * An SRS arm with everything arbitrary that may be: lengths, direction of all axes at zero, frames of the links, the
 * elbow's offset, and the tool. With a flaw every axis is turned [rad] and shifted [m] by up to that.
 */
export function randomSrsChain(random: Random, range: number, flaw = 0): KinematicChain {
  const unit = (): Vec3 => unitVector(random, vec3.create());
  const across = (axis: Vec3): Vec3 => vec3.normalize(vec3.cross(axis, unit(), vec3.create()), vec3.create());
  const w2 = unit();
  const w6 = unit();
  const axes = [across(w2), w2, across(w2), unit(), across(w6), w6, across(w6)];
  const point = (): Vec3 => vec3.scale(unit(), random.uniformIn(0.3, 0.5), vec3.create());
  const shoulder = point();
  const elbow = vec3.add(shoulder, point(), vec3.create());
  const wrist = vec3.add(elbow, point(), vec3.create());
  const through = [shoulder, shoulder, shoulder, elbow, wrist, wrist, wrist];
  for (const axis of axes) {
    vec3.normalize(vec3.addScaled(axis, unit(), random.uniformIn(-flaw, flaw), axis), axis);
  }
  const shifted = through.map((at) => vec3.addScaled(at, unit(), random.uniformIn(-flaw, flaw), vec3.create()));
  return new KinematicChain(armFromAxes(random, axes, shifted, range), 0, 8, [0, 1, 2, 3, 4, 5, 6]);
}

/** Links with arbitrary frames whose joint axes at zero are the lines given; link 8 is a tool. */
function armFromAxes(random: Random, axes: readonly Vec3[], through: readonly Vec3[], range: number): RobotModel {
  let parent: Pose = pose.create();
  const joints = axes.map((axis, i) => {
    const rootFromJoint = randomPose(random, 0);
    const at = vec3.addScaled(through[i]!, axis, random.uniformIn(-0.2, 0.2), vec3.create());
    pose.setTranslation(rootFromJoint, at, rootFromJoint);
    const local = pose.rotateVectorInverse(rootFromJoint, axis, vec3.create());
    const placement = pose.composeInverse(parent, rootFromJoint, pose.create());
    parent = rootFromJoint;
    const direction: [number, number, number] = [local[0], local[1], local[2]];
    return { parent: i, kind: JointKind.revolute, axis: direction, placement, lower: -range, upper: range };
  });
  const root = { parent: -1, kind: JointKind.fixed };
  return modelFrom([root, ...joints, { parent: 7, kind: JointKind.fixed, placement: randomPose(random, 0.2) }]);
}

/** Uniform within the chain's limits, or ±π where there are none. */
export function randomConfiguration(random: Random, chain: KinematicChain, out: Float64Array): Float64Array {
  for (let i = 0; i < chain.dofCount; i++) {
    out[i] = random.uniformIn(Math.max(chain.lower[i]!, -Math.PI), Math.min(chain.upper[i]!, Math.PI));
  }
  return out;
}
