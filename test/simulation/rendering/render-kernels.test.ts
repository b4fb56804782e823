import { describe, expect, it } from "vitest";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import * as lie from "../../../src/math/lie.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { PixelRegion } from "../../../src/simulation/rendering/image-regions.js";
import { idealSensor, type RenderBall, type RenderScene } from "../../../src/simulation/rendering/render-scene.js";
import { Renderer } from "../../../src/simulation/rendering/renderer.js";
import { Room } from "../../../src/simulation/rendering/room.js";
import { lenses, makeCamera } from "../../camera/cameras.js";
import { deep } from "../../support/deep.js";
import { unitVector } from "../../support/random-draws.js";
import { exposeReference, RoomReference } from "./render-reference.js";
import { haveEqualBytes, lookingForward, smallRoom } from "./scenes.js";

const EXPOSURE = 0.004;
/** Casts at this turn and width: 0.004 s · 4 rad/s · f. */
const CASTS = 4;
const noisySensor = { noise: 2, defocus: 0, gradientAcross: 0.3, gradientDown: -0.2 };

function randomPose(random: Random): pose.Pose {
  const axis = unitVector(random, vec3.create());
  const shift = [random.uniformIn(-0.5, 0.5), random.uniformIn(-0.3, 0.3), random.uniformIn(-0.5, 0.5)];
  const twist = Float64Array.of(...shift, ...vec3.scale(axis, 0.5, axis));
  return pose.compose(lookingForward, lie.se3Exp(twist, pose.create()), pose.create());
}

function posesOver(worldFromCamera: pose.Pose, twist: Float64Array, count: number): pose.Pose[] {
  return Array.from({ length: count }, (_, k) => {
    const step = twist.map((value) => value * ((k + 0.5) / count - 0.5) * EXPOSURE);
    return pose.compose(worldFromCamera, lie.se3Exp(step, pose.create()), pose.create());
  });
}

describe.each(Object.entries(lenses))("the kernels, through the lens %s", (name, distortion) => {
  // Not whole blocks, either way.
  const camera = makeCamera(distortion, 312);
  const reference = new RoomReference(camera, smallRoom);
  const random = new Random(`kernels ${name}`);

  it.each([
    ["resting", 0, { ...idealSensor }],
    ["turning", 12, noisySensor],
    ["out of focus", 0, { ...noisySensor, defocus: 1.3 }],
  ] as const)("give the image of the plain reference, %s", (_, turn, sensor) => {
    const renderer = new Renderer(camera, smallRoom, { sensor, seed: "noise", maxRoomCasts: CASTS });
    const image = createImage(camera.width, camera.height);
    for (let view = 0; view < deep(1, 6); view++) {
      const worldFromCamera = randomPose(random);
      const cameraTwist = Float64Array.of(0.1, 0, 0.2, 0, turn, 0);
      renderer.render({ worldFromCamera, cameraTwist, exposure: EXPOSURE, balls: [] }, view, image);
      const light = reference.cast(posesOver(worldFromCamera, cameraTwist, turn === 0 ? 1 : CASTS));
      const expected = exposeReference(light, camera, sensor, "noise", view);
      expectAlike(image, expected, reference.edges);
    }
  });
});

/** Rounding moves a value by one at most; only on an edge of the room may a ray fall to the other side. */
function expectAlike(image: GrayImage, expected: GrayImage, edges: ReadonlySet<number>): void {
  let [differing, far] = [0, 0];
  for (const [i, value] of image.pixels.entries()) {
    const difference = Math.abs(value - expected.pixels[i]!);
    if (difference > 0) differing++;
    if (difference > 1 && !edges.has(i)) far++;
  }
  expect(far / image.pixels.length).toBeLessThan(1e-4);
  expect(differing / image.pixels.length).toBeLessThan(0.01);
}

describe("regions", () => {
  const camera = makeCamera(lenses.barrel!, 312);
  const random = new Random("regions");
  const cameraTwist = Float64Array.of(0, 0, 0, 2, 8, 1);
  const balls = [0.6, 0.9, 2].map(
    (z, i): RenderBall => ({
      position: pose.transformPoint(lookingForward, vec3.create(0.2 * (i - 1), 0.05, z), vec3.create()),
      velocity: vec3.create(-4, 1, 0),
      radius: 0.0425,
      tone: i === 0 ? { kind: "gray", gray: 215 } : { kind: "contrast", contrast: 0.4, polarity: "darker" },
      shading: 0.25,
    }),
  );
  const scene: RenderScene = { worldFromCamera: lookingForward, cameraTwist, exposure: EXPOSURE, balls };

  it.each([0, 1.3])("hold the bytes of the whole image, and nothing else changes (blur %s px)", (defocus) => {
    const options = { sensor: { ...noisySensor, defocus }, seed: 5 };
    const whole = createImage(camera.width, camera.height);
    const whatever = new Renderer(camera, smallRoom, options);
    whatever.render(scene, 3, whole);
    // It has seen something else before.
    const renderer = new Renderer(camera, smallRoom, options);
    renderer.render({ ...scene, worldFromCamera: randomPose(random) }, 2, createImage(camera.width, camera.height));
    for (let i = 0; i < deep(20, 300); i++) {
      const regions = Array.from({ length: 1 + random.integer(3) }, () => randomRegion(random));
      const image = createImage(camera.width, camera.height);
      image.pixels.fill(77);
      renderer.render(scene, 3, image, regions);
      const expected = whole.pixels.map((value, at) =>
        regions.some((region) => isIn(region, at % camera.width, Math.floor(at / camera.width))) ? value : 77,
      );
      expect(haveEqualBytes(image.pixels, expected)).toBe(true);
    }
  });

  function randomRegion(from: Random): PixelRegion {
    const [left, top] = [from.integer(camera.width + 20) - 20, from.integer(camera.height + 20) - 20];
    return { left, top, width: 1 + from.integer(120), height: 1 + from.integer(120) };
  }

  function isIn({ left, top, width, height }: PixelRegion, u: number, v: number): boolean {
    return u >= left && u < left + width && v >= top && v < top + height;
  }
});

it("a renderer that enters another room shows what one made for that room does", () => {
  const camera = makeCamera(lenses.none!, 312);
  const scene: RenderScene = { worldFromCamera: lookingForward, exposure: EXPOSURE, balls: [] };
  const rooms = [40, 20, 60].map((texelsPerMetre, i) => new Room(`room ${i}`, { texelsPerMetre, boxCount: 2 + 3 * i }));
  const wanderer = new Renderer(camera, smallRoom);
  for (const room of [...rooms, rooms[0]!]) {
    const [image, expected] = [createImage(camera.width, camera.height), createImage(camera.width, camera.height)];
    wanderer.enter(room);
    wanderer.render(scene, 0, image);
    new Renderer(camera, room).render(scene, 0, expected);
    expect(haveEqualBytes(image.pixels, expected.pixels)).toBe(true);
  }
});
