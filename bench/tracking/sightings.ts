import { CameraModel } from "../../src/camera/camera-model.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { type BallState, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { createPlaneCrossing, crossPlane, type Plane, type PlaneCrossing } from "../../src/flight/plane-crossing.js";
import * as lie from "../../src/math/lie.js";
import * as matrix from "../../src/math/matrix.js";
import type { Pose } from "../../src/math/pose.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";
import type { CameraView } from "../../src/tracking/filter/scan.js";

/** Standard deviations of what a ball is seen with. */
export interface SightingNoise {
  /** Of a circle's centre, in u and in v [px]. */
  readonly centre: number;
  /** Of its radius [px]. */
  readonly radius: number;
  /** Of the head's pose, anew in each frame, along and about each axis of the left camera [m, rad]. */
  readonly translation: number;
  readonly rotation: number;
}

/** The suite's: a detector within its specification, and a head that stands still. */
export const suiteNoise: SightingNoise = { centre: 0.2, radius: 0.15, translation: 2e-4, rotation: 2e-4 };

/** One pair of images of a ball. */
export interface Sighting {
  readonly time: number;
  readonly left: CameraView;
  readonly right: CameraView;
  /** One circle each, or none where the ball is not wholly in the image. */
  readonly leftCircles: CircleSet;
  readonly rightCircles: CircleSet;
}

/** A throw and all that both cameras see of it until it crosses the plane of the catch. */
export interface SeenThrow {
  readonly state: BallState;
  readonly truth: Flight;
  /** Where and when it truly crosses the plane. */
  readonly crossing: PlaneCrossing;
  readonly sightings: readonly Sighting[];
}

export interface SightingOptions {
  /** Of the images' width and height against the robot's own cameras. */
  readonly scale?: number;
  readonly noise?: SightingNoise;
  /** `standing`: as in the posture `ready`, looking straight ahead; `following`: the ball stays on the optical axis. */
  readonly gaze?: Gaze;
}

export type Gaze = "standing" | "following";

/** Seeded throws seen by Agile Justin's head, which stands in the posture `ready`. Times are from the release. */
export class SightingGenerator {
  readonly noise: SightingNoise;
  readonly gaze: Gaze;
  readonly gravity = gravity();
  /** The upright plane 0.5 m before the chest's axis at which throws are aimed. */
  readonly plane: Plane;
  readonly throws: ThrowGenerator;
  readonly worldFromLeft: Pose;
  readonly leftFromRight: Pose;
  readonly left: CameraModel;
  readonly right: CameraModel;
  readonly period: number;
  readonly #leftOutline: SphereOutline;
  readonly #rightOutline: SphereOutline;
  readonly #leftCovariance: Float64Array;
  readonly #rightCovariance: Float64Array;
  readonly #seed: number | string;
  readonly #random: Random;

  constructor(seed: number | string, options: SightingOptions = {}) {
    const { scale = 1, noise = suiteNoise, gaze = "standing" } = options;
    const robot = loadRobot("agile-justin");
    const state = new RobotState(robot.model);
    state.q.set(robot.postures.get("ready")!);
    forwardKinematics(state);
    const [left, right] = [robot.cameras[robot.stereo!.left]!, robot.cameras[robot.stereo!.right]!];
    this.noise = noise;
    this.gaze = gaze;
    this.worldFromLeft = pose.copy(state.worldFromLink[left.link]!, pose.create());
    this.leftFromRight = pose.composeInverse(this.worldFromLeft, state.worldFromLink[right.link]!, pose.create());
    this.left = new CameraModel(left).scaled(scale);
    this.right = new CameraModel(right).scaled(scale);
    this.period = 1 / left.rateHz;
    const space = throwSpaceOf(robot);
    const normal = vec3.create(space.heading.x, space.heading.y, 0);
    const along = space.axis.x * space.heading.x + space.axis.y * space.heading.y;
    this.plane = { normal, offset: along + space.target.ahead };
    this.throws = new ThrowGenerator(space, seed);
    this.#leftOutline = new SphereOutline(this.left, this.throws.ball.diameter / 2);
    this.#rightOutline = new SphereOutline(this.right, this.throws.ball.diameter / 2);
    this.#leftCovariance = diagonal([...Array(3).fill(noise.translation ** 2), ...Array(3).fill(noise.rotation ** 2)]);
    this.#rightCovariance = carryPoseCovariance(this.#leftCovariance, this.leftFromRight);
    this.#seed = seed;
    this.#random = new Random(seed).fork("sightings");
  }

