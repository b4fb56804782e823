import type { GrayImage } from "../../src/camera/gray-image.js";
import type { SearchWindow } from "../../src/tracking/circles/detector-options.js";
import { type Channel, createChannel } from "../../src/transport/channels/channel.js";
import type { GetPort } from "../../src/transport/channels/get-port.js";
import type { PutPort } from "../../src/transport/channels/put-port.js";
import type { RunningWorker } from "../../src/transport/workers/start-worker.js";
import type { DetectorInput } from "./detector.worker.js";
import { type DetectorImages, detectorOptions } from "./detector-images.js";
import { Camera, Circles, type Image, imagePacket } from "./detector-packets.js";
import { SearchWindows } from "./search-windows.js";
import { startDetector } from "./start-detector.js";

/** A worker that has died must not hang the bench [ms]. */
const PATIENCE_MS = 20_000;

/** The two detector threads of a stereo pair, as in a live run: images in by shared memory, circles out. */
export class DetectorPair {
  readonly #images: Channel<Image>[] = [];
  readonly #imagePorts: PutPort<Image>[] = [];
  readonly #windowPorts: PutPort<SearchWindows>[] = [];
  readonly #circlePorts: GetPort<Circles>[] = [];
  readonly #workers: RunningWorker[] = [];
  #frame = 0;

  static async start({ camera }: DetectorImages, method: DetectorInput["method"]): Promise<DetectorPair> {
    const pair = new DetectorPair();
    const { minRadius, maxRadius } = detectorOptions(camera);
    for (const side of [Camera.left, Camera.right]) {
      const images = createChannel(imagePacket(camera.width, camera.height), { ringSize: 2 });
      const circles = createChannel(Circles, { ringSize: 4 });
      const windows = createChannel(SearchWindows, { ringSize: 4 });
      pair.#images.push(images);
      pair.#imagePorts.push(images.openPutPort());
      pair.#windowPorts.push(windows.openPutPort());
      pair.#circlePorts.push(circles.openGetPort("every"));
      const channels = { images: images.handle, circles: circles.handle, windows: windows.handle };
      const { intrinsics } = camera;
      pair.#workers.push(await startDetector({ camera: side, intrinsics, minRadius, maxRadius, method, ...channels }));
    }
    return pair;
  }

  /** Milliseconds from when both images are in the workers' memory to when the circles of both are out. */
  async detect(left: GrayImage, right: GrayImage, windows: readonly (readonly SearchWindow[])[] = []): Promise<number> {
    this.#frame++;
    for (const [side, image] of [left, right].entries()) {
      if (windows[side] !== undefined) this.#sendWindows(side as Camera, windows[side]);
      const packet = this.#imagePorts[side]!.reserve();
      packet.tExposure.seconds = this.#frame / 25;
      packet.tArrival.seconds = this.#frame / 25 + 0.04;
      packet.camera = side as Camera;
      packet.frame = this.#frame;
      packet.width = image.width;
      packet.height = image.height;
      packet.pixels.set(image.pixels);
    }
    const begun = performance.now();
    for (const port of this.#imagePorts) port.publish();
    await Promise.all(this.#circlePorts.map((port) => takeOne(port)));
    return performance.now() - begun;
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers) await worker.stop();
  }

  #sendWindows(side: Camera, windows: readonly SearchWindow[]): void {
    const packet = this.#windowPorts[side]!.reserve();
    packet.camera = side;
    packet.frame = this.#frame;
    packet.count = windows.length;
    for (const [n, window] of windows.entries()) Object.assign(packet.windows[n]!, window);
    this.#windowPorts[side]!.publish();
  }
}

async function takeOne(port: GetPort<Circles>): Promise<void> {
  const packet = await port.receiveAsync(PATIENCE_MS);
  if (packet === null) throw new Error("a detector thread gave no answer");
  port.release(packet);
}
