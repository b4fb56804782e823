import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { encode as encodeJpeg } from "jpeg-js";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { gravity } from "../../../../src/flight/ball.js";
import { Flight } from "../../../../src/flight/flight.js";
import * as vec3 from "../../../../src/math/vec3.js";
import { encodePng } from "../../../../src/recording/format/png.js";
import { type CameraRig, rigOfRobot } from "../../../../src/recording/import/camera-rig.js";
import { ImageFolder } from "../../../../src/recording/import/image-folder.js";
import { StereoVideo } from "../../../../src/recording/import/stereo-video.js";
import { decodePicture } from "../../../../src/recording/import/video/picture-file.js";
import type { ItemOf, Recording } from "../../../../src/recording/recording.js";
import { loadRobot } from "../../../../src/robot/loading/load-robot.js";
import { type TrackRun, trackRecording } from "../../../../src/run/track/track-run.js";
import { FlycatcherError } from "../../../../src/runtime/errors.js";
import { Room } from "../../../../src/simulation/rendering/room.js";
import { capturedRun } from "../../../cli/captured-run.js";
import { aviOf, type MadePicture, renderedThrow, trueFlight, y4mOf } from "./made-video.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-video-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const robot = loadRobot("agile-justin");
const rig: CameraRig = { ...rigOfRobot(robot), rateHz: 25 };
const pictures = renderedThrow(robot, new Room("video"));
const size = { width: rig.left.width, height: rig.left.height };

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const [left, right] = [file("pair/left.y4m", y4mOf(pictures.left)), file("pair/right.y4m", y4mOf(pictures.right))];
const rigPath = file("pair/rig.json", JSON.stringify({ ...rig, rateHz: undefined }));

/** Root mean square of where the ball is predicted 0.3 s ahead, after each scan in which it is known to fly [m]. */
function predictionError({ balls }: TrackRun): number {
  expect(balls).toHaveLength(1);
  const [truth, predicted] = [trueFlight(), new Flight()];
  const squares = balls[0]!.scans.map(({ time, belief: { mean } }) => {
    const position = vec3.create(mean[0], mean[1], mean[2]);
    const velocity = vec3.create(mean[3], mean[4], mean[5]);
    predicted.reset({ time, position, velocity, drag: 0.032 }, gravity(), time, time + 0.3);
    const ahead = predicted.position(time + 0.3, vec3.create());
    return vec3.squaredNorm(vec3.subtract(ahead, truth.position(time + 0.3, vec3.create()), ahead));
  });
  expect(squares.length).toBeGreaterThan(5);
  return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
}

async function imagesOf(recording: Recording): Promise<ItemOf<"cameras/images">[]> {
  const images: ItemOf<"cameras/images">[] = [];
  for await (const item of recording.items()) if (item.topic === "cameras/images") images.push(item);
  return images;
}

async function codeOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof FlycatcherError) return error.code;
    throw error;
  }
  return "none";
}

