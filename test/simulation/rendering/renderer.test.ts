import { describe, expect, it } from "vitest";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import * as lie from "../../../src/math/lie.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { idealSensor, type RenderScene } from "../../../src/simulation/rendering/render-scene.js";
import { Renderer } from "../../../src/simulation/rendering/renderer.js";
import { type Extent, Room } from "../../../src/simulation/rendering/room.js";
import { lenses, makeCamera } from "../../camera/cameras.js";
import { deep } from "../../support/deep.js";
import { unitVector } from "../../support/random-draws.js";
import { RoomReference } from "./render-reference.js";
import { ballAt, haveEqualBytes, lookingForward, renderSmallRoom, smallRoom } from "./scenes.js";

const camera = makeCamera(lenses.barrel!, 400);
const reference = new RoomReference(camera, smallRoom);
const emptyScene: RenderScene = { worldFromCamera: lookingForward, exposure: 0.004, balls: [] };

describe("a rendered room", () => {
  it("shows at each pixel what its ray meets first", () => {
    const random = new Random("rays");
    const differences: number[] = [];
    for (let view = 0; view < deep(3, 30); view++) {
      const worldFromCamera = turned(random);
      const image = renderSmallRoom(camera, { ...emptyScene, worldFromCamera });
      for (let i = 0; i < 1500; i++) {
        const [u, v] = [random.integer(camera.width), random.integer(camera.height)];
        const expected = brightnessOf(smallRoom, worldFromCamera, u, v);
        differences.push(Math.abs(image.pixels[v * camera.width + u]! - expected));
      }
    }
    // Where a texture's line or a solid's edge crosses the pixel the two may differ.
    const even = differences.filter((difference) => difference <= 12).length / differences.length;
    expect(even).toBeGreaterThan(0.93);
  });

  it("is smooth where blocks meet", () => {
    const image = renderSmallRoom(makeCamera(lenses.none!, 800), emptyScene);
    const jump = (phase: number): number => {
      let [sum, count] = [0, 0];
      for (let row = 0; row < image.height; row++) {
        for (let u = 16 + phase; u < image.width; u += 16) {
          const i = row * image.width + u;
          sum += Math.abs(image.pixels[i]! - image.pixels[i - 1]!);
          count++;
        }
      }
      return sum / count;
    };
    const inside = [3, 6, 9, 12].map(jump).reduce((a, b) => a + b) / 4;
    expect(jump(0)).toBeLessThan(1.3 * inside + 0.1);
  });

  it("is the same for the same seed, and another for another", () => {
    const options = { texelsPerMetre: 40, boxCount: 2 };
    const images = ["a", "a", "b"].map((seed) => {
      const image = createImage(camera.width, camera.height);
      new Renderer(camera, new Room(seed, options)).render(emptyScene, 0, image);
      return image.pixels;
    });
    expect(haveEqualBytes(images[0]!, images[1]!)).toBe(true);
    expect(haveEqualBytes(images[0]!, images[2]!)).toBe(false);
  });

  it("has the boxes it is given", () => {
    const box: Extent = { min: [3, -0.5, 1.2], max: [3.5, 0.5, 2] };
    const render = (boxes: readonly Extent[]): GrayImage => {
      const image = createImage(camera.width, camera.height);
      new Renderer(camera, new Room("boxes", { texelsPerMetre: 40, boxes })).render(emptyScene, 0, image);
      return image;
    };
    const [empty, full] = [render([]), render([box])];
    const pixel = new Float64Array(2);
    // The front face's middle, and a place a little beside it.
    for (const [y, isSeen] of [
      [0, true],
      [0.55, false],
    ] as const) {
      const at = pose.transformPointInverse(lookingForward, vec3.create(3, y, 1.6), vec3.create());
      camera.project(at, pixel);
      const i = Math.round(pixel[1]!) * camera.width + Math.round(pixel[0]!);
      expect(full.pixels[i] !== empty.pixels[i]).toBe(isSeen);
    }
  });

  it("has discs where it says", () => {
    expect(smallRoom.discs.length).toBeGreaterThan(0);
    for (const { centre } of smallRoom.discs) {
      const { min, max } = smallRoom.extent;
      const onFaces = [0, 1, 2].filter((k) => centre[k] === min[k]! || centre[k] === max[k]!);
      expect(onFaces.length).toBe(1);
    }
  });

  it("is blurred when the camera turns", () => {
    const sharpness = ({ pixels, width }: GrayImage): number => {
      let sum = 0;
      for (let i = 1; i < pixels.length; i++) if (i % width !== 0) sum += (pixels[i]! - pixels[i - 1]!) ** 2;
      return sum;
    };
    const still = renderSmallRoom(camera, emptyScene);
    const cameraTwist = Float64Array.of(0, 0, 0, 0, 3, 0);
    const turning = renderSmallRoom(camera, { ...emptyScene, cameraTwist });
    expect(sharpness(turning)).toBeLessThan(0.7 * sharpness(still));
  });
});

