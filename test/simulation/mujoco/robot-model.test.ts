import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBall, gravity } from "../../../src/flight/ball.js";
import * as matrix from "../../../src/math/matrix.js";
import { Random } from "../../../src/math/random.js";
import { inverseDynamics } from "../../../src/robot/dynamics/inverse-dynamics.js";
import { massMatrix } from "../../../src/robot/dynamics/mass-matrix.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { JointKind, type RobotModel } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { JointCoordinates } from "../../../src/simulation/mujoco/joint-coordinates.js";
import { mujocoModule } from "../../../src/simulation/mujoco/mujoco-module.js";
import { bodyName, contactOf } from "../../../src/simulation/mujoco/robot-mjcf.js";
import { type ServoGains, servoGains } from "../../../src/simulation/mujoco/servo-gains.js";
import { WorldMemory } from "../../../src/simulation/mujoco/world-memory.js";
import { worldMjcf } from "../../../src/simulation/mujoco/world-mjcf.js";
import { multiplyTransposeLeft } from "../../support/matrices.js";

/** Positions that every joint may have. */
function randomPosture(model: RobotModel, random: Random): Float64Array {
  return Float64Array.from({ length: model.dofCount }, (_, i) =>
    random.uniformIn(Math.max(model.lower[i]!, -2), Math.min(model.upper[i]!, 2)),
  );
}

/** MuJoCo's velocities are G·q̇, row by row in its own order. */
function velocityMap(model: RobotModel, memory: WorldMemory): Float64Array {
  const G = new Float64Array(memory.model.nv * model.dofCount);
  for (let link = 1; link < model.linkCount; link++) {
    if (model.jointKind[link] === JointKind.fixed) continue;
    const row = memory.velocityOf(model.jointNames[link]!) * model.dofCount;
    for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
      G[row + model.termDof[k]!] = model.termFactor[k]!;
    }
  }
  return G;
}

describe.each(["agile-justin", "lwr-arm", "iiwa-14", "panda", "ur10e-net", "gen3-gripper"])("%s in MuJoCo", (name) => {
  const robot = loadRobot(name);
  const { model } = robot;
  const state = new RobotState(model);
  const random = new Random(`robot model ${name}`);
  let memory: WorldMemory;
  let gains: ServoGains;
  let joints: JointCoordinates;

  beforeAll(async () => {
    gains = servoGains(robot, robot.postures.get("ready")!);
    const parts = { robot, gains, ball: defaultBall, ballCount: 2, contact: contactOf(robot), displaced: [] };
    memory = new WorldMemory(await mujocoModule(), worldMjcf({ ...parts, timestep: 1e-3 }));
    joints = new JointCoordinates(memory, model);
  });

  afterAll(() => memory.delete());

  function place(): void {
    state.q.set(randomPosture(model, random));
    state.qd.fill(0);
    forwardKinematics(state);
    joints.place(state.q);
    memory.module.mj_forward(memory.model, memory.data);
  }

  it("has every link where our kinematics has it", () => {
    let worst = 0;
    for (let k = 0; k < 50; k++) {
      place();
      for (let link = 0; link < model.linkCount; link++) {
        const body = memory.body(bodyName(model.linkNames[link]!));
        const expected = state.worldFromLink[link]!;
        for (let i = 0; i < 9; i++) worst = Math.max(worst, Math.abs(memory.xmat[9 * body + i]! - expected[i]!));
        for (let i = 0; i < 3; i++) worst = Math.max(worst, Math.abs(memory.xpos[3 * body + i]! - expected[9 + i]!));
      }
      const q = joints.readPositions(new Float64Array(model.dofCount));
      expect(Math.max(...q.map((value, i) => Math.abs(value - state.q[i]!)))).toBeLessThan(1e-12);
    }
    expect(worst).toBeLessThan(1e-9);
  });

  it("has our mass matrix, and the rotors' inertia on its diagonal", () => {
    const [n, nv] = [model.dofCount, memory.model.nv];
    const G = velocityMap(model, memory);
    let worst = 0;
    const full = new memory.module.DoubleBuffer(nv * nv);
    for (let k = 0; k < 10; k++) {
      place();
      memory.module.mj_fullM(memory.model, memory.data, full);
      const MG = matrix.multiply(Float64Array.from(full.GetView()), G, nv, nv, n, new Float64Array(nv * n));
      const found = multiplyTransposeLeft(G, MG, nv, n, n);
      const expected = massMatrix(state, new Float64Array(n * n));
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const scale = Math.sqrt(expected[n * i + i]! * expected[n * j + j]!);
          const rotor = i === j ? gains.armature[i]! : 0;
          worst = Math.max(worst, Math.abs(found[n * i + j]! - rotor - expected[n * i + j]!) / scale);
        }
      }
    }
    full.delete();
    expect(worst).toBeLessThan(1e-6);
  });

  it("weighs what our model weighs", () => {
    const n = model.dofCount;
    const still = new Float64Array(n);
    for (let k = 0; k < 20; k++) {
      place();
      const found = joints.toDofs(memory.qfrcBias, new Float64Array(n));
      const expected = inverseDynamics(state, still, gravity(), new Float64Array(n));
      for (let i = 0; i < n; i++) expect(Math.abs(found[i]! - expected[i]!)).toBeLessThan(1e-6);
    }
  });
});
