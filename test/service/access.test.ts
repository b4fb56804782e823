import { describe, expect, it } from "vitest";
import { isLoopback } from "../../src/runtime/loopback.js";
import { createService } from "../../src/service/service.js";
import { expectProblem, serviceOptions } from "./make-service.js";

describe("isLoopback", () => {
  it.each(["127.0.0.1", "127.9.8.7", "::1", "[::1]", "localhost", "LOCALHOST", "0:0:0:0:0:0:0:1"])("%s is", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "128.0.0.1",
    "robot.local",
    "localhost.evil.org",
    "127.0.0.1.evil.org",
    "",
    "::2",
  ])("%s is not", (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe("a service on a network address", () => {
  it.each(["0.0.0.0", "::", "192.168.1.5", "robot.local"])(
    "refuses to be made for %s without a token",
    async (host) => {
      await expect(createService(serviceOptions(`service.host=${host}`))).rejects.toThrow(
        expect.objectContaining({ code: "FLY_SERVICE_TOKEN_REQUIRED" }),
      );
    },
  );
});

describe("a service with a token", () => {
  const token = "correct-horse";
  const withToken = () => createService(serviceOptions("service.host=0.0.0.0", `service.token=${token}`));

  it("answers those who carry it", async () => {
    const app = await withToken();
    for (const authorization of [`Bearer ${token}`, `bearer  ${token} `]) {
      const headers = { authorization, host: "robot.example.org:8080" };
      expect((await app.inject({ url: "/v1/robots", headers })).statusCode).toBe(200);
    }
    await app.close();
  });

  it.each([
    undefined,
    "",
    token,
    `Basic ${token}`,
    "Bearer",
    "Bearer wrong",
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
  ])("refuses %s", async (authorization) => {
    const app = await withToken();
    for (const url of ["/v1/robots", "/metrics", "/no/such/thing", "/docsx"]) {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await app.inject({ url, headers });
      expectProblem(response, "FLY_HTTP_TOKEN_WRONG", 401);
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
    }
    await app.close();
  });

  it("lets anyone ask whether it lives, and read its documentation", async () => {
    const app = await withToken();
    for (const url of ["/healthz", "/readyz", "/openapi.json", "/docs/", "/docs/json", "/errors"]) {
      expect((await app.inject(url)).statusCode).toBe(200);
    }
    await app.close();
  });
});

describe("a service without a token", () => {
  it("refuses requests addressed to a name that is not this machine's, as a rebound browser page sends them", async () => {
    const app = await createService(serviceOptions());
    for (const host of ["evil.example.org", "evil.example.org:8080", "192.168.1.5:8080"]) {
      expectProblem(await app.inject({ url: "/v1/robots", headers: { host } }), "FLY_HTTP_HOST_REFUSED", 421);
    }
    for (const host of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "localhost"]) {
      expect((await app.inject({ url: "/v1/robots", headers: { host } })).statusCode).toBe(200);
    }
    await app.close();
  });
});
