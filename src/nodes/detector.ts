import type { CameraModel } from "../camera/camera-model.js";
import { createImage, type GrayImage } from "../camera/gray-image.js";
import { BallColour, Circles, Image } from "../messages/sensing.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import { type CircleDetector, detectorFor } from "../tracking/circles/circle-detector.js";
import { CircleSet } from "../tracking/circles/circle-set.js";
import { type DetectorSettings, detectorDefaults } from "../tracking/circles/detector-options.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";
import { colourSettings, DetectorImages } from "./detector-images.js";
import { enlargeCircles, shrinkWindow } from "./scaled-circles.js";
import { copyOfCircles } from "./simulated-camera.js";

export const detectorPorts = { in: { images: Image, colour: BallColour }, out: { circles: Circles } } as const;

/** Images of the warm-up at each scale. */
const WARM_UP = 16;
/** Brightness of their background, and how much brighter the disc is. */
const DARK = 90;
const LIGHT = 110;

/**
 * Finds the circles in the images of one camera, in pixels of the camera at full size: everywhere, or in the regions that were
 * read out. Colour images are searched in the channel in which the ball stands out. What it finds is there no earlier than the image.
 */
export class DetectorNode implements Node {
  readonly #ports: PortsOf<typeof detectorPorts>;
  readonly #camera: CameraModel;
  readonly #ballRadius: number;
  readonly #scales: readonly number[];
  #settings: DetectorSettings;
  #images: DetectorImages;
  readonly #detectors = new Map<number, CircleDetector>();
  readonly #found = new CircleSet();

  /** `camera` is as calibrated; balls have this radius [m]; images of these sizes against the camera's own are expected. */
  constructor(
    ports: PortsOf<typeof detectorPorts>,
    camera: CameraModel,
    ballRadius: number,
    scales: readonly number[] = [1],
    settings: DetectorSettings = detectorDefaults,
  ) {
    this.#ports = ports;
    this.#camera = camera;
    this.#ballRadius = ballRadius;
    this.#scales = scales;
    this.#settings = settings;
    this.#images = new DetectorImages(settings.projection);
    for (const scale of scales) this.#detectorAt(scale);
  }

  /** From now on balls have another colour. */
  #use(settings: DetectorSettings): void {
    if (settings.contrast !== this.#settings.contrast) this.#detectors.clear();
    this.#settings = settings;
    this.#images = new DetectorImages(settings.projection);
  }

  #detectorAt(scale: number): CircleDetector {
    const camera = scale === 1 ? this.#camera : this.#camera.scaled(scale);
    return getOrCreate(this.#detectors, scale, () => detectorFor(camera, this.#ballRadius, this.#settings));
  }

  /** Looks at images of a disc that comes nearer, as a whole and in a window. */
  warmUp(): void {
    for (const scale of this.#scales) {
      const { width, height } = scale === 1 ? this.#camera : this.#camera.scaled(scale);
      const image = createImage(width, height);
      for (let i = 0; i < image.pixels.length; i++) image.pixels[i] = DARK + ((7 * i) % 23);
      for (let k = 0; k < WARM_UP; k++) {
        const radius = scale * (6 + k);
        drawDisc(image, radius);
        const window = { u: width / 2, v: height / 2, halfSize: 20, minRadius: 0.8 * radius, maxRadius: 1.2 * radius };
        this.#detectorAt(scale).detect(image, this.#found);
        this.#detectorAt(scale).detectIn(image, [window], this.#found);
      }
    }
  }

  step(nowNs: number): number {
    const colour = takeNewest(this.#ports.in.colour, nowNs);
    if (colour !== null) this.#use(colourSettings(colour));
    takeEach(this.#ports.in.images, nowNs, (image) => this.#detect(image, nowNs));
    return WHEN_CALLED;
  }

  #detect(image: Image, nowNs: number): void {
    const { camera, frame, exposureNs, arrivalNs, scale, windows } = image;
    const found = this.#found;
    found.count = 0;
    if (image.pixels.length > 0) {
      const detector = this.#detectorAt(scale);
      const own = windows.map((window) => shrinkWindow(window, scale));
      const gray = this.#images.gray(image, own);
      if (own.length === 0) detector.detect(gray, found);
      else detector.detectIn(gray, own, found);
      if (scale !== 1) enlargeCircles(found, 1 / scale);
    }
    const readyNs = Math.max(nowNs, arrivalNs);
    this.#ports.out.circles.put({ camera, frame, exposureNs, arrivalNs, ...copyOfCircles(found) }, readyNs);
  }
}

/** A light disc in the middle of a dark image. */
function drawDisc({ width, height, pixels }: GrayImage, radius: number): void {
  const reach = Math.ceil(radius);
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const light = Math.min(1, Math.max(0, radius - Math.sqrt(x * x + y * y)));
      if (light > 0) pixels[((height >> 1) + y) * width + (width >> 1) + x] = DARK + LIGHT * light;
    }
  }
}
