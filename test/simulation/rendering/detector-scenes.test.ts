import { describe, expect, it } from "vitest";
import { type DetectorScene, DetectorScenes } from "../../../bench/tracking/detector-scenes.js";
import { createImage } from "../../../src/camera/gray-image.js";
import { deep } from "../../support/deep.js";
import { haveEqualBytes } from "./scenes.js";

const size = { width: 400, height: 300 };
const options = { ...size, roomCount: 1, room: { texelsPerMetre: 60 } };
const scenes = new DetectorScenes("test", options);
const image = createImage(size.width, size.height);
const rendered: DetectorScene[] = Array.from({ length: deep(12, 200) }, (_, i) => scenes.render(i, image));
const balls = rendered.flatMap((scene) => scene.balls);

describe("scenes for the detector", () => {
  it("have balls wholly on the image, apart from one another", () => {
    for (const scene of rendered) {
      expect(scene.balls.length).toBeGreaterThan(0);
      for (const [i, { u, v, r }] of scene.balls.entries()) {
        expect(scenes.camera.isInside(u, v, r)).toBe(true);
        for (const other of scene.balls.slice(i + 1)) {
          expect(Math.hypot(u - other.u, v - other.v)).toBeGreaterThan(r + other.r);
        }
      }
    }
  });

  it("have balls of all distances, contrasts and both polarities", () => {
    const distances = balls.map(({ distance }) => distance);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(0.7);
    expect(Math.max(...distances)).toBeLessThanOrEqual(7);
    expect(Math.max(...distances) / Math.min(...distances)).toBeGreaterThan(3);
    const contrasts = balls.map(({ contrast }) => contrast);
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(0.05);
    expect(Math.max(...contrasts)).toBeLessThanOrEqual(1);
    expect(Math.max(...contrasts) / Math.min(...contrasts)).toBeGreaterThan(3);
  });

  it("have the true circle of each ball's centre", () => {
    const back = Float64Array.of(0, 0, 0) as DetectorScene["balls"][number]["centre"];
    for (const { u, v, r, centre, distance } of balls) {
      expect(scenes.outline.backProject(u, v, r, back)).toBe(true);
      expect(Math.hypot(back[0] - centre[0], back[1] - centre[1], back[2] - centre[2])).toBeLessThan(1e-9);
      expect(Math.hypot(...centre)).toBeCloseTo(distance, 9);
    }
  });

  it("show each ball where it is said to be", () => {
    const quiet = new DetectorScenes("quiet", {
      ...options,
      noise: 0,
      gradient: 0,
      defocus: [0, 0],
      contrast: [0.3, 1],
    });
    for (let i = 0; i < 4; i++) {
      for (const { u, v, r, gray } of quiet.render(i, image).balls) {
        if (r < 3) continue;
        const middle = image.pixels[Math.round(v) * size.width + Math.round(u)]!;
        expect(Math.abs(middle - gray)).toBeLessThan(0.4 * gray + 4);
      }
    }
  });

  it("are the same whatever was rendered before", () => {
    scenes.render(3, image);
    const first = image.pixels.slice();
    scenes.render(5, image);
    const again = scenes.render(3, image);
    expect(haveEqualBytes(image.pixels, first)).toBe(true);
    expect(again.balls).toEqual(rendered[3]!.balls);
    const other = new DetectorScenes("test", options);
    other.render(3, image);
    expect(haveEqualBytes(image.pixels, first)).toBe(true);
  });
});
