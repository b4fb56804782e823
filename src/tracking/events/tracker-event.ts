import type { Severity } from "../../messages/severity.js";

/** What the tracker tells, for programs. */
export type TrackerEventCode =
  | "track-born"
  | "track-confirmed"
  | "track-landed"
  | "track-lost"
  | "track-rejected"
  | "flight-unmodelled"
  | "camera-dead"
  | "camera-blind"
  | "camera-back"
  | "scan-late"
  | "scan-unusable"
  | "circles-invalid"
  | "ball-size";

/** Not about a ball. */
export const NO_TRACK = -1;

/** Something a person can follow, and why it happened. */
export interface TrackerEvent {
  /** Time of the scan that showed it [s]. */
  readonly time: number;
  readonly severity: Severity;
  readonly code: TrackerEventCode;
  /** Identity of the ball; `NO_TRACK` for none. */
  readonly track: number;
  readonly text: string;
}

export type TrackerEventSink = (event: TrackerEvent) => void;
