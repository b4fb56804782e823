import type { StopAddress } from "../../../src/transport/stop-report.js";
import { sendForJson } from "./service-request.js";

let address: string | null = null;
let heartbeatMs = 0;

/** Finds out where the run's stop is listened for; to be called before it is needed. */
export async function findStopListener(): Promise<void> {
  const { stop = null } = await sendForJson<{ readonly stop?: StopAddress | null }>("/v1/live");
  heartbeatMs = stop?.heartbeatMs ?? 0;
  address = stop === null ? null : `http://${location.hostname}:${stop.port}/`;
}

/** Where a request stops the robot, without the service; null: it is not known, or there is none. */
export function stopListener(): string | null {
  return address;
}

/** Longest time between two heartbeats of this page, or the robot brakes [ms]; 0: none are expected. */
export function stopHeartbeatMs(): number {
  return heartbeatMs;
}
