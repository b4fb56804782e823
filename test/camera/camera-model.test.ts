import { describe, expect, it } from "vitest";
import { type CameraIntrinsics, CameraModel, intrinsicNames } from "../../src/camera/camera-model.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { RobotCamera } from "../../src/robot/robot.js";
import { deep } from "../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { finiteDifferences, greatestDifference, lenses, makeCamera, visiblePoint } from "./cameras.js";

const pixel = new Float64Array(2);
const direction = vec3.create();

describe.each(Object.entries(lenses))("a camera with the lens %s", (name, distortion) => {
  const camera = makeCamera(distortion);

  it("takes every pixel to a ray and back", () => {
    const step = deep(3, 1);
    let worst = 0;
    for (let v = 0; v < camera.height; v += step) {
      for (let u = 0; u < camera.width; u += step) {
        const isMapped = camera.ray(u, v, direction) && camera.project(direction, pixel);
        worst = isMapped ? Math.max(worst, Math.hypot(pixel[0]! - u, pixel[1]! - v)) : Number.NaN;
      }
    }
    expect(worst).toBeLessThan(1e-9);
  });

  it("has unit rays", () => {
    const random = new Random(`unit ${name}`);
    for (let i = 0; i < 100; i++) {
      camera.ray(random.uniformIn(0, 799), random.uniformIn(0, 599), direction);
      expect(vec3.norm(direction)).toBeCloseTo(1, 14);
    }
  });

  it("projects by the formulas of OpenCV's documentation", () => {
    const random = new Random(`formulas ${name}`);
    for (let i = 0; i < 200; i++) {
      const point = visiblePoint(camera, random, 0.5, 8, vec3.create());
      expect(camera.project(point, pixel)).toBe(true);
      expect(greatestDifference(pixel, textbookProjection(camera, point))).toBeLessThan(1e-9);
    }
  });

  it("has the Jacobian of its projection", () => {
    const random = new Random(`jacobian ${name}`);
    const jacobian = new Float64Array(6);
    for (let i = 0; i < deep(200, 20_000); i++) {
      const point = visiblePoint(camera, random, 0.5, 8, vec3.create());
      expect(camera.projectWithJacobian(point, pixel, jacobian)).toBe(true);
      const reference = finiteDifferences((p, out) => camera.project(p as typeof point, out), point, 2, 1e-5);
      expect(greatestDifference(jacobian, reference)).toBeLessThan(1e-5);
    }
  });

  it("has the Jacobian of its rays", () => {
    const random = new Random(`ray jacobian ${name}`);
    const jacobian = new Float64Array(6);
    for (let i = 0; i < deep(200, 20_000); i++) {
      const at = Float64Array.of(random.uniformIn(1, 798), random.uniformIn(1, 598));
      expect(camera.rayWithJacobian(at[0]!, at[1]!, direction, jacobian)).toBe(true);
      const reference = finiteDifferences((p, out) => camera.ray(p[0]!, p[1]!, out as typeof direction), at, 3, 1e-2);
      expect(greatestDifference(jacobian, reference)).toBeLessThan(1e-9);
    }
  });

  it("has the Jacobian with respect to its intrinsics", () => {
    const random = new Random(`intrinsics ${name}`);
    const jacobian = new Float64Array(18);
    for (let i = 0; i < 20; i++) {
      const point = visiblePoint(camera, random, 0.5, 8, vec3.create());
      expect(camera.projectIntrinsicsJacobian(point, pixel, jacobian)).toBe(true);
      const { fx, fy, cx, cy, distortion: d } = camera.intrinsics;
      const values = Float64Array.of(fx, fy, cx, cy, d.k1, d.k2, d.p1, d.p2, d.k3);
      const reference = finiteDifferences((x, out) => withIntrinsics(camera, x).project(point, out), values, 2, 1e-4);
      expect(greatestDifference(jacobian, reference)).toBeLessThan(1e-5);
    }
  });
});

