import { describe, expect, it } from "vitest";
import { SphereOutline } from "../../../src/camera/sphere-outline.js";
import { SimulatedCamera } from "../../../src/catching/live/simulated-camera.js";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { stereoRig } from "../../../src/simulation/eyes/stereo-rig.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { Room } from "../../../src/simulation/rendering/room.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";

const robot = loadRobot("agile-justin");
const { camera, headFromCamera } = stereoRig(robot).left;
const outline = new SphereOutline(camera, 0.0425);
const head = createRigidMotion();
head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
head.twist.set([0, 0, 0, 0, 0.3, 0.2]);
const room = new Room(3);
const FRAMES = 20;

/** The circle of a ball in the image at full size: u, v, r [px]. */
function circleOf(position: vec3.Vec3): Float64Array {
  const worldFromCamera = pose.compose(head.worldFromBody, headFromCamera, pose.create());
  const circle = new Float64Array(3);
  outline.measure(pose.transformPointInverse(worldFromCamera, position, vec3.create()), circle);
  return circle;
}

/** The circle found nearest to (u, v), as u, v, r; null if there is none within three pixels. */
function nearest({ count, u, v, r }: CircleSet, circle: Float64Array): number[] | null {
  const far = (i: number): number => Math.hypot(u[i]! - circle[0]!, v[i]! - circle[1]!);
  const [best] = Array.from({ length: count }, (_, i) => i).sort((a, b) => far(a) - far(b));
  return best === undefined || far(best) > 3 ? null : [u[best]!, v[best]!, r[best]!];
}

describe("a simulated camera", () => {
  it.each([1, 0.75])("finds in a window what it finds in the whole image, at %s of its size", (scale) => {
    const eye = new SimulatedCamera(robot, "left", room, scale, 3);
    const [whole, narrow] = [new CircleSet(), new CircleSet()];
    let found = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const share = frame / FRAMES;
      const position = vec3.create(5 - 4 * share, 0.2 - 0.2 * share, 1.7);
      const balls = [{ position, velocity: vec3.create(-6, 0, 1) }];
      const circle = circleOf(position);
      const [u, v, r] = circle as unknown as [number, number, number];
      eye.see(head, balls, frame, null, whole);
      eye.see(
        head,
        balls,
        frame,
        [{ u: u + 3, v: v - 4, halfSize: 15, minRadius: 0.8 * r, maxRadius: 1.2 * r }],
        narrow,
      );
      const [inWhole, inWindow] = [nearest(whole, circle), nearest(narrow, circle)];
      if (inWhole === null) continue;
      found++;
      expect(inWindow).not.toBeNull();
      for (let i = 0; i < 3; i++) expect(Math.abs(inWindow![i]! - inWhole[i]!)).toBeLessThan(0.2);
    }
    expect(found).toBeGreaterThan(0.9 * FRAMES);
  });
});
