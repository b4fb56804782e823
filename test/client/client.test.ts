import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { WebSocket } from "ws";
import { FlycatcherClient, type PlanRequest, type Recording, ServiceProblem } from "../../src/client/client.js";
import type * as planning from "../../src/index.js";
import { exampleRequest } from "../../src/planning/request/example-request.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { robotsFolder } from "../../src/robot/loading/robot-folders.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { allResources } from "../../src/service/service.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { type ApiDocument, readApiDocument } from "../../tools/client/api-document.js";
import { serviceOptions } from "../service/make-service.js";
import { TrialSession } from "../service/trial-session.js";

const token = "a-token-of-the-test-long-enough";
const ajv = new Ajv2020.default({ strict: false });
const lwr = loadRobot("lwr-arm");

let document: ApiDocument;
let service: RunningService;
let client: FlycatcherClient;
/** Operations that were called, by their names. */
const called = new Set<string>();

/** Notes each operation, and checks its answer in JSON against the schema that OpenAPI has for it. */
async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { pathname } = new URL(String(input));
  const matching = Object.keys(document.paths).filter((path) => pathOf(path).test(pathname));
  const path = matching.find((candidate) => candidate === pathname) ?? matching[0]!;
  const operation = document.paths[path]![String(init?.method).toLowerCase()]!;
  called.add(operation.operationId);
  const answer = operation.responses[String(response.status)] ?? operation.responses.default;
  const mediaType = response.headers.get("content-type")?.split(";", 1)[0] ?? "";
  const schema = answer?.content?.[mediaType]?.schema;
  if (response.status !== 204) expect(schema, `${operation.operationId}: ${mediaType}`).toBeDefined();
  if (/\bjson$/.test(mediaType) && mediaType !== "application/x-ndjson") {
    const value: unknown = await response.clone().json();
    const isValid = ajv.validate({ ...schema, components: document.components }, value);
    expect(isValid, `${operation.operationId}: ${ajv.errorsText()}`).toBe(true);
  }
  return response;
}

function pathOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

beforeAll(async () => {
  document = await readApiDocument();
  const options = serviceOptions(`service.token=${token}`);
  service = await startService({ ...options, resources: allResources, live: new SessionSlot(new TrialSession()) });
  client = new FlycatcherClient({ address: service.address, token, fetch: checkedFetch });
});
afterAll(() => service.close());

