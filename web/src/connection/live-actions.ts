import type { BallColour } from "../../../src/messages/sensing.js";
import type { SessionSettings } from "../../../src/messages/session.js";
import type { NodeAction, SwitchedThread } from "../../../src/run/thread-switch.js";
import type { StopAnswer } from "../../../src/transport/stop-report.js";
import type { ThrowRequest } from "../../../src/view/session.js";
import { send, sendForJson } from "./service-request.js";
import { stopListener } from "./stop-listener.js";

/** What a person may do with a live run: docs/streams.md, "Acting". */

/** A stop listener that has not answered by then is not waited for alone [ms]. */
const FALLBACK_MS = 200;

/**
 * Stops the robot. Nothing may come before the request. It goes to the stop listener, whose thread does nothing else, and to the
 * service if that fails or says nothing for long; the first answer counts.
 */
export async function stopRobot(): Promise<StopAnswer> {
  const byService = (): Promise<StopAnswer> => sendForJson("/v1/live/stop", { method: "POST" });
  const address = stopListener();
  if (address === null) return byService();
  const direct = sendForJson<StopAnswer>(address, { method: "POST" });
  const late = new Promise<"late">((resolve) => setTimeout(resolve, FALLBACK_MS, "late"));
  const first = await Promise.race([direct.catch(() => "late" as const), late]);
  return first === "late" ? Promise.any([direct, byService()]) : first;
}

export function resetRobot(): Promise<Response> {
  return send("/v1/live/reset", { method: "POST" });
}

export function throwBalls(request: ThrowRequest): Promise<{ readonly balls: readonly number[] }> {
  return sendForJson("/v1/live/throws", { method: "POST", json: request });
}

export type SettingsChange = Partial<Omit<SessionSettings, "recording">>;

export function changeSettings(change: SettingsChange): Promise<SessionSettings> {
  return sendForJson("/v1/live/settings", { method: "PATCH", json: change });
}

/** In lock-step, while paused. */
export function stepTime(ticks: number): Promise<Response> {
  return send("/v1/live/step", { method: "POST", json: { ticks } });
}

export function record(on: "on" | "off"): Promise<SessionSettings> {
  return sendForJson("/v1/live/recording", { method: "PUT", json: { on: on === "on" } });
}

/** In real time: stops, starts or restarts the thread of a node; settles when that is done. */
export function controlNode(name: string, action: NodeAction): Promise<SwitchedThread> {
  return sendForJson(`/v1/live/nodes/${encodeURIComponent(name)}`, { method: "POST", json: { action } });
}

/** What the nodes do in the next seconds: a file of Chrome's trace format. */
export async function takeTrace(seconds: number): Promise<Blob> {
  return (await send("/v1/live/trace", { method: "POST", json: { seconds } })).blob();
}

/** Pixels in base64. */
interface SentPixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: string;
}

/** An image in which a person has marked the ball. */
export interface MarkedPixels extends SentPixels {
  readonly balls: readonly { readonly u: number; readonly v: number; readonly r: number }[];
}

export interface LearntColour {
  readonly colour: BallColour;
  readonly preview: SentPixels;
  /** The ball with its colour, to be saved. */
  readonly profile: object;
}

export function learnColour(images: readonly MarkedPixels[]): Promise<LearntColour> {
  return sendForJson("/v1/live/colour/lesson", { method: "POST", json: { images } });
}

/** Lets the run look for balls of that colour. */
export function useColour(colour: BallColour): Promise<BallColour> {
  return sendForJson("/v1/live/colour", { method: "PUT", json: colour });
}
