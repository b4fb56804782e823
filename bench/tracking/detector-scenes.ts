import { CameraModel } from "../../src/camera/camera-model.js";
import type { GrayImage } from "../../src/camera/gray-image.js";
import { type Distortion, noDistortion } from "../../src/camera/lens-distortion.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { defaultBall } from "../../src/flight/ball.js";
import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import type { RenderBall, RenderScene, SensorOptions } from "../../src/simulation/rendering/render-scene.js";
import { Renderer } from "../../src/simulation/rendering/renderer.js";
import { Room, type RoomOptions } from "../../src/simulation/rendering/room.js";
import { unitVector } from "../../test/support/random-draws.js";

type Vec3 = vec3.Vec3;
type Range = readonly [low: number, high: number];

/** Optical axes of a camera that looks along x of the world, upright: columns are right, down, forward. */
const FORWARD = Float64Array.of(0, 0, 1, -1, 0, 0, 0, -1, 0) as mat3.Mat3;
const BALL_RADIUS = defaultBall.diameter / 2;
const MAX_TRIES = 500;
/** Balls keep this distance to the room's faces [m], and to each other on the image [px]. */
const WALL_DISTANCE = 0.15;
const GAP = 8;

export interface DetectorSceneOptions {
  /** Image size; the camera has 60° across. */
  readonly width: number;
  readonly height: number;
  readonly distortion?: Distortion;
  /** How many balls an image has. */
  readonly ballCount?: Range;
  /** From the camera [m]. */
  readonly distance?: Range;
  /** Michelson contrast of a ball to its surroundings; drawn evenly in its logarithm. */
  readonly contrast?: Range;
  /** Standard deviation of the noise [gray values]. */
  readonly noise?: number;
  /** Gaussian blur of the lens [px]. */
  readonly defocus?: Range;
  /** Brightness gradient over the image, either way, at most, as a part of the mean. */
  readonly gradient?: number;
  /** [s] */
  readonly exposure?: number;
  /** Greatest speed of balls, most of it towards the camera [m/s]; and of the camera's rotation [rad/s]. */
  readonly ballSpeed?: number;
  readonly cameraTurn?: number;
  /** How many different rooms. */
  readonly roomCount?: number;
  readonly room?: RoomOptions;
}

/** A ball as it truly is on an image. */
export interface TrueBall {
  /** Outline in the middle of the exposure [px], as `SphereOutline` has it. */
  readonly u: number;
  readonly v: number;
  readonly r: number;
  /** Michelson contrast asked for. */
  readonly contrast: number;
  /** Mean gray value it was painted with. */
  readonly gray: number;
  /** From the camera [m]. */
  readonly distance: number;
  /** How far its image moves during the exposure [px]. */
  readonly blur: number;
  /** In the camera's frame [m]. */
  readonly centre: Vec3;
}

/** A clock or a lamp on an image: about where, for it is seen as an ellipse. */
export interface SeenDisc {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

export interface DetectorScene {
  readonly balls: readonly TrueBall[];
  /** Round things that are no balls. */
  readonly discs: readonly SeenDisc[];
  readonly scene: RenderScene;
}

interface Placed extends Omit<TrueBall, "gray"> {
  readonly ball: RenderBall;
}

/**
 * Images for measuring a circle detector, with the truth: balls at random places before a cluttered lab (windows, boxes,
 * portraits, clocks, round lamps), of random contrast, shading and motion, by a camera that turns, with noise, blur and a
 * brightness gradient. Image i of a seed is the same whatever was rendered before.
 *
 * @example
 * const scenes = new DetectorScenes("bench", { width: 1600, height: 1200 });
 * const { balls } = scenes.render(7, image);
 */
export class DetectorScenes {
  readonly camera: CameraModel;
  readonly outline: SphereOutline;
  readonly #options: Required<DetectorSceneOptions>;
  readonly #seed: string;
  readonly #rooms: Room[] = [];
  readonly #renderer: Renderer;

