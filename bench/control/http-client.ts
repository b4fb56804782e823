import { readFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { packageRoot } from "../../src/runtime/package-root.js";

/**
 * A client in a process of its own: asks the service at the address given for warm plans, at the rate and for the seconds
 * given, and prints what came of it as one line of JSON.
 */
const [address = "", rate = "100", seconds = "60"] = process.argv.slice(2);
const url = `${address}/v1/plan`;
const headers = { "content-type": "application/json" };
/** What a plan of the load may take [ms]. */
const BUDGET_MS = 2;

interface Answer {
  readonly group: string;
  readonly catch: { readonly joints: readonly number[]; readonly time: number };
}

/** The shipped request, with the catch that a first answer gave as a start. */
async function warmRequest(): Promise<string> {
  const request = JSON.parse(readFileSync(join(packageRoot, "data", "requests", "agile-justin.json"), "utf8"));
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request) });
  const { group, catch: found } = (await response.json()) as Answer;
  const near = { joints: found.joints, time: found.time };
  return JSON.stringify({ ...request, group, near, budget: { milliseconds: BUDGET_MS } });
}

const result = await autocannon({
  url,
  method: "POST",
  headers,
  body: await warmRequest(),
  connections: 8,
  overallRate: Number(rate),
  duration: Number(seconds),
});
const { latency, requests } = result;
const turnedAway = result.statusCodeStats?.["429"]?.count ?? 0;
const figures = { asked: requests.sent, answered: result["2xx"], turnedAway, p50: latency.p50, p99: latency.p99 };
process.stdout.write(`${JSON.stringify(figures)}\n`);
