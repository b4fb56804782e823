/**
 * Draws the pictures of docs/camera.md into docs/images/: a rendered scene with its true circles, and the outline of a
 * ball.
 *
 *   node dist/bench/pictures/camera.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CameraModel } from "../../src/camera/camera-model.js";
import { createImage } from "../../src/camera/gray-image.js";
import { noDistortion } from "../../src/camera/lens-distortion.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import * as vec3 from "../../src/math/vec3.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { DetectorScenes } from "../tracking/detector-scenes.js";
import { encodePng } from "./png.js";
import { Plot, type Point, palette, renderSvg } from "./svg.js";

const BALL_RADIUS = 0.0425;

/** A scene with its true circles over it; little noise keeps the file small. */
function sceneSvg(index: number): string {
  const [width, height] = [560, 420];
  const scenes = new DetectorScenes("picture", { width, height, noise: 0.6, ballCount: [4, 4], contrast: [0.1, 0.8] });
  const image = createImage(width, height);
  const { balls, discs } = scenes.render(index, image);
  const png = encodePng(width, height, 1, image.pixels).toString("base64");
  const circle = (u: number, v: number, r: number, style: string): string =>
    `<circle cx="${(u + 0.5).toFixed(2)}" cy="${(v + 0.5).toFixed(2)}" r="${r.toFixed(2)}" fill="none" ${style}/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>A rendered scene: true outlines of balls, and round objects that are not balls</title>",
    `<image width="${width}" height="${height}" href="data:image/png;base64,${png}"/>`,
    ...balls.map(({ u, v, r }) => circle(u, v, r + 3, `stroke="${palette[1]}" stroke-width="1.5"`)),
    ...discs.map(({ u, v, r }) =>
      circle(u, v, r + 3, `stroke="${palette[5]}" stroke-width="1" stroke-dasharray="3 3"`),
    ),
    "</svg>\n",
  ].join("\n");
}

const camera = new CameraModel({
  width: 1600,
  height: 1200,
  fx: 1385.6,
  fy: 1385.6,
  cx: 799.5,
  cy: 599.5,
  distortion: noDistortion,
});
const outline = new SphereOutline(camera, BALL_RADIUS);

/** Centre of a ball at a distance along z, so far off the axis to the right. */
function ballAt(z: number, degrees: number): vec3.Vec3 {
  return vec3.create(z * Math.tan((degrees * Math.PI) / 180), 0, z);
}

/** The outline of a near ball far off the axis, and the two circles one might take for it. */
function nearBall(): Plot {
  const ball = ballAt(0.4, 38);
  const [circle, pixel] = [new Float64Array(3), new Float64Array(2)];
  outline.measure(ball, circle);
  camera.project(ball, pixel);
  const [u, v, r] = [circle[0]!, circle[1]!, circle[2]!];
  // Semi-axes of the ellipse: their product is r², their ratio that of the ball's distance to its depth.
  const stretch = Math.sqrt(Math.sqrt((vec3.squaredNorm(ball) - BALL_RADIUS ** 2) / (ball[2] ** 2 - BALL_RADIUS ** 2)));
  const ring = (u0: number, v0: number, a: number, b: number): Point[] =>
    Array.from({ length: 97 }, (_, i) => [
      u0 + a * Math.cos((2 * Math.PI * i) / 96),
      v0 + b * Math.sin((2 * Math.PI * i) / 96),
    ]);
  const plot = new Plot({
    x: 60,
    y: 30,
    width: 300,
    height: 250,
    title: "a ball at 0.4 m, 38° off the axis",
    horizontal: { label: "u [px]", from: u - 240, to: u + 240, ticks: [1700, 1900, 2100] },
    vertical: { label: "v [px]", from: v - 200, to: v + 200, ticks: [500, 600, 700] },
  });
  return plot
    .line(
      ring(pixel[0]!, pixel[1]!, (camera.fx * BALL_RADIUS) / ball[2], (camera.fx * BALL_RADIUS) / ball[2]),
      palette[6],
      1.2,
      "4 4",
    )
    .line(ring(u, v, r, r), palette[1])
    .line(ring(u, v, r * stretch, r / stretch), palette[0])
    .dot([u, v], palette[1], 3.5)
    .dot([pixel[0]!, pixel[1]!], palette[6], 3.5)
    .text([u - 230, v + 175], "outline", palette[0])
    .text([u - 150, v + 175], "circle (u, v, r)", palette[1])
    .text([u - 20, v + 175], "about the centre's image", palette[6]);
}

/** How far the outline's centre lies from the image of the ball's centre. */
function shiftPlot(): Plot {
  const plot = new Plot({
    x: 450,
    y: 30,
    width: 300,
    height: 250,
    title: "from the centre's image to the outline's centre",
    horizontal: { label: "z [m]", from: 0.4, to: 3, ticks: [0.5, 1, 1.5, 2, 2.5, 3] },
    vertical: { label: "[px] at 1600 × 1200", from: 0, to: 6, ticks: [0, 1, 2, 3, 4, 5, 6] },
  });
  const [circle, pixel] = [new Float64Array(3), new Float64Array(2)];
  for (const [i, degrees] of [10, 20, 30].entries()) {
    const points = Array.from({ length: 80 }, (_, k): Point => {
      const z = 0.4 + (2.6 * k) / 79;
      const ball = ballAt(z, degrees);
      outline.measure(ball, circle);
      camera.project(ball, pixel);
      return [z, circle[0]! - pixel[0]!];
    }).filter(([, shift]) => shift <= 6);
    plot.line(points, palette[i]!);
    plot.text([2.2, 5.4 - 0.4 * i], `${degrees}° off the axis`, palette[i]!);
  }
  return plot;
}

function write(name: string, svg: string): void {
  writeFileSync(join(packageRoot, "docs", "images", name), svg);
}

write("camera-scene.svg", sceneSvg(Number(process.argv[2] ?? 2)));
write("sphere-outline.svg", renderSvg("The outline of a ball", 780, 340, [nearBall(), shiftPlot()]));
