import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CameraModel } from "../../src/camera/camera-model.js";
import * as pose from "../../src/math/pose.js";
import { encodePng } from "../../src/recording/format/png.js";
import { readCameraRig } from "../../src/recording/import/camera-rig.js";
import { BoardCamera, heldBoards } from "../calibration/target/board-images.js";
import { capturedRun } from "./captured-run.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-board-"));
afterAll(() => rmSync(folder, { recursive: true }));

const camera = new CameraModel({
  ...{ width: 480, height: 360, fx: 455, fy: 455, cx: 244, cy: 176 },
  distortion: { k1: -0.15, k2: 0.03, p1: 0, p2: 0, k3: 0 },
});

/** Photographs of the board by a pair of cameras 0.1 m apart. */
function photographs(): string {
  const images = join(folder, "images");
  const eye = new BoardCamera(camera);
  const rightFromLeft = pose.fromRpyTranslation(0, 0, 0, -0.1, 0, 0, pose.create());
  for (const [k, board] of heldBoards(5, 7).entries()) {
    for (const side of ["left", "right"]) {
      mkdirSync(join(images, side), { recursive: true });
      const seen = side === "left" ? board : pose.compose(rightFromLeft, board, pose.create());
      const image = eye.draw(seen, { blur: 0.8, noise: 2, seed: k });
      writeFileSync(join(images, side, `${k}.png`), encodePng({ ...image, encoding: "mono8" }));
    }
  }
  return images;
}

describe("flycatcher calibrate target", () => {
  it("writes a page to print", async () => {
    const path = join(folder, "board.svg");
    expect((await capturedRun("calibrate", "target", "--out", path, "--columns", "7")).code).toBe(0);
    expect(readFileSync(path, "utf8").match(/<circle/g)).toHaveLength(7 * 6 + 3);
  });

  it("refuses discs that could not be told apart", async () => {
    const { code, err } = await capturedRun("calibrate", "target", "--radius", "0.02");
    expect([code, err]).toEqual([1, expect.stringContaining("FLY_CALIBRATION_TARGET")]);
  });
});

describe("flycatcher calibrate cameras", () => {
  it("finds lenses and baseline in a folder of photographs, and writes rig.json and a report", async () => {
    const rig = join(folder, "rig.json");
    const report = join(folder, "report.html");
    const words = ["--out", rig, "--report", report, "--board-at", "0.5,0,1,0,0,0"];
    const { code, out } = await capturedRun("calibrate", "cameras", photographs(), ...words);
    expect(code).toBe(0);
    expect(out).toContain("left: 5 views");
    const { left, right, leftFromRight } = readCameraRig(rig);
    for (const { fx } of [left, right]) expect(Math.abs(fx - 455)).toBeLessThan(5);
    expect(leftFromRight[0]).toBeCloseTo(0.1, 2);
    expect(readFileSync(report, "utf8")).toContain("discs in the image");
  }, 60_000);

  it("says what is missing where the board is not seen", async () => {
    const images = join(folder, "empty", "left");
    mkdirSync(images, { recursive: true });
    writeFileSync(
      join(images, "0.png"),
      encodePng({ width: 64, height: 48, pixels: new Uint8Array(64 * 48).fill(90) }),
    );
    const { code, err } = await capturedRun("calibrate", "cameras", images);
    expect([code, err]).toEqual([1, expect.stringContaining("FLY_CALIBRATION_TARGET")]);
  });
});
