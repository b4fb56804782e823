import { describe, expect, it } from "vitest";
import { defaultBoard, discCentre, markedDiscs } from "../../../src/calibration/target/target-board.js";
import { TargetFinder } from "../../../src/calibration/target/target-finder.js";
import { targetPage } from "../../../src/calibration/target/target-page.js";
import { CameraModel } from "../../../src/camera/camera-model.js";
import { noDistortion } from "../../../src/camera/lens-distortion.js";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BoardCamera } from "./board-images.js";

const camera = new CameraModel({
  width: 480,
  height: 360,
  fx: 450,
  fy: 450,
  cx: 240,
  cy: 180,
  distortion: noDistortion,
});
const eye = new BoardCamera(camera);

/** The board with its middle on the optical axis, turned. */
function held(roll: number, pitch: number, yaw: number, far = 0.45, aside = 0): pose.Pose {
  const turned = pose.fromRpyTranslation(roll, pitch, yaw, 0, 0, 0, pose.create());
  const middle = vec3.create(4 * defaultBoard.spacing, 2.5 * defaultBoard.spacing, 0);
  const centre = pose.transformPoint(turned, middle, vec3.create());
  return pose.setTranslation(turned, vec3.create(aside - centre[0], -centre[1], far - centre[2]), turned);
}

function expected(cameraFromBoard: pose.Pose, column: number, row: number): readonly [number, number] {
  const [x, y] = discCentre(defaultBoard, column, row);
  const pixel = new Float64Array(2);
  camera.project(pose.transformPoint(cameraFromBoard, vec3.create(x, y, 0), vec3.create()), pixel);
  return [pixel[0]!, pixel[1]!];
}

describe("TargetFinder", () => {
  const finder = new TargetFinder(defaultBoard);

  it.each([
    ["turned by 90°", held(0, 0, Math.PI / 2)],
    ["upside down", held(0.1, 0, Math.PI)],
    ["tilted by 50° about a diagonal", held(0.62, 0.62, 0.3)],
  ])("names every disc of a board %s", (_, cameraFromBoard) => {
    const discs = finder.find(eye.draw(cameraFromBoard, { blur: 0.8, noise: 2, seed: 1 }))!;
    expect(discs).toHaveLength(defaultBoard.columns * defaultBoard.rows);
    for (const { column, row, u, v } of discs) {
      const [x, y] = expected(cameraFromBoard, column, row);
      expect(Math.hypot(u - x, v - y)).toBeLessThan(0.6);
    }
  });

  it("names what is in the image of a board that is partly outside", () => {
    const cameraFromBoard = held(0.2, 0, 0.1, 0.35, 0.07);
    const discs = finder.find(eye.draw(cameraFromBoard, { blur: 0.8, noise: 2, seed: 2 }))!;
    expect(discs.length).toBeGreaterThan(20);
    expect(discs.length).toBeLessThan(50);
    for (const { column, row, u, v } of discs) {
      const [x, y] = expected(cameraFromBoard, column, row);
      expect(Math.hypot(u - x, v - y)).toBeLessThan(0.6);
    }
  });

  it("finds nothing in an image without the board, and nothing where the marked discs are hidden", () => {
    const empty = eye.draw(held(0, 0, 0, 0.45, 3), { blur: 0.8, noise: 8, seed: 3 });
    expect(finder.find(empty)).toBeNull();
    const facing = held(0, 0, 0);
    const image = eye.draw(facing, { blur: 0.8, noise: 2, seed: 4 });
    const [column, row] = markedDiscs(defaultBoard)[0]!;
    const [u, v] = expected(facing, column, row);
    for (let y = Math.round(v) - 12; y <= v + 12; y++)
      image.pixels.fill(205, y * 480 + Math.round(u) - 12, y * 480 + Math.round(u) + 12);
    expect(finder.find(image)).toBeNull();
  });
});

describe("targetPage", () => {
  it("has the discs at their true size", () => {
    const page = targetPage(defaultBoard);
    expect(page.match(/<circle/g)).toHaveLength(9 * 6 + 3);
    expect(page).toContain('r="9"');
    const width = Number(/width="([\d.]+)mm"/.exec(page)![1]);
    expect(width).toBeCloseTo(8 * 28 + 5 * 9, 6);
    expect(width).toBeLessThan(297);
  });
});
