import { describe, expect, it } from "vitest";
import { type CameraCalibration, calibrateCameras } from "../../../src/calibration/target/calibrate-cameras.js";
import { cameraReport } from "../../../src/calibration/target/camera-report.js";
import { cameraOverlayOf, rigFileOf } from "../../../src/calibration/target/camera-results.js";
import { defaultBoard } from "../../../src/calibration/target/target-board.js";
import { TargetFinder } from "../../../src/calibration/target/target-finder.js";
import type { TargetView } from "../../../src/calibration/target/target-problem.js";
import { CameraModel } from "../../../src/camera/camera-model.js";
import * as lie from "../../../src/math/lie.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { deep } from "../../support/deep.js";
import { errorCode } from "../../support/error-code.js";
import { BoardCamera, heldBoards } from "./board-images.js";

const size = { width: 640, height: 480 };
/** Lenses as they are; the second one is the right camera of a pair. */
const lenses = [
  new CameraModel({
    ...size,
    fx: 612,
    fy: 609,
    cx: 327,
    cy: 231,
    distortion: { k1: -0.21, k2: 0.07, p1: 0.0008, p2: -0.0011, k3: 0 },
  }),
  new CameraModel({
    ...size,
    fx: 598,
    fy: 600,
    cx: 311,
    cy: 247,
    distortion: { k1: -0.17, k2: 0.05, p1: -0.0006, p2: 0.0009, k3: 0 },
  }),
];
const rightFromLeft = pose.fromRpyTranslation(0.01, -0.05, 0.008, -0.12, 0.004, 0.006, pose.create());

/** A pair of cameras looks at the board; every part of it is found by the images alone. */
function seenBy(boards: readonly pose.Pose[], cameras: number, seed: number): TargetView[] {
  const finder = new TargetFinder(defaultBoard);
  const views: TargetView[] = [];
  for (let camera = 0; camera < cameras; camera++) {
    const eye = new BoardCamera(lenses[camera]!);
    for (const [moment, board] of boards.entries()) {
      const cameraFromBoard = camera === 0 ? board : pose.compose(rightFromLeft, board, pose.create());
      const image = eye.draw(cameraFromBoard, { blur: 0.9, noise: 3, seed: 1000 * seed + 50 * camera + moment });
      const discs = finder.find(image);
      if (discs !== null) views.push({ camera, moment, discs });
    }
  }
  return views;
}

/** Errors of the intrinsics in their stated standard deviations. */
function normalisedErrors({ cameras }: CameraCalibration): number[] {
  return cameras.flatMap(({ intrinsics, sigmas }, k) => {
    const found = [...valuesOf(intrinsics)];
    return valuesOf(lenses[k]!.intrinsics).map((value, n) => (found[n]! - value) / sigmas[n]!);
  });
}

function valuesOf({ fx, fy, cx, cy, distortion: { k1, k2, p1, p2 } }: CameraModel["intrinsics"]): number[] {
  return [fx, fy, cx, cy, k1, k2, p1, p2];
}

const cameras = ["left", "right"].map((name) => ({ name, ...size }));

describe("calibrateCameras", () => {
  const views = seenBy(heldBoards(8, 1), 2, 1);
  const calibration = calibrateCameras(defaultBoard, cameras, views);

  it("finds the whole board in images with distortion, blur, noise and tilt", () => {
    expect(views).toHaveLength(16);
    for (const { discs } of views) expect(discs.length).toBeGreaterThan(40);
    expect(calibration.discs.dropped).toBeLessThan(0.02 * calibration.discs.used);
    expect(calibration.pixelSigma).toBeLessThan(0.05);
  });

  it("recovers the intrinsics of both within the stated standard deviations", () => {
    const errors = normalisedErrors(calibration);
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(3.5);
    const meanSquare = errors.reduce((sum, error) => sum + error * error, 0) / errors.length;
    expect(meanSquare).toBeGreaterThan(0.2);
    expect(meanSquare).toBeLessThan(2.2);
    for (const { sigmas, intrinsics } of calibration.cameras) expect(sigmas[0]! / intrinsics.fx).toBeLessThan(0.004);
  });

  it("recovers where the second camera is", () => {
    const { cameraFromFirst, poseSigmas } = calibration.cameras[1]!;
    const error = lie.se3Log(pose.composeInverse(cameraFromFirst, rightFromLeft, pose.create()), new Float64Array(6));
    for (let k = 0; k < 6; k++) expect(Math.abs(error[k]!) / poseSigmas[k]!).toBeLessThan(4);
    expect(Math.hypot(error[0]!, error[1]!, error[2]!)).toBeLessThan(1e-3);
  });

  it("writes rig.json, what lies over a robot, and a report", () => {
    const rig = rigFileOf(calibration, [1, 2, 3, 0, 0, 0], 25) as { leftFromRight: number[]; worldFromLeft: number[] };
    expect(rig.leftFromRight[0]).toBeCloseTo(0.12, 2);
    const worldFromLeft = pose.invert(calibration.boards[0]!, pose.create());
    expect(rig.worldFromLeft.slice(0, 3)).toEqual([1 + worldFromLeft[9], 2 + worldFromLeft[10], 3 + worldFromLeft[11]]);
    const robot = loadRobot("agile-justin");
    const overlay = cameraOverlayOf(robot, calibration, null, "2026-01-01");
    const [left] = Object.keys(overlay.cameras!);
    expect(overlay.cameras![left!]!.fx).toBe(calibration.cameras[0]!.intrinsics.fx);
    expect(cameraReport(calibration, "2026-01-01")).toContain("residuals");
  });

  it("states honest standard deviations over many pairs of lenses and boards", () => {
    const all: number[] = [];
    for (let seed = 2; seed < deep(2.5, 22); seed++) {
      all.push(
        ...normalisedErrors(calibrateCameras(defaultBoard, cameras.slice(0, 1), seenBy(heldBoards(8, seed), 1, seed))),
      );
    }
    const within = all.filter((error) => Math.abs(error) < 3).length / all.length;
    expect(within).toBeGreaterThan(0.95);
  });

  it("recovers from discs that were taken for others", () => {
    const random = new Random(5);
    const wrong = views.map((view) => ({
      ...view,
      discs: view.discs.map((disc) => (random.uniform() < 0.02 ? { ...disc, u: disc.u + 3 } : disc)),
    }));
    const found = calibrateCameras(defaultBoard, cameras, wrong);
    expect(found.discs.dropped).toBeGreaterThan(5);
    expect(Math.abs(found.cameras[0]!.intrinsics.fx - 612)).toBeLessThan(3);
  });

  it.each([
    ["too few views", (all: TargetView[]) => all.slice(0, 3)],
    ["cameras that nothing joins", (all: TargetView[]) => all.filter(({ camera, moment }) => moment % 2 === camera)],
  ])("refuses %s", (_, choose) => {
    expect(errorCode(() => calibrateCameras(defaultBoard, cameras, choose(views)))).toBe("FLY_CALIBRATION_TARGET");
  });
});
