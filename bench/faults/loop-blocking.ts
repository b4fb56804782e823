import { request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { resolveConfig } from "../../src/runtime/config.js";
import { createLogger } from "../../src/runtime/logger.js";
import { startService } from "../../src/service/start-service.js";

/** A request that once held the service's event loop for long. */
interface HeavyRequest {
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

const json = "application/json";
const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Lists as long as a body of 1 MB holds, wrong and right, where schemas have lists. */
function heavyRequests(): readonly HeavyRequest[] {
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
        status = await send(service.port, heavy);
        delay.disable();
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
