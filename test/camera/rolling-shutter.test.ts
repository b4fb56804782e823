import { describe, expect, it } from "vitest";
import { CameraModel } from "../../src/camera/camera-model.js";
import { createImage } from "../../src/camera/gray-image.js";
import { carriedTwist, rowDelay, ShutterOutline } from "../../src/camera/rolling-shutter.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import * as lie from "../../src/math/lie.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { Renderer } from "../../src/simulation/rendering/renderer.js";
import { Room } from "../../src/simulation/rendering/room.js";

const camera = new CameraModel({
  width: 800,
  height: 600,
  fx: 693,
  fy: 693,
  cx: 399.5,
  cy: 299.5,
  distortion: { k1: -0.08, k2: 0.01, p1: 0.0005, p2: -0.0005, k3: 0 },
});
const RADIUS = 0.0425;
const ROW_TIME = 30e-6;
const lookingForward = Float64Array.of(0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, 1.6) as pose.Pose;

/** A ball before a camera that moves and turns. */
function draw(random: Random) {
  const position = vec3.create(random.uniformIn(2, 5), random.uniformIn(-0.6, 0.6), random.uniformIn(1, 2.2));
  const velocity = vec3.create(random.uniformIn(-8, -4), random.uniformIn(-1, 1), random.uniformIn(-4, 4));
  const twist = Float64Array.from({ length: 6 }, (_, k) => random.uniformIn(-1, 1) * (k < 3 ? 0.3 : 0.8));
  return { ball: { position, velocity }, twist };
}

/** The camera so long later, turned exactly; its twist is in world axes. */
function cameraAfter(twist: Float64Array, time: number): pose.Pose {
  const turn = Float64Array.of(0, 0, 0, twist[3]! * time, twist[4]! * time, twist[5]! * time);
  const moved = pose.compose(lie.se3Exp(turn, pose.create()), lookingForward, pose.create());
  for (let k = 0; k < 3; k++) moved[9 + k] = lookingForward[9 + k]! + twist[k]! * time;
  return moved;
}

