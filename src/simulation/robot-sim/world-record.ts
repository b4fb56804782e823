import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import type { RigidMotion } from "../head-motion/elastic-chain.js";

/** Numbers of one rigid motion: pose, twist, acceleration. */
const MOTION = 24;
/** Of one ball: its number (−1: none), whether it flies, position, velocity. */
const BALL = 8;
const HEAD = 2;

/** The IMU's motion is that of so long before the record's time [s]. */
export const IMU_DELAY = 0.0005;

/** A ball of the true world. */
interface RecordedBall {
  /** Number of the throw; −1: there is none in this place. */
  id: number;
  /** Whether it is in the air and has touched nothing. */
  isFlying: boolean;
  readonly position: Vec3;
  readonly velocity: Vec3;
}

/**
 * The true world at one step, as it crosses from the simulated robot's process to the simulated sensors: a row of f64,
 * little-endian.
 *
 * | offset | |
 * |---|---|
 * | 0 | time on the machine's monotonic clock [s] |
 * | 1 | time of the world [s] |
 * | 2 | head: pose in the world (rotation by rows, translation), twist, acceleration, in world axes. 24 numbers |
 * | 26 | the IMU's link, likewise, half a millisecond earlier: in the middle of the step |
 * | 50 + 8k | ball k: number of its throw (−1: none), 1 if it flies, position [m], velocity [m/s] |
 * | 50 + 8n | where the joints are, in model order [rad or m] |
 */
export class WorldRecord {
  readonly numbers: Float64Array;
  readonly ballCount: number;

  /** In memory of its own, or in `numbers`. */
  constructor(
    ballCount: number,
    jointCount = 0,
    numbers: Float64Array = new Float64Array(recordLength(ballCount, jointCount)),
  ) {
    this.ballCount = ballCount;
    this.numbers = numbers;
  }

  /** Where the joints are, in model order [rad or m]. */
  get joints(): Float64Array {
    return this.numbers.subarray(recordLength(this.ballCount));
  }

  get time(): number {
    return this.numbers[0]!;
  }

  setTimes(time: number, worldTime: number): void {
    this.numbers[0] = time;
    this.numbers[1] = worldTime;
  }

  setMotion(which: "head" | "imu", { worldFromBody, twist, acceleration }: RigidMotion): void {
    const at = offsetOf(which);
    this.numbers.set(worldFromBody, at);
    this.numbers.set(twist, at + 12);
    this.numbers.set(acceleration, at + 18);
  }

  motion(which: "head" | "imu", out: RigidMotion): RigidMotion {
    const at = offsetOf(which);
    for (let i = 0; i < 12; i++) out.worldFromBody[i] = this.numbers[at + i]!;
    for (let i = 0; i < 6; i++) {
      out.twist[i] = this.numbers[at + 12 + i]!;
      out.acceleration[i] = this.numbers[at + 18 + i]!;
    }
    return out;
  }

  setBall(k: number, { id, isFlying, position, velocity }: RecordedBall): void {
    const at = HEAD + 2 * MOTION + BALL * k;
    this.numbers[at] = id;
    this.numbers[at + 1] = isFlying ? 1 : 0;
    this.numbers.set(position, at + 2);
    this.numbers.set(velocity, at + 5);
  }

  ball(k: number, out: RecordedBall): RecordedBall {
    const at = HEAD + 2 * MOTION + BALL * k;
    out.id = this.numbers[at]!;
    out.isFlying = this.numbers[at + 1] === 1;
    for (let i = 0; i < 3; i++) {
      out.position[i] = this.numbers[at + 2 + i]!;
      out.velocity[i] = this.numbers[at + 5 + i]!;
    }
    return out;
  }
}

function recordLength(ballCount: number, jointCount = 0): number {
  return HEAD + 2 * MOTION + BALL * ballCount + jointCount;
}

export function createRecordedBall(): RecordedBall {
  return { id: -1, isFlying: false, position: vec3.create(), velocity: vec3.create() };
}

function offsetOf(which: "head" | "imu"): number {
  return which === "head" ? HEAD : HEAD + MOTION;
}
