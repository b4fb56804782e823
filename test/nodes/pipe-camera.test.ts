import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RawFrameStream } from "../../src/camera/frames/frame-stream.js";
import { GdpFrameStream } from "../../src/camera/frames/gdp-stream.js";
import type { Event } from "../../src/messages/report.js";
import type { Image, LostFrame } from "../../src/messages/sensing.js";
import { PipeCameraNode, type PipeCameraOptions } from "../../src/nodes/pipe-camera.js";
import { nothingIn, takeEach } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";
import { eventually } from "../support/eventually.js";
import { gdpCaps, gdpFrame } from "../support/gdp.js";

const [width, height] = [16, 8];
const PERIOD_NS = 40e6;

let folder: string;
const open: PipeCameraNode[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flycatcher-pipe-"));
});
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
  rmSync(folder, { recursive: true });
});

/** A program that sends some bytes and then lives on, or ends. */
function sending(bytes: Uint8Array, then: "lives" | "ends"): string {
  const file = join(folder, `${Math.random()}`.slice(2));
  writeFileSync(file, bytes);
  return `cat ${file}${then === "lives" ? "; sleep 600" : ""}`;
}

function framesAt(...stamps: number[]): Buffer {
  const frames = stamps.map((stampNs) => gdpFrame(new Uint8Array(width * height).fill(stampNs / PERIOD_NS), stampNs));
  return Buffer.concat([gdpCaps("GRAY8", width, height), ...frames]);
}

/** The node between queues; the run's clock is that of the machine, but for what a test adds. */
class Scene {
  readonly images = new Queue<Image>(0, "every");
  readonly lost = new Queue<LostFrame>(0, "every");
  readonly events = new Queue<Event>(0, "every");
  readonly node: PipeCameraNode;
  addedNs = 0;

  constructor(command: string, options: Partial<PipeCameraOptions> = {}) {
    const out = {
      images: new QueueOutPort<Image>(),
      lost: new QueueOutPort<LostFrame>(),
      events: new QueueOutPort<Event>(),
    };
    out.images.join(this.images);
    out.lost.join(this.lost);
    out.events.join(this.events);
    this.node = new PipeCameraNode(
      { in: { predictions: nothingIn, head: nothingIn }, out },
      {
        ...{ side: "left", command, width, height, wanted: "gray", framePeriodNs: PERIOD_NS, latencyNs: 5e6 },
        stream: () => new GdpFrameStream(),
        attention: null,
        startTimeoutMs: 30_000,
        clock: () => this.nowNs,
        zeroNs: null,
        wake: () => undefined,
        ...options,
      },
    );
    open.push(this.node);
  }

  get nowNs(): number {
    return Math.round(1e6 * performance.now()) + this.addedNs;
  }

  taken<M extends object>(queue: Queue<M>): M[] {
    const all: M[] = [];
    takeEach(queue, Number.POSITIVE_INFINITY, (message) => all.push(message));
    return all;
  }

  /** Time passes, and the node is stepped. */
  pass(seconds: number): void {
    this.addedNs += seconds * 1e9;
    this.node.step(this.nowNs);
  }
}