describe("videos of two cameras", () => {
  it("are followed as well as the raw images", async () => {
    const raw = join(folder, "raw");
    for (const side of ["left", "right"] as const) {
      for (const [k, picture] of pictures[side].entries()) {
        file(`raw/${side}/${String(k).padStart(3, "0")}.png`, encodePng(picture));
      }
    }
    file("raw/rig.json", JSON.stringify(rig));
    const fromImages = predictionError(await trackRecording(new ImageFolder(raw)));
    const video = new StereoVideo({ left, right, rig: { ...rigOfRobot(robot) }, pixels: "gray" });
    const fromVideo = predictionError(await trackRecording(video));
    expect(fromImages).toBeLessThan(0.1);
    expect(fromVideo).toBeLessThan(1.3 * fromImages);
  }, 60_000);

  it("have the pixels that were written, in gray and in colour, and the video's own rate", async () => {
    const inGray = await imagesOf(new StereoVideo({ left, right, rig: rigOfRobot(robot), pixels: "gray" }));
    expect(inGray).toHaveLength(2 * pictures.left.length);
    expect(inGray.map(({ exposureNs }) => exposureNs).slice(0, 4)).toEqual([0, 0, 40e6, 40e6]);
    for (const [k, { pixels }] of inGray.filter(({ camera }) => camera === "right").entries()) {
      expect(furthest(pixels, pictures.right[k]!.pixels)).toBeLessThanOrEqual(1);
    }
    const stripes = striped();
    const one = file("colours.y4m", y4mOf([stripes]));
    const inColour = await imagesOf(new StereoVideo({ left: one, right: one, rig: smallRig(), pixels: "colour" }));
    expect(inColour[0]!.encoding).toBe("rgb8");
    expect(furthest(inColour[0]!.pixels, stripes.pixels)).toBeLessThanOrEqual(4);
  });

  it("may be side by side in one file", async () => {
    const both = pictures.left.slice(0, 2).map((picture, k) => sideBySide(picture, pictures.right[k]!));
    const path = file("both.y4m", y4mOf(both));
    const images = await imagesOf(new StereoVideo({ left: path, rig: rigOfRobot(robot), pixels: "gray" }));
    expect(images.map(({ camera }) => camera)).toEqual(["left", "right", "left", "right"]);
    expect(furthest(images[3]!.pixels, pictures.right[1]!.pixels)).toBeLessThanOrEqual(1);
    expect(await codeOf(() => imagesOf(new StereoVideo({ left, rig: rigOfRobot(robot), pixels: "gray" })))).toBe(
      "FLY_VIDEO",
    );
  });

  it("may be Motion JPEG", async () => {
    const smooth = striped(64, 48);
    const rgba = Buffer.alloc(4 * 64 * 48, 255);
    for (let i = 0; i < 64 * 48; i++) rgba.set(smooth.pixels.subarray(3 * i, 3 * i + 3), 4 * i);
    const jpeg = encodeJpeg({ data: rgba, width: 64, height: 48 }, 98).data;
    const path = file("motion.avi", aviOf([jpeg, jpeg, jpeg], 64, 48, 50));
    const small = { ...smallRig(64, 48), rateHz: undefined } as never as CameraRig;
    const images = await imagesOf(new StereoVideo({ left: path, right: path, rig: small, pixels: "gray" }));
    expect(images.map(({ exposureNs }) => exposureNs)).toEqual([0, 0, 20e6, 20e6, 40e6, 40e6]);
    expect(furthest(images[0]!.pixels, smooth.pixels)).toBeLessThan(40);
  });

  it("are decoded by ffmpeg where they are of another kind, and its absence is said", async () => {
    const other = file("other.mp4", Buffer.from("neither Y4M nor AVI"));
    const bin = join(folder, "bin");
    const y4m = file("decoded.y4m", y4mOf(pictures.left.slice(0, 3)));
    const script = `#!/bin/sh\ncase "$*" in *broken*) echo "moov atom not found" >&2; exit 1;; esac\nexec /bin/cat "${y4m}"\n`;
    chmodSync(file("bin/ffmpeg", script), 0o755);
    const video = (path: string) =>
      new StereoVideo({ left: path, right: path, rig: rigOfRobot(robot), pixels: "gray" });
    vi.stubEnv("PATH", join(folder, "nothing"));
    expect(await codeOf(() => imagesOf(video(other)))).toBe("FLY_VIDEO_DECODER");
    vi.stubEnv("PATH", [bin, join(folder, "nothing")].join(delimiter));
    expect(await imagesOf(video(other))).toHaveLength(6);
    // Read in part: the decoder is ended.
    const feed = video(other).items();
    await feed.next();
    await feed.return(undefined);
    await expect(imagesOf(video(file("broken.mp4", "no video")))).rejects.toThrow(/ffmpeg|video/);
  });

  it("become a recording, which another robot catches in a replay", async () => {
    const recording = join(folder, "video.mcap");
    const { code, out } = await capturedRun("import", left, recording, "--right", right, "--rig", rigPath);
    expect([code, out]).toEqual([0, expect.stringContaining("32 images from 0.000 s to 0.600 s")]);
    const tracked = await capturedRun("track", recording, "--json");
    expect(JSON.parse(tracked.out).files[0].balls).toHaveLength(1);
    const replayed = await capturedRun("replay", recording, "--robot", "ur10e-net", "--workers", "1", "--json");
    expect(replayed.code).toBe(0);
    expect(JSON.parse(replayed.out).failures).toEqual([]);
  }, 120_000);

  it("are refused where they do not fit", async () => {
    expect(await codeOf(() => imagesOf(new StereoVideo({ left, right, rig: smallRig(), pixels: "gray" })))).toBe(
      "FLY_VIDEO",
    );
    const odd = file("odd.y4m", "YUV4MPEG2 W8 H8 F25:1 C420p10\nFRAME\n");
    expect(await codeOf(() => imagesOf(new StereoVideo({ left: odd, right: odd, rig, pixels: "gray" })))).toBe(
      "FLY_VIDEO",
    );
    const gone = join(folder, "gone.y4m");
    expect(await codeOf(() => imagesOf(new StereoVideo({ left: gone, right: gone, rig, pixels: "gray" })))).toBe(
      "FLY_VIDEO",
    );
  });

  it("are followed by the command, with the cameras of a file, of the folder or of a robot", async () => {
    const ways = [
      [left, "--right", right, "--rig", rigPath],
      [join(folder, "pair")],
      [left, "--right", right, "--robot", "agile-justin"],
    ];
    for (const way of ways) {
      const { code, out } = await capturedRun("track", ...way, "--json");
      expect(code).toBe(0);
      expect(JSON.parse(out).files[0].balls).toHaveLength(1);
    }
    const lost = file("alone/left.y4m", y4mOf(pictures.left.slice(0, 1)));
    expect((await capturedRun("track", lost, "--right", lost)).err).toContain("--rig");
  }, 120_000);
});

