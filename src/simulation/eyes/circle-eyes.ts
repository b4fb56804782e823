import { carriedTwist, ShutterOutline } from "../../camera/rolling-shutter.js";
import { SphereOutline } from "../../camera/sphere-outline.js";
import * as pose from "../../math/pose.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import type { CircleSet } from "../../tracking/circles/circle-set.js";
import { type RigCamera, stereoRig, type TrueBall, type TrueHeadMotion } from "./stereo-rig.js";

interface CircleEyesOptions {
  readonly seed: number | string;
  readonly ballRadius: number;
  /** Standard deviations of a circle's centre, in each direction, and of its radius [px]. */
  readonly centreSigma: number;
  readonly radiusSigma: number;
  readonly detectionProbability: number;
  /** False circles in an image, on average. */
  readonly clutter: number;
}

/** How much less often than a ball in the air it is found, and how much noisier its circle is. */
interface Visibility {
  readonly found: number;
  readonly noise: number;
}

const IN_THE_AIR: Visibility = { found: 1, noise: 1 };
/** Fingers hide a part of the outline. */
const IN_HAND: Visibility = { found: 0.9, noise: 2 };

/** Least and greatest radius of a false circle [px]. */
const FALSE_RADII = [3, 50] as const;

/**
 * The camera of one side and a detector in one: the exact outline of every ball in view, with the noise of a good detector, some missed,
 * and false circles uniform in place and size. The same seed gives the same circles.
 */
export class CircleEye {
  readonly #rig: RigCamera;
  readonly #options: CircleEyesOptions;
  readonly #random: Random;
  readonly #outline: SphereOutline;
  readonly #worldFromCamera = pose.create();
  readonly #centre = vec3.create();
  readonly #circle = new Float64Array(3);
  readonly #rolling: ShutterOutline;
  /** Of the camera, in world axes. */
  readonly #twist = new Float64Array(6);

  constructor(robot: Robot, side: "left" | "right", options: CircleEyesOptions) {
    this.#rig = stereoRig(robot)[side];
    this.#options = options;
    this.#random = new Random(options.seed).fork("circles").fork(side);
    this.#outline = new SphereOutline(this.#rig.camera, options.ballRadius);
    this.#rolling = new ShutterOutline(this.#rig.camera, options.ballRadius, this.#rig.rowTime);
  }

  see({ worldFromBody, twist }: TrueHeadMotion, balls: readonly TrueBall[], out: CircleSet): void {
    out.count = 0;
    pose.compose(worldFromBody, this.#rig.headFromCamera, this.#worldFromCamera);
    if (this.#rig.rowTime > 0) carriedTwist(worldFromBody, twist, this.#worldFromCamera, this.#twist);
    for (const ball of balls) this.#seeBall(ball, ball.hand?.isHolding === true ? IN_HAND : IN_THE_AIR, out);
    // As many false ones as a Poisson process gives.
    const level = Math.exp(-this.#options.clutter);
    for (let p = this.#random.uniform(); p > level; p *= this.#random.uniform()) this.#addFalse(out);
  }

  /** The random numbers of a ball are drawn whether it is seen or not, so that what happens to one leaves others alone. */
  #seeBall(ball: TrueBall, { found, noise }: Visibility, out: CircleSet): void {
    const { centreSigma, radiusSigma, detectionProbability } = this.#options;
    const random = this.#random;
    const isMissed = random.uniform() >= found * detectionProbability;
    const du = noise * centreSigma * random.normal();
    const dv = noise * centreSigma * random.normal();
    const dr = noise * radiusSigma * random.normal();
    if (isMissed || !this.#measure(ball)) return;
    const [u, v, r] = [this.#circle[0]!, this.#circle[1]!, this.#circle[2]!];
    if (this.#rig.camera.isInside(u, v, r)) this.#add(u + du, v + dv, r + dr, noise, out);
  }

  /** The circle of a ball, to `#circle`; false if it is not seen. */
  #measure(ball: TrueBall): boolean {
    if (this.#rig.rowTime > 0) {
      const camera = { worldFromCamera: this.#worldFromCamera, twist: this.#twist };
      return this.#rolling.measure(camera, ball, this.#circle);
    }
    pose.transformPointInverse(this.#worldFromCamera, ball.position, this.#centre);
    return this.#outline.measure(this.#centre, this.#circle);
  }

  #addFalse(out: CircleSet): void {
    const { width, height } = this.#rig.camera;
    const random = this.#random;
    this.#add(random.uniformIn(0, width), random.uniformIn(0, height), random.uniformIn(...FALSE_RADII), 1, out);
  }

  /** `noise` is the circle's share of the usual standard deviations. */
  #add(u: number, v: number, r: number, noise: number, out: CircleSet): void {
    if (out.count >= out.capacity) return;
    const centreSigma = noise * this.#options.centreSigma;
    const radiusSigma = noise * this.#options.radiusSigma;
    const i = out.count++;
    out.u[i] = u;
    out.v[i] = v;
    out.r[i] = r;
    out.score[i] = 1;
    out.covariance.fill(0, 9 * i, 9 * i + 9);
    out.covariance[9 * i] = centreSigma ** 2;
    out.covariance[9 * i + 4] = centreSigma ** 2;
    out.covariance[9 * i + 8] = radiusSigma ** 2;
  }
}
