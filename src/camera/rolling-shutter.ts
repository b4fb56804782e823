import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { CameraModel } from "./camera-model.js";
import { SphereOutline } from "./sphere-outline.js";

/** A camera in the middle of an exposure: its pose, and the velocity of its origin, then its angular velocity, in world axes. */
export interface MovingCamera {
  readonly worldFromCamera: Readonly<pose.Pose>;
  readonly twist: Float64Array;
}

/** A ball at the same moment, in the world. */
export interface MovingBall {
  readonly position: vec3.Vec3;
  readonly velocity: vec3.Vec3;
}

/** Steps to the row at which a ball is seen: each is as much smaller as the ball is slower than the shutter, some hundredfold. */
const STEPS = 3;

/** Time from the exposure of the middle row to that of row `v` [s]. */
export function rowDelay(v: number, height: number, rowTime: number): number {
  return (v - (height - 1) / 2) * rowTime;
}

/** Velocity of a camera on a moving head, then its angular velocity, in world axes: v + ω × r. */
export function carriedTwist(
  worldFromHead: Readonly<pose.Pose>,
  headTwist: Float64Array,
  worldFromCamera: Readonly<pose.Pose>,
  out: Float64Array,
): Float64Array {
  const [x, y, z] = [9, 10, 11].map((i) => worldFromCamera[i]! - worldFromHead[i]!) as [number, number, number];
  const [vx, vy, vz, wx, wy, wz] = headTwist as unknown as [number, number, number, number, number, number];
  out.set([vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x, wx, wy, wz]);
  return out;
}

/**
 * How a camera whose rows are exposed one after the other sees a moving ball: as it is when the row of its centre is exposed, and
 * stretched by how it moves meanwhile. The exposure's time is that of the middle row. Over the few milliseconds of an image the camera turns by so little that its
 * rotation is linear in time.
 */
export class ShutterOutline {
  readonly camera: CameraModel;
  /** From one row to the next [s]; 0: a global shutter. */
  readonly rowTime: number;
  readonly #outline: SphereOutline;
  readonly #point = vec3.create();
  readonly #shift = vec3.create();

  constructor(camera: CameraModel, ballRadius: number, rowTime: number) {
    this.camera = camera;
    this.rowTime = rowTime;
    this.#outline = new SphereOutline(camera, ballRadius);
  }

  /** The circle (u, v, r) of a ball [px], to `out`; false if it is not seen. */
  measure(camera: MovingCamera, ball: MovingBall, out: Float64Array): boolean {
    let isSeen = this.#measureAfter(0, camera, ball, out);
    if (this.rowTime === 0 || !isSeen) return isSeen;
    const first = out[1]!;
    let delay = 0;
    for (let k = 0; k < STEPS && isSeen; k++) {
      delay = this.delayAt(out[1]!);
      isSeen = this.#measureAfter(delay, camera, ball, out);
    }
    // A ball that moves down with the shutter is seen by more rows: its outline is longer.
    const stretch = 1 - (delay === 0 ? 0 : ((out[1]! - first) / delay) * this.rowTime);
    out[2] = out[2]! / Math.sqrt(stretch);
    return isSeen;
  }

  /** The same by a global shutter at the exposure's time. */
  measureAtOnce(camera: MovingCamera, ball: MovingBall, out: Float64Array): boolean {
    return this.#measureAfter(0, camera, ball, out);
  }

  /** From the exposure's time to when row `v` is exposed [s]. */
  delayAt(v: number): number {
    return rowDelay(v, this.camera.height, this.rowTime);
  }

  #measureAfter(time: number, { worldFromCamera, twist }: MovingCamera, ball: MovingBall, out: Float64Array): boolean {
    const p = this.#point;
    for (let k = 0; k < 3; k++) p[k] = ball.position[k]! - worldFromCamera[9 + k]!;
    if (time !== 0) {
      const turn = vec3.cross(vec3.set(twist[3]!, twist[4]!, twist[5]!, this.#shift), p, this.#shift);
      for (let k = 0; k < 3; k++) p[k] = p[k]! + time * (ball.velocity[k]! - twist[k]! - turn[k]!);
    }
    // As `transformPointInverse`, about the camera's own origin.
    pose.rotateVectorInverse(worldFromCamera as pose.Pose, p, p);
    return this.#outline.measure(p, out);
  }
}
