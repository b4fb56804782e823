import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleRequest } from "../../src/planning/request/example-request.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { robotFolders, robotsFolder } from "../../src/robot/loading/robot-folders.js";
import { allResources, createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { expectProblem, serviceOptions } from "./make-service.js";

const folder = join(robotsFolder, "lwr-arm");
const sidecar = JSON.parse(readFileSync(join(folder, "robot.json"), "utf8")) as { urdf: string };
const upload = { name: "my-arm", urdf: readFileSync(join(folder, sidecar.urdf), "utf8"), sidecar };

let app: ServiceInstance;
beforeAll(async () => {
  const options = serviceOptions("service.maxRobots=2", "planning.workers=1");
  app = await createService({ ...options, resources: allResources });
});
afterAll(() => app.close());

const post = (body: object) => app.inject({ method: "POST", url: "/v1/robots", payload: body });
const remove = (name: string) => app.inject({ method: "DELETE", url: `/v1/robots/${name}` });

/** Links of a chain, each with a shape; the first one hangs on link -1. */
function chain(from: number, to: number): string {
  const link = (k: number) =>
    `<link name="l${k}"><visual><geometry><box size="1 1 1"/></geometry></visual></link><joint name="j${k}" type="revolute"><parent link="l${k - 1}"/><child link="l${k}"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>`;
  return Array.from({ length: to - from }, (_, k) => link(from + k)).join("");
}

describe("POST /v1/robots", () => {
  it("adds a robot, for which plans can be asked for, and DELETE removes it", async () => {
    const added = await post(upload);
    expect(added.statusCode).toBe(201);
    expect(added.headers.location).toBe("/v1/robots/my-arm");
    expect(added.json<{ findings: { severity: string }[] }>().findings.map(({ severity }) => severity)).not.toContain(
      "error",
    );
    expect((await app.inject("/v1/robots")).json<{ robots: { name: string }[] }>().robots).toContainEqual({
      name: "my-arm",
      url: "/v1/robots/my-arm",
    });
    expect((await app.inject("/v1/robots/my-arm/scene")).statusCode).toBe(200);
    const request = { ...exampleRequest(loadRobot("lwr-arm")), robot: "my-arm" };
    const planned = await app.inject({ method: "POST", url: "/v1/plan", payload: request });
    expect(planned.json()).toMatchObject({ robot: "my-arm", catch: { time: expect.any(Number) as number } });

    expectProblem(await post(upload), "FLY_ROBOT_EXISTS", 409);
    expect((await remove("my-arm")).statusCode).toBe(204);
    expectProblem(await remove("my-arm"), "FLY_ROBOT_UNKNOWN", 404);
    const refused = await app.inject({ method: "POST", url: "/v1/plan", payload: request });
    expectProblem(refused, "FLY_ROBOT_UNKNOWN", 404);
  });

  it("gives a robot that comes again under its name its own plans", async () => {
    await post(upload);
    const request = { ...exampleRequest(loadRobot("lwr-arm")), robot: "my-arm" };
    const plan = async () =>
      (await app.inject({ method: "POST", url: "/v1/plan", payload: request })).json<{ catch?: { time: number } }>();
    expect((await plan()).catch).toBeDefined();
    await remove("my-arm");
    // The same arm, but so slow that it comes too late.
    await post({ ...upload, urdf: upload.urdf.replaceAll(/velocity="[\d.]+"/g, 'velocity="0.01"') });
    expect((await plan()).catch).toBeUndefined();
    await remove("my-arm");
  });

  it("keeps nothing of a robot that cannot be loaded", async () => {
    const folders = robotFolders();
    expectProblem(await post({ ...upload, urdf: "<robot" }), "FLY_URDF_MALFORMED", 422);
    expectProblem(await post({ ...upload, sidecar: { groups: 3 } }), "FLY_SIDECAR_INVALID", 422);
    expectProblem(await app.inject("/v1/robots/my-arm"), "FLY_ROBOT_UNKNOWN", 404);
    expect(robotFolders()).toEqual(folders);
  });

  it("refuses two files of one name, a folder where a file is, and a key that leads to a prototype", async () => {
    for (const files of [{ "robot.json": "AAAA" }, { "robot.urdf": "" }, { a: "AAAA", "a/b": "AAAA" }]) {
      expectProblem(await post({ ...upload, files }), "FLY_HTTP_REQUEST_INVALID", 400);
    }
    const text = JSON.stringify(upload).replace('"sidecar":{', '"sidecar":{"__proto__":{"x":1},');
    const headers = { "content-type": "application/json" };
    const raw = await app.inject({ method: "POST", url: "/v1/robots", headers, payload: text });
    expectProblem(raw, "FLY_JSON_MALFORMED", 400);
    expectProblem(await app.inject({ method: "POST", url: "/v1/robots" }), "FLY_JSON_MALFORMED", 400);
  });

  it("reads a robot in another thread: the service does other things meanwhile", async () => {
    const urdf = `<robot name="r"><link name="l-1"/>${chain(0, 900)}</robot>`;
    let isAnswered = false;
    const heavy = post({ name: "heavy", urdf, sidecar: { schemaVersion: 1, description: "" } }).finally(() => {
      isAnswered = true;
    });
    let turns = 0;
    for (; !isAnswered; turns++) await new Promise(setImmediate);
    expect((await heavy).statusCode).toBe(201);
    // On the service's own thread the loop would turn some twenty times.
    expect(turns).toBeGreaterThan(300);
    expect((await app.inject("/v1/robots/heavy/scene")).json<{ links: object[] }>().links).toHaveLength(901);
    await remove("heavy");
    const longer = urdf.replace("</robot>", `${chain(900, 1100)}</robot>`);
    const refused = await post({ name: "heavy", urdf: longer, sidecar: { schemaVersion: 1, description: "" } });
    expectProblem(refused, "FLY_URDF_TOO_LARGE", 413);
  });

  it.each(["../up", "a/../../b", "/etc/x", ".hidden", "a//b", ""])("refuses a file named %j", async (path) => {
    expectProblem(await post({ ...upload, files: { [path]: "AAAA" } }), "FLY_HTTP_REQUEST_INVALID", 400);
  });

  it.each(["../up", "a/b", "", "a".repeat(200), "robot\0"])("refuses the name %j", async (name) => {
    expectProblem(await post({ ...upload, name }), "FLY_HTTP_REQUEST_INVALID", 400);
  });

  it("keeps as many as configured, and deletes none that is shipped", async () => {
    await post(upload);
    await post({ ...upload, name: "second" });
    expectProblem(await post({ ...upload, name: "third" }), "FLY_ROBOTS_FULL", 507);
    expectProblem(await remove("panda"), "FLY_ROBOT_NOT_UPLOADED", 404);
    await remove("my-arm");
    await remove("second");
  });
});
