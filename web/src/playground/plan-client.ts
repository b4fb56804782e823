import type { MotionAnswer } from "../../../src/planning/motions/motion-answer.js";
import type { MotionRequest } from "../../../src/planning/motions/motion-request.js";
import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { send, sendForJson } from "../connection/service-request.js";

/** A stretch of the ball's path, and whether the ball can be caught there. */
export interface FeasibleWindow {
  readonly from: number;
  readonly to: number;
  readonly answer: PlanAnswer;
}

export function plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
  return sendForJson("/v1/plan", { method: "POST", json: request, signal });
}

export function planMotion(request: MotionRequest): Promise<MotionAnswer> {
  return sendForJson("/v1/motions", { method: "POST", json: request });
}

/** Length of a window [s], and where windows lie: the arm needs some time, and no ball is caught later. */
const WINDOW = 0.05;
const EARLIEST = 0.1;
const LATEST = 1.8;

/** Starts of the search in one window: the window itself leaves little to search. */
const STARTS = 12;

/** Plans a catch in each short window of the flight, `told` of each as it is answered. */
export async function feasibleWindows(
  request: PlanRequest,
  lands: number,
  told: (window: FeasibleWindow) => void,
  signal: AbortSignal,
): Promise<void> {
  const end = Math.min(LATEST, lands);
  const count = Math.max(0, Math.ceil((end - EARLIEST) / WINDOW));
  const windows = Array.from({ length: count }, (_, k) => ({
    from: EARLIEST + k * WINDOW,
    to: Math.min(end, EARLIEST + (k + 1) * WINDOW),
  }));
  if (windows.length === 0) return;
  const requests = windows.map(({ from, to }) => ({
    ...request,
    mode: "soft",
    catchTime: { earliest: from, latest: to },
    budget: { starts: STARTS },
  }));
  const response = await send("/v1/plan/batch", { method: "POST", json: requests, signal });
  for await (const line of lines(response)) {
    const { index, answer } = JSON.parse(line) as { index: number; answer?: PlanAnswer };
    const window = windows[index];
    if (answer !== undefined && window !== undefined) told({ ...window, answer });
  }
}

/** The lines of an answer as they arrive. */
async function* lines(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter((line) => line !== "");
  }
  if (rest !== "") yield rest;
}
