import type { GrayImage } from "../../camera/gray-image.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import { type Challenges, type imageChallengeNames, noChallenges } from "../head-motion/challenges.js";
import { ColourRenderer, ColourRoom } from "../rendering/colour-renderer.js";
import type { PixelRegion } from "../rendering/image-regions.js";
import { Renderer } from "../rendering/renderer.js";
import type { Room } from "../rendering/room.js";
import { SceneAppearance } from "./scene-appearance.js";
import { type RigCamera, stereoRig, type TrueBall, type TrueHeadMotion } from "./stereo-rig.js";

interface ImageEyesOptions {
  readonly seed: number | string;
  readonly ballRadius: number;
  /** Of the balls, `#rrggbb`; left out: light gray. */
  readonly ballColour?: string | undefined;
  /** Of the images' width and height against the robot's own. */
  readonly scale?: number;
  /** How hard images are; plain by default. They may change during a run. */
  readonly challenges?: Pick<Challenges, (typeof imageChallengeNames)[number]>;
}

/** What is around the balls; images of a room in colour are in colour. */
export type SeenRoom = Room | ColourRoom;

/** The camera of one side, which renders what it sees: a room, and the balls in it. The same seed gives the same images. */
export class ImageEye {
  readonly rig: RigCamera;
  readonly encoding: "mono8" | "rgb8";
  readonly #renderer: Pick<Renderer, "render">;
  readonly #appearance: SceneAppearance;
  readonly #scale: number;
  readonly #worldFromCamera = pose.create();
  readonly #twist = new Float64Array(6);
  readonly #vector = vec3.create();

  constructor(robot: Robot, side: "left" | "right", room: SeenRoom, options: ImageEyesOptions) {
    const { seed, scale = 1, ballRadius, ballColour, challenges = noChallenges } = options;
    const noise = robot.sidecar.simulation?.noise?.pixelNoise ?? 0;
    this.rig = stereoRig(robot, scale)[side];
    this.#scale = scale;
    this.#appearance = new SceneAppearance(challenges, { seed, noise, scale, ballRadius, ballColour });
    const { camera } = this.rig;
    const isColour = room instanceof ColourRoom;
    const noiseSeed = { seed: `${seed} ${side}` };
    this.encoding = isColour ? "rgb8" : "mono8";
    this.#renderer = isColour ? new ColourRenderer(camera, room, noiseSeed) : new Renderer(camera, room, noiseSeed);
  }

  /** Memory for an image. */
  createImage(): GrayImage {
    const { width, height } = this.rig.camera;
    const bytes = this.encoding === "rgb8" ? 3 : 1;
    return { width, height, pixels: new Uint8Array(bytes * width * height) };
  }

  /** What the camera sees in exposure number `frame`; only these regions, if any are given, the rest of `out` as it was. */
  see(
    head: TrueHeadMotion,
    balls: readonly TrueBall[],
    frame: number,
    out: GrayImage,
    regions?: readonly PixelRegion[],
  ): void {
    pose.compose(head.worldFromBody, this.rig.headFromCamera, this.#worldFromCamera);
    this.#carryTwist(head);
    const scene = {
      worldFromCamera: this.#worldFromCamera,
      cameraTwist: this.#twist,
      exposure: this.rig.exposure,
      rowTime: this.rig.rowTime / this.#scale,
      balls: balls.map((ball) => this.#appearance.ballOf(ball, frame)),
      limbs: this.#appearance.limbsOf(balls, frame),
      sensor: this.#appearance.sensorOf(frame),
    };
    this.#renderer.render(scene, frame, out, regions);
  }

  /** The camera's velocity in its own axes, from the head's in the world's: v + ω × r. */
  #carryTwist({ worldFromBody, twist }: TrueHeadMotion): void {
    const camera = this.#worldFromCamera;
    const r = [camera[9] - worldFromBody[9], camera[10] - worldFromBody[10], camera[11] - worldFromBody[11]] as const;
    const [wx, wy, wz] = [twist[3]!, twist[4]!, twist[5]!];
    const v = this.#vector;
    vec3.set(
      twist[0]! + wy * r[2] - wz * r[1],
      twist[1]! + wz * r[0] - wx * r[2],
      twist[2]! + wx * r[1] - wy * r[0],
      v,
    );
    this.#twist.set(pose.rotateVectorInverse(camera, v, v));
    this.#twist.set(pose.rotateVectorInverse(camera, vec3.set(wx, wy, wz, v), v), 3);
  }
}
