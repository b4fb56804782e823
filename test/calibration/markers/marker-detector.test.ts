import { describe, expect, it } from "vitest";
import { CandidateSampler } from "../../../src/calibration/configurations/sample-candidates.js";
import { MarkerDetector } from "../../../src/calibration/markers/marker-detector.js";
import { Side } from "../../../src/calibration/measurements/marker-model.js";
import { CameraModel } from "../../../src/camera/camera-model.js";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { MarkerEyes } from "../../../src/simulation/calibration-rig/marker-eyes.js";
import { SaggingRobot, usualNoise } from "../../../src/simulation/calibration-rig/simulated-calibration-robot.js";
import { deep } from "../../support/deep.js";
import { rig, robot } from "../recordings.js";

describe("the marker detector", () => {
  it("finds the marker in rendered images of a lab to a tenth of a pixel", () => {
    const home = robot.postures.get("ready")!;
    const cameras = [new CameraModel(rig.cameras[0]), new CameraModel(rig.cameras[1])] as const;
    const eyes = new MarkerEyes(rig, cameras, new Random("eyes"), usualNoise, { kind: "images", every: 1 });
    const body = new SaggingRobot(robot);
    const detector = new MarkerDetector();
    const [found, pixel] = [new Float64Array(2), new Float64Array(2)];
    let [squares, seen, images] = [0, 0, 0];
    const candidates = new CandidateSampler(rig, home).sample(0, deep(6, 200), new Random("places"));
    for (const [k, { positions, sweep }] of candidates.entries()) {
      const q = home.slice();
      for (const [i, dof] of rig.arms[0]!.group.dofs.entries()) q[dof] = positions[i]!;
      for (const [i, dof] of rig.neck.dofs.entries()) q[dof] = sweep.swings[i]!.middle + 0.1 * Math.sin(k + i);
      body.stand(q);
      const image = (shown: GrayImage) => {
        images++;
        if (!detector.find(shown, found)) return;
        const { marker } = rig.arms[0]!;
        const point = pose.transformPoint(body.state.worldFromLink[marker.link]!, marker.position, vec3.create());
        pose.transformPointInverse(body.state.worldFromLink[rig.cameras[0].link]!, point, point);
        cameras[0].project(point, pixel);
        seen++;
        squares += (found[0]! - pixel[0]!) ** 2 + (found[1]! - pixel[1]!) ** 2;
      };
      const ignore = () => {};
      eyes.see(Side.left, body.state, k, 0, {
        image: (_side, _k, _t, shown) => image(shown),
        marker: ignore,
        imu: ignore,
        joints: ignore,
      });
    }
    expect(seen / images).toBeGreaterThan(0.8);
    expect(Math.sqrt(squares / (2 * seen))).toBeLessThan(0.1);
  });

  it("finds nothing in noise, in an empty image, and where there are two", () => {
    const random = new Random("noise");
    const detector = new MarkerDetector();
    const out = new Float64Array(2);
    const image = createImage(200, 150);
    expect(detector.find(image, out)).toBe(false);
    for (let i = 0; i < image.pixels.length; i++) image.pixels[i] = random.integer(256);
    expect(detector.find(image, out)).toBe(false);
    image.pixels.fill(20);
    drawDisc(image, 50.3, 60.7, 5);
    expect(detector.find(image, out)).toBe(true);
    expect(out[0]).toBeCloseTo(50.3, 1);
    expect(out[1]).toBeCloseTo(60.7, 1);
    drawDisc(image, 130, 60, 5);
    expect(detector.find(image, out)).toBe(false);
  });
});

/** A bright disc whose edge pixels are covered in part. */
function drawDisc(image: GrayImage, u: number, v: number, radius: number): void {
  for (let row = 0; row < image.height; row++) {
    for (let column = 0; column < image.width; column++) {
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(column - u, row - v)));
      if (cover > 0) image.pixels[row * image.width + column] = Math.round(20 + 220 * cover);
    }
  }
}
