import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { createLogger } from "../../src/runtime/logger.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { startService } from "../../src/service/start-service.js";
import { StopListener } from "../../src/service/stop-listener.js";
import { StopLine } from "../../src/transport/stop-line.js";
import { LockStepSession } from "../../src/view/lock-step-session.module.js";
import { eventually } from "../support/eventually.js";
import { serviceOptions } from "./make-service.js";

const PAGE_PORT = 8080;

async function listen(line: StopLine, ...overrides: string[]): Promise<StopListener> {
  const { service, log } = resolveConfig({ overrides: ["service.stopPort=0", "log.level=silent", ...overrides] });
  return StopListener.start(service, line.memory, PAGE_PORT, createLogger(log));
}

/** Sends raw bytes; the first bytes of the answer. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(text);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString();
}

describe("the stop listener", () => {
  const line = new StopLine();
  let listener: StopListener;
  let control: NodeJS.Timeout;

  beforeAll(async () => {
    listener = await listen(line);
    // A control that brakes at once, and has no driver that would note anything.
    control = setInterval(() => line.noteBraked(line.asked), 1);
  });
  afterAll(async () => {
    clearInterval(control);
    await listener.close();
  });
  afterEach(() => line.release());

  it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH"])(
    "takes %s",
    async (method) => {
      const asked = line.asked;
      const answer = await talk(listener.address.port, `${method} /any/where HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
      expect([line.asked, line.isHeld]).toEqual([asked + 1, true]);
    },
  );

  it.each([
    [
      "a form's content type without a body",
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n",
    ],
    ["JSON's content type without a body", "Content-Type: application/json\r\n\r\n"],
    ["wrong JSON", "Content-Type: application/json\r\nContent-Length: 3\r\n\r\n{x}"],
    ["a content type that is none", "Content-Type: nonsense\r\nContent-Length: 1\r\n\r\n!"],
    ["a body that does not come", "Content-Length: 1000000\r\n\r\n"],
    ["chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"],
    ["an upgrade to HTTP/2", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n\r\n"],
    ["an upgrade to a WebSocket", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n"],
    ["an expectation", "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"],
    ["an odd expectation", "Expect: the-spanish-inquisition\r\n\r\n"],
  ])("takes %s", async (_, rest) => {
    const asked = line.asked;
    const answer = await talk(listener.address.port, `POST / HTTP/1.1\r\nHost: localhost\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(line.asked).toBe(asked + 1);
  });

  it("takes CONNECT, and ends the connection of a body that does not end", async () => {
    const { port } = listener.address;
    expect(await talk(port, "CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n");
    const sending = setInterval(() => socket.write(Buffer.alloc(20_000)), 1);
    socket.resume();
    await once(socket, "close");
    clearInterval(sending);
  });

  it("answers when control braked, and refuses pages of others", async () => {
    const asked = line.asked;
    const answer = await fetch(listener.address.url, { headers: { origin: `http://127.0.0.1:${PAGE_PORT}` } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(`http://127.0.0.1:${PAGE_PORT}`);
    const { braked } = (await answer.json()) as { braked: { afterMs: number; confirmedBy: string } };
    expect(braked.afterMs).toBeGreaterThanOrEqual(0);
    expect(braked.confirmedBy).toBe("control");
    const foreign = await fetch(listener.address.url, {
      method: "POST",
      headers: { origin: "http://foreign.example" },
    });
    expect([foreign.status, ((await foreign.json()) as { code: string }).code]).toEqual([
      403,
      "FLY_HTTP_ORIGIN_REFUSED",
    ]);
    expect(line.asked).toBe(asked + 1);
  });

  it("has a place for a stop however many connections stand idle", async () => {
    const idle = Array.from({ length: 200 }, () => connect(listener.address.port, "127.0.0.1"));
    for (const socket of idle) socket.on("error", () => undefined);
    const asked = line.asked;
    expect(await talk(listener.address.port, "POST / HTTP/1.0\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
    expect(line.asked).toBe(asked + 1);
    for (const socket of idle) socket.destroy();
  });

  it("takes a datagram", async () => {
    const asked = line.asked;
    const box = createSocket("udp4");
    box.send("nonsense", listener.address.port, "127.0.0.1");
    box.send("stop", listener.address.port, "127.0.0.1");
    const [reply] = (await once(box, "message")) as [Buffer];
    expect(reply.toString()).toMatch(/^braked \d+\.\d control$/);
    expect(line.asked).toBe(asked + 1);
    box.close();
  });
});

describe("a stop listener with a token and heartbeats", () => {
  it("brakes without heartbeats, and again when the robot is let go", async () => {
    const line = new StopLine();
    const listener = await listen(line, "service.stopHeartbeatMs=20");
    expect(line.isHeld).toBe(false);
    listener.supervise();
    await eventually(() => line.isHeld);
    line.release();
    await eventually(() => line.isHeld);
    await listener.close();
  });

  it("takes heartbeats of the page, by the service, and brakes when they end", async () => {
    const line = new StopLine();
    const listener = await listen(line, "service.stopHeartbeatMs=200");
    listener.beat();
    listener.supervise();
    const beats = setInterval(() => listener.beat(), 10);
    await pause(500);
    const held = line.asked;
    clearInterval(beats);
    await eventually(() => line.asked > held);
    expect(held).toBe(0);
    await listener.close();
  });

  it("takes the token alone", async () => {
    const line = new StopLine();
    const listener = await listen(line, "service.token=secret");
    const without = await fetch(listener.address.url, { method: "POST" });
    expect([without.status, line.asked]).toEqual([401, 0]);
    const control = setInterval(() => line.noteBraked(line.asked), 1);
    const headers = { authorization: "Bearer secret" };
    expect((await fetch(listener.address.url, { method: "POST", headers })).status).toBe(200);
    const box = createSocket("udp4");
    box.send("stop", listener.address.port, "127.0.0.1");
    box.send("stop secret", listener.address.port, "127.0.0.1");
    await once(box, "message");
    expect(line.asked).toBe(2);
    box.close();
    clearInterval(control);
    await listener.close();
  });
});

/** In a thread: waits until the first word is set, sends a stop, and counts the second word up when it is answered. */
const client = `
const { workerData } = require("node:worker_threads");
const { words, url } = workerData;
Atomics.wait(words, 0, 0);
fetch(url, { method: "POST", body: "" }).then((answer) => answer.json()).then(({ braked }) => {
  Atomics.store(words, 1, braked === null ? 2 : 1);
  Atomics.notify(words, 1);
});`;

