import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { tokenCheck } from "../../src/service/access-rules.js";
import { HeartbeatWatch, readStopDatagram } from "../../src/service/stop-datagrams.js";
import { judgeStop } from "../../src/service/stop-rules.js";

const host = "127.0.0.1:8060";
const open = { isToken: null, pagePort: 8080 };
const guarded = { isToken: tokenCheck("secret"), pagePort: 8080 };

function verdict(headers: IncomingHttpHeaders, rules: typeof open | typeof guarded = open, method = "POST"): string {
  const judged = judgeStop(method, { host, ...headers }, rules);
  return judged.kind === "refused" ? judged.code : judged.kind;
}

describe("who may stop the robot over HTTP", () => {
  it("is any program of this machine, and the service's own page", () => {
    expect(verdict({})).toBe("stop");
    expect(verdict({ origin: "http://127.0.0.1:8080", "sec-fetch-site": "same-site" })).toBe("stop");
    expect(verdict({ origin: "http://127.0.0.1:8060" })).toBe("stop");
    expect(verdict({ "sec-fetch-site": "none" }, open, "GET")).toBe("stop");
  });

  it.each([
    [{ origin: "http://elsewhere.example" }, "FLY_HTTP_ORIGIN_REFUSED"],
    [{ origin: "http://127.0.0.1:9999" }, "FLY_HTTP_ORIGIN_REFUSED"],
    [{ origin: "http://localhost:8080" }, "FLY_HTTP_ORIGIN_REFUSED"],
    [{ origin: "null" }, "FLY_HTTP_ORIGIN_REFUSED"],
    [{ "sec-fetch-site": "cross-site" }, "FLY_HTTP_ORIGIN_REFUSED"],
    [{ "sec-fetch-site": "same-site" }, "FLY_HTTP_ORIGIN_REFUSED"],
    [{ host: "rebound.example:8060" }, "FLY_HTTP_HOST_REFUSED"],
  ])("is not a page of somebody else: %j", (headers, code) => {
    expect(verdict(headers)).toBe(code);
  });

  it("must have the token where one is configured, and may ask beforehand without", () => {
    expect(verdict({}, guarded)).toBe("FLY_HTTP_TOKEN_WRONG");
    expect(verdict({ authorization: "Bearer wrong" }, guarded)).toBe("FLY_HTTP_TOKEN_WRONG");
    expect(verdict({ authorization: "Bearer secret", host: "robot.lab:8060" }, guarded)).toBe("stop");
    const preflight = { origin: "http://127.0.0.1:8080", "access-control-request-method": "POST" };
    expect(verdict(preflight, guarded, "OPTIONS")).toBe("preflight");
    expect(verdict({}, open, "OPTIONS")).toBe("stop");
  });
});

describe("datagrams of a button box", () => {
  const read = (text: string, token: string | null = null) =>
    readStopDatagram(Buffer.from(text), token === null ? null : tokenCheck(token));

  it("are a stop or a numbered heartbeat, with the token if there is one", () => {
    expect(read("stop")).toEqual({ kind: "stop" });
    expect(read("stop\r\n")).toEqual({ kind: "stop" });
    expect(read("beat 17\n")).toEqual({ kind: "beat", number: 17 });
    expect(read("stop secret", "secret")).toEqual({ kind: "stop" });
    expect(read("beat 3 secret", "secret")).toEqual({ kind: "beat", number: 3 });
  });

  it.each(["", "halt", "stop now", "beat", "beat x", "beat -1", "beat 1 2", `stop${" ".repeat(2000)}`])(
    "are nothing else: %j",
    (text) => expect(read(text)).toBeNull(),
  );

  it("without the token, or with a wrong one, are nothing", () => {
    for (const text of ["stop", "stop wrong", "beat 3", "beat 3 wrong"]) expect(read(text, "secret")).toBeNull();
  });
});

describe("heartbeats", () => {
  it("are missing after their time, from the first one on or from the beginning of the watch", () => {
    const watch = new HeartbeatWatch(100);
    expect(watch.isMissing(1e6)).toBe(false);
    watch.begin(1000);
    expect([watch.isMissing(1100), watch.isMissing(1101)]).toEqual([false, true]);
    watch.beat(1, 1150);
    expect([watch.isMissing(1250), watch.isMissing(1251)]).toEqual([false, true]);
  });

  it("count once by their number", () => {
    const watch = new HeartbeatWatch(100);
    watch.beat(5, 0);
    watch.beat(5, 90);
    expect(watch.isMissing(150)).toBe(true);
    watch.beat(6, 150);
    expect(watch.isMissing(200)).toBe(false);
  });

  it("are not expected where none are configured", () => {
    const watch = new HeartbeatWatch(0);
    watch.begin(0);
    expect(watch.isMissing(1e9)).toBe(false);
  });
});