describe("the sensor", () => {
  const ball = ballAt(vec3.create(0.1, 0, 1), 0.0425, 200);
  const render = (sensor: typeof idealSensor, frame: number | string): GrayImage => {
    const image = createImage(camera.width, camera.height);
    new Renderer(camera, smallRoom, { sensor }).render({ ...emptyScene, balls: [ball] }, frame, image);
    return image;
  };
  const ideal = render(idealSensor, 0);

  it("adds noise of its standard deviation, the same for the same frame", () => {
    const noisy = render({ ...idealSensor, noise: 3 }, 1);
    expect(haveEqualBytes(noisy.pixels, render({ ...idealSensor, noise: 3 }, 1).pixels)).toBe(true);
    expect(haveEqualBytes(noisy.pixels, render({ ...idealSensor, noise: 3 }, 2).pixels)).toBe(false);
    const differences = [...noisy.pixels.keys()]
      .filter((i) => ideal.pixels[i]! > 20 && ideal.pixels[i]! < 235)
      .map((i) => noisy.pixels[i]! - ideal.pixels[i]!);
    const mean = differences.reduce((sum, d) => sum + d, 0) / differences.length;
    const variance = differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / differences.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(Math.sqrt(variance)).toBeGreaterThan(2.9);
    expect(Math.sqrt(variance)).toBeLessThan(3.15);
  });

  it("has noise that neighbours do not share", () => {
    const noisy = render({ ...idealSensor, noise: 5 }, 3);
    const noise = Float64Array.from(noisy.pixels, (value, i) => value - ideal.pixels[i]!);
    for (const lag of [1, camera.width, camera.width + 1]) {
      let product = 0;
      for (let i = lag; i < noise.length; i++) product += noise[i]! * noise[i - lag]!;
      expect(Math.abs(product / noise.length / 25)).toBeLessThan(0.02);
    }
  });

  it("blurs without moving the light", () => {
    const blurred = render({ ...idealSensor, defocus: 1.2 }, 0);
    const sum = (pixels: Uint8Array): number => pixels.reduce((total, value) => total + value, 0);
    expect(Math.abs(sum(blurred.pixels) / sum(ideal.pixels) - 1)).toBeLessThan(0.002);
    expect(haveEqualBytes(blurred.pixels, ideal.pixels)).toBe(false);
  });

  it("is brighter on one side by its gradient", () => {
    const graded = render({ ...idealSensor, gradientAcross: 0.5, gradientDown: -0.2 }, 0);
    const ratio = (u: number, v: number): number =>
      graded.pixels[v * camera.width + u]! / ideal.pixels[v * camera.width + u]!;
    expect(ratio(395, 150)).toBeCloseTo(1.25, 1);
    expect(ratio(5, 150)).toBeCloseTo(0.75, 1);
    expect(ratio(200, 295)).toBeCloseTo(0.9, 1);
  });

  it("saturates", () => {
    const bright = render({ ...idealSensor, noise: 40 }, 4);
    expect(bright.pixels.includes(255)).toBe(true);
    expect(bright.pixels.includes(0)).toBe(true);
  });
});

function turned(random: Random): pose.Pose {
  const axis = unitVector(random, vec3.create());
  const shift = [random.uniformIn(-0.5, 0.5), random.uniformIn(-0.3, 0.3), random.uniformIn(-0.5, 0.5)];
  const twist = Float64Array.of(...shift, ...vec3.scale(axis, 0.5, axis));
  return pose.compose(lookingForward, lie.se3Exp(twist, pose.create()), pose.create());
}

/** Texture at the nearest meeting of a pixel's middle ray with any face. */
function brightnessOf(room: Room, worldFromCamera: pose.Pose, u: number, v: number): number {
  const { face, s, t } = reference.meet(worldFromCamera, u, v);
  const { levels, texelsPerMetre } = room.faces[face]!;
  const { pairs, stride } = levels[0]!;
  return pairs[Math.round(t * texelsPerMetre) * stride + Math.round(s * texelsPerMetre)]! & 0xff;
}
