import type { Frame } from "../../catching/seeing/frame.js";
import { maxCircles } from "../../messages/parts.js";
import { CircleSet } from "../../tracking/circles/circle-set.js";
import type { BallDetectors } from "../../tracking/circles/detector-for.js";
import { MAX_POINTS, PointSet } from "../../tracking/scan.js";
import type { CameraSide, CirclesItem, ImageItem, PointsItem } from "../../recording/recorded-messages.js";

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
    const seesPoints = this.#input === "points";
    return {
      number,
      exposureNs,
      left: seesPoints ? null : this.#circlesOf(parts, "left"),
      right: seesPoints ? null : this.#circlesOf(parts, "right"),
      points: seesPoints && points !== null ? pointsOf(points) : new PointSet(0),
      images: null,
    };
  }

  /** What one camera saw: found in its image, or as recorded. An image that was left out had nothing to find. */
  #circlesOf({ images, circles }: Parts, side: CameraSide): CircleSet | null {
    const image = images[side];
    if (this.#input === "images" && image !== null && this.#detectors !== null) {
      const found = new CircleSet();
      this.imagesSearched++;
      this.#detectors[side].detect(image, found);
      return found;
    }
    const recorded = circles[side];
    return recorded === null ? null : recordedCircles(recorded);
  }
}

/** The circles of a recording, no more of them than a detector finds. */
function recordedCircles({ circles, covariance, score }: CirclesItem): CircleSet {
  const count = Math.min(score.length, maxCircles);
  const out = new CircleSet(count);
  out.count = count;
  for (let i = 0; i < count; i++) {
    out.u[i] = circles[3 * i]!;
    out.v[i] = circles[3 * i + 1]!;
    out.r[i] = circles[3 * i + 2]!;
    out.score[i] = score[i]!;
  }
  for (let i = 0; i < 9 * count; i++) out.covariance[i] = covariance[i]!;
  return out;
}

function pointsOf({ positions, covariance }: PointsItem): PointSet {
  const count = Math.min(positions.length / 3, MAX_POINTS);
  const out = new PointSet(count);
  out.count = count;
  for (let i = 0; i < 3 * count; i++) out.position[i] = positions[i]!;
  for (let i = 0; i < 9 * count; i++) out.covariance[i] = covariance[i]!;
  return out;
}
