import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { Metrics } from "../harness.js";

const CONNECTIONS = 8;
const WARM_UP_SECONDS = 3;
const SECONDS = 8;

/** Load on a service of its own process over loopback: the shipped request, with the catch it led to as a start. */
export async function measureHttp(): Promise<Metrics> {
  const service = spawn(
    process.execPath,
    [join(packageRoot, "dist", "bundle", "cli", "main.js"), "serve", "--port", "0"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  try {
    const url = `${await printedAddress(service)}/v1/plan`;
    const body = await warmRequest(url);
    const shot = {
      url,
      connections: CONNECTIONS,
      method: "POST" as const,
      headers: { "content-type": "application/json" },
      body,
    };
    await autocannon({ ...shot, duration: WARM_UP_SECONDS });
    const result = await autocannon({ ...shot, duration: SECONDS });
    return {
      http_plan_ms_p50: result.latency.p50,
      http_plan_ms_p99: result.latency.p99,
      http_plans_per_s: result["2xx"] / result.duration,
      http_rejected: result.non2xx,
    };
  } finally {
    service.kill("SIGINT");
    await once(service, "exit");
  }
}

/** The shipped request, with the catch that a first answer gave: the next prediction of the same ball asks like this. */
async function warmRequest(url: string): Promise<string> {
  const request = JSON.parse(readFileSync(join(packageRoot, "data", "requests", "agile-justin.json"), "utf8"));
  const ask = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) };
  const answer = (await (await fetch(url, ask)).json()) as { group: string; catch: { joints: number[]; time: number } };
  const { joints, time } = answer.catch;
  return JSON.stringify({ ...request, group: answer.group, near: { joints, time } });
}

async function printedAddress(service: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of service.stdout!) {
    text += String(chunk);
    const address = /http:\/\/\S+:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`the service ended without an address: ${text}`);
}