describe("a camera", () => {
  const camera = makeCamera(lenses.barrel!);

  it("sees nothing behind it, nor NaN", () => {
    expect(camera.project(vec3.create(0.1, 0.1, -1), pixel)).toBe(false);
    expect(camera.project(vec3.create(0, 0, 0), pixel)).toBe(false);
    expect(camera.project(vec3.create(Number.NaN, 0, 1), pixel)).toBe(false);
    expect(camera.ray(Number.NaN, 3, direction)).toBe(false);
    expect(makeCamera(lenses.none!).ray(Number.NaN, 3, direction)).toBe(false);
    expect(makeCamera(lenses.none!).project(vec3.create(0, Number.NaN, 1), pixel)).toBe(false);
  });

  it("refuses points where the lens model folds back", () => {
    const folding = makeCamera({ k1: -0.4, k2: 0, p1: 0, p2: 0, k3: 0 });
    // d(r − 0.4·r³)/dr = 0.
    const border = Math.sqrt(1 / 1.2);
    expect(folding.lens.maxSquaredRadius).toBeCloseTo(border ** 2, 12);
    expect(folding.project(vec3.create(0.999 * border, 0, 1), pixel)).toBe(true);
    expect(folding.ray(pixel[0]!, pixel[1]!, direction)).toBe(true);
    expect(folding.project(vec3.create(1.001 * border, 0, 1), pixel)).toBe(false);
    expect(folding.project(vec3.create(3, 0, 1), pixel)).toBe(false);
    const reach = 692.8 * border * (1 - 0.4 * border ** 2);
    expect(folding.ray(402.3 + reach + 1, 297.6, direction)).toBe(false);
  });

  it("has a border half a pixel beyond the outermost centres", () => {
    expect(camera.isInside(-0.5, -0.5, 0)).toBe(true);
    expect(camera.isInside(799.5, 599.5, 0)).toBe(true);
    expect(camera.isInside(-0.51, 0, 0)).toBe(false);
    expect(camera.isInside(799.6, 0, 0)).toBe(false);
    expect(camera.isInside(4, 300, 5)).toBe(false);
    expect(camera.isInside(5, 594.5, 5)).toBe(true);
    expect(camera.isInside(Number.NaN, 3, 0)).toBe(false);
  });

  it("scales with the image's border, not with the first pixel's centre", () => {
    const half = camera.scaled(0.5);
    expect([half.width, half.height]).toEqual([400, 300]);
    const other = new Float64Array(2);
    const random = new Random("scaled");
    for (let i = 0; i < 100; i++) {
      const point = visiblePoint(camera, random, 1, 5, vec3.create());
      camera.project(point, pixel);
      half.project(point, other);
      // Four pixels whose centres lie about (u, v) become one whose centre lies there.
      expect(other[0]! + 0.5).toBeCloseTo((pixel[0]! + 0.5) / 2, 10);
      expect(other[1]! + 0.5).toBeCloseTo((pixel[1]! + 0.5) / 2, 10);
    }
    expect(half.scaled(2).intrinsics.cx).toBeCloseTo(camera.cx, 12);
  });

  it("is made of a robot's camera as it stands", () => {
    const robotCamera: RobotCamera = loadRobot("agile-justin").cameras[0]!;
    const model = new CameraModel(robotCamera);
    model.ray((robotCamera.width - 1) / 2, (robotCamera.height - 1) / 2, direction);
    expect(greatestDifference(direction, [0, 0, 1])).toBeLessThan(1e-12);
  });

  it.each([
    { width: 0 },
    { height: 1.5 },
    { fx: 0 },
    { fy: Number.NaN },
    { cx: Number.POSITIVE_INFINITY },
    { cy: Number.NaN },
    { distortion: { ...lenses.none!, k3: Number.NaN } },
  ] satisfies Partial<CameraIntrinsics>[])("is not made of %j", (wrong) => {
    expect(() => new CameraModel({ ...camera.intrinsics, ...wrong })).toThrow(
      expect.objectContaining({ code: "FLY_CAMERA_INTRINSICS" }),
    );
  });

  it("allocates nothing but numbers", () => {
    const point = vec3.create(0.3, -0.2, 2);
    const jacobian = new Float64Array(18);
    const work = (i: number): void => {
      camera.projectWithJacobian(point, pixel, jacobian);
      camera.projectIntrinsicsJacobian(point, pixel, jacobian);
      camera.rayWithJacobian(i % 800, 200, direction, jacobian);
    };
    expect(heapBytesPerCall(work, 5000, boxedNumbers)).toBeLessThan(boxedNumbers);
  });
});

function withIntrinsics(camera: CameraModel, values: Float64Array): CameraModel {
  const value = (name: (typeof intrinsicNames)[number]): number => values[intrinsicNames.indexOf(name)]!;
  const { width, height } = camera;
  const [k1, k2, p1, p2, k3] = [value("k1"), value("k2"), value("p1"), value("p2"), value("k3")];
  const distortion = { k1, k2, p1, p2, k3 };
  return new CameraModel({
    width,
    height,
    fx: value("fx"),
    fy: value("fy"),
    cx: value("cx"),
    cy: value("cy"),
    distortion,
  });
}

/** In polar coordinates: the radial part stretches the radius, the tangential one is added. */
function textbookProjection({ intrinsics }: CameraModel, [x, y, z]: vec3.Vec3): [number, number] {
  const { fx, fy, cx, cy, distortion: d } = intrinsics;
  const angle = Math.atan2(y!, x!);
  const r = Math.hypot(x!, y!) / z!;
  const stretched = r + d.k1 * r ** 3 + d.k2 * r ** 5 + d.k3 * r ** 7;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const tangentialX = r ** 2 * (d.p1 * Math.sin(2 * angle) + d.p2 * (1 + 2 * c ** 2));
  const tangentialY = r ** 2 * (d.p1 * (1 + 2 * s ** 2) + d.p2 * Math.sin(2 * angle));
  return [cx + fx * (stretched * c + tangentialX), cy + fy * (stretched * s + tangentialY)];
}
