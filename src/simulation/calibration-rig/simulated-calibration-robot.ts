import type { HeadSweep } from "../../calibration/configurations/head-sweep.js";
import { Side } from "../../calibration/measurements/marker-model.js";
import { type CalibrationRig, findCalibrationRig } from "../../calibration/parameters/calibration-rig.js";
import type { CalibrationRobot, SweepRequest } from "../../calibration/procedure/calibration-robot.js";
import type { SensorSink } from "../../calibration/recording/recording-builder.js";
import { CameraModel } from "../../camera/camera-model.js";
import { STANDARD_GRAVITY } from "../../flight/ball.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { biasForces } from "../../robot/dynamics/inverse-dynamics.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import { RobotState } from "../../robot/state.js";
import { HeadImu } from "./head-imu.js";
import { MarkerEyes, type SightOptions } from "./marker-eyes.js";

/** What a simulated robot's sensors add to the truth. */
export interface RigNoise {
  /** Of a detected marker [px]; without meaning for rendered images. */
  readonly pixel: number;
  /** Share of detections that are false: anywhere on the image. */
  readonly falseDetections: number;
  /** Factors of what the robot's sidecar states. */
  readonly imu: number;
  readonly encoders: number;
  readonly jitter: number;
  readonly vibration: number;
  readonly droppedFrames: number;
  /** Walk of the IMU's biases. */
  readonly biasWalk: number;
}

export const usualNoise: RigNoise = {
  pixel: 0.3,
  falseDetections: 0,
  imu: 1,
  encoders: 1,
  jitter: 1,
  vibration: 1,
  droppedFrames: 1,
  biasWalk: 0,
};

/** Joint states a second: the controller's rate. */
const JOINT_RATE = 1000;
/** From the end of a motion to the start of a sweep [s]. */
const PAUSE = 0.5;

/**
 * A simulated robot that is not as its drawings say, behind the interface a real one would have. The caller of that interface
 * learns nothing of the truth; tests and benchmarks ask `truth`.
 */
export class SimulatedCalibrationRobot implements CalibrationRobot {
  readonly posture: Float64Array;
  /** How the robot really is. */
  readonly truth: Robot;
  readonly #rig: CalibrationRig;
  readonly #body: SaggingRobot;
  readonly #imu: HeadImu;
  readonly #eyes: MarkerEyes;
  readonly #noise: RigNoise;
  readonly #random: Random;
  readonly #cameras: readonly [CameraModel, CameraModel];
  /** The robot's clock [s], and when an arm stopped last. */
  #time = 0;
  #stopped = 0;

  /** @param robot as believed, loaded without a calibration */
  constructor(
    robot: Robot,
    truth: Overlay,
    seed: number | string,
    noise: RigNoise = usualNoise,
    sight: SightOptions = { kind: "markers" },
  ) {
    this.truth = loadRobot(robot.name, { calibration: "none", truth });
    this.#rig = findCalibrationRig(this.truth);
    this.posture = (robot.postures.get("ready") ?? new Float64Array(robot.model.dofCount)).slice();
    this.#noise = noise;
    this.#random = new Random(seed).fork("calibration rig");
    this.#body = new SaggingRobot(this.truth);
    this.#body.stand(this.posture);
    this.#imu = new HeadImu(this.#rig, this.#random.fork("imu"), noise);
    this.#cameras = [new CameraModel(this.#rig.cameras[0]), new CameraModel(this.#rig.cameras[1])];
    this.#eyes = new MarkerEyes(this.#rig, this.#cameras, this.#random.fork("eyes"), noise, sight);
  }

  async move(dofs: readonly number[], ramps: JointRamps): Promise<void> {
    for (const [i, dof] of dofs.entries()) this.posture[dof] = ramps.end[i]!;
    this.#body.stand(this.posture);
    this.#time += ramps.duration;
    this.#stopped = this.#time;
    this.#time += PAUSE;
  }

  async sweep({ arm, sweep, dofs }: SweepRequest, sink: SensorSink): Promise<void> {
    this.#eyes.arm = this.#rig.arms.findIndex(({ group }) => group.name === arm);
    const begin = this.#time;
    const end = begin + sweep.duration;
    this.#reportJoints(sweep, begin, end, dofs, sink);
    this.#reportImu(sweep, begin, end, sink);
    for (const side of [Side.left, Side.right]) await this.#reportImages(side, sweep, begin, end, sink);
    this.#time = end;
    const [q, qd, qdd] = this.#scratch();
    sweep.evaluate(sweep.duration, q, qd, qdd);
    for (const [i, dof] of this.#rig.neck.dofs.entries()) this.posture[dof] = q[i]!;
  }

  #reportJoints(sweep: HeadSweep, begin: number, end: number, dofs: readonly number[], sink: SensorSink): void {
    const random = this.#random.fork(`joints at ${begin}`);
    const { encoders } = this.truth;
    const amount = this.#noise.encoders;
    const neck = this.#rig.neck.dofs;
    const [q, qd, qdd] = this.#scratch();
    const positions = new Float64Array(dofs.length);
    const torques = new Float64Array(dofs.length);
    for (let k = Math.ceil(begin * JOINT_RATE); k < end * JOINT_RATE; k++) {
      sweep.evaluate(k / JOINT_RATE - begin, q, qd, qdd);
      for (const [i, dof] of dofs.entries()) {
        const own = neck.indexOf(dof);
        const place = own < 0 ? this.posture[dof]! : q[own]!;
        positions[i] = place + amount * encoders.positionNoise * random.normal();
        torques[i] = this.#body.torques[dof]! + amount * encoders.effortNoise * random.normal();
      }
      sink.joints(k, k / JOINT_RATE + encoders.latency, positions, torques);
    }
  }

