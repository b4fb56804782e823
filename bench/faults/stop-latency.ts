import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { quantiles } from "../../src/math/statistics.js";
import type { StopAnswer } from "../../src/transport/stop-report.js";
import { send } from "./http-request.js";

/** Where a live run is stopped and let go. */
export interface StoppedRun {
  /** The stop listener: `stop.url` of `GET /v1/live`. */
  readonly stopUrl: string;
  /** The service. */
  readonly serviceUrl: string;
}

/** How quickly the robot was stopped. */
export interface Stops {
  /** From the arrival of each request to the braking command [ms]. */
  readonly afterMs: readonly number[];
  /** Stops for which no braking command is known to have left. */
  readonly unconfirmed: number;
}

/** Stops the robot again and again, and lets it go in between; what loads the service meanwhile is the caller's. */
export async function measureStops(
  { stopUrl, serviceUrl }: StoppedRun,
  { stops, pauseMs }: { readonly stops: number; readonly pauseMs: number },
): Promise<Stops> {
  const afterMs: number[] = [];
  let unconfirmed = 0;
  for (let k = 0; k < stops; k++) {
    // By a connection of its own, as a button does: one that waits unused gives way where all places are taken.
    const { braked } = JSON.parse((await send(stopUrl, { method: "POST" })).text) as StopAnswer;
    if (braked === null) unconfirmed++;
    else afterMs.push(braked.afterMs);
    await send(`${serviceUrl}/v1/live/reset`, { method: "POST" });
    await pause(pauseMs);
  }
  return { afterMs, unconfirmed };
}

export function joinStops(all: readonly Stops[]): {
  stop_ms_p99: number;
  stop_ms_max: number;
  stops_unconfirmed: number;
} {
  const [p99 = Number.NaN, max = Number.NaN] = quantiles(
    all.flatMap(({ afterMs }) => afterMs),
    [0.99, 1],
  );
  const unconfirmed = all.reduce((sum, stops) => sum + stops.unconfirmed, 0);
  return { stop_ms_p99: p99, stop_ms_max: max, stops_unconfirmed: unconfirmed };
}

/** Descriptors that a process holds, by default this one; 0 where the system does not say. `descriptors_leaked` is the difference of two. */
export function openDescriptors(pid: number | "self" = "self"): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
