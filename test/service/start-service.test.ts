import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import type { Resource } from "../../src/service/service-types.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { serviceOptions } from "./make-service.js";

/** A port that something else holds. */
async function takenPort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, release: () => server.close() };
}

/** Sends raw bytes and gives back all that is answered until the connection ends. */
async function talk({ port }: RunningService, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

/** A route that answers when it is told to. */
function slowRoute() {
  let release: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const resource: Resource = {
    name: "slow",
    register: (app) =>
      void app.get("/slow", async () => {
        arrived();
        await released;
        return { done: true };
      }),
  };
  return { resource, asked, release };
}

describe("startService", () => {
  it("listens where it says", async () => {
    const service = await startService(serviceOptions());
    expect(service.address).toBe(`http://127.0.0.1:${service.port}`);
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
    expect(service.takenPort).toBeUndefined();
    await service.close();
    await expect(fetch(`${service.address}/healthz`)).rejects.toThrow();
  });

  it("writes an IPv6 address as URLs want it", async () => {
    const service = await startService(serviceOptions("service.host=::1")).catch(() => undefined);
    // A machine without IPv6 has nothing to show here.
    if (service === undefined) return;
    expect(service.address).toBe(`http://[::1]:${service.port}`);
    await service.close();
  });

  it("takes the next free port where the one asked for is taken", async () => {
    const { port, release } = await takenPort();
    const service = await startService(serviceOptions(`service.port=${port}`));
    expect(service.port).toBeGreaterThan(port);
    expect(service.takenPort).toBe(port);
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
    await service.close();
    release();
  });

  it("gives up where no port is free, or the address is not this machine's", async () => {
    const { port, release } = await takenPort();
    await expect(startService(serviceOptions(`service.port=${port}`, "service.portTries=1"))).rejects.toThrow(
      expect.objectContaining({ code: "FLY_SERVICE_ADDRESS_UNAVAILABLE", message: expect.stringContaining(`${port}`) }),
    );
    release();
    // An address of the range reserved for documentation (RFC 5737).
    const foreign = serviceOptions("service.host=192.0.2.1", "service.token=a-token-of-some-length");
    await expect(startService(foreign)).rejects.toThrow(/Cannot listen on 192\.0\.2\.1/);
  });
});

describe("a service that closes", () => {
  it("answers what it has begun, refuses what comes later, and then is gone", async () => {
    const slow = slowRoute();
    const service = await startService({ ...serviceOptions(), resources: [slow.resource] });
    const socket = connect(service.port, "127.0.0.1");
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    socket.write(request("/slow"));
    await slow.asked;
    const closed = service.close();
    await expect.poll(() => service.app.server.listening).toBe(false);
    const secondRequest = once(service.app.server, "request");
    socket.write(request("/slow"));
    await secondRequest;
    slow.release();
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    await closed;
    const [first, second] = answer.split(/(?=HTTP\/1\.1 )/);
    expect(first).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"done":true\}$/);
    expect(second).toMatch(/^HTTP\/1\.1 503 [\s\S]*FLY_SERVICE_CLOSING/);
  });

  it("does not wait longer than configured", async () => {
    const slow = slowRoute();
    const service = await startService({ ...serviceOptions("service.closeTimeoutMs=50"), resources: [slow.resource] });
    const answer = fetch(`${service.address}/slow`);
    const outcome = answer.then(
      () => "answered",
      () => "cut off",
    );
    await slow.asked;
    await service.close();
    expect(await outcome).toBe("cut off");
    slow.release();
  });
});

describe("what is not even HTTP", () => {
  it("is answered with a problem document, too", async () => {
    const service = await startService(serviceOptions());
    const answer = await talk(service, "HELLO THERE\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json/);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({ code: "FLY_HTTP_MALFORMED", status: 400 });

    const long = await talk(service, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431 [\s\S]*FLY_HTTP_HEADERS_TOO_LARGE/);
    await service.close();
  });

  it("is cut off with a problem document where a client never finishes its request", async () => {
    const service = await startService(serviceOptions("service.requestTimeoutMs=100"));
    const answer = await talk(
      service,
      "POST /trial HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*FLY_HTTP_REQUEST_TIMEOUT/);
    await service.close();
  });
});
