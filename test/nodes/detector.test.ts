import { describe, expect, it } from "vitest";
import { createImage } from "../../src/camera/gray-image.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import type { Circles, Image } from "../../src/messages/sensing.js";
import { regionOf } from "../../src/nodes/camera-images.js";
import { DetectorNode } from "../../src/nodes/detector.js";
import { shrinkWindow } from "../../src/nodes/scaled-circles.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { ImageEye } from "../../src/simulation/eyes/image-eyes.js";
import { stereoRig } from "../../src/simulation/eyes/stereo-rig.js";
import { createRigidMotion } from "../../src/simulation/head-motion/elastic-chain.js";
import { Room } from "../../src/simulation/rendering/room.js";
import { nothingIn } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";

const robot = loadRobot("agile-justin");
const RADIUS = 0.0425;
const { camera, headFromCamera } = stereoRig(robot).left;
const outline = new SphereOutline(camera, RADIUS);
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
function nearest({ u, v, r }: Circles, circle: Float64Array): number[] | null {
  const far = (i: number): number => Math.hypot(u[i]! - circle[0]!, v[i]! - circle[1]!);
  const [best] = Array.from(u.keys()).sort((a, b) => far(a) - far(b));
  return best === undefined || far(best) > 3 ? null : [u[best]!, v[best]!, r[best]!];
}

describe("the detector of a camera's images", () => {
  const images = new Queue<Image>(0, "every");
  const circles = new QueueOutPort<Circles>();
  const found = new Queue<Circles>(0, "every");
  circles.join(found);
  const node = new DetectorNode({ in: { images, colour: nothingIn }, out: { circles } }, camera, RADIUS, [1, 0.75]);

  function detect(
    image: Omit<Image, "camera" | "frame" | "exposureNs" | "arrivalNs">,
    detector: DetectorNode = node,
  ): Circles {
    images.put({ camera: "left", frame: 0, exposureNs: 0, arrivalNs: 40, ...image }, 0);
    detector.step(10);
    expect(found.take(39)).toBeNull();
    return found.take(40)!;
  }

  it.each([1, 0.75])("finds in a window what it finds in the whole image, at %s of its size", (scale) => {
    const eye = new ImageEye(robot, "left", room, { seed: 3, ballRadius: RADIUS, scale });
    const { width, height } = eye.rig.camera;
    let seen = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const share = frame / FRAMES;
      const position = vec3.create(5 - 4 * share, 0.2 - 0.2 * share, 1.7);
      const balls = [{ position, velocity: vec3.create(-6, 0, 1) }];
      const circle = circleOf(position);
      const [u, v, r] = circle as unknown as [number, number, number];
      const window = { u: u + 3, v: v - 4, halfSize: 15, minRadius: 0.8 * r, maxRadius: 1.2 * r };
      const [whole, narrow] = [createImage(width, height), createImage(width, height)];
      eye.see(head, balls, frame, whole);
      eye.see(head, balls, frame, narrow, [regionOf(shrinkWindow(window, scale))]);
      const inWhole = nearest(detect({ ...whole, scale, windows: [] }), circle);
      const inWindow = nearest(detect({ ...narrow, scale, windows: [window] }), circle);
      if (inWhole === null) continue;
      seen++;
      expect(inWindow).not.toBeNull();
      for (let i = 0; i < 3; i++) expect(Math.abs(inWindow![i]! - inWhole[i]!)).toBeLessThan(0.2);
    }
    expect(seen).toBeGreaterThan(0.9 * FRAMES);
  });

  it("finds only bright balls if it knows the ball's contrast", () => {
    const settings = { contrast: 128 };
    const knowing = new DetectorNode(
      { in: { images, colour: nothingIn }, out: { circles } },
      camera,
      RADIUS,
      [1],
      settings,
    );
    const { width, height } = camera;
    const found = (gray: number, detector: DetectorNode): number => {
      const { pixels } = createImage(width, height);
      for (let i = 0; i < pixels.length; i++) {
        const [x, y] = [i % width, Math.floor(i / width)];
        const inside = Math.min(1, Math.max(0, 14.5 - Math.hypot(x - 300, y - 200)));
        pixels[i] = 100 + ((7 * i) % 5) + (gray - 100) * inside;
      }
      return detect({ width, height, scale: 1, windows: [], pixels }, detector).u.length;
    };
    expect([found(30, node), found(220, node)]).toEqual([1, 1]);
    expect([found(30, knowing), found(220, knowing)]).toEqual([0, 1]);
  });

  it("finds nothing in an image that is empty", () => {
    const image = { width: 0, height: 0, scale: 1, windows: [], pixels: new Uint8Array(0) };
    expect(detect(image).u).toHaveLength(0);
  });
});
