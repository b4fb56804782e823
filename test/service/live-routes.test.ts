import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { BallColour } from "../../src/messages/sensing.js";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { resolveConfig } from "../../src/runtime/config.js";
import type { Problem } from "../../src/service/problem.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { decodePosePacket, type ImagePacket } from "../../src/view/pose-packet.js";
import { decodeSweptPacket } from "../../src/view/swept-packet.js";
import { eventually } from "../support/eventually.js";
import { serviceOptions } from "./make-service.js";
import { TrialSession } from "./trial-session.js";

/** A viewer that keeps what it gets. */
class TrialViewer {
  readonly words: { readonly type: string }[] = [];
  readonly bytes: Uint8Array[] = [];
  readonly socket: WebSocket;

  constructor(address: string, protocols: string[] = ["flycatcher.v1"], headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${address.replace("http", "ws")}/v1/live/stream`, protocols, { headers });
    this.socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.bytes.push(new Uint8Array(data));
      else this.words.push(JSON.parse(String(data)));
    });
  }

  /** Settles with what became of the handshake. */
  outcome(): Promise<string> {
    return new Promise((resolve) => {
      this.socket.once("open", () => resolve("open"));
      this.socket.once("error", ({ message }) => resolve(message));
    });
  }
}

const session = new TrialSession();
let service: RunningService;

function request(
  path: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const init = { method, headers: { ...json, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return fetch(`${service.address}${path}`, init);
}

beforeAll(async () => {
  service = await startService({ ...serviceOptions(), live: new SessionSlot(session) });
});

afterAll(async () => {
  await service.close();
});

describe("the live run over HTTP", () => {
  test("is told as it is", async () => {
    const snapshot = await (await request("/v1/live", "GET")).json();
    expect(snapshot).toMatchObject({ hello: { protocol: 1, facts: { robot: "lwr-arm" } }, state: null });
  });

  test("is steered", async () => {
    session.asked.length = 0;
    const thrown = await request("/v1/live/throws", "POST", { balls: 1 });
    expect([thrown.status, await thrown.json()]).toEqual([202, { balls: [7] }]);
    const stopped = await request("/v1/live/stop", "POST");
    expect([stopped.status, await stopped.json()]).toEqual([
      200,
      { braked: { at: 1e12, afterMs: 2, confirmedBy: "robot", confirmedAfterMs: 3 }, detail: "It brakes." },
    ]);
    expect((await request("/v1/live/reset", "POST")).status).toBe(204);
    expect((await request("/v1/live/step", "POST", { ticks: 5 })).status).toBe(204);
    expect(await (await request("/v1/live/settings", "PATCH", { mode: "cool" })).json()).toMatchObject({
      mode: "cool",
    });
    expect(session.asked).toEqual([{ balls: 1 }, "stop", "reset", { ticks: 5 }]);
  });

  test("switches nodes and gives traces", async () => {
    session.asked.length = 0;
    const stopped = await request("/v1/live/nodes/tracker", "POST", { action: "stop" });
    expect([stopped.status, await stopped.json()]).toEqual([
      200,
      { thread: "tracker", nodes: ["tracker"], state: "stopped", restarts: 1 },
    ]);
    const refused = await request("/v1/live/nodes/control", "POST", { action: "restart" });
    expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([409, "FLY_NODE_CONTROL"]);
    const trace = await request("/v1/live/trace", "POST", { seconds: 0.5 });
    expect(trace.headers.get("content-disposition")).toContain("flycatcher-trace.json");
    expect(await trace.json()).toMatchObject({ displayTimeUnit: "ms", traceEvents: [] });
    expect(session.asked).toEqual([
      { node: "tracker", action: "stop" },
      { node: "control", action: "restart" },
      { seconds: 0.5 },
    ]);
  });

  test("teaches the ball's colour from marked images, as a profile that runs and `track` take", async () => {
    session.asked.length = 0;
    const [width, height, ball] = [40, 30, { u: 20, v: 15, r: 6 }];
    const pixels = Uint8Array.from({ length: 3 * width * height }, (_, n) => {
      const [x, y] = [Math.floor(n / 3) % width, Math.floor(n / 3 / width)];
      const isBall = Math.hypot(x - ball.u, y - ball.v) <= ball.r;
      return (isBall ? [210, 40, 50] : [90, 110, 100])[n % 3]! + ((7 * n) % 11);
    });
    const image = { width, height, pixels: Buffer.from(pixels).toString("base64"), balls: [ball] };
    const learnt = await request("/v1/live/colour/lesson", "POST", { images: [image] });
    expect(learnt.status).toBe(200);
    const answer = (await learnt.json()) as { colour: BallColour; preview: { pixels: string }; profile: object };
    const { colour, preview, profile } = answer;
    const gray = Buffer.from(preview.pixels, "base64");
    expect(gray).toHaveLength(width * height);
    expect(gray[15 * width + 20]! - gray[2 * width + 2]!).toBeGreaterThan(100);
    expect((await request("/v1/live/colour", "PUT", colour)).status).toBe(200);
    expect(session.asked).toEqual([{ colour }]);
    const path = join(mkdtempSync(join(tmpdir(), "flycatcher-ball-")), "ball.json");
    writeFileSync(path, JSON.stringify(profile));
    const { ball: thrown, detector } = runSettingsOf(resolveConfig({ files: [path] }));
    expect(thrown).toMatchObject(session.ball);
    expect(detector.contrast).toBe(128);
    expect(detector.projection!.red).toBeCloseTo(colour.red, 5);
    // The same colour everywhere tells nothing; an image that is cut off is none.
    const flat = { ...image, pixels: Buffer.alloc(3 * width * height, 90).toString("base64") };
    const codes = [flat, { ...image, width: 41 }].map(async (wrong) => {
      const answer = await request("/v1/live/colour/lesson", "POST", { images: [wrong] });
      return ((await answer.json()) as Problem).code;
    });
    expect(await Promise.all(codes)).toEqual(["FLY_COLOUR_UNCLEAR", "FLY_HTTP_REQUEST_INVALID"]);
  });

  test.each([
    ["/v1/live/colour/lesson", "POST", { images: [] }],
    ["/v1/live/colour", "PUT", { red: 1 }],
    ["/v1/live/nodes/tracker", "POST", { action: "explode" }],
    ["/v1/live/trace", "POST", { seconds: 60 }],
    ["/v1/live/throws", "POST", { balls: 99 }],
    ["/v1/live/throws", "POST", { launches: [{ position: [1, 2] }] }],
    ["/v1/live/settings", "PATCH", { mode: "hard" }],
    ["/v1/live/settings", "PATCH", { speed: 0 }],
    ["/v1/live/step", "POST", { ticks: 1e9 }],
  ])("refuses %s %s %j", async (path, method, body) => {
    expect((await request(path, method, body)).status).toBe(400);
  });

  test("takes no orders from pages of another origin", async () => {
    session.asked.length = 0;
    const foreign = await request("/v1/live/stop", "POST", undefined, { origin: "http://elsewhere.example" });
    expect([foreign.status, ((await foreign.json()) as Problem).code]).toEqual([403, "FLY_HTTP_ORIGIN_REFUSED"]);
    const own = await request("/v1/live/stop", "POST", undefined, { origin: service.address });
    expect(own.status).toBe(200);
    expect(session.asked).toEqual(["stop"]);
  });
});

describe("the stream", () => {
  test("sends hello, messages and poses", async () => {
    const viewer = new TrialViewer(service.address);
    await eventually(() => viewer.words.length > 0 && viewer.bytes.length > 2);
    expect(viewer.socket.protocol).toBe("flycatcher.v1");
    expect(viewer.words[0]).toMatchObject({ type: "hello" });
    expect(decodePosePacket(viewer.bytes[0]!)?.joints).toHaveLength(2);
    session.broadcast.publish({ type: "ball", time: 1, ball: 3 });
    await eventually(() => viewer.words.some(({ type }) => type === "ball"));
    const schemas = (await (await request("/v1/live/schemas", "GET")).json()) as Record<string, object>;
    const ajv = new Ajv({ strict: false });
    for (const word of viewer.words) expect(ajv.validate(schemas[word.type]!, word), ajv.errorsText()).toBe(true);
    viewer.socket.close();
  });

  test("sends samples only to who plots, taps what anyone plots, and refuses unknown fields", async () => {
    const [one, other] = [new TrialViewer(service.address), new TrialViewer(service.address)];
    await eventually(() => one.words.length > 0 && other.words.length > 0);
    session.asked.length = 0;
    const asked = (fields: readonly string[]) =>
      session.asked.some((wish) => JSON.stringify(wish) === JSON.stringify({ fields }));
    one.socket.send(JSON.stringify({ type: "plot", fields: ["control.commands.q[0]"] }));
    await eventually(() => asked(["control.commands.q[0]"]));
    const series = [{ field: "control.commands.q[0]", times: Float64Array.of(1), values: Float64Array.of(Number.NaN) }];
    session.broadcast.publishSamples(1, series);
    session.log({ severity: "warning", source: "service", code: "log", text: "a line" });
    await eventually(() => one.words.some(({ type }) => type === "samples"));
    await eventually(() => other.words.some(({ type }) => type === "event"));
    expect(other.words.some(({ type }) => type === "samples")).toBe(false);
    const closed = new Promise((resolve) =>
      other.socket.once("close", (code, reason) => resolve([code, String(reason)])),
    );
    other.socket.send(JSON.stringify({ type: "plot", fields: ["nothing.at.all"] }));
    expect(await closed).toEqual([1008, "FLY_FIELD_UNKNOWN"]);
    one.socket.close();
    await eventually(() => asked([]));
    const late = new TrialViewer(service.address);
    await eventually(() => late.words.some(({ type }) => type === "log"));
    expect(late.words.find(({ type }) => type === "log")).toMatchObject({ lines: [{ text: "a line" }] });
    late.socket.close();
  });

  test("hands on heartbeats of viewers whose number is new", async () => {
    const slot = new SessionSlot(session);
    const beating = await startService({ ...serviceOptions(), live: slot });
    const seen = { beats: 0 };
    slot.beat = () => void seen.beats++;
    const viewer = new TrialViewer(beating.address);
    await eventually(() => viewer.words.length > 0);
    for (const number of [1, 1, 2, 2, 3]) viewer.socket.send(JSON.stringify({ type: "beat", number }));
    await eventually(() => seen.beats >= 3);
    viewer.socket.send(JSON.stringify({ type: "beat" }));
    await eventually(() => viewer.socket.readyState === 3);
    expect(seen.beats).toBe(3);
    await beating.close();
  });

  test("sends images only to who asks, and as many poses as wanted", async () => {
    const [one, other] = [new TrialViewer(service.address), new TrialViewer(service.address)];
    await eventually(() => one.words.length > 0 && other.words.length > 0);
    one.socket.send(JSON.stringify({ type: "watch", images: true }));
    other.socket.send(JSON.stringify({ type: "rate", poses: 0 }));
    await eventually(() => session.asked.some((asked) => JSON.stringify(asked) === '{"images":true}'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = other.bytes.length;
    const image: ImagePacket = {
      camera: "left",
      width: 2,
      height: 1,
      time: 0,
      encoding: "mono8",
      pixels: Uint8Array.of(1, 2),
      windows: [],
    };
    session.broadcast.publishImage(image);
    await eventually(() => one.bytes.some((bytes) => bytes[0] === 2));
    expect(other.bytes.length).toBe(before);
    one.socket.close();
    other.socket.close();
  });

  test("sends swept volumes only while a client asks for them", async () => {
    const [one, other] = [new TrialViewer(service.address), new TrialViewer(service.address)];
    await eventually(() => one.words.length > 0 && other.words.length > 0);
    const asks = (swept: boolean) => JSON.stringify({ type: "watch", swept });
    session.asked.length = 0;
    one.socket.send(asks(true));
    await eventually(() => session.asked.some((asked) => JSON.stringify(asked) === '{"swept":true}'));
    const volumes = { time: 1, distances: Float32Array.of(0.5), points: Int16Array.of(1, -2, 3) };
    session.broadcast.publishSwept(volumes);
    await eventually(() => one.bytes.some((bytes) => bytes[0] === 3));
    expect(decodeSweptPacket(one.bytes.find((bytes) => bytes[0] === 3)!)).toEqual(volumes);
    expect(other.bytes.some((bytes) => bytes[0] === 3)).toBe(false);
    one.socket.close();
    await eventually(() => JSON.stringify(session.asked.at(-1)) === '{"swept":false}');
    other.socket.close();
  });

  test("closes the connection of a client that sends something else", async () => {
    const viewer = new TrialViewer(service.address);
    await viewer.outcome();
    const closed = new Promise<number>((resolve) => viewer.socket.once("close", resolve));
    viewer.socket.send("move!");
    expect(await closed).toBe(1008);
  });

  test("is refused to pages of another origin", async () => {
    const viewer = new TrialViewer(service.address, ["flycatcher.v1"], { origin: "http://elsewhere.example" });
    expect(await viewer.outcome()).toContain("403");
  });
});

test("without a live run there is nothing to watch or to steer", async () => {
  const plain = await startService(serviceOptions());
  try {
    const answer = await fetch(`${plain.address}/v1/live`);
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([404, "FLY_LIVE_NONE"]);
    expect(await new TrialViewer(plain.address).outcome()).toContain("404");
  } finally {
    await plain.close();
  }
});

test("a run that is being started says so, and is there when it has been", async () => {
  const live = new SessionSlot("starting");
  const early = await startService({ ...serviceOptions(), live });
  try {
    const answer = await fetch(`${early.address}/v1/live`);
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([503, "FLY_LIVE_STARTING"]);
    expect(await new TrialViewer(early.address).outcome()).toContain("503");
    live.fill(session);
    expect((await fetch(`${early.address}/v1/live`)).status).toBe(200);
  } finally {
    await early.close();
  }
});

test("with a token the stream is for those who have it", async () => {
  const guarded = await startService({ ...serviceOptions("service.token=secret"), live: new SessionSlot(session) });
  try {
    expect(await new TrialViewer(guarded.address).outcome()).toContain("401");
    expect(await new TrialViewer(guarded.address, ["flycatcher.v1", "bearer.wrong"]).outcome()).toContain("401");
    const viewer = new TrialViewer(guarded.address, ["flycatcher.v1", "bearer.secret"]);
    expect(await viewer.outcome()).toBe("open");
    expect(viewer.socket.protocol).toBe("flycatcher.v1");
    viewer.socket.close();
    expect((await fetch(`${guarded.address}/v1/live/stop`, { method: "POST" })).status).toBe(401);
  } finally {
    await guarded.close();
  }
});
