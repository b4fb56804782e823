import { describe, expect, it } from "vitest";
import type { CameraModel } from "../../../src/camera/camera-model.js";
import { SphereOutline } from "../../../src/camera/sphere-outline.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallPainter } from "../../../src/simulation/rendering/ball-painter.js";
import { type Canvas, createCanvas, KernelMemory } from "../../../src/simulation/rendering/kernel-memory.js";
import { RayTable } from "../../../src/simulation/rendering/ray-table.js";
import { lenses, makeCamera, visiblePoint } from "../../camera/cameras.js";
import { deep } from "../../support/deep.js";
import { ballAt, lookingForward, renderBoth } from "./scenes.js";

const RADIUS = 0.0425;
const upwards = vec3.create(0, -1, 0);

/** A white ball on black, in parts of one. */
class BlackCanvas {
  readonly #canvas: Canvas;
  readonly #painter: BallPainter;

  constructor(camera: CameraModel) {
    this.#canvas = createCanvas(new KernelMemory(), new RayTable(camera));
    this.#painter = new BallPainter(this.#canvas, RADIUS);
  }

  /** Of whole blocks: for cameras whose width is a multiple of 16. */
  paint(centres: Float64Array): Float32Array {
    const { memory, rays, light } = this.#canvas;
    const { width, height } = rays.camera;
    memory.floats.fill(0, light / 4, light / 4 + width * height);
    const tone = { kind: "gray", gray: 1 } as const;
    const count = centres.length / 3;
    this.#painter.paint({ centres, count, radius: RADIUS, tone, shading: 0, light: upwards });
    return memory.floats.slice(light / 4, light / 4 + width * height);
  }
}

/** Centroid and area-equal radius of light on black. */
function measureLight(light: Float32Array, width: number): [number, number, number] {
  let [sum, u, v] = [0, 0, 0];
  for (let i = 0; i < light.length; i++) {
    const value = light[i]!;
    if (value === 0) continue;
    sum += value;
    u += value * (i % width);
    v += value * Math.floor(i / width);
  }
  return [u / sum, v / sum, Math.sqrt(sum / Math.PI)];
}

describe.each(Object.entries(lenses))("a painted ball through the lens %s", (name, distortion) => {
  const camera = makeCamera(distortion, 400);
  const outline = new SphereOutline(camera, RADIUS);
  const canvas = new BlackCanvas(camera);

  it("has the centre and radius of its outline", () => {
    const random = new Random(`painted ${name}`);
    const circle = new Float64Array(3);
    for (let i = 0; i < deep(30, 2000); i++) {
      const centre = visiblePoint(camera, random, 0.2, 3.5, vec3.create());
      outline.measure(centre, circle);
      if (!camera.isInside(circle[0]!, circle[1]!, 1.3 * circle[2]! + 2)) continue;
      const [u, v, r] = measureLight(canvas.paint(centre), camera.width);
      // A perfect image of a disc of 4 px, summed over its pixels' middles, has errors of a few thousandths itself.
      expect(Math.hypot(u - circle[0]!, v - circle[1]!)).toBeLessThan(0.01);
      expect(Math.abs(r - circle[2]!)).toBeLessThan(0.003);
    }
  });

  it("covers each pixel by its share", () => {
    const random = new Random(`share ${name}`);
    for (const distance of [0.5, 1.5, 3.5]) {
      const centre = visiblePoint(camera, random, distance, distance, vec3.create());
      const light = canvas.paint(centre);
      const edges = [...light.keys()].filter((i) => light[i]! > 0 && light[i]! < 1);
      for (const i of edges.slice(0, deep(40, 1000))) {
        const [u, v] = [i % camera.width, Math.floor(i / camera.width)];
        expect(Math.abs(light[i]! - sampledCoverage(u, v, centre))).toBeLessThan(0.01);
      }
    }
  });

  /** Share of 50 × 50 rays through a pixel that meet the ball. */
  function sampledCoverage(u: number, v: number, centre: vec3.Vec3): number {
    const steps = 50;
    const ray = vec3.create();
    const tangent = Math.sqrt(vec3.squaredNorm(centre) - RADIUS ** 2);
    let count = 0;
    for (let k = 0; k < steps * steps; k++) {
      const x = u - 0.5 + ((k % steps) + 0.5) / steps;
      const y = v - 0.5 + (Math.floor(k / steps) + 0.5) / steps;
      if (camera.ray(x, y, ray) && vec3.dot(ray, centre) > tangent) count++;
    }
    return count / steps ** 2;
  }
});

