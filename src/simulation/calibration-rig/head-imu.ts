import type { CalibrationRig } from "../../calibration/parameters/calibration-rig.js";
import { STANDARD_GRAVITY } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import type { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { jacobian, jacobianDotVelocity, WORLD } from "../../robot/kinematics/jacobian.js";
import { forwardVelocities } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import type { RigNoise } from "./simulated-calibration-robot.js";

const ORIGIN = vec3.create();

/** The IMU of a robot that moves its neck and shakes a little: truth from the whole robot's kinematics, plus noise. */
export class HeadImu {
  readonly #rig: CalibrationRig;
  readonly #random: Random;
  readonly #noise: RigNoise;
  readonly #vibration: ChestVibration;
  readonly #gravity: vec3.Vec3;
  readonly #jacobian: Float64Array;
  readonly #bias = new Float64Array(6);
  readonly #acceleration = new Float64Array(6);
  readonly #rate = vec3.create();
  readonly #force = vec3.create();

  constructor(rig: CalibrationRig, random: Random, noise: RigNoise) {
    this.#rig = rig;
    this.#random = random;
    this.#noise = noise;
    this.#vibration = new ChestVibration(rig.robot, noise.vibration);
    this.#gravity = vec3.scale(rig.robot.gravityDirection, STANDARD_GRAVITY, vec3.create());
    this.#jacobian = new Float64Array(6 * rig.robot.model.dofCount);
  }

  /**
   * One reading of a robot whose neck accelerates, `sinceStop` after an arm came to rest [s]: angular velocity, specific
   * force.
   */
  read(state: RobotState, neckAcceleration: Float64Array, sinceStop: number, out: Float64Array): void {
    const { imu } = this.#rig;
    this.#accelerate(state, neckAcceleration);
    const v = state.linkVelocity;
    const k = 6 * imu.link;
    const a = this.#acceleration;
    vec3.set(v[k + 3]!, v[k + 4]!, v[k + 5]!, this.#rate);
    vec3.set(a[0]! - this.#gravity[0], a[1]! - this.#gravity[1], a[2]! - this.#gravity[2], this.#force);
    this.#vibration.add(state, imu.link, sinceStop, this.#rate, this.#force);
    const worldFromImu = state.worldFromLink[imu.link]!;
    pose.rotateVectorInverse(worldFromImu, this.#rate, this.#rate);
    pose.rotateVectorInverse(worldFromImu, this.#force, this.#force);
    this.#addErrors(out);
  }

  /** Classical acceleration of the IMU's origin in world axes: J·q̈ + J̇·q̇. */
  #accelerate(state: RobotState, neckAcceleration: Float64Array): void {
    const { imu, neck, robot } = this.#rig;
    const n = robot.model.dofCount;
    forwardVelocities(state);
    jacobian(state, imu.link, ORIGIN, WORLD, this.#jacobian);
    jacobianDotVelocity(state, imu.link, ORIGIN, WORLD, this.#acceleration);
    for (let row = 0; row < 6; row++) {
      for (const [i, dof] of neck.dofs.entries()) {
        this.#acceleration[row] = this.#acceleration[row]! + this.#jacobian[row * n + dof]! * neckAcceleration[i]!;
      }
    }
  }

  #addErrors(out: Float64Array): void {
    const { imu } = this.#rig;
    const white = this.#noise.imu * Math.sqrt(imu.rateHz);
    const walk = this.#noise.biasWalk / Math.sqrt(imu.rateHz);
    for (let i = 0; i < 3; i++) {
      const gyroNoise = white * imu.gyroNoiseDensity * this.#random.normal();
      const accelerometerNoise = white * imu.accelerometerNoiseDensity * this.#random.normal();
      out[i] = imu.gyroScale[i]! * this.#rate[i]! + imu.gyroBias[i]! + this.#bias[i]! + gyroNoise;
      out[3 + i] =
        imu.accelerometerScale[i]! * this.#force[i]! +
        imu.accelerometerBias[i]! +
        this.#bias[3 + i]! +
        accelerometerNoise;
      if (walk === 0) continue;
      this.#bias[i] = this.#bias[i]! + walk * imu.gyroBiasWalk * this.#random.normal();
      this.#bias[3 + i] = this.#bias[3 + i]! + walk * imu.accelerometerBiasWalk * this.#random.normal();
    }
  }
}

interface Mode {
  readonly link: number;
  readonly motion: "rotation" | "translation";
  readonly axis: vec3.Vec3;
  /** [rad/s] */
  readonly frequency: number;
  /** Of the ringing [1/s]. */
  readonly decay: number;
  /** [rad or m] */
  readonly peak: number;
}

/** Fans and drives keep every mode moving, at this part of the peak a fast arm gives it. */
const RESTLESSNESS = 0.02;

/**
 * The elastic modes of the robot's sidecar, still ringing from the arm's last stop. Head and arms shake together, so the
 * cameras see nothing of it; the IMU does.
 */
class ChestVibration {
  readonly #modes: readonly Mode[];
  readonly #axis = vec3.create();
  readonly #lever = vec3.create();

  constructor({ model, sidecar }: Robot, amount: number) {
    this.#modes = (sidecar.simulation?.elasticity?.modes ?? []).map((mode) => ({
      link: model.linkNames.indexOf(mode.link),
      motion: mode.motion,
      axis: vec3.normalize(vec3.create(...mode.axis), vec3.create()),
      frequency: 2 * Math.PI * mode.frequencyHz,
      decay: 2 * Math.PI * mode.frequencyHz * mode.dampingRatio,
      peak: amount * mode.peak,
    }));
  }

  /** Adds what the modes do to the angular rate and the acceleration of a link's origin, in world axes. */
  add(state: RobotState, link: number, sinceStop: number, rate: vec3.Vec3, acceleration: vec3.Vec3): void {
    for (const { link: shaken, motion, axis, frequency, decay, peak } of this.#modes) {
      const amplitude = peak * (Math.exp(-decay * sinceStop) + RESTLESSNESS);
      const speed = amplitude * frequency * Math.cos(frequency * sinceStop);
      const surge = -amplitude * frequency * frequency * Math.sin(frequency * sinceStop);
      pose.rotateVector(state.worldFromLink[shaken]!, axis, this.#axis);
      if (motion === "translation") {
        vec3.addScaled(acceleration, this.#axis, surge, acceleration);
        continue;
      }
      for (let i = 0; i < 3; i++)
        this.#lever[i] = state.linkPoses[12 * link + 9 + i]! - state.linkPoses[12 * shaken + 9 + i]!;
      vec3.addScaled(rate, this.#axis, speed, rate);
      vec3.addScaled(acceleration, vec3.cross(this.#axis, this.#lever, this.#lever), surge, acceleration);
    }
  }
}
