import { describe, expect, it } from "vitest";
import { createImage, grayFromColor } from "../../../src/camera/gray-image.js";
import { brightnessOf, parseRgb } from "../../../src/camera/rgb.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { ImageEye } from "../../../src/simulation/eyes/image-eyes.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { ColourRoom } from "../../../src/simulation/rendering/colour-renderer.js";
import { Room } from "../../../src/simulation/rendering/room.js";

const robot = loadRobot("agile-justin");
const head = createRigidMotion();
head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
const balls = [{ position: vec3.create(2, 0.1, 1.6), velocity: vec3.create(-6, 0, 1) }];
const ballColour = "#c8202c";
const [grayEye, colourEye] = [new Room(3), new ColourRoom(3)].map(
  (room) => new ImageEye(robot, "left", room, { seed: 3, ballRadius: 0.0425, ballColour }),
) as [ImageEye, ImageEye];

describe("a colour image", () => {
  const [gray, colour] = [grayEye.createImage(), colourEye.createImage()];
  grayEye.see(head, balls, 1, gray);
  colourEye.see(head, balls, 1, colour);
  const { width, height } = gray;

  it("has the brightness of the gray image", () => {
    const luma = grayFromColor(colour.pixels, "rgb", createImage(width, height)).pixels;
    let [sum, squares, coloured] = [0, 0, 0];
    for (let i = 0; i < luma.length; i++) {
      const difference = luma[i]! - gray.pixels[i]!;
      sum += difference;
      squares += difference ** 2;
      if (Math.abs(colour.pixels[3 * i]! - colour.pixels[3 * i + 2]!) > 20) coloured++;
    }
    // Both have noise of their own; where a channel is saturated, or rounded, they differ by more.
    expect(Math.abs(sum / luma.length)).toBeLessThan(1);
    expect(Math.sqrt(squares / luma.length)).toBeLessThan(8);
    expect(coloured / luma.length).toBeGreaterThan(0.02);
  });

  it("shows the ball in its colour", () => {
    const [red, green, blue] = parseRgb(ballColour, [0, 0, 0]);
    const shown: number[][] = [];
    for (let i = 0; i < width * height; i++) {
      const [r, g, b] = [0, 1, 2].map((k) => colour.pixels[3 * i + k]!) as [number, number, number];
      if (r > 2.5 * g && r > 100) shown.push([r, g, b]);
    }
    // A disc of about 15 px radius.
    expect(shown.length).toBeGreaterThan(400);
    const mean = [0, 1, 2].map((k) => shown.reduce((sum, part) => sum + part[k]!, 0) / shown.length);
    for (const [k, part] of [red, green, blue].entries()) expect(Math.abs(mean[k]! - part)).toBeLessThan(15);
    expect(brightnessOf([red, green, blue])).toBeCloseTo(83.6, 1);
  });

  it("has the same pixels in a region as in the whole", () => {
    const part = colourEye.createImage();
    const region = { left: 300, top: 200, width: 120, height: 90 };
    colourEye.see(head, balls, 1, part, [region]);
    let differing = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isIn = x >= 300 && x < 420 && y >= 200 && y < 290;
        for (let k = 3 * (y * width + x), end = k + 3; k < end; k++) {
          if (part.pixels[k] !== (isIn ? colour.pixels[k] : 0)) differing++;
        }
      }
    }
    expect(differing).toBe(0);
  });
});
