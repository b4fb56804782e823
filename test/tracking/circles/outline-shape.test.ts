import { describe, expect, test } from "vitest";
import { CameraModel } from "../../../src/camera/camera-model.js";
import * as vec3 from "../../../src/math/vec3.js";
import { OutlineShape } from "../../../src/tracking/circles/outline-shape.js";

const intrinsics = { width: 1600, height: 1200, fx: 1386, fy: 1386, cx: 799.5, cy: 599.5 };
const distortion = { k1: -0.08, k2: 0.01, p1: 0.001, p2: -0.0005, k3: 0 };

describe("shape of a small ball's outline", () => {
  test("is that of the rays that touch the ball", () => {
    const camera = new CameraModel({ ...intrinsics, distortion });
    const shape = new OutlineShape(camera);
    const axis = vec3.create();
    for (const [u, v] of [
      [800, 600],
      [200, 150],
      [1500, 1100],
      [1400, 300],
    ] as const) {
      camera.ray(u, v, axis);
      const across = vec3.normalize(vec3.cross(axis, vec3.create(0.3, 1, 0.2), vec3.create()), vec3.create());
      const up = vec3.cross(axis, across, vec3.create());
      const angle = 0.002;
      const outline = Array.from({ length: 36 }, (_, k) => {
        const turn = (2 * Math.PI * k) / 36;
        const ray = vec3.addScaled(axis, across, angle * Math.cos(turn), vec3.create());
        const pixel = new Float64Array(2);
        camera.project(vec3.addScaled(ray, up, angle * Math.sin(turn), ray), pixel);
        return { du: pixel[0]! - u, dv: pixel[1]! - v };
      });
      shape.moveTo(u, v);
      const ratios = outline.map(({ du, dv }) => {
        const distance = Math.hypot(du, dv);
        return distance / shape.distance(du / distance, dv / distance);
      });
      const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
      for (const ratio of ratios) expect(Math.abs(ratio / mean - 1)).toBeLessThan(0.005);
    }
  });

  test("is a circle without a camera", () => {
    const shape = new OutlineShape(null);
    shape.moveTo(10, 2000);
    expect(shape.distance(0.6, 0.8)).toBeCloseTo(1, 12);
  });
});