describe("a rendered ball", () => {
  const camera = makeCamera(lenses.mild!, 400);

  it("has the centre of its outline also in bytes, moving or not", () => {
    const random = new Random("bytes");
    const outline = new SphereOutline(camera, RADIUS);
    const circle = new Float64Array(3);
    for (let i = 0; i < deep(6, 100); i++) {
      const centre = visiblePoint(camera, random, 0.4, 2, vec3.create());
      outline.measure(centre, circle);
      if (!camera.isInside(circle[0]!, circle[1]!, 1.3 * circle[2]! + 12)) continue;
      const velocity = i % 2 === 0 ? vec3.create() : vec3.create(0, random.uniformIn(-4, 4), random.uniformIn(-4, 4));
      const scene = { worldFromCamera: lookingForward, exposure: 0.004, balls: [ballAt(centre, RADIUS, 0, velocity)] };
      const { image, empty } = renderBoth(camera, scene);
      const share = Float32Array.from(image.pixels, (value, k) => 1 - value / empty.pixels[k]!);
      const [u, v] = measureLight(share, camera.width);
      expect(Math.hypot(u - circle[0]!, v - circle[1]!)).toBeLessThan(0.02);
    }
  });

  it("is blurred over the way it moves", () => {
    const centre = vec3.create(0, 0, 1);
    // 4 m/s to the right over 5 ms: 20 mm at 1 m, 6.9 px.
    const ball = ballAt(centre, RADIUS, 250, vec3.create(0, -4, 0));
    const width = (exposure: number): number => {
      const { image, empty } = renderBoth(camera, { worldFromCamera: lookingForward, exposure, balls: [ball] });
      const row = Math.round(camera.cy) * camera.width;
      let count = 0;
      for (let u = 0; u < camera.width; u++) if (image.pixels[row + u] !== empty.pixels[row + u]) count++;
      return count;
    };
    expect(width(0.005) - width(0)).toBeGreaterThanOrEqual(6);
    expect(width(0.005) - width(0)).toBeLessThanOrEqual(9);
  });

  it("is as blurred as one of a thousand places", () => {
    const canvas = new BlackCanvas(camera);
    const paint = (count: number, way: number): Float32Array => {
      const places = Array.from({ length: count }, (_, k) => [((k + 0.5) / count - 0.5) * way, 0.01, 0.8]);
      return canvas.paint(Float64Array.from(places.flat()));
    };
    for (const pixels of [2, 5, 15]) {
      const way = (pixels * 0.8) / camera.fx;
      const [few, many] = [paint(Math.ceil(5 * Math.sqrt(pixels)), way), paint(1000, way)];
      expect(few.reduce((most, value, i) => Math.max(most, Math.abs(value - many[i]!)), 0)).toBeLessThan(0.01);
    }
  });

  it("stays sharp when camera and ball turn as one", () => {
    const centre = vec3.create(0, 0, 1);
    const turn = 3;
    // About the camera's y axis, downwards: what lies ahead moves to the right as seen from above.
    const twist = Float64Array.of(0, 0, 0, 0, turn, 0);
    const velocityInCamera = vec3.create(turn, 0, 0);
    const velocity = pose.rotateVector(lookingForward, velocityInCamera, vec3.create());
    const ball = ballAt(centre, RADIUS, 250, velocity);
    const edges = (cameraTwist: Float64Array): number => {
      const scene = { worldFromCamera: lookingForward, cameraTwist, exposure: 0.004, balls: [ball] };
      const { image } = renderBoth(camera, scene);
      const row = Math.round(camera.cy) * camera.width;
      return image.pixels.subarray(row, row + camera.width).filter((value) => value >= 249).length;
    };
    expect(edges(twist)).toBeGreaterThan(edges(new Float64Array(6)) + 2);
  });

  it("has the contrast asked for", () => {
    for (const polarity of ["brighter", "darker"] as const) {
      for (const contrast of [0.05, 0.1, 0.3]) {
        const position = pose.transformPoint(lookingForward, vec3.create(0.1, -0.15, 1), vec3.create());
        const tone = { kind: "contrast", contrast, polarity } as const;
        const ball = { position, velocity: vec3.create(), radius: RADIUS, tone, shading: 0 };
        const { image, empty } = renderBoth(camera, { worldFromCamera: lookingForward, exposure: 0, balls: [ball] });
        const inside = [...image.pixels.keys()].filter((i) => image.pixels[i] !== empty.pixels[i]);
        const mean = (pixels: Uint8Array): number => inside.reduce((sum, i) => sum + pixels[i]!, 0) / inside.length;
        const [ball1, before] = [mean(image.pixels), mean(empty.pixels)];
        const found = (ball1 - before) / (ball1 + before);
        expect(Math.abs(found)).toBeGreaterThan(contrast * 0.6);
        expect(Math.abs(found)).toBeLessThan(contrast * 1.4);
        expect(found > 0).toBe(polarity === "brighter");
      }
    }
  });

  it("hides one farther away, whatever their order", () => {
    const near = ballAt(vec3.create(0, 0, 0.5), RADIUS, 250);
    const far = ballAt(vec3.create(0.02, 0, 3), RADIUS, 10);
    for (const balls of [
      [near, far],
      [far, near],
    ]) {
      const { image } = renderBoth(camera, { worldFromCamera: lookingForward, exposure: 0, balls });
      expect(image.pixels[Math.round(camera.cy) * camera.width + Math.round(camera.cx)]).toBe(250);
      expect(image.pixels.includes(10)).toBe(false);
    }
  });

  it("may lie half off the image, or wholly, or behind", () => {
    const places = [vec3.create(-0.58, 0, 1), vec3.create(-9, 0, 2), vec3.create(0, 0, -2), vec3.create(0, 0, 0.01)];
    const balls = places.map((place) => ballAt(place, RADIUS, 250));
    const { image } = renderBoth(camera, { worldFromCamera: lookingForward, exposure: 0.004, balls });
    expect(image.pixels.filter((value) => value === 250).length).toBeGreaterThan(50);
  });
});