describe("PipeCameraNode", () => {
  it("puts frames as they were exposed: by their stamps, less the calibrated latency, however late they come", async () => {
    const period = 400e6;
    const [first, second] = [framesAt(0), gdpFrame(new Uint8Array(width * height).fill(1), period)];
    const command = `${sending(first, "ends")}; sleep 0.5; ${sending(second, "lives")}`;
    const scene = new Scene(command, { framePeriodNs: period });
    await scene.node.warmUp();
    const images: Image[] = [];
    await eventually(() => images.push(...scene.taken(scene.images)) >= 0 && images.length === 2);
    expect(images[0]!.arrivalNs - images[0]!.exposureNs).toBe(5e6);
    // The source's clock may go slower than ours by one part in ten thousand.
    expect(Math.abs(images[1]!.exposureNs - images[0]!.exposureNs - period)).toBeLessThan(1e6);
    expect([...images[1]!.pixels]).toEqual(Array(width * height).fill(1));
    expect(images[0]).toMatchObject({ camera: "left", frame: 0, width, height, scale: 1, windows: [] });
    expect(scene.node.condition).toEqual({ health: "running", detail: "0 frames lost, 0 late; stamps by least delay" });
  });

  it("counts frames that did not come, by their stamps", async () => {
    const scene = new Scene(sending(framesAt(0, PERIOD_NS, 4 * PERIOD_NS), "lives"));
    await scene.node.warmUp();
    await eventually(() => scene.node.counts.lost === 2);
    expect(scene.taken(scene.lost).map(({ frame }) => frame)).toEqual([2, 3]);
  });

  it("takes bare frames, too, stamped as they arrive", async () => {
    const stream = () => new RawFrameStream({ format: "gray8", width, height });
    const scene = new Scene(sending(new Uint8Array(width * height).fill(77), "lives"), { stream });
    await scene.node.warmUp();
    const [image] = scene.taken(scene.images);
    expect(image!.arrivalNs - image!.exposureNs).toBe(5e6);
    expect(image!.pixels[0]).toBe(77);
  });

  it("reports a program that ends, and starts it again", async () => {
    const scene = new Scene(sending(framesAt(0), "ends"));
    await scene.node.warmUp();
    await eventually(() => scene.node.condition.health === "degraded");
    expect(scene.taken(scene.events).map(({ text }) => text)).toEqual(["camera left has ended with code 0"]);
    scene.taken(scene.images);
    scene.pass(0.3);
    await eventually(() => scene.taken(scene.images).length > 0);
    expect(scene.taken(scene.events)[0]).toMatchObject({ severity: "info", code: "camera-back" });
    expect(scene.node.counts.starts).toBe(2);
  });

  it("reports one that falls silent, and starts it again after a while", async () => {
    const scene = new Scene(sending(framesAt(0), "lives"));
    await scene.node.warmUp();
    scene.pass(0.2);
    expect(scene.taken(scene.events).map(({ text }) => text)).toEqual(["camera left sends no frames"]);
    scene.pass(2);
    scene.pass(0.3);
    expect(scene.node.counts.starts).toBe(2);
  });

  it("places stamps by the zero that the program says, and leaves out frames that were held up", async () => {
    const nowNs = Number(process.hrtime.bigint());
    const zeroNs = nowNs - Math.round(1e6 * performance.now());
    const seconds = Math.floor(nowNs / 1e9);
    const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
    const words = `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000000000`;
    const stampNs = 40e6 * Math.ceil((nowNs - 1e9 * seconds) / 40e6);
    const [first, second] = [framesAt(stampNs), gdpFrame(new Uint8Array(width * height), stampNs + PERIOD_NS)];
    const command = `echo "x base_time ${words}" >&2; sleep 0.2; ${sending(first, "ends")}; sleep 0.6; ${sending(second, "lives")}`;
    const scene = new Scene(command, { zeroNs });
    await scene.node.warmUp();
    const [image] = scene.taken(scene.images);
    expect(image!.exposureNs).toBeCloseTo(1e9 * seconds + stampNs - zeroNs - 5e6, -1);
    await eventually(() => scene.node.counts.late === 1);
    expect(scene.taken(scene.images)).toEqual([]);
    expect(scene.taken(scene.lost)).toHaveLength(1);
    expect(scene.node.condition.detail).toContain("stamps by base time");
  });

  it("reports a stream that is torn, and starts the program again, later each time", async () => {
    const scene = new Scene(sending(Buffer.concat([framesAt(0), Buffer.alloc(200, 7)]), "lives"));
    await scene.node.warmUp();
    await eventually(() => scene.node.condition.health === "degraded");
    expect(scene.taken(scene.events)[0]!.text).toContain("torn stream");
    scene.pass(0.3);
    await eventually(() => scene.node.counts.starts === 2 && scene.taken(scene.images).length > 0);
  });

  it.each([
    [
      "another size",
      Buffer.concat([gdpCaps("GRAY8", 32, 8), gdpFrame(new Uint8Array(256), 0)]),
      /images of 32 × 8 px, the camera has 16 × 8/,
    ],
    ["what are no frames", Buffer.from("a".repeat(200)), /torn stream: not a stream of GDP/],
  ])("refuses to start with %s", async (_, bytes, words) => {
    const scene = new Scene(sending(bytes, "lives"));
    await expect(scene.node.warmUp()).rejects.toThrow(words);
  });

  it("refuses to start without the program, and says what the shell said", async () => {
    const scene = new Scene("no-such-program --of-ours");
    await expect(scene.node.warmUp()).rejects.toMatchObject({ code: "FLY_CAMERA" });
  });
});
