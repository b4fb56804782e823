import type { Side } from "../../calibration/measurements/marker-model.js";
import type { CalibrationRig } from "../../calibration/parameters/calibration-rig.js";
import type { SensorSink } from "../../calibration/recording/recording-builder.js";
import type { CameraModel } from "../../camera/camera-model.js";
import { createImage, type GrayImage } from "../../camera/gray-image.js";
import { rowDelay } from "../../camera/rolling-shutter.js";
import * as pose from "../../math/pose.js";
import type { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import type { RobotState } from "../../robot/state.js";
import { idealSensor, type RenderBall } from "../rendering/render-scene.js";
import { Renderer } from "../rendering/renderer.js";
import { Room } from "../rendering/room.js";
import type { RigNoise } from "./simulated-calibration-robot.js";

/** What the cameras deliver: the marker's place with noise, or rendered images in which it is to be found. */
export type SightOptions =
  | { readonly kind: "markers" }
  /** Every `every`-th image is rendered, the others are lost: rendering takes longer than the camera. */
  | { readonly kind: "images"; readonly every: number };

/** Markers nearer to the border than this are not found [px]. */
const BORDER = 8;
/** A bright bead on a dark patch [m]. */
const BEAD_RADIUS = 0.005;
const PATCH_RADIUS = 0.02;

/** The simulated cameras: see the marker of the arm that is to be calibrated. */
export class MarkerEyes {
  /** Whose marker is uncovered, an index of the rig's arms. */
  arm = 0;
  readonly #rig: CalibrationRig;
  readonly #cameras: readonly [CameraModel, CameraModel];
  readonly #random: Random;
  readonly #noise: RigNoise;
  readonly #sight: SightOptions;
  readonly #renderers: readonly Renderer[];
  readonly #images: readonly GrayImage[];
  readonly #point = vec3.create();
  readonly #pixel = new Float64Array(2);

  constructor(
    rig: CalibrationRig,
    cameras: readonly [CameraModel, CameraModel],
    random: Random,
    noise: RigNoise,
    sight: SightOptions,
  ) {
    this.#rig = rig;
    this.#cameras = cameras;
    this.#random = random;
    this.#noise = noise;
    this.#sight = sight;
    const shown = sight.kind === "images" ? cameras : [];
    const room = sight.kind === "images" ? new Room("calibration", { boxCount: 3, texelsPerMetre: 60 }) : undefined;
    const gray = rig.robot.sidecar.simulation?.noise?.pixelNoise ?? 0;
    this.#renderers = shown.map(
      (camera, k) => new Renderer(camera, room!, { sensor: { ...idealSensor, noise: gray }, seed: `calibration ${k}` }),
    );
    this.#images = shown.map(({ width, height }) => createImage(width, height));
  }

  /** Whether an image takes so long that others must be let in between. */
  get isSlow(): boolean {
    return this.#sight.kind === "images";
  }

  /** Shows the sink what camera `side` sees of the robot. */
  see(side: Side, state: RobotState, sequence: number, stamp: number, sink: SensorSink): void {
    if (this.#sight.kind === "images") {
      if (sequence % this.#sight.every === 0) this.#render(side, state, sequence, stamp, sink);
      return;
    }
    const isFound = this.#project(side, state);
    const camera = this.#cameras[side];
    const isFalse = this.#random.uniform() < this.#noise.falseDetections;
    const [du, dv] = [this.#random.normal(), this.#random.normal()];
    if (isFalse) {
      const [u, v] = [this.#random.uniformIn(0, camera.width - 1), this.#random.uniformIn(0, camera.height - 1)];
      sink.marker(side, sequence, stamp, u, v);
    } else if (isFound) {
      const { pixel } = this.#noise;
      sink.marker(side, sequence, stamp, this.#pixel[0]! + pixel * du, this.#pixel[1]! + pixel * dv);
    } else {
      sink.marker(side, sequence, stamp, Number.NaN, Number.NaN);
    }
  }

  /** When the marker's row is exposed, from the middle row's exposure [s]; 0 where it is not seen. */
  rowDelay(side: Side, state: RobotState): number {
    const { height, rowTime } = this.#rig.cameras[side];
    return this.#project(side, state) ? rowDelay(this.#pixel[1]!, height, rowTime) : 0;
  }

  /** The pixel of the marker to #pixel; that of the other arm is covered. */
  #project(side: Side, state: RobotState): boolean {
    const { marker } = this.#rig.arms[this.arm]!;
    pose.transformPoint(state.worldFromLink[marker.link]!, marker.position, this.#point);
    pose.transformPointInverse(state.worldFromLink[this.#rig.cameras[side].link]!, this.#point, this.#point);
    const camera = this.#cameras[side];
    return camera.project(this.#point, this.#pixel) && camera.isInside(this.#pixel[0]!, this.#pixel[1]!, BORDER);
  }
  #render(side: Side, state: RobotState, sequence: number, stamp: number, sink: SensorSink): void {
    const { marker } = this.#rig.arms[this.arm]!;
    const camera = this.#rig.cameras[side];
    const position = pose.transformPoint(state.worldFromLink[marker.link]!, marker.position, vec3.create());
    const ball = (radius: number, gray: number, towards: number): RenderBall => ({
      position: vec3.lerp(position, eyeOf(state, camera.link), towards, vec3.create()),
      velocity: vec3.create(),
      radius,
      tone: { kind: "gray", gray },
      shading: 0,
    });
    const scene = {
      worldFromCamera: state.worldFromLink[camera.link]!,
      exposure: 0,
      balls: [ball(PATCH_RADIUS, 20, -0.05), ball(BEAD_RADIUS, 240, 0)],
    };
    this.#renderers[side]!.render(scene, sequence, this.#images[side]!);
    sink.image(side, sequence, stamp, this.#images[side]!);
  }
}

function eyeOf(state: RobotState, link: number): vec3.Vec3 {
  return pose.getTranslation(state.worldFromLink[link]!, vec3.create());
}
