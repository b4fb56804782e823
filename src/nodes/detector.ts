import type { CameraModel } from "../camera/camera-model.js";
import { Circles, Image } from "../messages/sensing.js";
import type { CircleDetector } from "../tracking/circles/circle-detector.js";
import { CircleSet } from "../tracking/circles/circle-set.js";
import { detectorFor } from "../tracking/circles/detector-for.js";
import type { Node } from "../transport/node.js";
import { WHEN_CALLED } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";
import { copyOfCircles } from "./simulated-camera.js";

export const detectorPorts = { in: { images: Image }, out: { circles: Circles } } as const;

/** Finds the circles in the images of one camera. */
export class DetectorNode implements Node {
  readonly #ports: PortsOf<typeof detectorPorts>;
  readonly #detector: CircleDetector;
  readonly #found = new CircleSet();

  /** `camera` is as calibrated; balls have this radius [m]. */
  constructor(ports: PortsOf<typeof detectorPorts>, camera: CameraModel, ballRadius: number) {
    this.#ports = ports;
    this.#detector = detectorFor(camera, ballRadius);
  }

  step(nowNs: number): number {
    takeEach(this.#ports.in.images, nowNs, (image) => this.#detect(image, nowNs));
    return WHEN_CALLED;
  }

  #detect(image: Image, nowNs: number): void {
    const { camera, frame, exposureNs, arrivalNs } = image;
    this.#found.count = 0;
    if (image.pixels.length > 0) this.#detector.detect(image, this.#found);
    this.#ports.out.circles.put({ camera, frame, exposureNs, arrivalNs, ...copyOfCircles(this.#found) }, nowNs);
  }
}
