import type { BallDetectors } from "../../catching/seeing/ball-detectors.js";
import { emptyFrame, type Frame } from "../../catching/seeing/frame.js";
import { CircleSet } from "../../tracking/circles/circle-set.js";
import type { CameraSide, CirclesItem, ImageItem, PointsItem } from "../recorded-messages.js";

/** What a replay sees by: the images, the circles that were found in them, or points. */
export type ReplayInput = "images" | "circles" | "points";

/** The parts of one exposure, as far as they have been read. */
interface Parts {
  readonly number: number;
  readonly exposureNs: number;
  /** When the last of them was there [ns]. */
  timeNs: number;
  points: PointsItem | null;
  readonly circles: Record<CameraSide, CirclesItem | null>;
  readonly images: Record<CameraSide, ImageItem | null>;
}

/** Puts together what both cameras gave of an exposure, and hands frames out at the time at which they were known. */
export class FrameAssembly {
  readonly #input: ReplayInput;
  readonly #detectors: BallDetectors | null;
  readonly #underway: Parts[] = [];
  /** Images in which circles were looked for. */
  imagesSearched = 0;

  /** Without detectors the circles of the recording are used, images or not. */
  constructor(input: ReplayInput, detectors: BallDetectors | null) {
    this.#input = input;
    this.#detectors = detectors;
  }

  add(item: ImageItem | CirclesItem | PointsItem): void {
    const parts = this.#partsOf(item.frame, item.exposureNs);
    parts.timeNs = Math.max(parts.timeNs, item.timeNs);
    if (item.topic === "points") parts.points = item;
    else if (item.topic === "cameras/circles") parts.circles[item.camera] = item;
    else parts.images[item.camera] = item;
  }

  #partsOf(number: number, exposureNs: number): Parts {
    const known = this.#underway.find((parts) => parts.exposureNs === exposureNs);
    if (known !== undefined) return known;
    const none = { left: null, right: null };
    const parts: Parts = { number, exposureNs, timeNs: 0, points: null, circles: { ...none }, images: { ...none } };
    this.#underway.push(parts);
    return parts;
  }

  /** The next frame known by `nowNs`; null if there is none. */
  take(nowNs: number): Frame | null {
    const at = this.#underway.findIndex(({ timeNs }) => timeNs <= nowNs);
    if (at < 0) return null;
    const [parts] = this.#underway.splice(at, 1);
    return this.#assemble(parts!);
  }

  #assemble(parts: Parts): Frame {
    const { number, exposureNs, points } = parts;
    const frame = emptyFrame(number, exposureNs);
    if (this.#input === "points") {
      if (points !== null) fillPoints(points, frame);
      return frame;
    }
    frame.left = this.#circlesOf(parts, "left");
    frame.right = this.#circlesOf(parts, "right");
    return frame;
  }

  /** What one camera saw: found in its image, or as recorded. An image that was left out had nothing to find. */
  #circlesOf({ images, circles }: Parts, side: CameraSide): CircleSet | null {
    const image = images[side];
    const found = new CircleSet();
    if (this.#input === "images" && image !== null && this.#detectors !== null) {
      this.imagesSearched++;
      this.#detectors[side].detect(image, found);
      return found;
    }
    const recorded = circles[side];
    if (recorded === null) return null;
    fillCircles(recorded, found);
    return found;
  }
}

function fillCircles({ circles, covariance, score }: CirclesItem, out: CircleSet): void {
  out.count = Math.min(score.length, out.capacity);
  for (let i = 0; i < out.count; i++) {
    out.u[i] = circles[3 * i]!;
    out.v[i] = circles[3 * i + 1]!;
    out.r[i] = circles[3 * i + 2]!;
    out.score[i] = score[i]!;
  }
  out.covariance.set(covariance.slice(0, 9 * out.count));
}

function fillPoints({ positions, covariance }: PointsItem, { points }: Frame): void {
  points.count = Math.min(positions.length / 3, points.capacity);
  points.position.set(positions.slice(0, 3 * points.count));
  points.covariance.set(covariance.slice(0, 9 * points.count));
}
