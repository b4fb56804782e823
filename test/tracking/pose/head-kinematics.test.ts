import { expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { HeadKinematics } from "../../../src/tracking/pose/head-kinematics.js";
import { robot } from "./shaken-run.js";

const { model, frames } = robot;

it("finds the head as forward kinematics does, coupled joints included", () => {
  const random = new Random("kinematics");
  const kinematics = new HeadKinematics(robot);
  const state = new RobotState(model);
  for (let k = 0; k < 50; k++) {
    for (let dof = 0; dof < model.dofCount; dof++) state.q[dof] = random.uniformIn(-1, 1);
    forwardKinematics(state);
    kinematics.update(k, state.q, state.qd);
    const expected = state.worldFromLink[frames.head!]!;
    const worst = Math.max(...kinematics.worldFromHead.map((x, i) => Math.abs(x - expected[i]!)));
    expect(worst).toBeLessThan(1e-12);
  }
});

it("is active while arms, torso or platform move fast, and for as long as they leave the structure ringing", () => {
  const q = new Float64Array(model.dofCount);
  const moving = (name: string): Float64Array => {
    const qd = new Float64Array(model.dofCount);
    const dof = model.dofNames.indexOf(name);
    qd[dof] = 0.5 * model.maxVelocity[dof]!;
    return qd;
  };
  for (const name of ["leftArm1", "rightArm4", "torso2", "baseY"]) {
    const kinematics = new HeadKinematics(robot);
    kinematics.update(0, q, q);
    expect(kinematics.activity).toBe(0);
    kinematics.update(0.001, q, moving(name));
    expect(kinematics.activity).toBe(1);
    kinematics.update(0.451, q, q);
    expect(kinematics.activity).toBeCloseTo(Math.exp(-1), 12);
    kinematics.update(5, q, q);
    expect(kinematics.activity).toBeLessThan(1e-4);
  }
  const neck = new HeadKinematics(robot);
  neck.update(0, q, moving("neckPan"));
  expect(neck.activity).toBe(0);
});
