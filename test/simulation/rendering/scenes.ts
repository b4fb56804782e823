import type { CameraModel } from "../../../src/camera/camera-model.js";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { RenderBall, RenderScene } from "../../../src/simulation/rendering/render-scene.js";
import { Renderer } from "../../../src/simulation/rendering/renderer.js";
import { Room } from "../../../src/simulation/rendering/room.js";

/** At the origin's eye level, looking along x of the world. */
export const lookingForward = Float64Array.of(0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, 1.6) as pose.Pose;

/** A small room, quick to paint. */
export const smallRoom = new Room("test", { texelsPerMetre: 60, boxCount: 4 });

const renderers = new Map<CameraModel, Renderer>();

/** Renders the small room with an ideal sensor. */
export function renderSmallRoom(camera: CameraModel, scene: RenderScene): GrayImage {
  const renderer = renderers.get(camera) ?? new Renderer(camera, smallRoom);
  renderers.set(camera, renderer);
  const image = createImage(camera.width, camera.height);
  renderer.render(scene, 0, image);
  return image;
}

/** The same scene with and without its balls: their difference shows the balls alone. */
export function renderBoth(camera: CameraModel, scene: RenderScene): { image: GrayImage; empty: GrayImage } {
  return { image: renderSmallRoom(camera, scene), empty: renderSmallRoom(camera, { ...scene, balls: [] }) };
}

export function ballAt(centreInCamera: vec3.Vec3, radius: number, gray: number, velocity = vec3.create()): RenderBall {
  const position = pose.transformPoint(lookingForward, centreInCamera, vec3.create());
  return { position, velocity, radius, tone: { kind: "gray", gray }, shading: 0 };
}

export function haveEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
