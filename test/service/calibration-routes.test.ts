import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseOverlay } from "../../src/robot/loading/load-robot.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { expectProblem, serviceOptions } from "./make-service.js";

let app: ServiceInstance;
beforeAll(async () => {
  app = await createService(serviceOptions());
});
afterAll(() => app.close());

interface State {
  readonly url: string;
  readonly state: "running" | "done" | "failed";
  readonly progress: number;
  readonly calibration?: unknown;
  readonly report?: string;
  readonly problem?: { readonly code: string; readonly detail: string };
}

const start = (payload: object) => app.inject({ method: "POST", url: "/v1/calibrations", payload });

async function finished(url: string): Promise<State> {
  for (let last = -1; ; ) {
    const state = (await app.inject(url)).json<State>();
    expect(state.progress).toBeGreaterThanOrEqual(last);
    last = state.progress;
    if (state.state !== "running") return state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("/v1/calibrations", () => {
  it("starts one, tells how far it is, refuses another meanwhile, and gives the result and its report", async () => {
    const response = await start({ seed: "2" });
    expect(response.statusCode).toBe(202);
    const { url } = response.json<State>();
    expect(response.headers.location).toBe(url);
    expectProblem(await start({ seed: "another" }), "FLY_CALIBRATION_BUSY", 409);
    expect((await start({ seed: "2" })).json<State>().url).toBe(url);
    expectProblem(await app.inject(`${url}/report`), "FLY_CALIBRATION_UNKNOWN", 404);
    const state = await finished(url);
    expect(state.problem).toBeUndefined();
    expect(state.state).toBe("done");
    expect(state.progress).toBe(1);
    expect(parseOverlay(state.calibration).robot).toBe("agile-justin");
    const report = await app.inject(state.report!);
    expect(report.headers["content-type"]).toContain("text/html");
    expect(report.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(report.payload).toContain("<svg");
    const again = await start({ seed: "2" });
    expect([again.statusCode, again.json<State>().state]).toEqual([200, "done"]);
  }, 120_000);

  it("says of a fit that is not to be trusted why", async () => {
    const { url } = (await start({ seed: "3", configurations: 4 })).json<State>();
    const state = await finished(url);
    expect(state.state).toBe("failed");
    expect(state.problem!.code).toMatch(/^FLY_CALIBRATION_(UNTRUSTED|UNOBSERVABLE)$/);
    expect(state.calibration).toBeUndefined();
  }, 120_000);

  it("is ended and forgotten on request, and another can begin", async () => {
    for (const seed of ["cancelled", "next"]) {
      const response = await start({ seed });
      expect(response.statusCode).toBe(202);
      const { url } = response.json<State>();
      expect((await app.inject({ method: "DELETE", url })).statusCode).toBe(204);
      expectProblem(await app.inject(url), "FLY_CALIBRATION_UNKNOWN", 404);
    }
    expectProblem(await app.inject({ method: "DELETE", url: "/v1/calibrations/x" }), "FLY_CALIBRATION_UNKNOWN", 404);
  }, 120_000);

  it("refuses what it does not know", async () => {
    expectProblem(await app.inject("/v1/calibrations/nothing"), "FLY_CALIBRATION_UNKNOWN", 404);
    expectProblem(await start({ robot: "nobody" }), "FLY_ROBOT_UNKNOWN", 404);
    expectProblem(await start({ robot: "panda" }), "FLY_SENSOR_MISSING", 422);
    expectProblem(await start({ configurations: 1000 }), "FLY_HTTP_REQUEST_INVALID", 400);
  });
});
