import { readdirSync } from "node:fs";
import { quantiles } from "../../src/math/statistics.js";
import type { StopAnswer } from "../../src/transport/stop-report.js";

/** Where a live run is stopped and let go. */
export interface StoppedRun {
  /** The stop listener: `stop.url` of `GET /v1/live`. */
  readonly stopUrl: string;
  /** The service. */
  readonly serviceUrl: string;
}

/** How quickly the robot was stopped, from the arrival of a request to the braking command [ms]. */
export interface StopLatency {
  readonly stop_ms_p99: number;
  readonly stop_ms_max: number;
  /** Stops for which no braking command is known to have left. */
  readonly unconfirmed: number;
}

/** Stops the robot again and again, and lets it go in between; what loads the service meanwhile is the caller's. */
export async function measureStops(
  { stopUrl, serviceUrl }: StoppedRun,
  { stops, pauseMs }: { readonly stops: number; readonly pauseMs: number },
): Promise<StopLatency> {
  const latencies: number[] = [];
  let unconfirmed = 0;
  for (let k = 0; k < stops; k++) {
    const { braked } = (await (await fetch(stopUrl, { method: "POST" })).json()) as StopAnswer;
    if (braked === null) unconfirmed++;
    else latencies.push(braked.afterMs);
    await fetch(`${serviceUrl}/v1/live/reset`, { method: "POST" });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const [p99 = Number.NaN, max = Number.NaN] = quantiles(latencies, [0.99, 1]);
  return { stop_ms_p99: p99, stop_ms_max: max, unconfirmed };
}

/** Descriptors that this process holds; 0 where the system does not say. `descriptors_leaked` is the difference of two. */
export function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
