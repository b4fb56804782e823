import { describe, expect, it } from "vitest";
import type { CameraModel } from "../../src/camera/camera-model.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { finiteDifferences, greatestDifference, lenses, makeCamera, visiblePoint } from "./cameras.js";

const RADIUS = 0.0425;
const circle = new Float64Array(3);
const centre = vec3.create();

describe.each(Object.entries(lenses))("the outline of a ball through the lens %s", (name, distortion) => {
  const camera = makeCamera(distortion, 1600);
  const outline = new SphereOutline(camera, RADIUS);

  it("has the area and centroid of the projected touching points", () => {
    const random = new Random(`area ${name}`);
    for (let i = 0; i < deep(60, 2000); i++) {
      visiblePoint(camera, random, 0.3, 7, centre);
      expect(outline.measure(centre, circle)).toBe(true);
      // A polygon of n points lies inside its curve by an area of order 1/n²: one step of Richardson's extrapolation.
      const coarse = polygonCircle(touchingPixels(camera, centre, RADIUS, 1000));
      const fine = polygonCircle(touchingPixels(camera, centre, RADIUS, 2000));
      const reference = fine.map((value, k) => value + (value - coarse[k]!) / 3);
      expect(greatestDifference(circle, reference)).toBeLessThan(1e-7);
    }
  });

  it("is the circle that fits points of the outline best, but for its known second order", () => {
    const random = new Random(`least squares ${name}`);
    for (let i = 0; i < deep(12, 500); i++) {
      visiblePoint(camera, random, 0.7, 7, centre);
      outline.measure(centre, circle);
      const points = touchingPixels(camera, centre, RADIUS, 1000);
      const fit = leastSquaresCircle(points, circle);
      const ellipticity = ellipticityOf(points, fit);
      expect(Math.hypot(fit[0]! - circle[0]!, fit[1]! - circle[1]!)).toBeLessThan(0.005);
      expect(fit[2]!).toBeCloseTo(circle[2]! * (1 - ellipticity ** 2 / 4), 2);
      expect(Math.abs(fit[2]! / circle[2]! - 1)).toBeLessThan(0.005);
    }
  });

  it("has the Jacobian of its circle", () => {
    const random = new Random(`jacobian ${name}`);
    const jacobian = new Float64Array(9);
    for (let i = 0; i < deep(200, 10_000); i++) {
      visiblePoint(camera, random, 0.3, 7, centre);
      expect(outline.measureWithJacobian(centre, circle, jacobian)).toBe(true);
      const reference = finiteDifferences((c, out) => outline.measure(c as vec3.Vec3, out), centre, 3, 1e-5);
      const scale = Math.max(...reference.map(Math.abs));
      expect(greatestDifference(jacobian, reference) / scale).toBeLessThan(1e-7);
    }
  });

  it("gives the ball's centre back", () => {
    const random = new Random(`back ${name}`);
    const back = vec3.create();
    const forward = new Float64Array(9);
    const inverse = new Float64Array(9);
    for (let i = 0; i < deep(200, 10_000); i++) {
      visiblePoint(camera, random, 0.2, 8, centre);
      outline.measureWithJacobian(centre, circle, forward);
      expect(outline.backProject(circle[0]!, circle[1]!, circle[2]!, back, inverse)).toBe(true);
      expect(vec3.distance(back, centre)).toBeLessThan(1e-10 * vec3.norm(centre));
      expect(greatestDifference(product(forward, inverse), [1, 0, 0, 0, 1, 0, 0, 0, 1])).toBeLessThan(1e-6);
    }
  });

  it("allocates nothing but numbers", () => {
    const at = vec3.create(0.3, 0.2, 2);
    const jacobian = new Float64Array(9);
    expect(heapBytesPerCall(() => outline.measureWithJacobian(at, circle, jacobian), 3000)).toBeLessThan(boxedNumbers);
  });
});

describe("an outline", () => {
  const outline = new SphereOutline(makeCamera(lenses.none!), RADIUS);

  it("does not lie about the image of the ball's centre", () => {
    const near = vec3.create(0.35, 0.2, 0.6);
    const pixel = new Float64Array(2);
    outline.measure(near, circle);
    outline.camera.project(near, pixel);
    expect(Math.hypot(circle[0]! - pixel[0]!, circle[1]! - pixel[1]!)).toBeGreaterThan(2);
  });

  it("tends to the lensless one as distortion vanishes", () => {
    const almost = new SphereOutline(makeCamera({ ...lenses.none!, k1: 1e-12 }), RADIUS);
    const random = new Random("limit");
    const other = new Float64Array(3);
    for (let i = 0; i < 200; i++) {
      visiblePoint(outline.camera, random, 0.2, 7, centre);
      outline.measure(centre, circle);
      almost.measure(centre, other);
      expect(greatestDifference(circle, other)).toBeLessThan(1e-8);
    }
  });

  it("is none for a ball that reaches the camera's plane, lies behind, or is NaN", () => {
    expect(outline.measure(vec3.create(0.5, 0, RADIUS), circle)).toBe(false);
    expect(outline.measure(vec3.create(0, 0, -1), circle)).toBe(false);
    expect(outline.measure(vec3.create(0, 0, Number.NaN), circle)).toBe(false);
    expect(outline.backProject(400, 300, 0, centre)).toBe(false);
    expect(outline.backProject(400, 300, Number.NaN, centre)).toBe(false);
    expect(outline.backProject(Number.NaN, 300, 5, centre)).toBe(false);
  });

  it("is not made without a radius", () => {
    for (const radius of [0, -1, Number.NaN]) {
      expect(() => new SphereOutline(outline.camera, radius)).toThrow(
        expect.objectContaining({ code: "FLY_CAMERA_BALL_RADIUS" }),
      );
    }
  });
});

