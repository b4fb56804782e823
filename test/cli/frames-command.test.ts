import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GdpFrameStream } from "../../src/camera/frames/gdp-stream.js";
import { openFrameFile } from "../../src/recording/import/frame-file.js";
import { frameSource } from "../../src/run/camera-pipes.js";
import { packageRoot } from "../../src/runtime/package-root.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-frames-"));
afterAll(() => rmSync(folder, { recursive: true }));
const program = join(packageRoot, "dist", "bundle", "cli", "main.js");

interface Sent {
  readonly stampNs: number;
  readonly first: number;
}

/** The first frames that a command sends, with their stamps; its standard error. */
function framesOf(command: string, count: number): Promise<{ frames: Sent[]; errors: string }> {
  const stream = new GdpFrameStream();
  const frames: Sent[] = [];
  const child = spawn(command, { shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return new Promise((resolve) => {
    const end = () => {
      process.kill(-child.pid!, "SIGTERM");
      resolve({ frames, errors });
    };
    child.once("close", () => resolve({ frames, errors }));
    child.stdout.on("data", (bytes: Buffer) => {
      stream.push(bytes);
      for (let frame = stream.next(); frame !== null && frames.length < count; frame = stream.next()) {
        frames.push({ stampNs: frame.stampNs!, first: frame.bytes[0]! });
      }
      if (frames.length === count) end();
    });
  });
}

/** A video whose frame number k is all of brightness 10·k. */
function video(name: string, count: number, [width, height] = [8, 6] as const): string {
  const frames = Array.from({ length: count }, (_, k) => [
    Buffer.from("FRAME\n"),
    Buffer.alloc(width * height, 10 * k),
  ]);
  const path = join(folder, name);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F50:1 Cmono XCOLORRANGE=FULL\n`);
  writeFileSync(path, Buffer.concat([head, ...frames.flat()]));
  return path;
}

describe("flycatcher frames", () => {
  it("sends a video once, at its own rate, with the zero of its stamps", async () => {
    const path = video("once.y4m", 5);
    const { frames, errors } = await framesOf(`'${process.execPath}' '${program}' frames '${path}'`, 6);
    expect(frames.map(({ first }) => first)).toEqual([0, 10, 20, 30, 40]);
    for (const [k, { stampNs }] of frames.entries()) {
      expect(stampNs - frames[0]!.stampNs).toBe(20e6 * k);
    }
    expect(errors).toMatch(/base_time \d+:\d\d:\d\d\.\d{9}/);
  });

  it("lets two cameras show the same moment, of which one began late", async () => {
    const zeroNs = Number(process.hrtime.bigint());
    const [left, right] = ["left", "right"].map((side) => video(`${side} eye.y4m`, 20));
    const use = { wanted: "gray", zeroNs } as const;
    const one = framesOf(frameSource(left!, "left", use).command, 30);
    await new Promise((resolve) => setTimeout(resolve, 330));
    const [first, second] = await Promise.all([one, framesOf(frameSource(right!, "right", use).command, 30)]);
    const byStamp = new Map(first.frames.map(({ stampNs, first: value }) => [stampNs, value]));
    const shared = second.frames.filter(({ stampNs }) => byStamp.has(stampNs));
    expect(shared.length).toBeGreaterThan(5);
    for (const { stampNs, first: value } of shared) expect(value).toBe(byStamp.get(stampNs));
  });

  it("sends a moving disc where no source is named", async () => {
    const { frames } = await framesOf(`'${process.execPath}' '${program}' frames --rate 100 --size 64x48`, 5);
    expect(frames).toHaveLength(5);
  });

  it("leaves the program of a camera as it is named", () => {
    expect(frameSource("gst-launch-1.0 x", "left", { wanted: "gray", zeroNs: 1 })).toEqual({
      command: "gst-launch-1.0 x",
      framing: null,
    });
  });
});

describe("openFrameFile", () => {
  it("reads images of a folder with the times of rig.json, each camera its own", async () => {
    const place = join(folder, "pictures");
    for (const [side, gray] of [
      ["left", 40],
      ["right", 90],
    ] as const) {
      mkdirSync(join(place, side), { recursive: true });
      for (const k of [0, 1, 2]) {
        const image = Buffer.concat([Buffer.from("P5 4 2 255\n"), Buffer.alloc(8, gray + k)]);
        writeFileSync(join(place, side, `${k}.pgm`), image);
      }
    }
    const camera = { width: 4, height: 2, fx: 4, fy: 4, cx: 2, cy: 1 };
    const rig = { left: camera, right: camera, worldFromLeft: [0, 0, 0, 0, 0, 0], leftFromRight: [0.1, 0, 0, 0, 0, 0] };
    writeFileSync(join(place, "rig.json"), JSON.stringify({ ...rig, times: [1, 1.5, 2.5] }));
    const file = await openFrameFile(place, { camera: "right", wanted: "gray" });
    expect(file.times).toEqual([0, 0.5, 1.5]);
    const values: number[] = [];
    for await (const { pixels } of file.frames()) values.push(pixels[0]!);
    for await (const { pixels } of file.frames()) values.push(pixels[7]!);
    expect(values).toEqual([90, 91, 92, 90, 91, 92]);
  });

  it("takes the half of a camera where both are side by side", async () => {
    const place = join(folder, "halves");
    mkdirSync(place);
    const camera = { width: 4, height: 2, fx: 4, fy: 4, cx: 2, cy: 1 };
    const rig = {
      rateHz: 10,
      left: camera,
      right: camera,
      worldFromLeft: [0, 0, 0, 0, 0, 0],
      leftFromRight: [0.1, 0, 0, 0, 0, 0],
    };
    writeFileSync(join(place, "rig.json"), JSON.stringify(rig));
    const row = [1, 1, 1, 1, 2, 2, 2, 2];
    const path = join(place, "both.y4m");
    const head = Buffer.from("YUV4MPEG2 W8 H2 F25:1 Cmono XCOLORRANGE=FULL\nFRAME\n");
    writeFileSync(path, Buffer.concat([head, Buffer.from([...row, ...row])]));
    for (const [side, value] of [
      ["left", 1],
      ["right", 2],
    ] as const) {
      const { width, frames } = await openFrameFile(path, { camera: side, wanted: "gray" });
      const { value: frame } = await frames().next();
      expect([width, ...frame!.pixels]).toEqual([4, ...Array(8).fill(value)]);
    }
  });
});
