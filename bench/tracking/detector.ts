import { Random } from "../../src/math/random.js";
import { CircleDetector } from "../../src/tracking/circles/circle-detector.js";
import { CIRCLE_SIZE, CircleSet } from "../../src/tracking/circles/circle-set.js";
import type { SearchWindow } from "../../src/tracking/circles/detector-options.js";
import { type BenchContext, type Metrics, summarize } from "../harness.js";
import { DetectionTally, type DetectorImages, detectorOptions, renderImages } from "./detector-images.js";
import { DetectorPair } from "./detector-pair.js";
import type { TrueBall } from "./detector-scenes.js";
import { OpenCvDetector } from "./opencv-detector.js";
import { loadOpenCv } from "./opencv-library.js";

/** Untimed pairs before the first sample. */
const WARMUP = 20;
/** A predicted window: how far off the prediction may be, and the radii around the expected one. */
const WINDOW_HALF_SIZE = 0.015;
const WINDOW_ERROR = 0.3;
const RADIUS_RANGE = 1.25;
/** The 99 % quantile of χ² with the three degrees of freedom of a circle. */
const CHI_SQUARE_99 = 11.345;

/** Recall, false circles, accuracy and times of the circle detector, and of OpenCV's on the same images. */
export async function measureDetector(context: BenchContext): Promise<Metrics> {
  const { seed, full } = context;
  context.progress("rendering images of 1600 × 1200 for the detector");
  const large = renderImages(seed, 1600, full ? 200 : 72);
  context.progress("rendering images of 800 × 600");
  const small = renderImages(seed, 800, full ? 300 : 150);
  context.progress("detecting");
  const tally = tallyPurity(large);
  const smallTally = tallyPurity(small);
  const peer = tallyOpenCv(large);
  const smallPeer = tallyOpenCv(small);
  context.progress("timing stereo pairs");
  const samples = full ? 400 : 100;
  return {
    recall: tally.recall,
    recall_800: smallTally.recall,
    false_per_image: tally.falsePerImage,
    false_per_image_800: smallTally.falsePerImage,
    centre_rms_px: tally.centreRms,
    centre_rms_px_800: smallTally.centreRms,
    centre_median_px: tally.centreMedian,
    centre_median_px_800: smallTally.centreMedian,
    ...consistency("", tally),
    ...consistency("_800", smallTally),
    ...(await timePurity(large, small, samples, seed)),
    ...(await timeOpenCv(large, small, Math.ceil(samples / 8))),
    opencv_recall: peer.own.recall,
    opencv_recall_800: smallPeer.own.recall,
    opencv_false_per_image: peer.own.falsePerImage,
    opencv_false_per_image_800: smallPeer.own.falsePerImage,
    opencv_centre_rms_px: peer.own.centreRms,
    opencv_refined_recall: peer.refined.recall,
    opencv_refined_false_per_image: peer.refined.falsePerImage,
    opencv_refined_centre_rms_px: peer.refined.centreRms,
  };
}

/** Squared errors of circles by their own covariance: mean, median and those beyond the bound that 1 in 100 may exceed. */
function consistency(suffix: string, { squaredErrors }: DetectionTally): Metrics {
  const { mean, p50 } = summarize(Float64Array.from(squaredErrors));
  return {
    [`circle_nees_ratio${suffix}`]: mean / CIRCLE_SIZE,
    [`circle_nees_p50${suffix}`]: p50,
    [`circle_nees_over_99${suffix}`]: squaredErrors.filter((e) => e > CHI_SQUARE_99).length / squaredErrors.length,
  };
}

function tallyPurity({ camera, images, balls }: DetectorImages): DetectionTally {
  const options = detectorOptions(camera);
  const detector = new CircleDetector(camera.width, camera.height, options);
  const circles = new CircleSet();
  const tally = new DetectionTally();
  for (const [index, image] of images.entries()) {
    detector.detect(image, circles);
    tally.add(circles, balls[index]!, options.minRadius);
  }
  return tally;
}

/** OpenCV's own circles, and those that are left when we refine and judge them. */
function tallyOpenCv({ camera, images, balls }: DetectorImages): { own: DetectionTally; refined: DetectionTally } {
  const options = detectorOptions(camera);
  const detector = new OpenCvDetector(loadOpenCv(), camera.width, camera.height, options);
  const proposed = new CircleSet(4096);
  const circles = new CircleSet();
  const own = new DetectionTally();
  const refined = new DetectionTally();
  for (const [index, image] of images.entries()) {
    detector.propose(image, proposed);
    own.add(proposed, balls[index]!, options.minRadius);
    detector.detect(image, circles);
    refined.add(circles, balls[index]!, options.minRadius);
  }
  detector.close();
  return { own, refined };
}

async function timePurity(
  large: DetectorImages,
  small: DetectorImages,
  samples: number,
  seed: number,
): Promise<Metrics> {
  const full = summarize(await timePairs(large, "purity", samples, null));
  const full800 = summarize(await timePairs(small, "purity", samples, null));
  const random = new Random(seed).fork("windows");
  const window = summarize(await timePairs(large, "purity", samples, random));
  const window800 = summarize(await timePairs(small, "purity", samples, random));
  return {
    detect_full_ms_p50: full.p50,
    detect_full_ms_p99: full.p99,
    detect_full_800_ms_p50: full800.p50,
    detect_full_800_ms_p99: full800.p99,
    detect_window_ms_p50: window.p50,
    detect_window_ms_p99: window.p99,
    detect_window_800_ms_p50: window800.p50,
  };
}

async function timeOpenCv(large: DetectorImages, small: DetectorImages, samples: number): Promise<Metrics> {
  const full = summarize(await timePairs(large, "opencv", samples, null));
  const full800 = summarize(await timePairs(small, "opencv", samples, null));
  return {
    opencv_full_ms_p50: full.p50,
    opencv_full_ms_p99: full.p99,
    opencv_full_800_ms_p50: full800.p50,
  };
}

/** Two images at a time, each in its worker; with `random` only in windows about the balls. */
async function timePairs(
  images: DetectorImages,
  method: "purity" | "opencv",
  samples: number,
  random: Random | null,
): Promise<Float64Array> {
  const pair = await DetectorPair.start(images, method);
  const times = new Float64Array(samples);
  const count = images.images.length;
  for (let n = -Math.min(WARMUP, samples); n < samples; n++) {
    const left = Math.abs(2 * n) % count;
    const right = (left + 1) % count;
    const windows = random === null ? [] : [left, right].map((index) => windowsAbout(images, index, random));
    const time = await pair.detect(images.images[left]!, images.images[right]!, windows);
    if (n >= 0) times[n] = time;
  }
  await pair.stop();
  return times;
}

/** What a tracker would ask for: two balls, each expected some pixels off. An image without balls is searched as a whole. */
function windowsAbout({ camera, balls }: DetectorImages, index: number, random: Random): SearchWindow[] {
  const halfSize = WINDOW_HALF_SIZE * camera.width;
  const error = (): number => WINDOW_ERROR * halfSize * random.normal();
  return balls[index]!.slice(0, 2).map(({ u, v, r }: TrueBall) => ({
    u: u + error(),
    v: v + error(),
    halfSize,
    minRadius: r / RADIUS_RANGE,
    maxRadius: r * RADIUS_RANGE,
  }));
}
