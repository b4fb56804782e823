import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { type FramePixels, pixelsOf, type WantedColours } from "../../camera/frames/frame-pixels.js";
import type { CameraSide } from "../../messages/sensing.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { PngPixels } from "../format/png.js";
import { type CameraRig, readCameraRig } from "./camera-rig.js";
import { decodePicture, pictureEndings } from "./video/picture-file.js";
import { columnsOf, openVideo } from "./video/video-file.js";

/** The frames of one camera, out of a video or a folder of images. */
export interface FrameFile {
  readonly width: number;
  readonly height: number;
  /** Exposures [s], the first at zero. */
  readonly times: readonly number[];
  /** Goes through all of them. */
  readonly frames: () => AsyncGenerator<FramePixels>;
}

export interface FrameFileOptions {
  readonly camera: CameraSide;
  readonly wanted: WantedColours;
  /** Images a second, where neither `rig.json` nor the file says it. */
  readonly rateHz?: number | undefined;
}

/** Files whose frames take no more memory than this are decoded once [bytes]. */
const MOST_KEPT = 400e6;

interface OpenFrames {
  readonly rateHz: number | null;
  readonly frames: AsyncGenerator<PngPixels>;
}

/** Opens a video, or a folder with images or videos of two cameras, or of one. It is read through once, to know how long it is. */
export async function openFrameFile(path: string, options: FrameFileOptions): Promise<FrameFile> {
  const { camera, wanted } = options;
  const isFolder = statSync(path).isDirectory();
  const rigPath = join(isFolder ? path : dirname(path), "rig.json");
  const rig = existsSync(rigPath) ? readCameraRig(rigPath) : null;
  const open = isFolder ? folderOpener(path, camera, wanted) : () => openVideo(path, wanted);
  const kept: FramePixels[] = [];
  const first = await open();
  let [count, bytes, width, height] = [0, 0, 0, 0];
  for await (const frame of framesOf(first, rig, options)) {
    count++;
    bytes += frame.pixels.length;
    [width, height] = [frame.width, frame.height];
    if (bytes <= MOST_KEPT) kept.push(frame);
    else kept.length = 0;
  }
  if (count === 0) throw refused(path, "frames", "none");
  const times = timesOf(path, count, rig, options.rateHz ?? first.rateHz);
  const isKept = bytes <= MOST_KEPT;
  return { width, height, times, frames: () => (isKept ? again(kept) : fromStart(open, rig, options)) };
}

async function* fromStart(
  open: () => Promise<OpenFrames>,
  rig: CameraRig | null,
  options: FrameFileOptions,
): AsyncGenerator<FramePixels> {
  yield* framesOf(await open(), rig, options);
}

async function* again(frames: readonly FramePixels[]): AsyncGenerator<FramePixels> {
  yield* frames;
}

type SizedFrame = FramePixels & { readonly width: number; readonly height: number };

/** The camera's half, where a video has both side by side, in the pixels that are wanted. */
async function* framesOf(
  { frames }: OpenFrames,
  rig: CameraRig | null,
  { camera, wanted }: FrameFileOptions,
): AsyncGenerator<SizedFrame> {
  for await (const picture of frames) {
    const half =
      rig !== null && picture.width === rig.left.width + rig.right.width ? halfOf(picture, rig, camera) : picture;
    const { width, height, encoding = "mono8", pixels } = half;
    if (encoding === "mono8") yield { width, height, encoding, pixels };
    else yield { width, height, ...pixelsOf({ format: "rgb", width, height }, pixels, wanted) };
  }
}

function halfOf(picture: PngPixels, { left, right }: CameraRig, camera: CameraSide): PngPixels {
  return camera === "left" ? columnsOf(picture, 0, left.width) : columnsOf(picture, left.width, right.width);
}

/** `left/` or `left.*` of a folder, or the images in it. */
function folderOpener(folder: string, camera: CameraSide, wanted: WantedColours): () => Promise<OpenFrames> {
  const names = readdirSync(folder);
  const isPicture = (name: string) => pictureEndings.some((ending) => name.toLowerCase().endsWith(ending));
  const video = names.find((name) => name.slice(0, -extname(name).length) === camera && !isPicture(name));
  if (!names.includes(camera) && video !== undefined) return () => openVideo(join(folder, video), wanted);
  const place = names.includes(camera) ? join(folder, camera) : folder;
  const pictures = readdirSync(place).filter(isPicture).sort();
  return async () => ({ rateHz: null, frames: picturesIn(place, pictures) });
}

async function* picturesIn(folder: string, names: readonly string[]): AsyncGenerator<PngPixels> {
  for (const name of names) {
    const path = join(folder, name);
    try {
      yield decodePicture(readFileSync(path));
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      throw refused(path, "a PNG, JPEG, PGM or PPM of 8 bits a channel", found);
    }
  }
}

function timesOf(path: string, count: number, rig: CameraRig | null, rateHz: number | null): readonly number[] {
  const { times } = rig ?? {};
  const rate = rig?.rateHz ?? rateHz;
  if (times !== undefined && times.length >= count) return times.slice(0, count).map((time) => time - times[0]!);
  if (rate !== null && rate > 0) return Array.from({ length: count }, (_, k) => k / rate);
  throw refused(path, "rateHz or times in rig.json beside, a video that says its rate, or --rate", "none");
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_VIDEO", "the frames cannot be read", { path, expected, found });
}