describe("a rolling shutter", () => {
  it("sees a ball where it is when its row is exposed: against the exact motion", () => {
    const random = new Random("rolling");
    const rolling = new ShutterOutline(camera, RADIUS, ROW_TIME);
    const outline = new SphereOutline(camera, RADIUS);
    const [circle, expected] = [new Float64Array(3), new Float64Array(3)];
    let farthest = 0;
    for (let n = 0; n < 300; n++) {
      const { ball, twist } = draw(random);
      expect(rolling.measure({ worldFromCamera: lookingForward, twist }, ball, circle)).toBe(true);
      const delay = rowDelay(circle[1]!, camera.height, ROW_TIME);
      const centre = vec3.addScaled(ball.position, ball.velocity, delay, vec3.create());
      pose.transformPointInverse(cameraAfter(twist, delay), centre, centre);
      outline.measure(centre, expected);
      for (let k = 0; k < 2; k++) expect(Math.abs(circle[k]! - expected[k]!)).toBeLessThan(0.08);
      expect(Math.abs(circle[2]! / expected[2]! - 1)).toBeLessThan(0.05);
      rolling.measureAtOnce({ worldFromCamera: lookingForward, twist }, ball, expected);
      farthest = Math.max(farthest, Math.hypot(circle[0]! - expected[0]!, circle[1]! - expected[1]!));
    }
    // It is not the same as a global one.
    expect(farthest).toBeGreaterThan(2);
  });

  it("is a global one without time between rows", () => {
    const random = new Random("global");
    const global = new ShutterOutline(camera, RADIUS, 0);
    const [circle, expected] = [new Float64Array(3), new Float64Array(3)];
    for (let n = 0; n < 20; n++) {
      const { ball, twist } = draw(random);
      global.measure({ worldFromCamera: lookingForward, twist }, ball, circle);
      const centre = pose.transformPointInverse(lookingForward, ball.position, vec3.create());
      new SphereOutline(camera, RADIUS).measure(centre, expected);
      for (let k = 0; k < 3; k++) expect(circle[k]).toBeCloseTo(expected[k]!, 9);
    }
  });

  it("carries the twist of a head to its camera", () => {
    const twist = Float64Array.of(0.1, 0, 0, 0, 0, 2);
    const camera = Float64Array.from(lookingForward) as pose.Pose;
    camera[10] = 0.5;
    const head = Float64Array.from(lookingForward) as pose.Pose;
    expect(Array.from(carriedTwist(head, twist, camera, new Float64Array(6)))).toEqual([-0.9, 0, 0, 0, 0, 2]);
  });

  it("is rendered as it is measured", () => {
    const room = new Room("test", { texelsPerMetre: 60, boxCount: 0 });
    const renderer = new Renderer(camera, room);
    const rolling = new ShutterOutline(camera, RADIUS, ROW_TIME);
    const random = new Random("rendered");
    const still = new Float64Array(6);
    const circle = new Float64Array(3);
    for (let n = 0; n < 8; n++) {
      const { ball } = draw(random);
      const scene = { worldFromCamera: lookingForward, exposure: 0, rowTime: ROW_TIME };
      const thing = { ...ball, radius: RADIUS, tone: { kind: "gray", gray: 255 } as const, shading: 0 };
      const [image, empty] = [createImage(800, 600), createImage(800, 600)];
      renderer.render({ ...scene, balls: [thing] }, 0, image);
      renderer.render({ ...scene, balls: [] }, 0, empty);
      rolling.measure({ worldFromCamera: lookingForward, twist: still }, ball, circle);
      const { u, v, r } = centroid(image.pixels, empty.pixels);
      expect(Math.abs(r / circle[2]! - 1)).toBeLessThan(0.003);
      // The ball is sheared by its rows, which moves its centroid by less than a tenth of a pixel.
      expect(Math.abs(u - circle[0]!)).toBeLessThan(0.12);
      expect(Math.abs(v - circle[1]!)).toBeLessThan(0.12);
    }
  });

  it("shears a room that the camera turns past", () => {
    const renderer = new Renderer(camera, new Room("test", { texelsPerMetre: 60 }));
    const scene = {
      worldFromCamera: lookingForward,
      exposure: 0,
      balls: [],
      cameraTwist: Float64Array.of(0, 0, 0, 0, 2, 0),
    };
    const [rolled, global, turned] = [createImage(800, 600), createImage(800, 600), createImage(800, 600)];
    renderer.render({ ...scene, rowTime: ROW_TIME }, 0, rolled);
    renderer.render(scene, 0, global);
    const top = rowDelay(8, 600, ROW_TIME);
    const motion = lie.se3Exp(Float64Array.of(0, 0, 0, 0, 2 * top, 0), pose.create());
    renderer.render({ ...scene, worldFromCamera: pose.compose(lookingForward, motion, pose.create()) }, 0, turned);
    expect(rolled.pixels.subarray(0, 16 * 800)).toEqual(turned.pixels.subarray(0, 16 * 800));
    expect(rolled.pixels.subarray(0, 16 * 800)).not.toEqual(global.pixels.subarray(0, 16 * 800));
  });
});

/** The circle of the same centroid and area as what differs between two images, weighed by how much. */
function centroid(image: Uint8Array, empty: Uint8Array) {
  let [sum, u, v] = [0, 0, 0];
  for (let i = 0; i < image.length; i++) {
    if (empty[i]! >= 250) continue;
    const part = Math.max(0, (image[i]! - empty[i]!) / (255 - empty[i]!));
    sum += part;
    u += part * (i % 800);
    v += part * Math.floor(i / 800);
  }
  return { u: u / sum, v: v / sum, r: Math.sqrt(sum / Math.PI) };
}
