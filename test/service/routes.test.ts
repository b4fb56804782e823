import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { errorCatalogue } from "../../src/runtime/error-catalogue.js";
import { packageVersion } from "../../src/runtime/package-root.js";
import { findProblems } from "../../src/runtime/schema-problems.js";
import { type RobotDescription, RobotDescriptionSchema } from "../../src/service/robot-description.js";
import { RobotLibrary } from "../../src/service/robot-library.js";
import { createService } from "../../src/service/service.js";
import type { Resource, ServiceInstance } from "../../src/service/service-types.js";
import { expectProblem, serviceOptions } from "./make-service.js";

let app: ServiceInstance;
beforeAll(async () => {
  app = await createService(serviceOptions());
});
afterAll(() => app.close());

describe("GET /healthz", () => {
  it("answers while the process lives", async () => {
    const response = await app.inject("/healthz");
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: "ok", version: packageVersion });
  });
});

describe("GET /readyz", () => {
  it("says that the robot of the profile is there", async () => {
    expect((await app.inject("/readyz")).json()).toEqual({ status: "ready", components: ["robot", "planning"] });
  });

  it("says which component is not ready, and why", async () => {
    const options = serviceOptions("robot=nobody");
    const pool: Resource = {
      name: "pool",
      register: (_, { readiness }) => readiness.add("pool", () => "two of four workers have started"),
    };
    const unready = await createService({ ...options, resources: [...(options.resources ?? []), pool] });
    const problem = expectProblem(await unready.inject("/readyz"), "FLY_SERVICE_NOT_READY", 503);
    expect(problem.detail).toMatch(/robot: .*nobody.*; pool: two of four workers have started/);
    expect((await unready.inject("/healthz")).statusCode).toBe(200);
    await unready.close();
  });
});

describe("GET /v1/robots", () => {
  it("lists the robots there are", async () => {
    const { robots, default: standard } = (await app.inject("/v1/robots")).json<{
      robots: { name: string; url: string }[];
      default: string;
    }>();
    expect(robots.map(({ name }) => name)).toEqual(listRobots());
    expect(standard).toBe("agile-justin");
    for (const { url } of robots) expect((await app.inject(url)).statusCode).toBe(200);
  });
});

describe("GET /v1/robots/:name", () => {
  it.each(listRobots())("%s: joints, limits, groups and frames as in the model", async (name) => {
    const description = (await app.inject(`/v1/robots/${name}`)).json<RobotDescription>();
    expect(findProblems(RobotDescriptionSchema, description)).toEqual([]);
    const { model, frames, postures } = loadRobot(name);
    expect(description.joints.map((joint) => joint.name)).toEqual(model.dofNames);
    for (const [dof, joint] of description.joints.entries()) {
      expect(joint.upper ?? Number.POSITIVE_INFINITY).toBe(model.upper[dof]);
      expect(joint.lower ?? Number.NEGATIVE_INFINITY).toBe(model.lower[dof]);
      expect(joint.velocity ?? Number.POSITIVE_INFINITY).toBe(model.maxVelocity[dof]);
      expect(joint.acceleration ?? Number.POSITIVE_INFINITY).toBe(model.maxAcceleration[dof]);
    }
    expect(description.groups.map((group) => group.joints.length)).toEqual(model.groups.map(({ dofs }) => dofs.length));
    expect(description.frames.world).toBe(model.linkNames[frames.world]);
    expect(Object.keys(description.postures)).toEqual([...postures.keys()]);
  });

  it.each(["nobody", "..%2f..", "%2Fetc%2Fpasswd", "panda%2Frobot.json"])("refuses %s", async (name) => {
    expectProblem(await app.inject(`/v1/robots/${name}`), "FLY_ROBOT_UNKNOWN", 404);
  });

  it("says where in a request body an unknown name stands", () => {
    expect(() => new RobotLibrary().get("nobody", "/robot")).toThrow(
      expect.objectContaining({ code: "FLY_ROBOT_UNKNOWN" }),
    );
    expect(() => new RobotLibrary().get("nobody", "/robot")).toThrow(/at \/robot: expected one of .*, found "nobody"/);
  });

  it("tells a robot with broken files from an unknown one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "flycatcher-robots-"));
    mkdirSync(join(folder, "broken"));
    writeFileSync(join(folder, "broken", "robot.json"), "{}");
    const service = await createService({ ...serviceOptions(), robots: new RobotLibrary(folder) });
    expectProblem(await service.inject("/v1/robots/broken"), "FLY_ROBOT_BROKEN", 500);
    await service.close();
    rmSync(folder, { recursive: true });
  });
});

describe("GET /errors", () => {
  it("has an anchor for every code, which the type of a problem leads to", async () => {
    const response = await app.inject("/errors");
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const code of Object.keys(errorCatalogue)) expect(response.payload).toContain(`id="${code}"`);
  });
});

describe("GET /metrics", () => {
  it("counts and times requests by route", async () => {
    const service = await createService(serviceOptions());
    await service.inject("/v1/robots/panda");
    await service.inject("/v1/robots/nobody");
    await service.inject("/no/such/thing");
    const response = await service.inject("/metrics");
    expect(response.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    for (const line of [
      'flycatcher_http_requests_total{method="GET",route="/v1/robots/:name",status="200"} 1',
      'flycatcher_http_requests_total{method="GET",route="/v1/robots/:name",status="404"} 1',
      'flycatcher_http_requests_total{method="GET",route="unknown",status="404"} 1',
      'flycatcher_http_request_seconds_count{method="GET",route="/v1/robots/:name"} 2',
    ]) {
      expect(response.payload.split("\n")).toContain(line);
    }
    expect(response.payload).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
    await service.close();
  });
});

describe("resources", () => {
  const planner: Resource = {
    name: "planner",
    part: "planning",
    register: (scope) => void scope.get("/v1/plan-trial", () => ({})),
  };

  it("are there in profiles that run their part, and only there", async () => {
    const running = await createService({ ...serviceOptions(), resources: [planner] });
    expect((await running.inject("/v1/plan-trial")).statusCode).toBe(200);
    await running.close();
    const without = await createService({ ...serviceOptions("parts=service"), resources: [planner] });
    expectProblem(await without.inject("/v1/plan-trial"), "FLY_HTTP_ROUTE_UNKNOWN", 404);
    await without.close();
  });
});
