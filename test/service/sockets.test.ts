import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDescriptors } from "../../bench/faults/stop-latency.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { eventually } from "../support/eventually.js";
import { serviceOptions } from "./make-service.js";
import { TrialSession } from "./trial-session.js";

const upgrade =
  "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n";

function open({ port }: RunningService): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

/** Sends a request and reads the answer, whose body ends with `end`. */
async function ask(socket: Socket, text: string, end = "}"): Promise<string> {
  socket.write(text);
  let answer = "";
  while (!answer.includes("\r\n\r\n") || !answer.endsWith(end)) {
    answer += String(((await once(socket, "data")) as [Buffer])[0]);
  }
  return answer;
}

const statusOf = (answer: string) => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);

describe("requests that offer an upgrade", () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await startService({ ...serviceOptions(), live: new SessionSlot(new TrialSession()) });
  });
  afterAll(async () => service.close());

  it("are answered as any other, one after the other on one connection, with body and all", async () => {
    const socket = open(service);
    for (let k = 0; k < 3; k++) {
      expect(statusOf(await ask(socket, `GET /healthz HTTP/1.1\r\n${upgrade}\r\n`))).toBe(200);
      const body = JSON.stringify({ robot: "x", start: [k, 2, 3] });
      const head = `POST /trial HTTP/1.1\r\n${upgrade}Content-Type: application/json\r\n`;
      const whole = await ask(socket, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      expect([statusOf(whole), JSON.parse(whole.split("\r\n\r\n")[1]!)]).toMatchObject([200, { start: [k, 2, 3] }]);
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      expect(statusOf(await ask(socket, chunks))).toBe(200);
      expect(statusOf(await ask(socket, `POST /v1/live/stop HTTP/1.1\r\n${upgrade}\r\n`))).toBe(200);
    }
    socket.destroy();
  });

  it("reach no WebSocket unless they ask for one where there is one", async () => {
    const key = "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    const whole = `${key}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    const socket = open(service);
    expect(statusOf(await ask(socket, `GET /healthz HTTP/1.1\r\n${whole}`))).toBe(200);
    expect(statusOf(await ask(socket, `GET /v1/robots HTTP/1.1\r\n${whole}`))).toBe(200);
    expect(statusOf(await ask(socket, `GET /v1/live/stream/?a=b HTTP/1.1\r\n${whole}`, ""))).toBe(101);
    socket.destroy();
  });

  it("leave no descriptor behind", async () => {
    const before = openDescriptors();
    for (let k = 0; k < 200; k++) {
      const socket = open(service);
      await ask(socket, `GET ${k % 2 === 0 ? "/healthz" : "/nothing"} HTTP/1.1\r\n${upgrade}\r\n`);
      socket.end();
    }
    await eventually(() => openDescriptors() <= before + 5);
  });
});

describe("a service whose connections are all taken", () => {
  it("still answers health and stop, and says to others why not", async () => {
    const service = await startService({
      ...serviceOptions("service.maxConnections=8"),
      live: new SessionSlot(new TrialSession()),
    });
    const held = Array.from({ length: 8 }, () => open(service));
    await Promise.all(held.map((socket) => once(socket, "connect")));
    expect(statusOf(await ask(held[0]!, "GET /v1/robots HTTP/1.1\r\nHost: localhost\r\n\r\n"))).toBe(200);
    await eventually(async () => (await fetch(`${service.address}/v1/robots`)).status === 503);
    const refused = await fetch(`${service.address}/v1/robots`);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      "FLY_SERVICE_CONNECTIONS",
    ]);
    const more = Array.from({ length: 60 }, () => open(service));
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
    expect((await fetch(`${service.address}/v1/live/stop`, { method: "POST" })).status).toBe(200);
    for (const socket of [...held, ...more]) socket.destroy();
    await eventually(async () => (await fetch(`${service.address}/v1/robots`)).status === 200);
    await service.close();
  });
});

describe("slow clients", () => {
  it("are told so, and their connection ends even if they go on", async () => {
    const service = await startService(serviceOptions("service.requestTimeoutMs=100"));
    const socket = open(service);
    socket.write("POST /trial HTTP/1.1\r\nHost: localhost\r\nX: ");
    const trickle = setInterval(() => socket.write("a"), 20);
    const answer = String(((await once(socket, "data")) as [Buffer])[0]);
    expect(statusOf(answer)).toBe(408);
    await once(socket, "close");
    clearInterval(trickle);
    await service.close();
  });
});

describe("the end of a service", () => {
  it("waits for no socket, whatever it is", async () => {
    const service = await startService({
      ...serviceOptions("service.closeTimeoutMs=50"),
      live: new SessionSlot(new TrialSession()),
    });
    const sockets = [
      "",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
      `GET /healthz HTTP/1.1\r\n${upgrade}\r\n`,
      "POST /trial HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
      "GET /v1/live/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    ].map((text) => {
      const socket = open(service);
      if (text !== "") socket.write(text);
      return socket;
    });
    const answered = [1, 2, 4].map((k) => sockets[k]!);
    await eventually(() => answered.every(({ bytesRead }) => bytesRead > 0));
    const ended = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve).resume()));
    await service.close();
    await Promise.all(ended);
  });
});
