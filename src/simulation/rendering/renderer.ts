import type { CameraModel } from "../../camera/camera-model.js";
import type { GrayImage } from "../../camera/gray-image.js";
import { rowDelay } from "../../camera/rolling-shutter.js";
import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { BallPainter, type PaintedBall } from "./ball-painter.js";
import type { BallSurface } from "./ball-surface.js";
import { clipRegion, markBlocks, type PixelRegion } from "./image-regions.js";
import { createCanvas, KernelMemory } from "./kernel-memory.js";
import { BLOCK_SIZE, RayTable } from "./ray-table.js";
import { idealSensor, type RenderBall, type RenderLimb, type RenderScene, type SensorOptions } from "./render-scene.js";
import type { Room } from "./room.js";
import { RoomCaster } from "./room-caster.js";
import { blurReach, Sensor } from "./sensor.js";
import { SilhouettePainter } from "./silhouette-painter.js";

/**
 * A ball's blurred image is the mean of some places. Along a way of n pixels, places h pixels apart make the ends of the
 * blurred edge wrong by h²/(8n) of its height: 5·√n places keep that to half a percent.
 */
const PLACES_PER_ROOT_PIXEL = 5;
const MAX_BALL_PLACES = 64;
/** A way so short is none [px]. */
const STILL_BALL = 0.05;
/** The room, which is dearer and whose blur matters less, is cast so often [px]. */
const ROOM_STEP = 1;
const STILL = new Float64Array(6);
/** Rows that count as exposed together when a ball is painted with a rolling shutter. */
const BAND = 4;
const NO_LIMBS: readonly RenderLimb[] = [];

interface RendererOptions {
  readonly sensor?: SensorOptions;
  /** Seed of the noise. */
  readonly seed?: number | string;
  /** Towards the light, in the world frame. */
  readonly light?: vec3.Vec3;
  /** At most so many casts of the room make its motion blur. */
  readonly maxRoomCasts?: number;
}

/**
 * Renders what a camera sees of a room and balls in it, as 8-bit gray. Equal scenes and frame numbers give equal bytes.
 * Balls are drawn far to near over the room: boxes do not hide them.
 *
 * @example
 * const renderer = new Renderer(camera, new Room(1), { sensor: { ...idealSensor, noise: 2 } });
 * renderer.render(scene, frame, image);
 */
export class Renderer {
  readonly camera: CameraModel;
  /** Mean gray value each ball of the last scene was painted with, in the scene's order; NaN for one not seen. */
  readonly ballGrays: number[] = [];
  readonly #rays: RayTable;
  readonly #caster: RoomCaster;
  readonly #painter: BallPainter;
  readonly #limbs: SilhouettePainter;
  readonly #sensor: Sensor;
  readonly #sensorOptions: SensorOptions;
  readonly #wholeImage: readonly PixelRegion[];
  readonly #towardsLight: vec3.Vec3;
  readonly #maxRoomCasts: number;
  readonly #centres = new Float64Array(3 * MAX_BALL_PLACES);
  readonly #worldFromCamera = pose.create();
  readonly #motion = pose.create();
  readonly #step = new Float64Array(6);
  readonly #point = vec3.create();
  readonly #rotation = mat3.create();
  readonly #lightInCamera = vec3.create();

