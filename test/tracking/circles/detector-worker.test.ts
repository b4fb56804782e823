import { expect, test } from "vitest";
import { SearchWindows } from "../../../bench/tracking/search-windows.js";
import { startDetector } from "../../../bench/tracking/start-detector.js";
import { CameraModel } from "../../../src/camera/camera-model.js";
import { createChannel } from "../../../src/channels/channel.js";
import { Random } from "../../../src/math/random.js";
import { Camera } from "../../../src/messages/camera.js";
import { Circles } from "../../../src/messages/circles.js";
import { imagePacket } from "../../../src/messages/image.js";
import { CircleDetector } from "../../../src/tracking/circles/circle-detector.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import { readCircles } from "../../../src/tracking/circles/circles-codec.module.js";
import { drawDiscs } from "./disc-image.js";

const distortion = { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 };
const intrinsics = { width: 200, height: 150, fx: 173, fy: 173, cx: 99.5, cy: 74.5, distortion };
const options = { minRadius: 4, maxRadius: 40 };
const discs = [
  { u: 60.3, v: 80.6, r: 12, contrast: 45 },
  { u: 150.2, v: 60.1, r: 8, contrast: -40 },
];

test("a detector thread answers each image of its camera with its circles, in windows where it is told to", async () => {
  const images = createChannel(imagePacket(200, 150), { ringSize: 4 });
  const circles = createChannel(Circles, { ringSize: 8 });
  const windows = createChannel(SearchWindows, { ringSize: 4 });
  const found = circles.openGetPort("every");
  const channels = { images: images.handle, circles: circles.handle, windows: windows.handle };
  const worker = await startDetector({ camera: Camera.right, intrinsics, ...options, method: "purity", ...channels });
  const image = drawDiscs({ width: 200, height: 150, background: 100, discs, noise: 2 }, new Random("module"));
  const put = images.openPutPort();
  const send = (frame: number, camera: Camera): void => {
    const packet = put.reserve();
    packet.tExposure.nanoseconds = 1000 + frame;
    packet.tArrival.nanoseconds = 2000 + frame;
    packet.camera = camera;
    packet.frame = frame;
    packet.width = 200;
    packet.height = 150;
    packet.pixels.set(image.pixels);
    put.publish();
  };
  const received = new CircleSet();

  send(6, Camera.right);
  const whole = (await found.receiveAsync(10_000))!;
  expect([whole.frame, whole.camera, whole.tExposure.nanoseconds, whole.tArrival.nanoseconds]).toEqual([
    6,
    Camera.right,
    1006,
    2006,
  ]);
  readCircles(whole, received);
  found.release(whole);
  const inline = new CircleSet();
  new CircleDetector(200, 150, { ...options, camera: new CameraModel(intrinsics) }).detect(image, inline);
  expect(received.count).toBe(2);
  expect([...received.u]).toEqual([...inline.u]);
  expect([...received.covariance]).toEqual([...inline.covariance]);

  const request = windows.openPutPort();
  const ask = request.reserve();
  ask.camera = Camera.right;
  ask.frame = 8;
  ask.count = 1;
  Object.assign(ask.windows[0]!, { u: 150, v: 61, halfSize: 10, minRadius: 6, maxRadius: 10 });
  request.publish();
  send(7, Camera.left);
  send(8, Camera.right);
  const part = (await found.receiveAsync(10_000))!;
  expect([part.frame, part.count]).toEqual([8, 1]);
  expect(part.circles[0]!.u).toBeCloseTo(150.2, 0);
  found.release(part);
  expect((await worker.stop()).reason).toBe("stopped");
});
