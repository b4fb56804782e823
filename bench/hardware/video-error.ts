import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultBall, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import type * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { type CameraRig, rigHeader, rigOfRobot } from "../../src/recording/import/camera-rig.js";
import { StereoVideo } from "../../src/recording/import/stereo-video.js";
import { MemoryRecording } from "../../src/recording/memory-recording.js";
import type { Recording } from "../../src/recording/recording.js";
import { relativePose, stateAt } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { trackRecording } from "../../src/run/track/track-run.js";
import { ImageEye } from "../../src/simulation/eyes/image-eyes.js";
import { createRigidMotion } from "../../src/simulation/head-motion/elastic-chain.js";
import { Room } from "../../src/simulation/rendering/room.js";
import type { BenchContext, Metrics } from "../harness.js";

const sides = ["left", "right"] as const;
const RATE_HZ = 25;
const FRAMES = 18;
const AHEAD = 0.3;
const throwsOf = { full: 60, short: 8 };
/** Quality of H.264 as cameras and telephones write it, and no loss at all (ffmpeg's constant rate factor). */
const CRF = "23";

type Pictures = Readonly<Record<(typeof sides)[number], readonly Uint8Array[]>>;

/** A throw that both cameras of a standing robot see. */
interface SeenThrow {
  readonly flight: Flight;
  readonly pictures: Pictures;
}

function drawThrow(robot: Robot, seed: number): SeenThrow {
  const random = new Random(seed);
  const flight = new Flight();
  const position = vec3.create(random.uniformIn(4, 5.5), random.uniformIn(-0.5, 0.5), random.uniformIn(1.3, 1.8));
  const velocity = vec3.create(random.uniformIn(-6.5, -5.5), random.uniformIn(-0.4, 0.4), random.uniformIn(3.2, 4));
  flight.reset({ time: 0, position, velocity, drag: defaultBall.drag }, gravity(), 0, 1.2);
  const { frames, model, postures } = robot;
  const head = createRigidMotion();
  relativePose(stateAt(model, postures.get("ready")), frames.world, frames.head!, head.worldFromBody as pose.Pose);
  const room = new Room(`video ${seed}`);
  const look = (side: (typeof sides)[number]) => {
    const eye = new ImageEye(robot, side, room, { seed: `${seed} ${side}`, ballRadius: defaultBall.diameter / 2 });
    return Array.from({ length: FRAMES }, (_, k) => {
      const time = k / RATE_HZ;
      const image = eye.createImage();
      const ball = { position: flight.position(time, vec3.create()), velocity: flight.velocity(time, vec3.create()) };
      eye.see(head, [ball], k, image);
      return image.pixels;
    });
  };
  return { flight, pictures: { left: look("left"), right: look("right") } };
}

function rawRecording(rig: CameraRig, { left, right }: Pictures): Recording {
  const recording = new MemoryRecording(rigHeader("raw", rig, defaultBall));
  for (let frame = 0; frame < FRAMES; frame++) {
    const exposureNs = Math.round((1e9 * frame) / RATE_HZ);
    for (const [camera, pictures] of [
      ["left", left],
      ["right", right],
    ] as const) {
      const { width, height } = rig[camera];
      const times = { frame, exposureNs, arrivalNs: exposureNs, timeNs: exposureNs };
      recording.write({
        topic: "cameras/images",
        camera,
        ...times,
        scale: 1,
        windows: [],
        width,
        height,
        pixels: pictures[frame]!,
      });
    }
  }
  return recording;
}

/** YUV4MPEG2 without colour, all gray values: nothing is lost. */
function y4mOf(pictures: readonly Uint8Array[], { width, height }: CameraRig["left"]): Buffer {
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F${RATE_HZ}:1 Ip A1:1 Cmono XCOLORRANGE=FULL\n`);
  return Buffer.concat([head, ...pictures.flatMap((pixels) => [Buffer.from("FRAME\n"), pixels])]);
}

/** The same with values from 16 to 235 and coarse colour, as most programs write it: gray values are rounded. */
function narrowY4m(pictures: readonly Uint8Array[], { width, height }: CameraRig["left"]): Buffer {
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F${RATE_HZ}:1 Ip A1:1 C420jpeg\n`);
  const colour = new Uint8Array((width * height) / 2).fill(128);
  const narrow = (pixels: Uint8Array) => pixels.map((value) => Math.round(16 + (219 / 255) * value));
  return Buffer.concat([head, ...pictures.flatMap((pixels) => [Buffer.from("FRAME\n"), narrow(pixels), colour])]);
}

