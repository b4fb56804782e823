import { existsSync } from "node:fs";
import { join } from "node:path";
import { ColourDiscriminant, type LabelledBall, LEARNT_CONTRAST } from "../../src/camera/colour-discriminant.js";
import { type ColourProjection, ColourProjector, luma } from "../../src/camera/colour-projection.js";
import { CircleDetector } from "../../src/tracking/circles/circle-detector.js";
import { type Circle, CircleSet } from "../../src/tracking/circles/circle-set.js";
import type { Metrics } from "../harness.js";
import { loadOpenCv } from "../tracking/opencv-library.js";
import { bestHoughAlt, HoughAlt, perfectnessSteps } from "./hough-alt.js";
import { type LabelBox, matchCircles } from "./label-match.js";
import { type Photograph, photographArchive, readPhotographs, splitPhotographs } from "./photograph-set.js";
import { type CurvePoint, curveOf, pointAt, type ScoredCircle } from "./recall-curve.js";

/** False circles per image, at most, at which recalls are compared. */
export const FALSE_PER_IMAGE = 1;
/** Radii of the balls, from the far side of the field to just before the camera [px]. */
const MIN_RADIUS = 2.9;
const MAX_RADIUS = 90;

export interface PhotographOptions {
  /** Decides which photographs are for tuning. */
  readonly seed: number;
  readonly progress: (message: string) => void;
}

/** Whether the data folder has the photographs. */
export function hasPhotographs(folder: string): boolean {
  return existsSync(join(folder, photographArchive));
}

/**
 * Recall of labelled balls in real photographs at one false circle per image, on the half that nothing was tuned on: of our
 * detector on luma and on a colour projection learnt from the other half, and of OpenCV's HOUGH_GRADIENT_ALT on luma, with
 * settings that were the best of some on the other half. The figures `_all` are of all circles that our detector reports.
 */
export async function measurePhotographs(folder: string, options: PhotographOptions): Promise<Metrics> {
  const { seed, progress } = options;
  progress("reading the photographs");
  const halves = splitPhotographs(readPhotographs(folder), seed);
  const projection = learnProjection(halves.tuning);
  progress("detecting in photographs");
  const gray = curveOfDetector(halves.report, luma, undefined);
  const colour = curveOfDetector(halves.report, projection, LEARNT_CONTRAST);
  const chosen = pointAt(gray, FALSE_PER_IMAGE);
  progress("detecting in photographs with OpenCV");
  return {
    photo_recall: chosen.recall,
    photo_recall_colour: pointAt(colour, FALSE_PER_IMAGE).recall,
    photo_false_per_image: chosen.falsePerImage,
    photo_recall_hough_alt: measureHoughAlt(halves.report),
    photo_recall_all: gray.at(-1)!.recall,
    photo_false_per_image_all: gray.at(-1)!.falsePerImage,
    photo_recall_colour_all: colour.at(-1)!.recall,
    photo_false_per_image_colour_all: colour.at(-1)!.falsePerImage,
  };
}

/** The projection learnt from labelled photographs. Boxes that are far from square show only part of a ball. */
export function learnProjection(photographs: readonly Photograph[]): ColourProjection {
  const learner = new ColourDiscriminant();
  for (const { image, balls } of photographs) {
    if (balls.length > 0) learner.addFrame(image, balls.map(ballOf));
  }
  return learner.projection();
}

/** The ball in a box: as far as it is hidden or cut, the smaller side is what is seen of it. */
export function ballOf({ left, top, right, bottom }: LabelBox): LabelledBall {
  return { u: (left + right) / 2, v: (top + bottom) / 2, r: Math.min(right - left, bottom - top) / 2 };
}

function curveOfDetector(
  photographs: readonly Photograph[],
  projection: ColourProjection,
  contrast: number | undefined,
): CurvePoint[] {
  const { width, height } = photographs[0]!.image;
  const detector = new CircleDetector(width, height, { minRadius: MIN_RADIUS, maxRadius: MAX_RADIUS, contrast });
  const projector = new ColourProjector(width, height, projection);
  const found = new CircleSet();
  const scored: ScoredCircle[] = [];
  for (const photograph of photographs) {
    detector.detect(projector.project(photograph.image), found);
    const matches = matchCircles(photograph.balls, circlesOf(found), width, height);
    for (const [n, match] of matches.entries()) scored.push({ score: found.score[n]!, isBall: match >= 0 });
  }
  return curveOf(scored, countBalls(photographs), photographs.length);
}

function circlesOf({ count, u, v, r }: CircleSet): Circle[] {
  return Array.from({ length: count }, (_, n) => ({ u: u[n]!, v: v[n]!, r: r[n]! }));
}

function countBalls(photographs: readonly Photograph[]): number {
  return photographs.reduce((sum, { balls }) => sum + balls.length, 0);
}

/** Of the points that the least perfectness gives, the best one with few enough false circles. */
function measureHoughAlt(photographs: readonly Photograph[]): number {
  const { width, height } = photographs[0]!.image;
  const hough = new HoughAlt(loadOpenCv(), width, height, MIN_RADIUS, MAX_RADIUS);
  const projector = new ColourProjector(width, height, luma);
  const points = perfectnessSteps.map((perfectness) => {
    let found = 0;
    let wrong = 0;
    for (const { image, balls } of photographs) {
      const circles = hough.detect(projector.project(image), bestHoughAlt, perfectness);
      const matches = matchCircles(balls, circles, width, height);
      found += matches.filter((match) => match >= 0).length;
      wrong += matches.filter((match) => match < 0).length;
    }
    return { falsePerImage: wrong / photographs.length, recall: found / countBalls(photographs) };
  });
  hough.close();
  return pointAt(points, FALSE_PER_IMAGE).recall;
}