  constructor(seed: number | string, options: DetectorSceneOptions) {
    this.#options = { ...defaults, ...options };
    this.#seed = String(seed);
    const { width, height, distortion } = this.#options;
    const f = width / 2 / Math.tan(Math.PI / 6);
    const centre = { cx: (width - 1) / 2, cy: (height - 1) / 2 };
    this.camera = new CameraModel({ width, height, fx: f, fy: f, ...centre, distortion });
    this.outline = new SphereOutline(this.camera, BALL_RADIUS);
    this.#renderer = new Renderer(this.camera, this.#room(0), { seed });
  }

  /** Renders image `index` and says what is on it. */
  render(index: number, out: GrayImage): DetectorScene {
    const random = new Random(this.#seed).fork(`scene ${index}`);
    const room = this.#room(index % this.#options.roomCount);
    const worldFromCamera = randomPose(random.fork("pose"));
    const cameraTwist = this.#randomTwist(random.fork("twist"));
    const placed = this.#placeBalls(room, worldFromCamera, cameraTwist, random.fork("balls"));
    const scene: RenderScene = {
      worldFromCamera,
      cameraTwist,
      exposure: this.#options.exposure,
      balls: placed.map(({ ball }) => ball),
      sensor: this.#randomSensor(random.fork("sensor")),
    };
    this.#renderer.enter(room);
    this.#renderer.render(scene, `${this.#seed} ${index}`, out);
    const balls = placed.map(({ ball: _, ...truth }, i) => ({ ...truth, gray: this.#renderer.ballGrays[i]! }));
    return { balls, discs: this.#seeDiscs(room, worldFromCamera), scene };
  }

  #room(index: number): Room {
    const wallGray = 90 + 25 * (index % 4);
    this.#rooms[index] ??= new Room(`${this.#seed} ${index}`, { wallGray, ...this.#options.room });
    return this.#rooms[index];
  }

  #randomTwist(random: Random): Float64Array {
    const turn = unitVector(random, vec3.create());
    vec3.scale(turn, random.uniform() * this.#options.cameraTurn, turn);
    return Float64Array.of(0, 0, 0, ...turn);
  }

  #randomSensor(random: Random): SensorOptions {
    const { noise, defocus, gradient } = this.#options;
    return {
      noise,
      defocus: random.uniformIn(...defocus),
      gradientAcross: random.uniformIn(-gradient, gradient),
      gradientDown: random.uniformIn(-gradient, gradient),
    };
  }

  #placeBalls(room: Room, worldFromCamera: pose.Pose, twist: Float64Array, random: Random): Placed[] {
    const [fewest, most] = this.#options.ballCount;
    const wanted = fewest + random.integer(most - fewest + 1);
    const placed: Placed[] = [];
    for (let tries = 0; placed.length < wanted && tries < MAX_TRIES; tries++) {
      const candidate = this.#placeBall(worldFromCamera, twist, random);
      const isFree = placed.every(({ u, v, r, blur }) => {
        const gap = Math.hypot(candidate.u - u, candidate.v - v) - candidate.r - r;
        return gap > GAP + candidate.blur + blur;
      });
      if (isFree && this.#isVisible(candidate) && isInRoom(room, candidate.ball.position)) placed.push(candidate);
    }
    return placed;
  }

  #seeDiscs(room: Room, worldFromCamera: pose.Pose): SeenDisc[] {
    const pixel = new Float64Array(2);
    return room.discs.flatMap(({ centre, radius }) => {
      const at = pose.transformPointInverse(worldFromCamera, vec3.create(...centre), vec3.create());
      const isSeen = this.camera.project(at, pixel) && this.camera.isInside(pixel[0]!, pixel[1]!, 0);
      return isSeen ? [{ u: pixel[0]!, v: pixel[1]!, r: (radius * this.camera.fx) / vec3.norm(at) }] : [];
    });
  }

  #isVisible({ u, v, r, blur }: Placed): boolean {
    return this.camera.isInside(u, v, 1.2 * r + blur + 2);
  }

  /** A ball at a random pixel and distance. */
  #placeBall(worldFromCamera: pose.Pose, twist: Float64Array, random: Random): Placed {
    const { contrast, distance, exposure } = this.#options;
    const centre = vec3.create();
    this.camera.ray(random.uniformIn(0, this.camera.width), random.uniformIn(0, this.camera.height), centre);
    // Near balls are as frequent as far ones by the size of their image.
    const away = Math.exp(random.uniformIn(Math.log(distance[0]), Math.log(distance[1])));
    vec3.scale(centre, away, centre);
    const [low, high] = contrast;
    const ball: RenderBall = {
      position: pose.transformPoint(worldFromCamera, centre, vec3.create()),
      velocity: this.#randomVelocity(worldFromCamera, random),
      radius: BALL_RADIUS,
      tone: {
        kind: "contrast",
        contrast: Math.exp(random.uniformIn(Math.log(low), Math.log(high))),
        polarity: random.uniform() < 0.5 ? "brighter" : "darker",
      },
      shading: random.uniformIn(0, 0.35),
    };
    const circle = new Float64Array(3);
    this.outline.measure(centre, circle);
    const [u, v, r] = [circle[0]!, circle[1]!, circle[2]!];
    const blur = this.#motionOnImage(worldFromCamera, twist, ball, centre) * exposure;
    const asked = ball.tone.kind === "contrast" ? ball.tone.contrast : 0;
    return { u, v, r, contrast: asked, distance: away, blur, centre, ball };
  }