describe("a stop beside a service that is held up", () => {
  it("reaches the robot while the main thread does not turn its loop at all", async () => {
    const stopLine = new StopLine();
    const session = await LockStepSession.start({
      ...runSettingsOf(resolveConfig({})),
      ...{ robot: "lwr-arm", perception: "truth", world: "kinematic", balls: 1, seed: 1 },
      ...{ automatic: true, speed: 1, stopLine: stopLine.memory },
    } as const);
    const service = await startService({
      ...serviceOptions("service.stopPort=0"),
      live: new SessionSlot(session),
      stopLine: stopLine.memory,
    });
    const words = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(client, { eval: true, workerData: { words, url: service.stop!.address.url } });
    await once(worker, "online");
    await eventually(() => session.snapshot().state?.activity !== undefined);
    Atomics.store(words, 0, 1);
    Atomics.notify(words, 0);
    // The loop stands still: nothing of this thread can hand the stop on.
    expect(Atomics.wait(words, 1, 0, 60_000)).not.toBe("timed-out");
    expect([words[1], stopLine.reached(1)]).toEqual([1, "confirmed"]);
    const live = (await (await fetch(`${service.address}/v1/live`)).json()) as { stop: object };
    expect(live.stop).toEqual(service.stop!.address);
    await worker.terminate();
    await service.close();
    await session.close();
  });
});
