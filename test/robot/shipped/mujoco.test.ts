import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as matrix from "../../../src/math/matrix.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { inverseDynamics } from "../../../src/robot/dynamics/inverse-dynamics.js";
import { massMatrix } from "../../../src/robot/dynamics/mass-matrix.js";
import { jacobian, WORLD } from "../../../src/robot/kinematics/jacobian.js";
import { forwardKinematics, jointsFromDofs } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { robotsFolder } from "../../../src/robot/loading/robot-folders.js";
import { JointKind, type RobotModel } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { multiplyTransposeLeft } from "../../support/matrices.js";
import { MujocoRobot } from "../../support/mujoco.js";
import { maxDifference } from "../kinematics/reference-kinematics.js";

const states = deep(200, 1000);
const gravity = vec3.create(0.4, -0.3, -9.81);

describe.each(["agile-justin", "lwr-arm", "iiwa-14", "panda", "ur10e-net", "gen3-gripper"])("%s", (name) => {
  it("has the poses, Jacobians, mass matrix and inverse dynamics that MuJoCo computes", async () => {
    const { model } = loadRobot(name);
    const urdf = readFileSync(join(robotsFolder, name, `${name}.urdf`), "utf8");
    const reference = await MujocoRobot.load(urdf);
    try {
      reference.setGravity(gravity[0], gravity[1], gravity[2]);
      const random = new Random(`mujoco ${name}`);
      const comparison = new Comparison(model, reference);
      for (let k = 0; k < states; k++) comparison.check(random);
      expect(comparison.worstPose).toBeLessThan(1e-9);
      expect(comparison.worstJacobian).toBeLessThan(1e-8);
      expect(comparison.worstMassMatrix).toBeLessThan(1e-6);
      expect(comparison.worstTorque).toBeLessThan(1e-6);
    } finally {
      reference.delete();
    }
  });
});

/** The greatest differences found over the states checked: poses and Jacobians absolute, dynamics relative. */
class Comparison {
  worstPose = 0;
  worstJacobian = 0;
  worstMassMatrix = 0;
  worstTorque = 0;
  readonly #model: RobotModel;
  readonly #reference: MujocoRobot;
  readonly #state: RobotState;
  readonly #qdd: Float64Array;
  readonly #moving: readonly number[];
  /** MuJoCo's velocities are G·q̇, row by row in its own order of joints. [jointCount × dofCount] */
  readonly #G: Float64Array;

  constructor(model: RobotModel, reference: MujocoRobot) {
    this.#model = model;
    this.#reference = reference;
    this.#state = new RobotState(model);
    this.#qdd = new Float64Array(model.dofCount);
    this.#moving = [...model.jointKind.keys()].filter((i) => model.jointKind[i] !== JointKind.fixed);
    expect(reference.jointNames().sort()).toEqual(this.#moving.map((i) => model.jointNames[i]!).sort());
    this.#G = new Float64Array(reference.jointCount * model.dofCount);
    for (const link of this.#moving) {
      const row = reference.coordinate(model.jointNames[link]!) * model.dofCount;
      for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
        this.#G[row + model.termDof[k]!] = model.termFactor[k]!;
      }
    }
  }

  check(random: Random): void {
    this.#setState(random);
    this.#checkPoses();
    this.#checkJacobian(this.#model.linkCount - 1 - random.integer(this.#model.linkCount - 1));
    this.#checkDynamics();
  }

  #setState(random: Random): void {
    const [model, state, qdd] = [this.#model, this.#state, this.#qdd];
    for (let i = 0; i < model.dofCount; i++) {
      state.q[i] = random.uniformIn(Math.max(model.lower[i]!, -3), Math.min(model.upper[i]!, 3));
      state.qd[i] = random.uniformIn(-2, 2);
      qdd[i] = random.uniformIn(-10, 10);
    }
    forwardKinematics(state);
    const velocity = new Float64Array(model.linkCount);
    const acceleration = new Float64Array(model.linkCount);
    jointsFromDofs(model, state.qd, velocity);
    jointsFromDofs(model, qdd, acceleration);
    for (const link of this.#moving) {
      const name = model.jointNames[link]!;
      this.#reference.setJoint(name, state.jointPosition[link]!, velocity[link]!, acceleration[link]!);
    }
    this.#reference.compute();
  }

  #checkPoses(): void {
    for (let link = 0; link < this.#model.linkCount; link++) {
      const expected = this.#reference.worldFromLink(this.#model.linkNames[link]!);
      this.worstPose = Math.max(this.worstPose, maxDifference(this.#state.worldFromLink[link]!, expected));
    }
  }

  #checkJacobian(link: number): void {
    const n = this.#model.dofCount;
    const joints = this.#reference.jointCount;
    const full = this.#reference.jacobian(this.#model.linkNames[link]!);
    const expected = matrix.multiply(full, this.#G, 6, joints, n, new Float64Array(6 * n));
    const found = jacobian(this.#state, link, vec3.create(), WORLD, new Float64Array(6 * n));
    this.worstJacobian = Math.max(this.worstJacobian, maxDifference(found, expected));
  }

  #checkDynamics(): void {
    const n = this.#model.dofCount;
    const joints = this.#reference.jointCount;
    const MG = matrix.multiply(this.#reference.massMatrix(), this.#G, joints, joints, n, new Float64Array(joints * n));
    const mass = multiplyTransposeLeft(this.#G, MG, joints, n, n);
    const M = massMatrix(this.#state, new Float64Array(n * n));
    // Against √(Mii·Mjj), so that a finger's small inertia counts as much as the base's.
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const scale = Math.sqrt(mass[n * i + i]! * mass[n * j + j]!);
        this.worstMassMatrix = Math.max(this.worstMassMatrix, Math.abs(M[n * i + j]! - mass[n * i + j]!) / scale);
      }
    }
    const torque = this.#reference.inverseDynamics();
    const expected = multiplyTransposeLeft(this.#G, torque, joints, n, 1);
    const tau = inverseDynamics(this.#state, this.#qdd, gravity, new Float64Array(n));
    for (let i = 0; i < n; i++) {
      // An effort near zero is a difference of large ones: what it takes to accelerate the dof at 1 unit is the floor.
      const scale = Math.max(Math.abs(expected[i]!), mass[n * i + i]!);
      this.worstTorque = Math.max(this.worstTorque, Math.abs(tau[i]! - expected[i]!) / scale);
    }
  }
}