  #reportImu(sweep: HeadSweep, begin: number, end: number, sink: SensorSink): void {
    const { rateHz, latency } = this.#rig.imu;
    const random = this.#random.fork(`IMU stamps at ${begin}`);
    const jitter = this.#noise.jitter * (this.truth.sidecar.simulation?.noise?.imuLatencyJitter ?? 0);
    const [q, qd, qdd] = this.#scratch();
    const values = new Float64Array(6);
    for (let k = Math.ceil(begin * rateHz); k < end * rateHz; k++) {
      sweep.evaluate(k / rateHz - begin, q, qd, qdd);
      this.#body.move(this.#rig.neck.dofs, q, qd);
      this.#imu.read(this.#body.state, qdd, k / rateHz - this.#stopped, values);
      sink.imu(k, k / rateHz + latency + jitter * random.normal(), values);
    }
  }

  async #reportImages(side: Side, sweep: HeadSweep, begin: number, end: number, sink: SensorSink): Promise<void> {
    const { rateHz, latency, rowTime } = this.#rig.cameras[side];
    const random = this.#random.fork(`images ${side} at ${begin}`);
    const { imageLatencyJitter = 0, droppedFrames = 0 } = this.truth.sidecar.simulation?.noise ?? {};
    const [q, qd, qdd] = this.#scratch();
    for (let k = Math.ceil(begin * rateHz); k < end * rateHz; k++) {
      const jitter = this.#noise.jitter * imageLatencyJitter * random.normal();
      const isLost = random.uniform() < this.#noise.droppedFrames * droppedFrames;
      if (isLost) continue;
      let delay = 0;
      for (let step = 0; step < (rowTime === 0 ? 1 : SHUTTER_STEPS); step++) {
        sweep.evaluate(k / rateHz - begin + delay, q, qd, qdd);
        this.#body.move(this.#rig.neck.dofs, q, qd);
        if (rowTime > 0) delay = this.#eyes.rowDelay(side, this.#body.state);
      }
      this.#eyes.see(side, this.#body.state, k, k / rateHz + latency + jitter, sink);
      if (this.#eyes.isSlow) await new Promise(setImmediate);
    }
  }

  #scratch(): [Float64Array, Float64Array, Float64Array] {
    const n = this.#rig.neck.dofs.length;
    return [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  }
}

/** Steps to the moment at which a rolling shutter exposes the marker's row: each is some hundred times smaller. */
const SHUTTER_STEPS = 4;

/** Sagging changes the load by less than a hundredth of it: this many rounds reach the last digit. */
const ROUNDS = 10;

/** A standing robot whose joints bend under what they carry. */
export class SaggingRobot {
  readonly state: RobotState;
  /** Torques that hold it [N·m or N]. [dofCount] */
  readonly torques: Float64Array;
  readonly #compliance: Float64Array;
  readonly #gravity: vec3.Vec3;
  /** By how much each dof has given way. [dofCount] */
  readonly #sag: Float64Array;

  constructor({ model, jointCompliance, gravityDirection }: Robot) {
    this.state = new RobotState(model);
    this.torques = new Float64Array(model.dofCount);
    this.#compliance = Float64Array.from(model.dofJoint, (joint) => jointCompliance[joint]!);
    this.#gravity = vec3.scale(gravityDirection, STANDARD_GRAVITY, vec3.create());
    this.#sag = new Float64Array(model.dofCount);
  }

  /** Places the robot at measured positions: the joints stand where they sag to. */
  stand(positions: Float64Array): void {
    const { state } = this;
    state.qd.fill(0);
    this.#sag.fill(0);
    for (let round = 0; round < ROUNDS; round++) {
      this.#place(positions);
      biasForces(state, this.#gravity, this.torques);
      for (let i = 0; i < this.#sag.length; i++) this.#sag[i] = -this.#compliance[i]! * this.torques[i]!;
    }
    this.#place(positions);
  }

  /** Moves some dofs, the others keeping their sag. */
  move(dofs: readonly number[], positions: Float64Array, speeds: Float64Array): void {
    for (const [i, dof] of dofs.entries()) {
      this.state.q[dof] = positions[i]! + this.#sag[dof]!;
      this.state.qd[dof] = speeds[i]!;
    }
    forwardKinematics(this.state);
  }

  #place(positions: Float64Array): void {
    const { state } = this;
    for (let i = 0; i < positions.length; i++) state.q[i] = positions[i]! + this.#sag[i]!;
    forwardKinematics(state);
  }
}
