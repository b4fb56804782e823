import { ServiceError, send, sendForJson } from "../connection/service-request.js";

/** A recording the service has. */
export interface StoredRecording {
  readonly name: string;
  /** Size of the file [bytes]. */
  readonly bytes: number;
  readonly title?: string;
}

/** A replay that was asked for. */
export interface ReplayState {
  readonly id: string;
  readonly state: "running" | "done" | "failed";
  /** Share done, from 0 to 1. */
  readonly progress: number;
  readonly problem?: { readonly code: string; readonly detail: string };
}

/** What to change for a replay; everything else is as recorded. */
export interface ReplayWish {
  readonly recording: string;
  readonly mode?: string;
}

/** The recordings of the service; null if it keeps none. */
export async function storedRecordings(): Promise<readonly StoredRecording[] | null> {
  try {
    const { recordings } = await sendForJson<{ recordings: StoredRecording[] }>("/v1/recordings");
    return recordings;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}

export async function fetchRecording(name: string): Promise<Blob> {
  return (await send(`/v1/recordings/${encodeURIComponent(name)}`)).blob();
}

export function startReplay({ recording, mode }: ReplayWish): Promise<ReplayState> {
  const json = { recording, ...(mode !== undefined && { changes: { mode } }) };
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
