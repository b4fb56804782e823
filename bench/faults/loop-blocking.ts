import { request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { resolveConfig } from "../../src/runtime/config.js";
import { createLogger } from "../../src/runtime/logger.js";
import { startService } from "../../src/service/start-service.js";

/** A request that once held the service's event loop for long. */
export interface HeavyRequest {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface LoopBlocking {
  readonly name: string;
  /** Longest time for which the event loop did nothing else while the request was sent and answered [ms]. */
  readonly blockedMs: number;
  readonly status: number;
}

const SETTLE_MS = 10;
const json = "application/json";
const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** A robot that is sent: `name` of the request, not of the robot. */
function robot(name: string, parts: object): HeavyRequest {
  const body = { name: "heavy", sidecar: { schemaVersion: 1, description: "" }, ...parts };
  return { name, path: "/v1/robots", type: json, body: asJson(body) };
}

/** A chain of links with a mesh each, twenty different ones. */
function chainOf(links: number): string {
  const link = (k: number) =>
    `<link name="l${k}"><visual><geometry><mesh filename="m${k % 20}.stl"/></geometry></visual></link>${
      k === 0 ? "" : `<joint name="j${k}" type="fixed"><parent link="l${k - 1}"/><child link="l${k}"/></joint>`
    }`;
  return `<robot name="heavy">${Array.from({ length: links }, (_, k) => link(k)).join("")}</robot>`;
}

/** Meshes of a megabyte each, in Base64. */
function meshesOf(count: number): Record<string, string> {
  const triangles = 20_000;
  const bytes = Buffer.alloc(84 + 50 * triangles);
  bytes.writeUInt32LE(triangles, 80);
  for (let k = 0; k < triangles; k++)
    for (let i = 0; i < 9; i++) bytes.writeFloatLE((k * i) % 7, 84 + 50 * k + 12 + 4 * i);
  const text = bytes.toString("base64");
  return Object.fromEntries(Array.from({ length: count }, (_, k) => [`m${k}.stl`, text]));
}

/** Lists as long as a body of 1 MB holds, wrong and right, where schemas have lists. */
export function heavyRequests(): readonly HeavyRequest[] {
  const plan = (name: string, value: unknown): HeavyRequest => ({
    name,
    path: "/v1/plan",
    type: json,
    body: asJson(value),
  });
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, k) => [`key${k}`, 1]));
  return [
    plan("one word many times", { ball: {}, verify: new Array(100_000).fill("limits") }),
    plan("many unknown keys", { ball: {}, ...keys }),
    plan("many joints by name", { ball: {}, start: { position: keys } }),
    plan("rows of a covariance", { ball: { state: { covariance: new Array(40_000).fill([0, 0, 0, 0, 0, 0]) } } }),
    plan("too many samples", { ball: { samples: new Array(300_000).fill(1) } }),
    plan("wrong samples", { ball: { samples: new Array(10_000).fill({ time: "x", position: [1, 2, "3"] }) } }),
    plan("a long text", { robot: "x".repeat(1_000_000), ball: {} }),
    { name: "a batch of ones", path: "/v1/plan/batch", type: json, body: asJson(new Array(500_000).fill(1)) },
    { name: "a batch of nothing", path: "/v1/plan/batch", type: json, body: asJson(new Array(1000).fill({})) },
    {
      name: "recordings to replay",
      path: "/v1/replays",
      type: json,
      body: asJson({ recordings: new Array(200_000).fill("") }),
    },
    robot("a robot of many links", { urdf: chainOf(990) }),
    robot("a robot of too many links", { urdf: chainOf(4000) }),
    robot("a robot with large meshes", { urdf: chainOf(3), files: meshesOf(20) }),
    robot("a robot that is none", { urdf: "x".repeat(20_000_000) }),
    robot("a sidecar of many keys", { urdf: chainOf(3), sidecar: { schemaVersion: 1, description: "", parts: keys } }),
    { name: "no recording", path: "/v1/recordings", type: "application/octet-stream", body: Buffer.alloc(1_000_000) },
  ];
}

/** Sends each request to a service of this process, and measures for how long nothing else was done meanwhile. */
export async function measureLoopBlocking(rounds = 3): Promise<readonly LoopBlocking[]> {
  const overrides = ["service.port=0", "log.level=silent", "planning.workers=1"];
  const config = resolveConfig({ profile: "serve", overrides });
  const service = await startService({ config, logger: createLogger(config.log) });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  try {
    const results: LoopBlocking[] = [];
    // The first round compiles; the shortest of the others is the request's own, and not the machine's.
    for (const heavy of heavyRequests()) {
      let [blockedMs, status] = [Number.POSITIVE_INFINITY, 0];
      for (let round = 0; round < rounds; round++) {
        delay.reset();
        delay.enable();
        // Delays are counted between two timers: one must have been before, and one must come after.
        await pause(SETTLE_MS);
        status = await send(service.port, heavy);
        await pause(SETTLE_MS);
        delay.disable();
        if (heavy.path === "/v1/robots")
          await fetch(`http://127.0.0.1:${service.port}/v1/robots/heavy`, { method: "DELETE" });
        if (round > 0) blockedMs = Math.min(blockedMs, delay.max / 1e6);
      }
      results.push({ name: heavy.name, blockedMs, status });
    }
    return results;
  } finally {
    await service.close();
  }
}

function send(port: number, { path, type, body }: HeavyRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, "content-length": body.length };
    const sent = request({ port, path, method: "POST", headers, host: "127.0.0.1" }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
