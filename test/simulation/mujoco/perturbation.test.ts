import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { fullChallenges } from "../../../src/simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { TrueHead } from "../../../src/simulation/head-motion/true-head.js";
import { ElasticChest } from "../../../src/simulation/mujoco/elastic-chest.js";
import type { Perturbation } from "../../../src/simulation/mujoco/perturbation.js";
import { RobotWorld } from "../../../src/simulation/mujoco/robot-world.js";
import { fromQuatTranslation, fromRotationVector } from "../../support/rotations.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const { chest, head, catchLeft, catchRight } = robot.frames as Required<typeof robot.frames>;

/** Shakes the chest in all six directions. */
class Shaker implements Perturbation {
  readonly link = chest;
  #steps = 0;

  start(_: Float64Array, out: pose.Pose): void {
    this.poseAt(0, out);
  }

  step(_: unknown, out: pose.Pose): void {
    this.poseAt(++this.#steps * 1e-3, out);
  }

  poseAt(time: number, out: pose.Pose): pose.Pose {
    const swing = (amplitude: number, hz: number) => amplitude * Math.sin(2 * Math.PI * hz * time);
    const turn = vec3.create(swing(0.01, 7), swing(0.02, 12), swing(0.005, 3));
    const shift = vec3.create(swing(0.003, 19), swing(0.006, 2), swing(0.002, 11));
    return fromQuatTranslation(fromRotationVector(turn), shift, out);
  }
}

describe("a perturbed chest", () => {
  it("takes hands, head and cameras along, to where it says, and encoders notice nothing", async () => {
    const shaker = new Shaker();
    const world = await RobotWorld.create(robot, { perturbations: [shaker] });
    const command = world.holdCommand();
    const nominal = new RobotState(robot.model);
    const [found, expected, displaced] = [pose.create(), pose.create(), pose.create()];
    for (let k = 1; k <= 300; k++) {
      world.step(command);
      // The joints as they are, servo errors and all.
      nominal.q.set(world.q);
      forwardKinematics(nominal);
      shaker.poseAt(k * 1e-3, displaced);
      for (const link of [chest, head, catchLeft, catchRight, robot.cameras[0]!.link]) {
        const chestFromLink = pose.create();
        pose.composeInverse(nominal.worldFromLink[chest]!, nominal.worldFromLink[link]!, chestFromLink);
        pose.compose(nominal.worldFromLink[chest]!, displaced, expected);
        pose.compose(expected, chestFromLink, expected);
        world.worldFromLink(link, found);
        const off = vec3.distance(
          pose.getTranslation(found, vec3.create()),
          pose.getTranslation(expected, vec3.create()),
        );
        // The chest hangs on its coupling by a stiff spring, which is not in our kinematics.
        expect(off).toBeLessThan(5e-4);
      }
    }
    for (let i = 0; i < world.q.length; i++) expect(Math.abs(world.q[i]! - ready[i]!)).toBeLessThan(1e-3);
    world.close();
  });

  it("is where the elastic body says it is: the head of the world is the head of the IMU", async () => {
    const trueHead = new TrueHead(robot, { challenges: fullChallenges, seed: 1 });
    const world = await RobotWorld.create(robot, { perturbations: [new ElasticChest(trueHead)] });
    const stiff = await RobotWorld.create(robot);
    const command = world.holdCommand();
    const random = new Random("elastic");
    const arm = robot.model.groups.find(({ name }) => name === "rightArm")!;
    const target = arm.dofs.map((dof) => ready[dof]! + random.uniformIn(-0.4, 0.4));
    const motion = createRigidMotion();
    const [found, rigid] = [pose.create(), pose.create()];
    let [worst, moved] = [0, 0];
    for (let k = 1; k <= 500; k++) {
      for (const [i, dof] of arm.dofs.entries()) command.q[dof] = target[i]!;
      world.step(command);
      stiff.step(command);
      trueHead.headAt(trueHead.time, motion);
      world.worldFromLink(head, found);
      stiff.worldFromLink(head, rigid);
      const at = pose.getTranslation(found, vec3.create());
      worst = Math.max(worst, vec3.distance(at, pose.getTranslation(motion.worldFromBody, vec3.create())));
      moved = Math.max(moved, vec3.distance(at, pose.getTranslation(rigid, vec3.create())));
    }
    expect(worst).toBeLessThan(5e-4);
    expect(moved).toBeGreaterThan(3e-3);
    world.close();
    stiff.close();
  });
});
