import { type CameraIntrinsics, CameraModel } from "../../src/camera/camera-model.js";
import type { GrayImage } from "../../src/camera/gray-image.js";
import { CircleDetector, type Detector } from "../../src/tracking/circles/circle-detector.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";
import type { SearchWindow } from "../../src/tracking/circles/detector-options.js";
import { attachChannel, type ChannelHandle } from "../../src/transport/channels/channel.js";
import type { GetPort } from "../../src/transport/channels/get-port.js";
import type { PutPort } from "../../src/transport/channels/put-port.js";
import { stopRequested, workerInput, workerReady } from "../../src/transport/workers/worker-context.js";
import type { Camera } from "./detector-packets.js";
import { Circles, type Image, imagePacket, writeCircles } from "./detector-packets.js";
import { OpenCvDetector } from "./opencv-detector.js";
import { loadOpenCv } from "./opencv-library.js";
import { maxWindows, SearchWindows } from "./search-windows.js";

/** What the worker of one camera is given. */
export interface DetectorInput {
  readonly camera: Camera;
  readonly intrinsics: CameraIntrinsics;
  readonly minRadius: number;
  readonly maxRadius: number;
  readonly leastPurity?: number;
  /** Which detector: ours, or OpenCV's. */
  readonly method: "purity" | "opencv";
  /** Images of this camera, or of both: others are passed over. */
  readonly images: ChannelHandle;
  readonly circles: ChannelHandle;
  readonly windows: ChannelHandle | null;
}

/** How long to wait for an image before looking whether to stop [ms]. */
const PATIENCE_MS = 50;

/** A detector thread: takes the newest image of its camera, finds the circles, sends them, until it is asked to stop. */
class DetectorThread {
  readonly #camera: Camera;
  readonly #detector: Detector;
  readonly #images: GetPort<Image>;
  readonly #circles: PutPort<Circles>;
  readonly #windows: GetPort<SearchWindows> | null;
  readonly #found = new CircleSet();
  /** As plain objects with the image's own pixels, made once for each slot of the channel. */
  readonly #views = new Map<object, GrayImage>();
  readonly #lists: readonly MutableWindow[][];
  #windowFrame = -1;
  #windowCount = 0;

  constructor(input: DetectorInput, detector: Detector) {
    const { width, height } = input.intrinsics;
    this.#camera = input.camera;
    this.#detector = detector;
    this.#images = attachChannel(input.images, imagePacket(width, height)).openGetPort("newest");
    this.#circles = attachChannel(input.circles, Circles).openPutPort();
    this.#windows = input.windows === null ? null : attachChannel(input.windows, SearchWindows).openGetPort("every");
    const all = Array.from({ length: maxWindows }, () => ({ u: 0, v: 0, halfSize: 0, minRadius: 0, maxRadius: 0 }));
    this.#lists = Array.from({ length: maxWindows + 1 }, (_, count) => all.slice(0, count));
  }

  run(): void {
    workerReady();
    while (!stopRequested()) {
      const image = this.#images.receive(PATIENCE_MS);
      if (image === null) continue;
      if (image.camera === this.#camera) this.#work(image);
      this.#images.release(image);
    }
  }

  #work(image: Readonly<Image>): void {
    const view = this.#viewOf(image);
    this.#readWindows();
    if (this.#windowCount > 0 && this.#windowFrame === image.frame) {
      this.#detector.detectIn(view, this.#lists[this.#windowCount]!, this.#found);
    } else {
      this.#detector.detect(view, this.#found);
    }
    const packet = this.#circles.reserve();
    packet.tExposure.nanoseconds = image.tExposure.nanoseconds;
    packet.tArrival.nanoseconds = image.tArrival.nanoseconds;
    packet.camera = this.#camera;
    packet.frame = image.frame;
    writeCircles(this.#found, packet);
    this.#circles.publish();
  }

  #viewOf(image: Readonly<Image>): GrayImage {
    let view = this.#views.get(image);
    if (view === undefined) {
      view = { width: image.width, height: image.height, pixels: image.pixels };
      this.#views.set(image, view);
    }
    return view;
  }

  /** Keeps the newest windows for this camera. */
  #readWindows(): void {
    const port = this.#windows;
    if (port === null) return;
    for (let packet = port.tryReceive(); packet !== null; packet = port.tryReceive()) {
      if (packet.camera === this.#camera) {
        this.#windowFrame = packet.frame;
        this.#windowCount = Math.min(packet.count, maxWindows);
        for (let n = 0; n < this.#windowCount; n++) copyWindow(packet.windows[n]!, this.#lists[maxWindows]![n]!);
      }
      port.release(packet);
    }
  }
}

type MutableWindow = { -readonly [Key in keyof SearchWindow]: SearchWindow[Key] };

function copyWindow(from: SearchWindow, to: MutableWindow): void {
  to.u = from.u;
  to.v = from.v;
  to.halfSize = from.halfSize;
  to.minRadius = from.minRadius;
  to.maxRadius = from.maxRadius;
}

function createDetector(input: DetectorInput): Detector {
  const { width, height } = input.intrinsics;
  const { minRadius, maxRadius, leastPurity } = input;
  const camera = new CameraModel(input.intrinsics);
  const options = { minRadius, maxRadius, camera, ...(leastPurity !== undefined && { leastPurity }) };
  if (input.method === "purity") return new CircleDetector(width, height, options);
  return new OpenCvDetector(loadOpenCv(), width, height, options);
}

const input = workerInput<DetectorInput>();
new DetectorThread(input, createDetector(input)).run();
