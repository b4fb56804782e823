import { describe, expect, it } from "vitest";
import { ArmGeometry } from "../../../src/calibration/measurements/arm-geometry.js";
import { ImuModel } from "../../../src/calibration/measurements/imu-model.js";
import { MarkerModel, Side } from "../../../src/calibration/measurements/marker-model.js";
import { createNeckMotion, type NeckMotion } from "../../../src/calibration/measurements/spatial-motion.js";
import type { ParameterBlock } from "../../../src/calibration/parameters/parameter-block.js";
import { createParameters } from "../../../src/calibration/parameters/robot-parameters.js";
import { Random } from "../../../src/math/random.js";
import { deep } from "../../support/deep.js";
import { allocationFree, heapBytesPerCall } from "../../support/heap.js";
import { rig, robot } from "../recordings.js";

const posture = robot.postures.get("ready")!;
const everything = { free: ["offsets", "compliances", "rowTimes"] };
const cases = deep(8, 1000);

/** Parameters moved at random by about their usual spread. */
function randomParameters(random: Random) {
  const parameters = createParameters(rig, everything);
  for (const block of parameters.set.blocks) {
    block.retract(Float64Array.from(block.components, ({ spread }) => random.normalIn(0, spread)));
  }
  for (const { compliances } of parameters.arms)
    for (let i = 0; i < 7; i++) compliances.value[i] = random.uniformIn(0, 3e-4);
  return parameters;
}

/** An arm posture and neck motion in which the marker is in view: about the ready posture. */
function randomPosture(random: Random) {
  const arm = rig.arms[0]!;
  const positions = Float64Array.from(arm.group.dofs, (dof) => posture[dof]! + random.uniformIn(-0.2, 0.2));
  return { positions, torques: positions.map(() => random.normalIn(0, 20)) };
}

function randomNeck(random: Random): NeckMotion {
  const neck = createNeckMotion(2);
  for (const list of [neck.q, neck.qd, neck.qdd, neck.qddd])
    for (let i = 0; i < 2; i++) list[i] = random.normalIn(0, 0.5);
  return neck;
}

/** d(predict)/d(component) by central differences along the block's own chart. */
function numericColumn(block: ParameterBlock, component: number, predict: () => Float64Array): Float64Array {
  const { spread } = block.components[component]!;
  const step = 1e-4 * spread;
  const delta = new Float64Array(block.components.length);
  const at = (amount: number) => {
    const kept = block.value.slice();
    delta[component] = amount;
    block.retract(delta);
    const result = predict().slice();
    block.value.set(kept);
    return result;
  };
  const above = at(step);
  const below = at(-step);
  return above.map((value, i) => (value - below[i]!) / (2 * step));
}

/** Every derivative against its number, in units that the parameter's spread makes. */
function expectJacobian(
  blocks: readonly ParameterBlock[],
  predict: () => Float64Array,
  jacobian: Float64Array,
  width: number,
  scale: number,
): void {
  let column = 0;
  for (const block of blocks) {
    for (const [i, { spread, name }] of block.components.entries()) {
      const numeric = numericColumn(block, i, predict);
      for (const [row, value] of numeric.entries()) {
        const error = Math.abs(value - jacobian[row * width + column]!) * spread;
        expect(error, `${name}, row ${row}`).toBeLessThan(scale);
      }
      column++;
    }
  }
}

