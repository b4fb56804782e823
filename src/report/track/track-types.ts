import type { Ball } from "../../flight/ball.js";
import type { Quantiles } from "../../messages/session.js";
import type { ReplayInput } from "../../run/replay/replay-settings.js";
import type { Triple } from "../report-types.js";

/** What predictions are held against: samples as they were measured later, or the flight smoothed through all of them. */
export const truthKinds = ["raw", "smoothed"] as const;
export type TruthKind = (typeof truthKinds)[number];

/** Predictions of one time ahead. */
export interface HorizonReport {
  /** [s] */
  readonly ahead: number;
  readonly predictions: number;
  /** Distance from where the ball was [mm]. */
  readonly errorMm: Quantiles | null;
  /** Mean of the squared error by the predicted covariance and that of the truth, per degree of freedom; 1 is consistent. */
  readonly nees: number | null;
}

/** Which ball a track followed, by the file's markers or by the true flights. */
export interface IdentityReport {
  /** Scans by label. */
  readonly labels: Readonly<Record<string, number>>;
  /** How often the label changed from one scan to the next. */
  readonly switches: number;
}

/** One ball that was confirmed as thrown. Times on the recording's clock [s]. */
export interface TrackedBallReport {
  readonly track: number;
  readonly bornAt: number;
  readonly confirmedAt: number;
  readonly until: number;
  /** Speed at the confirmation [m/s]. */
  readonly speed: number;
  /** Scans while it was confirmed. */
  readonly scans: number;
  /** The tracker's words about its end; null if it still flew. */
  readonly ended: string | null;
  readonly identity: IdentityReport | null;
  /** Chi-square of the smoothed flight per degree of freedom; null where there is none. */
  readonly chiSquare: number | null;
  readonly horizons: readonly HorizonReport[];
  /** Where it was: time, x, y, z. */
  readonly path: readonly (readonly [number, number, number, number])[];
}

/** The balls of one recording. */
export interface TrackFileReport {
  readonly file: string;
  readonly title: string;
  readonly input: ReplayInput;
  readonly truth: TruthKind;
  readonly ball: Ball;
  /** [m/s²] */
  readonly gravity: Triple;
  readonly from: number;
  readonly until: number;
  readonly problems: readonly string[];
  /** Tracks that were seen, of which thrown. */
  readonly born: number;
  readonly balls: readonly TrackedBallReport[];
  readonly horizons: readonly HorizonReport[];
  /** Events of the tracker that are warnings, and balls that do not fly as modelled. */
  readonly warnings: readonly string[];
}

/** The JSON of `flycatcher track --json`. */
export interface TrackReport {
  readonly version: number;
  readonly software: string;
  readonly files: readonly TrackFileReport[];
}
