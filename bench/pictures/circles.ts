/**
 * Draws what the circle detector finds over a rendered image, into docs/images/circles.png.
 *
 *   node dist/bench/pictures/circles.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createImage } from "../../src/camera/gray-image.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { CircleDetector } from "../../src/tracking/circles/circle-detector.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";
import { DetectorScenes } from "../tracking/detector-scenes.js";
import { type Color, Picture } from "./indexed-picture.js";

const [width, height] = [800, 600];
const SEED = "picture";
const IMAGE = Number(process.argv[2] ?? 1);
const found: Color = [230, 60, 40];
const missed: Color = [250, 210, 60];

const scenes = new DetectorScenes(SEED, { width, height, ballCount: [5, 7], roomCount: 6 });
const image = createImage(width, height);
const { balls } = scenes.render(IMAGE, image);
const detector = new CircleDetector(width, height, { minRadius: 4, maxRadius: 48, camera: scenes.camera });
const circles = new CircleSet();
detector.detect(image, circles);

const picture = new Picture(width, height, image.pixels);
for (const { u, v, r } of balls) {
  const n = Array.from({ length: circles.count }, (_, k) => k).find(
    (k) => Math.hypot(circles.u[k]! - u, circles.v[k]! - v) < Math.max(2, 0.25 * r),
  );
  if (n === undefined) picture.circle(u, v, r + 5, 2, missed);
}
for (let n = 0; n < circles.count; n++) picture.circle(circles.u[n]!, circles.v[n]!, circles.r[n]! + 2, 2, found);
writeFileSync(join(packageRoot, "docs", "images", "circles.png"), picture.encode());
process.stdout.write(
  `${circles.count} circles; balls: ${balls.map((b) => `${b.r.toFixed(1)} px ${b.contrast.toFixed(2)}`)}\n`,
);