  /** Throw `id`, of a ball with the usual drag or with another [1/m]. */
  make(id: number, drag = this.throws.ball.drag): SeenThrow {
    const throws = new ThrowGenerator(this.throws.space, this.#seed, { ...this.throws.ball, drag });
    const { state, framePhase } = throws.make(id, 0);
    const random = this.#random.fork(String(id));
    const truth = new Flight();
    truth.reset(state, this.gravity, 0, 1.8);
    const crossing = createPlaneCrossing();
    if (!crossPlane(truth, this.plane, 0, 1.8, crossing)) throw new Error(`throw ${id} does not cross the plane`);
    const sightings: Sighting[] = [];
    for (let t = (1 - framePhase) * this.period; t < crossing.time; t += this.period) {
      sightings.push(this.#look(truth, t, random));
    }
    return { state, truth, crossing, sightings };
  }

  /** Both images at `time`. The true pose is the believed one times exp(error): the error is drawn, the belief follows. */
  #look(truth: Flight, time: number, random: Random): Sighting {
    const { translation, rotation } = this.noise;
    const error = Float64Array.from({ length: 6 }, (_, n) => -(n < 3 ? translation : rotation) * random.normal());
    const ball = truth.position(time, vec3.create());
    const worldFromLeft = this.gaze === "standing" ? this.worldFromLeft : lookAt(this.worldFromLeft, ball);
    const believedLeft = pose.compose(worldFromLeft, lie.se3Exp(error, pose.create()), pose.create());
    const believedRight = pose.compose(believedLeft, this.leftFromRight, pose.create());
    const inLeft = pose.transformPointInverse(worldFromLeft, ball, vec3.create());
    const inRight = pose.transformPointInverse(this.leftFromRight, inLeft, vec3.create());
    const view = { time, camera: this.left, worldFromCamera: believedLeft, covariance: this.#leftCovariance };
    return {
      time,
      left: view,
      right: { time, camera: this.right, worldFromCamera: believedRight, covariance: this.#rightCovariance },
      leftCircles: this.#detect(this.#leftOutline, inLeft, random),
      rightCircles: this.#detect(this.#rightOutline, inRight, random),
    };
  }

  #detect(outline: SphereOutline, inCamera: vec3.Vec3, random: Random): CircleSet {
    const { centre, radius } = this.noise;
    const circles = new CircleSet(1);
    const circle = new Float64Array(3);
    const [du, dv, dr] = [centre * random.normal(), centre * random.normal(), radius * random.normal()];
    const hasImage = outline.measure(inCamera, circle);
    const [u, v, r] = [circle[0]! + du, circle[1]! + dv, circle[2]! + dr];
    if (!hasImage || !outline.camera.isInside(u, v, r)) return circles;
    circles.u[0] = u;
    circles.v[0] = v;
    circles.r[0] = r;
    circles.covariance.set([centre ** 2, 0, 0, 0, centre ** 2, 0, 0, 0, radius ** 2]);
    circles.score[0] = 1;
    circles.count = 1;
    return circles;
  }
}

/** The camera turned about itself, upright, so that it looks at a point. */
function lookAt(worldFromCamera: Pose, point: vec3.Vec3): Pose {
  const eye = pose.getTranslation(worldFromCamera, vec3.create());
  const ahead = vec3.normalize(vec3.subtract(point, eye, vec3.create()), vec3.create());
  const right = vec3.normalize(vec3.create(ahead[1], -ahead[0], 0), vec3.create());
  const down = vec3.cross(ahead, right, vec3.create());
  const out = pose.create();
  for (let n = 0; n < 3; n++) out.set([right[n]!, down[n]!, ahead[n]!], 3 * n);
  return pose.setTranslation(out, eye, out);
}

function diagonal(entries: readonly number[]): Float64Array {
  const size = entries.length;
  return Float64Array.from({ length: size * size }, (_, n) => (n % (size + 1) === 0 ? entries[n / (size + 1)]! : 0));
}

/** Covariance of the right camera's pose error, given the left's: both are one rigid body. */
function carryPoseCovariance(covariance: Float64Array, leftFromRight: Pose): Float64Array {
  const adjoint = lie.adjoint(pose.invert(leftFromRight, pose.create()), new Float64Array(36));
  const product = matrix.multiply(adjoint, covariance, 6, 6, 6, new Float64Array(36));
  return matrix.multiplyTransposeRight(product, adjoint, 6, 6, 6, new Float64Array(36));
}