describe("derivatives of the measurement models", () => {
  it.each(["model", "measured"] as const)(
    "of a sagging arm's marker are those of finite differences, loads %s",
    (source) => {
      const random = new Random(`arm ${source}`);
      for (let k = 0; k < cases; k++) {
        const parameters = randomParameters(random);
        const { offsets, compliances, marker } = parameters.arms[0]!;
        const arm = new ArmGeometry(rig, 0, parameters, posture, source);
        const stance = randomPosture(random);
        const predict = () => {
          arm.evaluate(stance);
          return arm.point;
        };
        predict();
        const jacobian = arm.jacobian.slice();
        expectJacobian([offsets, compliances, marker, parameters.gravity], predict, jacobian, arm.width, 1e-10);
      }
    },
  );

  it.each([Side.left, Side.right])("of a marker's pixel are those of finite differences, camera %i", (side) => {
    const random = new Random(`marker ${side}`);
    let seen = 0;
    for (let k = 0; k < 3 * cases; k++) {
      const parameters = randomParameters(random);
      const arm = new ArmGeometry(rig, 0, parameters, posture, "model");
      const model = new MarkerModel(rig, parameters, posture);
      const stance = randomPosture(random);
      const neck = randomNeck(random);
      const shifted = new Float64Array(2);
      const row = random.uniformIn(-300, 300);
      const predict = () => {
        arm.evaluate(stance);
        model.update();
        // The delay moves the neck back along its own motion.
        const rowsLate = row * (parameters.rowTimes[side].value[0]! - parameters.rowTimes[side].initial[0]!);
        const late = parameters.cameraDelay.value[0]! - parameters.cameraDelay.initial[0]! - rowsLate;
        for (let i = 0; i < 2; i++) shifted[i] = neck.q[i]! - late * neck.qd[i]!;
        model.predict(side, arm.point, shifted);
        return model.pixel;
      };
      parameters.cameraDelay.value.set(parameters.cameraDelay.initial);
      parameters.rowTimes[side].value.set(parameters.rowTimes[side].initial);
      predict();
      if (!model.predictWithJacobian(side, arm, neck.q, neck.qd, row) || Math.hypot(...model.pixel) > 3000) continue;
      seen++;
      const { leftMounting, stereo, neckOffsets, cameraDelay, gravity } = parameters;
      const { offsets, compliances, marker } = parameters.arms[0]!;
      const blocks = [
        parameters.intrinsics[side],
        leftMounting,
        stereo,
        neckOffsets,
        cameraDelay,
        parameters.rowTimes[side],
        offsets,
        compliances,
        marker,
        gravity,
      ];
      expectJacobian(blocks, predict, model.jacobian.slice(), model.width, 2e-4);
    }
    expect(seen).toBeGreaterThan(cases / 2);
  });

  it("of the IMU's readings are those of finite differences", () => {
    const random = new Random("imu");
    for (let k = 0; k < cases; k++) {
      const parameters = randomParameters(random);
      const model = new ImuModel(rig, parameters, posture);
      const neck = randomNeck(random);
      const shifted = createNeckMotion(2);
      const predict = () => {
        const late = parameters.imuDelay.value[0]! - parameters.imuDelay.initial[0]!;
        for (let i = 0; i < 2; i++) {
          shifted.q[i] = neck.q[i]! - late * neck.qd[i]!;
          shifted.qd[i] = neck.qd[i]! - late * neck.qdd[i]!;
          shifted.qdd[i] = neck.qdd[i]! - late * neck.qddd[i]!;
        }
        model.predict(shifted);
        return model.prediction;
      };
      parameters.imuDelay.value.set(parameters.imuDelay.initial);
      model.predictWithJacobian(neck);
      const { imuMounting, gyroBias, gyroScale, accelerometerBias, accelerometerScale } = parameters;
      const { gravity, imuDelay, neckOffsets } = parameters;
      const blocks = [
        imuMounting,
        gyroBias,
        gyroScale,
        accelerometerBias,
        accelerometerScale,
        gravity,
        imuDelay,
        neckOffsets,
      ];
      expectJacobian(blocks, predict, model.jacobian.slice(), model.width, 1e-7);
    }
  });

  it("are made without allocating", () => {
    const parameters = createParameters(rig, everything);
    const random = new Random("heap");
    const arm = new ArmGeometry(rig, 0, parameters, posture, "model");
    arm.evaluate(randomPosture(random));
    const marker = new MarkerModel(rig, parameters, posture);
    const imu = new ImuModel(rig, parameters, posture);
    const neck = randomNeck(random);
    const ofMarker = heapBytesPerCall(() => void marker.predictWithJacobian(Side.right, arm, neck.q, neck.qd), 5000);
    expect(ofMarker).toBeLessThan(allocationFree);
    expect(heapBytesPerCall(() => imu.predictWithJacobian(neck), 5000)).toBeLessThan(allocationFree);
  });
});
