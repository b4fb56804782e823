import { ServiceError, send, sendForJson } from "../connection/service-request.js";
import type { ReplayChanges } from "./replay-parameters.js";

/** A recording the service has: docs of `GET /v1/recordings`. */
export interface StoredRecording {
  readonly id: string;
  readonly origin: "uploaded" | "shipped";
  readonly title: string;
  readonly robot: string | null;
  readonly perception: string;
  /** [s] */
  readonly duration: number;
}

/** A replay that was asked for. */
export interface ReplayState {
  readonly id: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  /** Share done, from 0 to 1. */
  readonly progress: number;
  readonly problem?: { readonly code: string; readonly detail: string };
}

/** The recordings of the service; null if it keeps none. */
export async function storedRecordings(): Promise<readonly StoredRecording[] | null> {
  try {
    return (await sendForJson<{ recordings: StoredRecording[] }>("/v1/recordings")).recordings;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}

/** The MCAP file of a recording. */
export async function fetchRecording(id: string): Promise<Blob> {
  return (await send(`/v1/recordings/${encodeURIComponent(id)}/file`)).blob();
}

/** Hands a file to the service, which then can replay it; its identity there. */
export async function uploadRecording(file: Blob): Promise<string> {
  return (await sendForJson<StoredRecording>("/v1/recordings", { method: "POST", bytes: file })).id;
}

export function startReplay(recording: string, changes: ReplayChanges): Promise<ReplayState> {
  const json = { recordings: [recording], ...changes };
  return sendForJson("/v1/replays", { method: "POST", json });
}

/** How often a running replay is asked about [ms]. */
const ASK_MS = 400;

/** Follows a replay until it is over, telling its progress. */
export async function followReplay(first: ReplayState, told: (state: ReplayState) => void): Promise<ReplayState> {
  let state = first;
  told(state);
  while (state.state === "running") {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    state = await sendForJson<ReplayState>(`/v1/replays/${encodeURIComponent(state.id)}`);
    told(state);
  }
  return state;
}

/** The report of a replay as a web page. */
export async function replayReport(id: string): Promise<Blob> {
  const response = await send(`/v1/replays/${encodeURIComponent(id)}/report`);
  return new Blob([await response.arrayBuffer()], { type: "text/html" });
}