describe("the client", () => {
  it("asks whether the service lives and is ready, and for its metrics", async () => {
    expect(await client.getHealth()).toMatchObject({ status: "ok" });
    expect((await client.getReadiness()).components).toContain("planning");
    expect(await client.getMetrics()).toContain("# HELP");
  });

  it("plans one catch, a motion, and many catches", async () => {
    const request: PlanRequest = exampleRequest(lwr);
    expect((await client.planCatch(request)).catch?.joints).toHaveLength(7);
    const motion = await client.planMotion({ robot: "lwr-arm", goal: { joints: { arm1: 0.4 } } });
    expect(motion).toMatchObject({ status: "planned", groups: ["arm"] });
    const lines = await collected(client.planBatch([request, { ...request, robot: "nobody" }]));
    expect(lines.map(({ index }) => index).sort()).toEqual([0, 1]);
    expect(lines.find(({ index }) => index === 1)?.problem?.code).toBe("FLY_ROBOT_UNKNOWN");
  });

  it("lists, describes, adds and removes robots, and computes with them", async () => {
    expect((await client.listRobots()).robots.map(({ name }) => name)).toContain("lwr-arm");
    expect((await client.getRobot("lwr-arm")).joints.length).toBeGreaterThan(6);
    expect((await client.getRobotScene("lwr-arm")).links.length).toBeGreaterThan(6);
    const folder = join(robotsFolder, "lwr-arm");
    const sidecar = JSON.parse(readFileSync(join(folder, "robot.json"), "utf8")) as { urdf: string };
    const urdf = readFileSync(join(folder, sidecar.urdf), "utf8");
    expect((await client.addRobot({ name: "client-arm", urdf, sidecar })).url).toBe("/v1/robots/client-arm");
    await client.deleteRobot("client-arm");
    const { links } = await client.forwardKinematics("lwr-arm", {});
    const position = Object.values(links).at(-1)!.position;
    expect((await client.inverseKinematics("lwr-arm", { position })).status).not.toBe("");
    const { results } = await client.checkCollisions("lwr-arm", { configurations: [{}] });
    expect(results).toHaveLength(1);
  });

  it("uploads, lists, returns, replays and deletes recordings", async () => {
    const bytes = new Uint8Array(readFileSync(join(packageRoot, "data", "throws", "points", "01.mcap")));
    const { id }: Recording = await client.uploadRecording(bytes);
    expect((await client.listRecordings()).recordings.map((one) => one.id)).toContain(id);
    expect((await client.getRecording(id)).origin).toBe("uploaded");
    expect(await client.getRecordingFile(id)).toEqual(bytes);
    const replay = await client.startReplay({ recordings: [id], detail: "brief" });
    const events = await collected(client.followReplay(replay.id));
    expect(events.at(-1)).toMatchObject({ event: "done", data: { id: replay.id, progress: 1 } });
    expect((await client.getReplay(replay.id)).state).toBe("done");
    expect(await client.getReplayReport(replay.id)).toContain("<html");
    expect(await client.getReplayResult(replay.id)).toHaveProperty("summary");
    await client.deleteReplay(replay.id);
    await client.deleteRecording(id);
  });

  it("begins a calibration, throws why there is no report yet, and ends it", async () => {
    const { id, state } = await client.startCalibration({ configurations: 6 });
    expect(state).toBe("running");
    expect((await client.getCalibration(id)).progress).toBeLessThanOrEqual(1);
    await expect(client.getCalibrationReport(id)).rejects.toMatchObject({ code: "FLY_CALIBRATION_UNKNOWN" });
    await client.deleteCalibration(id);
  });

  it("steers the live run", async () => {
    expect(await client.getLive()).toHaveProperty("hello");
    expect(await client.getLiveSchemas()).toHaveProperty("hello");
    expect((await client.throwBalls({ balls: 1 })).balls).not.toEqual([]);
    expect(await client.changeLiveSettings({ paused: true })).toBeDefined();
    await client.stepLiveRun({ ticks: 5 });
    expect(await client.recordLiveRun({ on: true })).toBeDefined();
    expect(await client.stopRobot()).toHaveProperty("braked");
    await client.resetRobot();
    expect((await client.controlNode("tracker", { action: "restart" })).nodes).not.toEqual([]);
    expect(await client.traceNodes({ seconds: 0.1 })).toHaveProperty("traceEvents");
    const colour = { red: 1, green: 0, blue: 0, offset: 0, contrast: 60 };
    expect(await client.setBallColour(colour)).toEqual(colour);
    expect((await client.learnBallColour({ images: [markedImage()] })).colour.red).not.toBe(0);
  });

  it("has called every operation by now", () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect([...called].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it("opens the stream of the live run", async () => {
    const { url, protocols } = client.liveStream();
    const socket = new WebSocket(url, [...protocols]);
    const first = await new Promise((resolve, reject) => {
      socket.once("message", (data) => resolve(JSON.parse(String(data))));
      socket.once("error", reject);
    });
    socket.close();
    expect(first).toMatchObject({ type: "hello" });
  });

  it("throws the service's problem, with its code", async () => {
    const wrong = client.planCatch({ ball: { state: { position: [1, 2], velocity: [0, 0, 0] } } });
    const problem = await wrong.catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ServiceProblem);
    expect(problem).toMatchObject({ code: "FLY_HTTP_REQUEST_INVALID", status: 400 });
    const stranger = new FlycatcherClient({ address: service.address });
    await expect(stranger.listRobots()).rejects.toMatchObject({ code: "FLY_HTTP_TOKEN_WRONG" });
  });

  it("says so where the answer is not the service's", async () => {
    const proxy = async () => new Response("<html>Bad gateway", { status: 502 });
    const behind = new FlycatcherClient({ fetch: proxy });
    await expect(behind.getHealth()).rejects.toMatchObject({ status: 502, problem: { detail: "<html>Bad gateway" } });
  });

  it("joins lines that come in pieces, and ends the request when its reader stops", async () => {
    let isCancelled = false;
    const pieces = ['{"index":0}\n{"in', 'dex":1}\n{"index":2}\n'].map((piece) => new TextEncoder().encode(piece));
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(pieces.shift() ?? new TextEncoder().encode('{"index":9}\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    const behind = new FlycatcherClient({ fetch: async () => new Response(body) });
    const seen: number[] = [];
    for await (const { index } of behind.planBatch([])) if (seen.push(index) === 3) break;
    expect(seen).toEqual([0, 1, 2]);
    expect(isCancelled).toBe(true);
  });

  it("takes the library's requests and gives its answers", () => {
    expectTypeOf<planning.PlanRequest>().toExtend<PlanRequest>();
    expectTypeOf<Awaited<ReturnType<FlycatcherClient["planCatch"]>>>().toExtend<planning.PlanAnswer>();
  });
});

async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** A red ball before gray. */
function markedImage() {
  const [width, height] = [40, 30];
  const ball = { u: 20, v: 15, r: 8 };
  const pixels = Buffer.alloc(3 * width * height, 90);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      if (Math.hypot(u - ball.u, v - ball.v) < ball.r) pixels.set([220, 30, 30], 3 * (v * width + u));
    }
  }
  return { width, height, pixels: pixels.toString("base64"), balls: [ball] };
}
