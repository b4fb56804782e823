import type { GrayImage } from "../../camera/gray-image.js";
import { CircleSet } from "../../tracking/circles/circle-set.js";
import { PointSet } from "../../tracking/scan.js";

/** What the cameras of the head, or motion capture, gave of one exposure. */
export interface Frame {
  /** Number of the exposure; a gap is a lost one. */
  readonly number: number;
  /** Middle of the exposure on the run's clock [ns]. */
  readonly exposureNs: number;
  /** Circles of the two images; null where that camera gave none. */
  left: CircleSet | null;
  right: CircleSet | null;
  /** Points of motion capture. */
  readonly points: PointSet;
  /** The images themselves, where somebody keeps them. */
  images: FrameImages | null;
}

export interface FrameImages {
  readonly left: GrayImage;
  readonly right: GrayImage;
}

/** A frame in which nothing has been found yet. */
export function emptyFrame(number: number, exposureNs: number): Frame {
  const circles = { left: new CircleSet(), right: new CircleSet() };
  return { number, exposureNs, ...circles, points: new PointSet(), images: null };
}