/** Squared errors of where the ball is predicted 0.3 s ahead, by each scan in which it is confirmed [m²]. */
async function squaredErrors(recording: Recording, truth: Flight): Promise<number[]> {
  const { balls } = await trackRecording(recording);
  const predicted = new Flight();
  return balls.flatMap(({ scans }) =>
    scans.flatMap(({ time, belief: { mean } }) => {
      if (time + AHEAD > 1.2) return [];
      const position = vec3.create(mean[0], mean[1], mean[2]);
      const velocity = vec3.create(mean[3], mean[4], mean[5]);
      predicted.reset({ time, position, velocity, drag: defaultBall.drag }, gravity(), time, time + AHEAD);
      const ahead = predicted.position(time + AHEAD, vec3.create());
      return [vec3.squaredNorm(vec3.subtract(ahead, truth.position(time + AHEAD, vec3.create()), ahead))];
    }),
  );
}

/** Encodes a Y4M file with ffmpeg; false where it cannot. */
function encode(from: string, to: string): boolean {
  const words = ["-v", "error", "-y", "-i", from, "-c:v", "libx264", "-crf", CRF, "-pix_fmt", "yuv420p", to];
  return spawnSync("ffmpeg", words).status === 0;
}

/**
 * Throws written as two video files each and fed back: error of the predictions over that from the raw images, without loss, and as
 * H.264 where ffmpeg is installed.
 */
export async function videoErrors(context: BenchContext): Promise<Metrics> {
  const robot = loadRobot("agile-justin");
  const rig: CameraRig = { ...rigOfRobot(robot), rateHz: RATE_HZ };
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-bench-video-"));
  const squares: Record<"raw" | "lossless" | "narrow" | "h264", number[]> = {
    raw: [],
    lossless: [],
    narrow: [],
    h264: [],
  };
  const found = { raw: 0, lossless: 0, narrow: 0, h264: 0 };
  const count = context.full ? throwsOf.full : throwsOf.short;
  try {
    for (let k = 0; k < count; k++) {
      context.progress(`video ${k + 1} of ${count}`);
      const { flight, pictures } = drawThrow(robot, 1000 * context.seed + k);
      const files = sides.map((side) => join(folder, `${side}.y4m`)) as [string, string];
      for (const [n, side] of sides.entries()) writeFileSync(files[n]!, y4mOf(pictures[side], rig[side]));
      const narrow = files.map((file) => file.replace(".y4m", "-narrow.y4m")) as [string, string];
      for (const [n, side] of sides.entries()) writeFileSync(narrow[n]!, narrowY4m(pictures[side], rig[side]));
      const video = ([left, right]: readonly [string, string]) => new StereoVideo({ left, right, rig, pixels: "gray" });
      const coded = files.map((file) => file.replace(".y4m", ".mp4")) as [string, string];
      const ways: [keyof typeof squares, Recording][] = [
        ["raw", rawRecording(rig, pictures)],
        ["lossless", video(files)],
        ["narrow", video(narrow)],
        ...(files.every((file, n) => encode(file, coded[n]!)) ? [["h264", video(coded)] as ["h264", Recording]] : []),
      ];
      for (const [way, recording] of ways) {
        const errors = await squaredErrors(recording, flight);
        squares[way].push(...errors);
        if (errors.length > 0) found[way]++;
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const rms = (values: readonly number[]) => Math.sqrt(values.reduce((sum, value) => sum + value, 0) / values.length);
  const raw = rms(squares.raw);
  return {
    video_throws: count,
    video_raw_found: found.raw,
    video_found: found.lossless,
    video_error_raw_mm: 1e3 * raw,
    video_error_ratio: rms(squares.lossless) / raw,
    video_error_ratio_16_to_235: rms(squares.narrow) / raw,
    ...(squares.h264.length > 0 && { video_h264_found: found.h264, video_error_ratio_h264: rms(squares.h264) / raw }),
  };
}