describe("pictures", () => {
  it("are read in PGM and PPM", () => {
    const gray = Buffer.concat([Buffer.from("P5\n# made\n3 2\n255\n"), Buffer.from([1, 2, 3, 4, 5, 6])]);
    expect([...decodePicture(gray).pixels]).toEqual([1, 2, 3, 4, 5, 6]);
    const colour = Buffer.concat([Buffer.from("P6 1 2 255\n"), Buffer.from([1, 2, 3, 4, 5, 6])]);
    expect(decodePicture(colour)).toMatchObject({ width: 1, height: 2, encoding: "rgb8" });
    expect(() => decodePicture(gray.subarray(0, 20))).toThrow("cut off");
    expect(() => decodePicture(Buffer.from("GIF89a"))).toThrow("PNG");
  });

  it("have the times of a file beside rig.json", async () => {
    for (const side of ["left", "right"]) {
      for (const k of [0, 1])
        file(`timed/${side}/${k}.pgm`, Buffer.concat([Buffer.from("P5 8 8 255\n"), Buffer.alloc(64)]));
    }
    const { rateHz: _, ...cameras } = smallRig();
    file("timed/rig.json", JSON.stringify({ ...cameras, times: "stamps.csv" }));
    file("timed/stamps.csv", "time [s],number\n0.125,0\n0.25,1\n");
    const images = await imagesOf(new ImageFolder(join(folder, "timed")));
    expect(images.map(({ exposureNs }) => exposureNs)).toEqual([125e6, 125e6, 250e6, 250e6]);
  });
});

function furthest(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);
}

function smallRig(width = 8, height = 8): CameraRig {
  const camera = { ...{ width, height }, fx: 10, fy: 10, cx: 4, cy: 4 };
  return { ...rig, left: camera, right: camera };
}

/** Columns of four pixels in colours: each is the same over whole blocks, so that none is lost with coarse colour. */
function striped(width = 8, height = 8): MadePicture {
  const colours = [
    [200, 60, 40],
    [40, 160, 90],
  ];
  const pixels = Uint8Array.from(
    { length: 3 * width * height },
    (_, n) => colours[Math.floor(n / 3) % width >= width / 2 ? 1 : 0]![n % 3]!,
  );
  return { width, height, encoding: "rgb8", pixels };
}

function sideBySide(one: MadePicture, other: MadePicture): MadePicture {
  const { width, height } = size;
  const pixels = new Uint8Array(2 * width * height);
  for (let row = 0; row < height; row++) {
    pixels.set(one.pixels.subarray(row * width, (row + 1) * width), 2 * row * width);
    pixels.set(other.pixels.subarray(row * width, (row + 1) * width), (2 * row + 1) * width);
  }
  return { ...one, width: 2 * width, pixels };
}
