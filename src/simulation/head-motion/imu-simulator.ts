import { STANDARD_GRAVITY } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot, RobotImu } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { Challenges } from "./challenges.js";
import { createRigidMotion } from "./elastic-chain.js";
import type { TrueHead } from "./true-head.js";

/** Whose motion an IMU feels: the simulated head, or what is known of it elsewhere. */
export type ImuCarrier = Pick<TrueHead, "time" | "imuAt">;

/** What the IMU says once. */
export interface ImuSample {
  /** Number of the sample. */
  index: number;
  /** When it was taken, and when the driver has it [s]. */
  time: number;
  arrival: number;
  /** In the sensor's frame [rad/s]. */
  readonly angularVelocity: vec3.Vec3;
  /** In the sensor's frame: upwards at rest [m/s²]. */
  readonly specificForce: vec3.Vec3;
}

export function createImuSample(): ImuSample {
  return { index: 0, time: 0, arrival: 0, angularVelocity: vec3.create(), specificForce: vec3.create() };
}

/**
 * Bias of a good MEMS sensor that was calibrated warm and switched on again, standard deviation of each axis: 0.05 °/s
 * and 2 mg.
 */
const TURN_ON_GYRO_BIAS = 0.0009;
const TURN_ON_ACCELEROMETER_BIAS = 0.02;

/** An IMU samples faster than it tells and averages: so many readings make one sample. */
const READINGS = 4;

/**
 * The IMU on the true head: angular rate and specific force at its own place, times its scale, plus bias, plus white
 * noise of its density. A sample is the mean over one period about its time, so that no jolt between samples is lost.
 * The biases start with a turn-on bias and walk. Samples are taken on an even raster and arrive late by the sensor's
 * delay and some jitter, so that two may swap places on the way. The same seed gives the same bits.
 */
export class ImuSimulator {
  readonly #head: ImuCarrier;
  readonly #imu: RobotImu;
  readonly #gravity: vec3.Vec3;
  readonly #challenges: Challenges;
  readonly #noise: Random;
  readonly #delay: Random;
  readonly #jitter: number;
  readonly #gyroBias = vec3.create();
  readonly #accelerometerBias = vec3.create();
  readonly #motion = createRigidMotion();
  readonly #vector = vec3.create();
  readonly #rate = vec3.create();
  readonly #force = vec3.create();
  readonly #start: number;
  #index = 0;

  /** @param start when the period of sample 0 begins [s] */
  constructor(robot: Robot, head: ImuCarrier, challenges: Challenges, seed: number | string, start: number) {
    this.#imu = requireImu(robot);
    this.#head = head;
    this.#challenges = challenges;
    this.#start = start;
    this.#gravity = vec3.scale(robot.gravityDirection, STANDARD_GRAVITY, vec3.create());
    const random = new Random(seed).fork("imu");
    this.#noise = random.fork("noise");
    this.#delay = random.fork("delay");
    this.#jitter = robot.sidecar.simulation?.noise?.imuLatencyJitter ?? 0;
    const turnOn = random.fork("turn-on");
    const { gyroBias, accelerometerBias } = this.#imu;
    for (let i = 0; i < 3; i++) {
      this.#gyroBias[i] = gyroBias[i]! + challenges.imuBias * TURN_ON_GYRO_BIAS * turnOn.normal();
      this.#accelerometerBias[i] =
        accelerometerBias[i]! + challenges.imuBias * TURN_ON_ACCELEROMETER_BIAS * turnOn.normal();
    }
  }

  /** Of the next sample [rad/s], for comparison with what a filter finds. */
  get gyroBias(): Readonly<vec3.Vec3> {
    return this.#gyroBias;
  }

  /** Takes the next sample if the head has come that far; false, and nothing taken, if not. */
  next(out: ImuSample): boolean {
    const { rateHz, latency } = this.#imu;
    const time = this.#start + (this.#index + 0.5) / rateHz;
    if (!(time + 0.5 / rateHz <= this.#head.time)) return false;
    out.index = this.#index++;
    out.time = time;
    const jitter = this.#challenges.latencyJitter * this.#jitter;
    out.arrival = Math.max(time, time + latency + jitter * this.#delay.normal());
    this.#average(time);
    this.#measure(out);
    this.#walk();
    return true;
  }

  /** Mean angular rate and specific force, in the sensor's frame, over the period about `time`. */
  #average(time: number): void {
    const { worldFromBody, twist, acceleration } = this.#motion;
    const g = this.#gravity;
    const v = this.#vector;
    vec3.set(0, 0, 0, this.#rate);
    vec3.set(0, 0, 0, this.#force);
    for (let k = 0; k < READINGS; k++) {
      this.#head.imuAt(time + ((k + 0.5) / READINGS - 0.5) / this.#imu.rateHz, this.#motion);
      vec3.set(twist[3]!, twist[4]!, twist[5]!, v);
      vec3.addScaled(this.#rate, pose.rotateVectorInverse(worldFromBody, v, v), 1 / READINGS, this.#rate);
      vec3.set(acceleration[0]! - g[0], acceleration[1]! - g[1], acceleration[2]! - g[2], v);
      vec3.addScaled(this.#force, pose.rotateVectorInverse(worldFromBody, v, v), 1 / READINGS, this.#force);
    }
  }

  #measure(out: ImuSample): void {
    const { gyroScale, accelerometerScale, gyroNoiseDensity, accelerometerNoiseDensity } = this.#imu;
    const amount = this.#challenges.imuNoise * Math.sqrt(this.#imu.rateHz);
    for (let i = 0; i < 3; i++) {
      out.angularVelocity[i] =
        gyroScale[i]! * this.#rate[i]! + this.#gyroBias[i]! + amount * gyroNoiseDensity * this.#noise.normal();
    }
    for (let i = 0; i < 3; i++) {
      out.specificForce[i] =
        accelerometerScale[i]! * this.#force[i]! +
        this.#accelerometerBias[i]! +
        amount * accelerometerNoiseDensity * this.#noise.normal();
    }
  }

  #walk(): void {
    const amount = this.#challenges.imuBias / Math.sqrt(this.#imu.rateHz);
    const { gyroBiasWalk, accelerometerBiasWalk } = this.#imu;
    for (let i = 0; i < 3; i++) {
      this.#gyroBias[i] = this.#gyroBias[i]! + amount * gyroBiasWalk * this.#noise.normal();
      this.#accelerometerBias[i] = this.#accelerometerBias[i]! + amount * accelerometerBiasWalk * this.#noise.normal();
    }
  }
}

function requireImu(robot: Robot): RobotImu {
  if (robot.imu !== undefined) return robot.imu;
  throw new FlycatcherError("FLY_SENSOR_MISSING", "the robot has no IMU to simulate", {
    expected: "`imu` in the sidecar",
    found: robot.name,
  });
}
