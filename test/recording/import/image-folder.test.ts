import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { CameraModel } from "../../../src/camera/camera-model.js";
import { SphereOutline } from "../../../src/camera/sphere-outline.js";
import { defaultBall } from "../../../src/flight/ball.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { decodeAnyPng, encodePng } from "../../../src/recording/format/png.js";
import { ImageFolder } from "../../../src/recording/import/image-folder.js";
import { trackFileReport } from "../../../src/report/track/track-report.js";
import { trackRecording } from "../../../src/run/track/track-run.js";
import { errorCode } from "../../support/error-code.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-images-"));
afterAll(() => rmSync(folder, { recursive: true }));

const [WIDTH, HEIGHT] = [480, 360];
const intrinsics = { width: WIDTH, height: HEIGHT, fx: 420, fy: 420, cx: 239.5, cy: 179.5 };
/** Looks along the world's x, 1.5 m above the floor: z forwards, x to the right, y downwards. */
const worldFromLeft = [0, 0.15, 1.5, -Math.PI / 2, 0, -Math.PI / 2];
const leftFromRight = [0.3, 0, 0, 0, 0, 0];
const rig = { rateHz: 25, left: intrinsics, right: intrinsics, worldFromLeft, leftFromRight };

/** A light ball before a dark, noisy wall, in both images of each exposure. */
function writeFolder(name: string, frames: number): string {
  const root = join(folder, name);
  const left = pose.fromRpyTranslation(...placed(worldFromLeft), pose.create());
  const right = pose.compose(left, pose.fromRpyTranslation(...placed(leftFromRight), pose.create()), pose.create());
  for (const [side, view] of Object.entries({ left, right })) {
    mkdirSync(join(root, side), { recursive: true });
    const random = new Random(`${name} ${side}`);
    for (let k = 0; k < frames; k++) {
      const png = encodePng({ width: WIDTH, height: HEIGHT, pixels: drawn(view, ballAt(k / 25), random) });
      writeFileSync(join(root, side, `${String(k).padStart(4, "0")}.png`), png);
    }
  }
  writeFileSync(join(root, "rig.json"), JSON.stringify(rig));
  return root;
}

function placed([x, y, z, roll, pitch, yaw]: readonly number[]): [number, number, number, number, number, number] {
  return [roll!, pitch!, yaw!, x!, y!, z!];
}

function ballAt(t: number): vec3.Vec3 {
  return vec3.create(3.2 - 2 * t, -0.3 + 0.5 * t, 1.3 + 3 * t - 4.905 * t * t);
}

function drawn(worldFromCamera: pose.Pose, ball: vec3.Vec3, random: Random): Uint8Array {
  const outline = new SphereOutline(
    new CameraModel({ ...intrinsics, distortion: { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 } }),
    defaultBall.diameter / 2,
  );
  const circle = new Float64Array(3);
  outline.measure(pose.transformPointInverse(worldFromCamera, ball, vec3.create()), circle);
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, n) => {
    const away = Math.hypot((n % WIDTH) - circle[0]!, Math.floor(n / WIDTH) - circle[1]!);
    const share = Math.min(1, Math.max(0, circle[2]! - away + 0.5));
    return Math.max(0, Math.min(255, 70 + 110 * share + 3 * random.normal()));
  });
}

describe("a folder of images", () => {
  it("is followed as a recording is, from cameras that stand still", async () => {
    const recording = new ImageFolder(writeFolder("thrown", 18));
    const report = trackFileReport(await trackRecording(recording), { file: "thrown" });
    expect(report.input).toBe("images");
    expect(report.balls).toHaveLength(1);
    const [time, ...place] = report.balls[0]!.path.at(-1)!;
    expect(vec3.distance(vec3.create(...place), ballAt(time))).toBeLessThan(0.03);
    expect(report.balls[0]!.confirmedAt).toBeLessThan(0.4);
  }, 20_000);

  it("is refused with a reason", () => {
    const root = writeFolder("wrong", 2);
    writeFileSync(join(root, "rig.json"), JSON.stringify({ ...rig, times: [0.1], rateHz: undefined }));
    expect(errorCode(() => new ImageFolder(root))).toBe("FLY_IMAGE_FOLDER");
    writeFileSync(join(root, "rig.json"), JSON.stringify({ ...rig, left: undefined }));
    expect(errorCode(() => new ImageFolder(root))).toBe("FLY_IMAGE_FOLDER");
    writeFileSync(join(root, "rig.json"), JSON.stringify({ ...rig, left: { ...intrinsics, width: 100 } }));
    expect(errorCode(() => [...new ImageFolder(root).items()])).toBe("FLY_IMAGE_FOLDER");
    rmSync(join(root, "right"), { recursive: true });
    expect(errorCode(() => new ImageFolder(root))).toBe("FLY_IMAGE_FOLDER");
  });

  it("keeps colour", () => {
    const rows = Buffer.from([0, 255, 255, 255, 255, 0, 0, 1, 0, 255, 0, 0, 1, 255]);
    const header = Buffer.alloc(13);
    header.writeUInt32BE(2, 0);
    header.writeUInt32BE(2, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const gray = encodePng({ width: 2, height: 2, pixels: new Uint8Array(4) });
    const chunk = (type: string, data: Buffer): Buffer => {
      const out = Buffer.alloc(12 + data.length);
      out.writeUInt32BE(data.length, 0);
      out.write(type, 4, "latin1");
      out.set(data, 8);
      return out;
    };
    const png = Buffer.concat([gray.subarray(0, 8), chunk("IHDR", header), chunk("IDAT", deflateSync(rows))]);
    // White and red; green, and in the second row by the difference to its left neighbour (0, 255 + 1, 255): blue.
    const { encoding, pixels } = decodeAnyPng(png);
    expect(encoding).toBe("rgb8");
    expect([...pixels]).toEqual([255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
  });
});
