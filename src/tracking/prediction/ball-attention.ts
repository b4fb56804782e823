import type { CameraModel } from "../../camera/camera-model.js";
import { SphereOutline } from "../../camera/sphere-outline.js";
import { FlightStatus, gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { STATE_SIZE } from "../../flight/sensitivity.js";
import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { BallPrediction } from "../../messages/prediction.js";
import type { SearchWindow } from "../circles/detector-options.js";

/** A ball not seen for so long may be anywhere [s]. */
const PATIENCE = 0.25;
/** A head last heard of so long ago may look anywhere [s]. */
const OLDEST_HEAD = 0.05;
/** After so many frames of windows the whole image is searched: somebody may have thrown another ball. */
const MOST_NARROW = 3;
/** Standard deviations of a ball's place that a window covers. */
const SIGMAS = 4;
/** What head and lens may be off beside that [rad]. */
const SLACK = 0.015;
/** A window wider than this to each side is no help [rad]. */
const WIDEST = 0.12;
/** How much larger or smaller than expected an outline may be, beside what the ball's distance is unsure of. */
const RADIUS_SLACK = 0.15;

/** Where the head was at some time, and how it moved: velocity of its origin, then angular velocity, in the world. */
export interface MovingHead {
  readonly time: number;
  readonly worldFromHead: pose.Pose;
  readonly twist: Float64Array;
}

/**
 * Where one camera of the head should look for balls in its next image: everywhere, as long as one may be there that is not
 * known; and in windows about the balls that are being followed, which takes a fraction of the time, in most images
 * between.
 */
export class BallAttention {
  readonly #camera: CameraModel;
  readonly #headFromCamera: pose.Pose;
  readonly #outline: SphereOutline;
  readonly #balls = new Map<number, BallPrediction>();
  readonly #flight = new Flight({ duration: 2 * PATIENCE });
  readonly #gravity = gravity();
  readonly #head = pose.create();
  readonly #worldFromCamera = pose.create();
  readonly #turn = mat3.create();
  readonly #vector = vec3.create();
  readonly #point = vec3.create();
  readonly #circle = new Float64Array(3);
  readonly #standing: { time: number; readonly worldFromHead: pose.Pose; readonly twist: Float64Array } | null;
  #narrow = 0;

  /** `worldFromHead`: of cameras that stand in the world; null where the head moves. */
  constructor(
    camera: CameraModel,
    headFromCamera: pose.Pose,
    ballRadius: number,
    worldFromHead: pose.Pose | null = null,
  ) {
    this.#standing = worldFromHead === null ? null : { time: Number.NaN, worldFromHead, twist: new Float64Array(6) };
    this.#camera = camera;
    this.#headFromCamera = headFromCamera;
    this.#outline = new SphereOutline(camera, ballRadius);
  }

  /** What the tracker knows of a ball by now. */
  hear(prediction: BallPrediction): void {
    this.#balls.set(prediction.track, prediction);
  }

  /** Where to look in the image exposed at `time` [s], the head last `known`: windows [px]; null: everywhere. */
  look(time: number, known: MovingHead | null): readonly SearchWindow[] | null {
    const head = this.#standing ?? known;
    if (this.#standing !== null) this.#standing.time = time;
    const isHeadKnown = head !== null && Math.abs(time - head.time) <= OLDEST_HEAD;
    const windows = isHeadKnown ? this.#windows(time, head) : null;
    const isNarrow = windows !== null && windows.length > 0 && this.#narrow < MOST_NARROW;
    this.#narrow = isNarrow ? this.#narrow + 1 : 0;
    return isNarrow ? windows : null;
  }

  /** A window a ball; null if the whereabouts of one are too unsure. */
  #windows(time: number, head: MovingHead): SearchWindow[] | null {
    this.#carry(time, head);
    const windows: SearchWindow[] = [];
    for (const [track, ball] of this.#balls) {
      if (time - ball.lastSeen > PATIENCE) {
        this.#balls.delete(track);
        continue;
      }
      if (!ball.confirmed) return null;
      if (!this.#measure(time, ball)) continue;
      const window = this.#windowAbout(time, ball);
      if (window === null) return null;
      windows.push(window);
    }
    return windows;
  }

  /** The camera's pose at a time near that of the head. */
  #carry(time: number, { time: known, worldFromHead, twist }: MovingHead): void {
    const ahead = time - known;
    const vector = this.#vector;
    vec3.set(twist[3]! * ahead, twist[4]! * ahead, twist[5]! * ahead, vector);
    lie.so3Exp(vector, this.#turn);
    pose.getTranslation(worldFromHead, vector);
    for (let i = 0; i < 3; i++) vector[i] = vector[i]! + twist[i]! * ahead;
    mat3.multiply(this.#turn, worldFromHead, this.#turn);
    pose.fromMat3Translation(this.#turn, vector, this.#head);
    pose.compose(this.#head, this.#headFromCamera, this.#worldFromCamera);
  }

  /** The outline of a ball at `time`, and its place before the camera; false if it is not seen. */
  #measure(time: number, { state }: BallPrediction): boolean {
    const point = this.#point;
    if (this.#flight.reset(state, this.#gravity, state.time, Math.max(time, state.time)) !== FlightStatus.ok)
      return false;
    this.#flight.position(time, point);
    pose.transformPointInverse(this.#worldFromCamera, point, point);
    if (!this.#outline.measure(point, this.#circle)) return false;
    return this.#camera.isInside(this.#circle[0]!, this.#circle[1]!, -this.#circle[2]!);
  }

  #windowAbout(time: number, { state, covariance }: BallPrediction): SearchWindow | null {
    const { fx, fy } = this.#camera;
    const focal = Math.max(fx, fy);
    const distance = vec3.norm(this.#point);
    const sigma = covariance === null ? 0 : placeSigma(covariance, time - state.time);
    const spread = (SIGMAS * sigma) / distance;
    const halfSize = focal * (SLACK + spread);
    if (!(halfSize <= focal * WIDEST)) return null;
    const r = this.#circle[2]!;
    const change = RADIUS_SLACK + spread;
    return {
      u: this.#circle[0]!,
      v: this.#circle[1]!,
      halfSize,
      minRadius: r * (1 - change),
      maxRadius: r * (1 + change),
    };
  }
}

/** Standard deviation of the place of a ball a while after its state [m], at most: in all directions together. */
function placeSigma(covariance: Float64Array, ahead: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    const place = covariance[i * STATE_SIZE + i]!;
    const mixed = covariance[i * STATE_SIZE + i + 3]!;
    const speed = covariance[(i + 3) * STATE_SIZE + i + 3]!;
    sum += place + 2 * ahead * mixed + ahead * ahead * speed;
  }
  return Math.sqrt(Math.max(0, sum));
}
