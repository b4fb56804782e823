import { basename } from "node:path";
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
import { type CameraRig, rigHeader } from "./camera-rig.js";
import { columnsOf, type OpenVideo, openVideo } from "./video/video-file.js";
import type { WantedPixels } from "./video/y4m.js";

export interface StereoVideoOptions {
  /** The video of the left camera, or of both, side by side. */
  readonly left: string;
  /** The video of the right camera; left out: it is in the other one, on the right. */
  readonly right?: string | undefined;
  readonly rig: CameraRig;
  /** Whether detectors look at colours. */
  readonly pixels: WantedPixels;
  readonly ball?: Ball | undefined;
}

/** One or two video files of two cameras that stand still, as a recording. Frames are decoded as they are needed. */
export class StereoVideo implements Recording {
  readonly header: RecordingHeader;
  readonly writtenVersion = RECORDING_VERSION;
  readonly problems: readonly string[] = [];
  readonly #options: StereoVideoOptions;

  constructor(options: StereoVideoOptions) {
    this.#options = options;
    this.header = rigHeader(basename(options.left), options.rig, options.ball ?? defaultBall);
  }

  async *items({
    fromNs = 0,
    toNs = Number.POSITIVE_INFINITY,
    topics,
  }: ItemSelection = {}): AsyncGenerator<RecordedItem> {
    if (topics?.includes("cameras/images") === false) return;
    const { left, right, pixels } = this.#options;
    const videos = await Promise.all(
      [left, right].filter((path) => path !== undefined).map((path) => openVideo(path, pixels)),
    );
    try {
      for (let frame = 0; ; frame++) {
        const pictures = await Promise.all(videos.map(({ frames }) => frames.next()));
        const exposureNs = this.#exposureNs(frame, videos[0]!);
        if (pictures.some(({ done }) => done === true) || exposureNs === null || exposureNs > toNs) return;
        if (exposureNs < fromNs) continue;
        const images = pictures.map(({ value }) => value as PngPixels);
        const [one, other] = images.length === 2 ? (images as [PngPixels, PngPixels]) : this.#halves(images[0]!);
        yield this.#item("left", frame, exposureNs, one);
        yield this.#item("right", frame, exposureNs, other);
      }
    } finally {
      await Promise.all(videos.map(({ frames }) => frames.return(undefined)));
    }
  }

  /** null after the last of the times that are given. */
  #exposureNs(frame: number, video: OpenVideo): number | null {
    const { times, rateHz = video.rateHz } = this.#options.rig;
    if (times !== undefined) return frame < times.length ? Math.round(1e9 * times[frame]!) : null;
    if (rateHz !== null) return Math.round((1e9 * frame) / rateHz);
    throw refused(this.#options.left, "rateHz or times in the rig's file, for the video does not say them", "none");
  }

  #item(camera: CameraSide, frame: number, exposureNs: number, picture: PngPixels): ItemOf<"cameras/images"> {
    const { width, height } = this.#options.rig[camera];
    if (picture.width !== width || picture.height !== height) {
      const path = camera === "left" ? this.#options.left : (this.#options.right ?? this.#options.left);
      throw refused(path, `${width} × ${height} pixels, as the rig says`, `${picture.width} × ${picture.height}`);
    }
    const times = { exposureNs, arrivalNs: exposureNs, timeNs: exposureNs };
    return { topic: "cameras/images", camera, frame, ...times, scale: 1, windows: [], ...picture };
  }

  /** Left and right half of an image. */
  #halves(picture: PngPixels): [PngPixels, PngPixels] {
    const { left, right } = this.#options.rig;
    const { width, height } = picture;
    if (width === left.width + right.width) {
      return [columnsOf(picture, 0, left.width), columnsOf(picture, left.width, right.width)];
    }
    const expected = `both cameras side by side, ${left.width + right.width} px wide, or the right one's video beside`;
    throw refused(this.#options.left, expected, `${width} × ${height}`);
  }
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_VIDEO", "the video does not fit the cameras", { path, expected, found });
}