  constructor(camera: CameraModel, room: Room, options: RendererOptions = {}) {
    const { sensor = idealSensor, seed = 0, light = vec3.create(-0.3, 0.35, 0.9), maxRoomCasts = 4 } = options;
    this.camera = camera;
    this.#rays = new RayTable(camera);
    const canvas = createCanvas(new KernelMemory(), this.#rays);
    this.#wholeImage = [{ left: 0, top: 0, width: camera.width, height: camera.height }];
    this.#painter = new BallPainter(canvas, 1);
    this.#limbs = new SilhouettePainter(canvas);
    this.#sensor = new Sensor(canvas, seed);
    this.#sensorOptions = sensor;
    this.#caster = new RoomCaster(canvas, maxRoomCasts, room);
    this.#towardsLight = vec3.normalize(light, vec3.create());
    this.#maxRoomCasts = maxRoomCasts;
  }

  /**
   * `frame` chooses the noise. With regions, only their pixels are rendered, the same bytes as those of a whole image, and
   * the others of `out` are left as they are.
   */
  render(scene: RenderScene, frame: number | string, out: GrayImage, regions?: readonly PixelRegion[]): void {
    const { width, height } = this.camera;
    const sensor = scene.sensor ?? this.#sensorOptions;
    const seen = regions?.flatMap((region) => clipRegion(region, width, height) ?? []) ?? this.#wholeImage;
    // First, for it may allocate memory.
    const exposed = seen.map((region) => this.#sensor.regionFor(sensor, region));
    const { wanted } = this.#caster;
    wanted.fill(0);
    for (const region of exposed) markBlocks(region, blurReach(sensor.defocus), this.#rays, wanted);
    if (regions !== undefined) this.#markSurroundings(scene, wanted);
    this.#castRoom(scene);
    this.#paintThings(scene, this.#boundsOf(exposed, blurReach(sensor.defocus)));
    this.#sensor.expose(sensor, frame, seen, out);
  }

  /** Renders this room from now on. */
  enter(room: Room): void {
    this.#caster.enter(room);
  }

  /** With a rolling shutter each row of blocks is cast from where the camera is when it is exposed. */
  #castRoom(scene: RenderScene): void {
    const { rowTime = 0 } = scene;
    if (rowTime === 0) {
      this.#castWanted(scene, 0);
      return;
    }
    const { blockRows, blockColumns } = this.#rays;
    const all = this.#caster.wanted.slice();
    for (let row = 0; row < blockRows; row++) {
      const blocks = all.subarray(row * blockColumns, (row + 1) * blockColumns);
      if (!blocks.includes(1)) continue;
      this.#caster.wanted.fill(0);
      this.#caster.wanted.set(blocks, row * blockColumns);
      this.#castWanted(scene, rowDelay((row + 0.5) * BLOCK_SIZE, this.camera.height, rowTime));
    }
    this.#caster.wanted.set(all);
  }

  /** Casts the wanted blocks, `delay` after the scene's time [s]. */
  #castWanted(scene: RenderScene, delay: number): void {
    const twist = scene.cameraTwist ?? STILL;
    // Rotation moves the whole image; translation moves what is a few metres away much less.
    const turn = Math.hypot(twist[3]!, twist[4]!, twist[5]!) + Math.hypot(twist[0]!, twist[1]!, twist[2]!) / 3;
    const blur = turn * scene.exposure * this.camera.fx;
    const casts = Math.max(1, Math.min(this.#maxRoomCasts, Math.round(blur / ROOM_STEP)));
    for (let k = 0; k < casts; k++) {
      this.#poseAt(scene, delay + ((k + 0.5) / casts - 0.5) * scene.exposure);
      this.#caster.place(k, this.#worldFromCamera);
    }
    this.#caster.cast(casts);
  }

  /** The light around balls of a given contrast is needed too. */
  #markSurroundings(scene: RenderScene, wanted: Uint8Array): void {
    for (const ball of scene.balls) {
      const region = this.#painter.surroundingsOf(this.#place(scene, ball));
      if (region !== undefined) markBlocks(region, 0, this.#rays, wanted);
    }
  }

  /** The rectangle about all regions, and what light may spread into them from. */
  #boundsOf(regions: readonly PixelRegion[], margin: number): PixelRegion {
    const { width, height } = this.camera;
    const left = Math.min(...regions.map((region) => region.left)) - margin;
    const top = Math.min(...regions.map((region) => region.top)) - margin;
    const right = Math.max(...regions.map((region) => region.left + region.width)) + margin;
    const bottom = Math.max(...regions.map((region) => region.top + region.height)) + margin;
    const bounds = { left, top, width: right - left, height: bottom - top };
    return clipRegion(bounds, width, height) ?? { left: 0, top: 0, width: 0, height: 0 };
  }

  /** Balls and limbs, from far to near; limbs only within `bounds`. */
  #paintThings(scene: RenderScene, bounds: PixelRegion): void {
    const { balls, limbs = NO_LIMBS } = scene;
    pose.rotateVectorInverse(scene.worldFromCamera, this.#towardsLight, this.#lightInCamera);
    this.ballGrays.length = 0;
    const things = [
      ...balls.map((ball, i) => ({ depth: this.#depth(scene, ball.position), paint: () => this.#paintBall(scene, i) })),
      ...limbs.map((limb) => ({
        depth: this.#limbDepth(scene, limb),
        paint: () => this.#paintLimb(scene, limb, bounds),
      })),
    ];
    for (const { paint } of things.sort((a, b) => b.depth - a.depth)) paint();
  }

  #paintBall(scene: RenderScene, i: number): void {
    const ball = scene.balls[i]!;
    const { rowTime = 0 } = scene;
    if (rowTime === 0) this.ballGrays[i] = this.#painter.paint(this.#place(scene, ball));
    else this.#paintInBands(scene, i, rowTime);
  }

  /** A band of rows at a time, each with the ball where it is when the band is exposed. */
  #paintInBands(scene: RenderScene, i: number, rowTime: number): void {
    const ball = scene.balls[i]!;
    const { height } = this.camera;
    this.ballGrays[i] = Number.NaN;
    for (let first = 0; first < height; first += BAND) {
      const rows = [first, Math.min(height, first + BAND) - 1] as const;
      const placed = this.#place(scene, ball, rowDelay(first + (BAND - 1) / 2, height, rowTime));
      const touched = this.#painter.rowsOf(placed);
      if (touched === null || touched[0] > rows[1] || touched[1] < rows[0]) continue;
      this.ballGrays[i] = this.#painter.paint({ ...placed, rows });
    }
  }

  #paintLimb(scene: RenderScene, limb: RenderLimb, bounds: PixelRegion): void {
    const { worldFromCamera, exposure } = scene;
    const from = pose.transformPointInverse(worldFromCamera, limb.from, vec3.create());
    const to = pose.transformPointInverse(worldFromCamera, limb.to, vec3.create());
    this.#limbs.paint(limb, from, to, vec3.norm(limb.velocity) * exposure, bounds);
  }

  #limbDepth(scene: RenderScene, { from, to, nearer }: RenderLimb): number {
    return this.#depth(scene, vec3.lerp(from, to, 0.5, vec3.create())) - nearer;
  }

  /** The ball `delay` after the scene's time [s]. */
  #place(scene: RenderScene, ball: RenderBall, delay = 0): PaintedBall {
    const { radius, tone, shading } = ball;
    const count = this.#placeCentres(scene, ball, delay);
    const { surface } = ball;
    const plain = { centres: this.#centres, count, radius, tone, shading, light: this.#lightInCamera };
    return surface === undefined ? plain : { ...plain, surface, ballFromCamera: this.#turned(surface, scene) };
  }

  #turned({ ballFromWorld }: BallSurface, { worldFromCamera }: RenderScene): mat3.Mat3 {
    for (let i = 0; i < 9; i++) this.#rotation[i] = worldFromCamera[i]!;
    return mat3.multiply(ballFromWorld, this.#rotation, this.#rotation);
  }

  #depth(scene: RenderScene, position: vec3.Vec3): number {
    return vec3.norm(pose.transformPointInverse(scene.worldFromCamera, position, this.#point));
  }

  /** Places of a ball over the exposure in the camera's frame, to `#centres`; returns how many. */
  #placeCentres(scene: RenderScene, ball: RenderBall, delay: number): number {
    const [begin, end] = [delay - 0.5 * scene.exposure, delay + 0.5 * scene.exposure];
    const from = vec3.copy(this.#placeAt(scene, ball, begin), vec3.create());
    const to = this.#placeAt(scene, ball, end);
    const shift = vec3.distance(from, to) / Math.max(Math.min(from[2], to[2]), ball.radius);
    const way = shift * this.camera.fx;
    const wanted = way < STILL_BALL ? 1 : Math.ceil(PLACES_PER_ROOT_PIXEL * Math.sqrt(way));
    const count = Math.min(MAX_BALL_PLACES, wanted);
    for (let k = 0; k < count; k++) {
      const centre = this.#placeAt(scene, ball, delay + ((k + 0.5) / count - 0.5) * scene.exposure);
      this.#centres.set(centre, 3 * k);
    }
    return count;
  }

  #placeAt(scene: RenderScene, ball: RenderBall, time: number): vec3.Vec3 {
    this.#poseAt(scene, time);
    vec3.addScaled(ball.position, ball.velocity, time, this.#point);
    return pose.transformPointInverse(this.#worldFromCamera, this.#point, this.#point);
  }

  /** The camera's pose at a time from the middle of the exposure. */
  #poseAt({ worldFromCamera, cameraTwist }: RenderScene, time: number): void {
    if (cameraTwist === undefined) {
      pose.copy(worldFromCamera, this.#worldFromCamera);
      return;
    }
    for (let i = 0; i < 6; i++) this.#step[i] = time * cameraTwist[i]!;
    pose.compose(worldFromCamera, lie.se3Exp(this.#step, this.#motion), this.#worldFromCamera);
  }
}
