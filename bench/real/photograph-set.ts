import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decode } from "jpeg-js";
import type { ColourImage } from "../../src/camera/colour-projection.js";
import { Random } from "../../src/math/random.js";
import type { LabelBox } from "./label-match.js";
import { readTar } from "./tar.js";

/** The archive of photographs within the data folder. */
export const photographArchive = "real-balls-robocup.tar.gz";
/** Class of balls in its labels. */
const BALL = 0;

export interface Photograph {
  readonly name: string;
  readonly image: ColourImage;
  /** Boxes around the balls, as labelled by hand. */
  readonly balls: readonly LabelBox[];
}

/** Photographs, half for tuning and half for what is reported. */
export interface PhotographHalves {
  readonly tuning: readonly Photograph[];
  readonly report: readonly Photograph[];
}

/** Reads all labelled photographs of the archive in the data folder; those without a file of labels are left out. */
export function readPhotographs(folder: string): Photograph[] {
  const files = readTar(gunzipSync(readFileSync(join(folder, photographArchive))));
  return [...files.keys()]
    .filter((name) => name.endsWith(".jpg") && files.has(labelsOf(name)))
    .sort()
    .map((name) => {
      const { width, height, data } = decode(files.get(name)!, { useTArray: true, formatAsRGBA: false });
      const text = Buffer.from(files.get(labelsOf(name))!).toString("utf8");
      return { name, image: { width, height, order: "rgb", pixels: data }, balls: parseLabels(text, width, height) };
    });
}

function labelsOf(name: string): string {
  return name.replace(/\.jpg$/, ".txt");
}

/** Boxes of the balls in labels of YOLO form: class, centre, width and height as shares of the image. */
export function parseLabels(text: string, width: number, height: number): LabelBox[] {
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([kind, ...numbers]) => kind === BALL && numbers.length === 4 && numbers.every(Number.isFinite))
    .map(([, u, v, across, down]) => ({
      // Pixel centres lie at whole numbers, YOLO's origin at the corner of the first pixel.
      left: (u! - across! / 2) * width - 0.5,
      top: (v! - down! / 2) * height - 0.5,
      right: (u! + across! / 2) * width - 0.5,
      bottom: (v! + down! / 2) * height - 0.5,
    }));
}

/** Halves by lot, the same for the same seed. */
export function splitPhotographs(photographs: readonly Photograph[], seed: number): PhotographHalves {
  const random = new Random(seed).fork("photographs");
  const shuffled = [...photographs];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  const half = shuffled.length >> 1;
  return { tuning: shuffled.slice(0, half), report: shuffled.slice(half) };
}
