import { existsSync, readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { Command } from "commander";
import { type CameraRig, readCameraRig, rigOfRobot } from "../recording/import/camera-rig.js";
import { ImageFolder } from "../recording/import/image-folder.js";
import { StereoVideo } from "../recording/import/stereo-video.js";
import type { Recording } from "../recording/recording.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { runSettingsOf } from "../run/run-settings.js";
import { resolveConfig } from "../runtime/config.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { DetectorSettings } from "../tracking/circles/detector-options.js";
import type { TextOptions } from "./terminal.js";

/** How a command says which cameras made a video, and what the ball looks like in it. */
export type VideoWords = TextOptions<"rig" | "right" | "robot" | "calibration" | "colour">;

/** Endings of video files; whatever else they may be called, a file in `--right` is one. */
const videoEndings: ReadonlySet<string> = new Set([
  ...[".y4m", ".avi", ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".wmv", ".mjpeg", ".mjpg"],
]);

export function addVideoOptions(command: Command): Command {
  return command
    .option("--rig <file>", "video: the file that describes the two cameras; default: rig.json beside it")
    .option("--right <file>", "video: that of the right camera; default: both are side by side in one file")
    .option("--robot <robot>", "video: the cameras of this robot, which stands in its posture ready, in place of --rig")
    .option("--calibration <file>", "video: what `flycatcher calibrate` has found for that robot")
    .option("--colour <file>", "images in colour: the ball's colour, as the page has saved it");
}

/** Whether a path is to be read as a video. */
export function isVideo(path: string, { right }: VideoWords): boolean {
  return right !== undefined || videoEndings.has(extname(path).toLowerCase());
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The video of two cameras. */
export function openVideoFile(path: string, words: VideoWords): Recording {
  const { right } = words;
  return new StereoVideo({
    left: path,
    right,
    rig: rigOf(join(path, "..", "rig.json"), words),
    pixels: pixelsOf(words),
  });
}

/** A folder of images, or of the two videos `left.*` and `right.*`. */
export function openFolder(folder: string, words: VideoWords): Recording {
  const videos = readdirSync(folder).filter((name) => videoEndings.has(extname(name).toLowerCase()));
  const find = (side: string) => videos.find((name) => name.slice(0, -extname(name).length) === side);
  const [left, right] = [find("left"), find("right")];
  if (left === undefined || existsSync(join(folder, "left"))) return new ImageFolder(folder);
  return new StereoVideo({
    left: join(folder, left),
    right: right && join(folder, right),
    rig: rigOf(join(folder, "rig.json"), words),
    pixels: pixelsOf(words),
  });
}

/** What the detectors are told of the ball's colour; undefined: nothing. */
export function colourOf({ colour }: VideoWords): DetectorSettings | undefined {
  return colour === undefined ? undefined : runSettingsOf(resolveConfig({ files: [colour] })).detector;
}

function pixelsOf({ colour }: VideoWords): "gray" | "colour" {
  return colour === undefined ? "gray" : "colour";
}

function rigOf(beside: string, { rig, robot, calibration }: VideoWords): CameraRig {
  if (robot !== undefined && rig === undefined) {
    return rigOfRobot(loadRobot(robot, calibration === undefined ? {} : { calibration }));
  }
  const path = rig ?? beside;
  if (existsSync(path)) return readCameraRig(path);
  throw new FlycatcherError("FLY_VIDEO", "nothing says where the cameras of the video stand", {
    path: "--rig",
    expected: "a file that describes both cameras, rig.json beside the video, or --robot",
    found: path,
  });
}
