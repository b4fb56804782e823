import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Ball, defaultBall } from "../../flight/ball.js";
import type { CameraSide } from "../../messages/sensing.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { PngPixels } from "../format/png.js";
import {
  type ItemOf,
  type ItemSelection,
  RECORDING_VERSION,
  type RecordedItem,
  type Recording,
  type RecordingHeader,
} from "../recording.js";
import { type CameraRig, readCameraRig, rigHeader } from "./camera-rig.js";
import { decodePicture, pictureEndings } from "./video/picture-file.js";

const sides = ["left", "right"] as const;

/**
 * A folder of images as a recording: `rig.json` says where two cameras stand and when they exposed, `left/` and `right/` hold
 * an image for each exposure, in the order of their names. Images are read one after the other, as they are needed.
 */
export class ImageFolder implements Recording {
  readonly header: RecordingHeader;
  readonly writtenVersion = RECORDING_VERSION;
  readonly problems: readonly string[] = [];
  readonly #folder: string;
  readonly #rig: CameraRig;
  readonly #files: Readonly<Record<CameraSide, readonly string[]>>;
  readonly #times: readonly number[];

  constructor(folder: string, ball: Ball = defaultBall) {
    this.#folder = folder;
    this.#rig = readCameraRig(join(folder, "rig.json"));
    this.#files = { left: imagesIn(folder, "left"), right: imagesIn(folder, "right") };
    this.#times = exposureTimes(folder, this.#rig, this.#files);
    this.header = rigHeader(basename(folder), this.#rig, ball);
  }

  *items({ fromNs = 0, toNs = Number.POSITIVE_INFINITY, topics }: ItemSelection = {}): Generator<RecordedItem> {
    if (topics?.includes("cameras/images") === false) return;
    for (const [frame, time] of this.#times.entries()) {
      const exposureNs = Math.round(1e9 * time);
      if (exposureNs < fromNs || exposureNs > toNs) continue;
      for (const side of sides) yield this.#image(side, frame, exposureNs);
    }
  }

  #image(camera: CameraSide, frame: number, exposureNs: number): ItemOf<"cameras/images"> {
    const path = join(this.#folder, camera, this.#files[camera][frame]!);
    const content = this.#decode(path, camera);
    const times = { frame, exposureNs, arrivalNs: exposureNs, timeNs: exposureNs };
    return { topic: "cameras/images", camera, ...times, scale: 1, windows: [], ...content };
  }

  #decode(path: string, side: CameraSide): PngPixels {
    try {
      const image = decodePicture(readFileSync(path));
      const { width, height } = this.#rig[side];
      if (image.width === width && image.height === height) return image;
      throw refused(path, `${width} × ${height} pixels, as rig.json says`, `${image.width} × ${image.height}`);
    } catch (error) {
      if (error instanceof FlycatcherError) throw error;
      throw refused(
        path,
        "a PNG, JPEG, PGM or PPM of 8 bits a channel",
        error instanceof Error ? error.message : String(error),
      );
    }
  }
}

function imagesIn(folder: string, side: CameraSide): readonly string[] {
  try {
    return readdirSync(join(folder, side))
      .filter((name) => pictureEndings.some((ending) => name.toLowerCase().endsWith(ending)))
      .sort();
  } catch {
    throw refused(join(folder, side), "a folder of images", "none");
  }
}

function exposureTimes(folder: string, rig: CameraRig, files: Readonly<Record<CameraSide, readonly string[]>>) {
  const { rateHz, times } = rig;
  const count = files.left.length;
  if (count === 0 || files.right.length !== count) {
    throw refused(folder, "as many images in left/ as in right/", `${count} and ${files.right.length}`);
  }
  if (times === undefined && rateHz !== undefined) return Array.from({ length: count }, (_, k) => k / rateHz);
  if (times?.length === count) return times;
  throw refused(join(folder, "rig.json"), `rateHz, or ${count} rising times [s]`, `${times?.length ?? 0} times`);
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_IMAGE_FOLDER", "the folder of images cannot be read", { path, expected, found });
}
