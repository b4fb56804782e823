import { expect, test } from "vitest";
import { OpenCvDetector } from "../../../bench/tracking/opencv-detector.js";
import { loadOpenCv } from "../../../bench/tracking/opencv-library.js";
import { Random } from "../../../src/math/random.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import { drawDiscs } from "./disc-image.js";

const discs = [
  { u: 60.3, v: 80.6, r: 12, contrast: 45 },
  { u: 150.2, v: 60.1, r: 18, contrast: -40 },
];
const image = drawDiscs({ width: 200, height: 150, background: 100, discs, noise: 2 }, new Random("opencv"));

test("OpenCV's circles, refined, are as good as ours", () => {
  const listeners = process.listenerCount("uncaughtException");
  const detector = new OpenCvDetector(loadOpenCv(), 200, 150, { minRadius: 4, maxRadius: 40 });
  expect(process.listenerCount("uncaughtException")).toBe(listeners);
  const circles = new CircleSet();
  detector.detect(image, circles);
  expect(circles.count).toBe(2);
  for (const { u, v, r } of discs) {
    const n = [0, 1].find((k) => Math.hypot(circles.u[k]! - u, circles.v[k]! - v) < 0.3);
    expect(n).toBeDefined();
    expect(Math.abs(circles.r[n!]! - r)).toBeLessThan(0.3);
  }
  detector.detectIn(image, [{ u: 62, v: 79, halfSize: 10, minRadius: 9, maxRadius: 15 }], circles);
  expect(circles.count).toBe(1);
  expect(Math.hypot(circles.u[0]! - 60.3, circles.v[0]! - 80.6)).toBeLessThan(0.3);
  detector.propose(image, circles);
  expect(circles.count).toBeGreaterThanOrEqual(2);
  detector.close();
});
