import { expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics, forwardVelocities } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { fastReaction, StructureReaction } from "../../../src/simulation/head-motion/reaction.js";
import { pointVelocity } from "../../robot/point-motion.js";
import { unitVector } from "../../support/random-draws.js";

const robot = loadRobot("agile-justin");
const { model } = robot;
const chest = robot.frames.chest!;
const arms = model.groups.filter(({ kind }) => kind === "srs-arm");

/** Linear momentum and angular momentum about the chest's origin of all links, from masses and velocities alone. */
function momentum(q: Float64Array, qd: Float64Array): { linear: vec3.Vec3; angular: vec3.Vec3 } {
  const state = new RobotState(model);
  state.q.set(q);
  state.qd.set(qd);
  forwardKinematics(state);
  forwardVelocities(state);
  const [linear, angular] = [vec3.create(), vec3.create()];
  const origin = pose.getTranslation(state.worldFromLink[chest]!, vec3.create());
  for (let link = 0; link < model.linkCount; link++) {
    const centre = vec3.copy(vec3.view(model.centreOfMass, 3 * link), vec3.create());
    const twist = pointVelocity(state, link, centre, new Float64Array(6));
    const velocity = vec3.create(twist[0], twist[1], twist[2]);
    const worldFromLink = state.worldFromLink[link]!;
    const spin = pose.rotateVectorInverse(worldFromLink, vec3.create(twist[3], twist[4], twist[5]), vec3.create());
    const inertia = model.inertia.subarray(9 * link, 9 * link + 9);
    const own = vec3.create(...[0, 1, 2].map((r) => vec3.dot(vec3.view(inertia, 3 * r), spin)));
    const lever = vec3.subtract(pose.transformPoint(worldFromLink, centre, vec3.create()), origin, vec3.create());
    vec3.addScaled(linear, velocity, model.mass[link]!, linear);
    vec3.addScaled(angular, vec3.cross(lever, velocity, lever), model.mass[link]!, angular);
    vec3.add(angular, pose.rotateVector(worldFromLink, own, own), angular);
  }
  return { linear, angular };
}

it("is the change of the arms' momentum, reversed", () => {
  const random = new Random("reaction");
  const state = new RobotState(model);
  for (let run = 0; run < 10; run++) {
    const q = robot.postures.get("ready")!.slice();
    const [qd, qdd] = [new Float64Array(model.dofCount), new Float64Array(model.dofCount)];
    for (const dof of arms.flatMap(({ dofs }) => dofs)) {
      q[dof] = q[dof]! + random.uniformIn(-0.5, 0.5);
      qd[dof] = random.uniformIn(-2, 2);
      qdd[dof] = random.uniformIn(-15, 15);
    }
    const h = 1e-5;
    const at = (t: number) =>
      momentum(
        q.map((x, i) => x + qd[i]! * t + 0.5 * qdd[i]! * t * t),
        qd.map((w, i) => w + qdd[i]! * t),
      );
    const [before, after] = [at(-h), at(h)];
    const axis = unitVector(random, vec3.create());
    state.q.set(q);
    forwardKinematics(state);
    const inWorld = pose.rotateVector(state.worldFromLink[chest]!, axis, vec3.create());
    for (const motion of ["rotation", "translation"] as const) {
      const part = motion === "rotation" ? "angular" : "linear";
      const change = vec3.subtract(after[part], before[part], vec3.create());
      const expected = -vec3.dot(change, inWorld) / (2 * h);
      const reaction = new StructureReaction(state, { link: chest, motion, axis }, arms);
      expect(reaction.evaluate(state, qd, qdd)).toBeCloseTo(expected, 3);
    }
  }
});

it("counts the groups asked for alone", () => {
  const state = new RobotState(model);
  const ready = robot.postures.get("ready")!;
  const place = { link: chest, motion: "rotation", axis: vec3.create(0, 0, 1) } as const;
  const motion = new Float64Array(model.dofCount).fill(1);
  state.q.set(ready);
  forwardKinematics(state);
  const [left, right, both] = [[arms[0]!], [arms[1]!], arms].map((groups) =>
    new StructureReaction(state, place, groups).evaluate(state, new Float64Array(model.dofCount), motion),
  ) as [number, number, number];
  expect(left + right).toBeCloseTo(both, 9);
  expect(left).toBeCloseTo(-right, 9);
  expect(fastReaction(state, place, arms, ready)).toBeGreaterThan(Math.abs(left));
});