  /** Mostly towards the camera, as thrown balls fly. */
  #randomVelocity(worldFromCamera: pose.Pose, random: Random): Vec3 {
    const velocity = unitVector(random, vec3.create());
    vec3.scale(velocity, 0.35, velocity);
    velocity[2] -= 0.65;
    vec3.scale(velocity, random.uniform() * this.#options.ballSpeed, velocity);
    return pose.rotateVector(worldFromCamera, velocity, velocity);
  }

  /** Speed of the ball's image [px/s]. */
  #motionOnImage(worldFromCamera: pose.Pose, twist: Float64Array, ball: RenderBall, centre: Vec3): number {
    const velocity = pose.rotateVectorInverse(worldFromCamera, ball.velocity, vec3.create());
    const turn = vec3.create(twist[3], twist[4], twist[5]);
    vec3.subtract(velocity, vec3.cross(turn, centre, turn), velocity);
    const jacobian = new Float64Array(6);
    if (!this.camera.projectWithJacobian(centre, new Float64Array(2), jacobian)) return 0;
    const du = jacobian[0]! * velocity[0] + jacobian[1]! * velocity[1] + jacobian[2]! * velocity[2];
    const dv = jacobian[3]! * velocity[0] + jacobian[4]! * velocity[1] + jacobian[5]! * velocity[2];
    return Math.hypot(du, dv);
  }
}

const defaults = {
  distortion: noDistortion,
  ballCount: [1, 4],
  distance: [0.7, 7],
  contrast: [0.05, 1],
  noise: 2,
  defocus: [0.3, 0.8],
  gradient: 0.4,
  exposure: 0.004,
  ballSpeed: 8,
  cameraTurn: 0.5,
  roomCount: 3,
  room: {},
} as const satisfies Partial<DetectorSceneOptions>;

/** About where Agile Justin's head is, looking about as it does. */
function randomPose(random: Random): pose.Pose {
  const turn = mat3.create();
  mat3.fromRpy(random.uniformIn(-0.05, 0.05), random.uniformIn(-0.25, 0.3), random.uniformIn(-0.5, 0.5), turn);
  const at = vec3.create(random.uniformIn(-0.3, 0.3), random.uniformIn(-0.5, 0.5), random.uniformIn(1.4, 1.8));
  return pose.fromMat3Translation(mat3.multiply(turn, FORWARD, turn), at, pose.create());
}

function isInRoom({ extent, boxes }: Room, at: Vec3): boolean {
  const isWithin = (min: readonly number[], max: readonly number[], grown: number): boolean =>
    [0, 1, 2].every((k) => at[k]! > min[k]! - grown && at[k]! < max[k]! + grown);
  return (
    isWithin(extent.min, extent.max, -WALL_DISTANCE) && !boxes.some(({ min, max }) => isWithin(min, max, WALL_DISTANCE))
  );
}