/** Pixels of points where the cone of rays touches the sphere: found by rotating a tangent ray about the line of sight. */
function touchingPixels(camera: CameraModel, ball: vec3.Vec3, radius: number, count: number): Float64Array {
  const distance = vec3.norm(ball);
  const axis = vec3.normalize(ball, vec3.create());
  const side = vec3.normalize(vec3.cross(axis, vec3.create(0, 1, 0.1), vec3.create()), vec3.create());
  const up = vec3.cross(axis, side, vec3.create());
  const angle = Math.asin(radius / distance);
  const pixels = new Float64Array(2 * count);
  const ray = vec3.create();
  const pixel = new Float64Array(2);
  for (let i = 0; i < count; i++) {
    const turn = (2 * Math.PI * i) / count;
    vec3.scale(axis, Math.cos(angle), ray);
    vec3.addScaled(ray, side, Math.sin(angle) * Math.cos(turn), ray);
    vec3.addScaled(ray, up, Math.sin(angle) * Math.sin(turn), ray);
    if (!camera.project(ray, pixel)) throw new Error("touching point without an image");
    pixels.set(pixel, 2 * i);
  }
  return pixels;
}

/** Centroid and area-equal radius of a polygon, by the shoelace formula. */
function polygonCircle(points: Float64Array): number[] {
  const [u0, v0] = [points[0]!, points[1]!];
  let [area, momentU, momentV] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 2) {
    const k = (i + 2) % points.length;
    const [x, y] = [points[i]! - u0, points[i + 1]! - v0];
    const [x2, y2] = [points[k]! - u0, points[k + 1]! - v0];
    const cross = x * y2 - x2 * y;
    area += cross / 2;
    momentU += ((x + x2) * cross) / 6;
    momentV += ((y + y2) * cross) / 6;
  }
  return [u0 + momentU / area, v0 + momentV / area, Math.sqrt(Math.abs(area) / Math.PI)];
}

/** Minimises Σ w·(|p − c| − r)² by Gauss–Newton, each point weighted by the angle it stands for. */
function leastSquaresCircle(points: Float64Array, start: Float64Array): Float64Array {
  const fit = Float64Array.from(start);
  for (let round = 0; round < 20; round++) {
    let [sumX, sumY, sumR, weights] = [0, 0, 0, 0];
    for (let i = 0; i < points.length; i += 2) {
      const k = (i + 2) % points.length;
      const [x, y] = [points[i]! - fit[0]!, points[i + 1]! - fit[1]!];
      const [x2, y2] = [points[k]! - fit[0]!, points[k + 1]! - fit[1]!];
      const weight = Math.abs(Math.atan2(x * y2 - x2 * y, x * x2 + y * y2));
      const distance = (Math.hypot(x, y) + Math.hypot(x2, y2)) / 2;
      const middle = Math.hypot(x + x2, y + y2);
      sumX += weight * (distance - fit[2]!) * ((x + x2) / middle);
      sumY += weight * (distance - fit[2]!) * ((y + y2) / middle);
      sumR += weight * (distance - fit[2]!);
      weights += weight;
    }
    // Over all directions the mean of cos² is ½, and the mean of cos is 0.
    fit[0] = fit[0]! + (2 * sumX) / weights;
    fit[1] = fit[1]! + (2 * sumY) / weights;
    fit[2] = fit[2]! + sumR / weights;
  }
  return fit;
}

/** (a − b)/(a + b) of the greatest and least distance from the centre. */
function ellipticityOf(points: Float64Array, [u, v]: Float64Array): number {
  let [least, greatest] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < points.length; i += 2) {
    const distance = Math.hypot(points[i]! - u!, points[i + 1]! - v!);
    least = Math.min(least, distance);
    greatest = Math.max(greatest, distance);
  }
  return (greatest - least) / (greatest + least);
}

function product(a: Float64Array, b: Float64Array): number[] {
  return Array.from({ length: 9 }, (_, i) => {
    const row = 3 * Math.floor(i / 3);
    return a[row]! * b[i % 3]! + a[row + 1]! * b[(i % 3) + 3]! + a[row + 2]! * b[(i % 3) + 6]!;
  });
}
