import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { expectProblem, serviceOptions } from "./make-service.js";

let service: RunningService;
beforeAll(async () => {
  service = await startService(serviceOptions());
});
afterAll(() => service.close());

/** Sends lines as they are; the answer until the connection ends. */
async function talk(...lines: string[]): Promise<{ readonly head: string; readonly body: string }> {
  const socket = connect(service.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { head, body: body.replace(/^[0-9a-f]+\r\n/, "").replace(/\r\n0$/, "") };
}

describe("requests that Node or ws would refuse in their own words get a problem document:", () => {
  const upgrade = ["Host: localhost", "Connection: Upgrade, close", "Upgrade: websocket"];
  it.each([
    ["an expectation", ["POST /v1/plan HTTP/1.1", "Host: localhost", "Expect: a-miracle", "Connection: close"], 417],
    ["a WebSocket without a key", ["GET /v1/live/stream HTTP/1.1", ...upgrade, "Sec-WebSocket-Version: 13"], 0],
    ["a WebSocket by POST", ["POST /v1/live/stream HTTP/1.1", ...upgrade, "Sec-WebSocket-Version: 13"], 0],
    ["what is no HTTP", ["HELLO"], 400],
  ])("%s", async (_, lines, status) => {
    const { head, body } = await talk(...lines);
    expect(head).toMatch(status === 0 ? /^HTTP\/1.1 [45]\d\d / : `HTTP/1.1 ${status} `);
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(JSON.parse(body)).toMatchObject({ code: expect.stringMatching(/^FLY_/), status: expect.any(Number) });
  });

  it("a compressed body", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const payload = gzipSync("{}");
    const answer = await service.app.inject({ method: "POST", url: "/v1/plan", headers, payload });
    expectProblem(answer, "FLY_HTTP_MEDIA_TYPE", 415);
  });

  it("a file of the documentation that is not there", async () => {
    expectProblem(await service.app.inject("/docs/static/..%2fx"), "FLY_HTTP_ROUTE_UNKNOWN", 404);
  });
});

describe("values that are of the right kind, but no use:", () => {
  it("positions of more joints than a robot has", async () => {
    const position = Object.fromEntries(Array.from({ length: 60_000 }, (_, k) => [`joint${k}`, 0]));
    for (const url of ["/v1/plan", "/v1/robots/lwr-arm/fk"]) {
      const payload = url === "/v1/plan" ? { ball: {}, start: { position } } : { start: { position } };
      const problem = expectProblem(
        await service.app.inject({ method: "POST", url, payload }),
        "FLY_HTTP_REQUEST_INVALID",
        400,
      );
      expect(JSON.stringify(problem)).toContain("an object of 60000 keys");
    }
  });

  it("variances far below any measurement", async () => {
    for (const entry of [5e-324, 1e-308, 1e-200]) {
      const covariance = Array.from({ length: 6 }, (_, r) =>
        Array.from({ length: 6 }, (_, c) => (r === c ? entry : 0)),
      );
      const state = { position: [5, 0, 1.6], velocity: [-6, 0, 3], covariance };
      const payload = { robot: "lwr-arm", ball: { state }, mode: "sure" };
      const answer = await service.app.inject({ method: "POST", url: "/v1/plan", payload });
      expectProblem(answer, "FLY_PLAN_COVARIANCE", 400);
    }
  });

  it("settings of the tracker that are unknown, inherited or out of range", async () => {
    for (const tracker of [{ constructor: 1 }, { gravity: 9.81 }, { detectionProbability: 2 }, { ball: 1 }]) {
      const payload = { recordings: ["x"], tracker };
      const answer = await service.app.inject({ method: "POST", url: "/v1/replays", payload });
      expectProblem(answer, "FLY_HTTP_REQUEST_INVALID", 400);
    }
  });
});
