import { defaultBall, gravity as earthGravity } from "../../flight/ball.js";
import type { Config } from "../../runtime/config-schema.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { DEFAULT_VELOCITY_SIGMA } from "../filter/ball-birth.js";
import { type BallFilterOptions, filterDefaults } from "../filter/ball-filter.js";

/**
 * What the tracker assumes of the world and of its detector. All of it enters one probability of all that was seen, so
 * each number can be measured, and none is a threshold of taste but the last three.
 */
export interface TrackerOptions extends Omit<BallFilterOptions, "relinearizations"> {
  /** That a ball in full view gives a circle. */
  readonly detectionProbability?: number;
  /** False circles in an image, on average; uniform in place and in radius between `falseRadii`. */
  readonly clutterPerImage?: number;
  /** Least and greatest radius of false circles [px]. */
  readonly falseRadii?: readonly [least: number, greatest: number];
  /** False points in a scan of motion capture, on average, in the room where balls are. */
  readonly clutterPerPointScan?: number;
  /** New balls in a scan, on average, in the room where balls are. */
  readonly birthsPerScan?: number;
  /** The room where balls are seen [m³]. */
  readonly roomVolume?: number;
  /** Share of true measurements that the gate lets pass. */
  readonly gateProbability?: number;
  /** Speed of a thrown ball, one standard deviation in each axis [m/s]. */
  readonly throwSpeed?: number;
  /** The same of a ball that is carried, rolls or rests, and of a lamp. */
  readonly carrySpeed?: number;
  /** White acceleration of what is carried [m/s²/√Hz]: of a swinging hand. */
  readonly carryNoise?: number;
  /** That something new flies rather than is carried. */
  readonly flyingPrior?: number;
  /** That something carried is thrown in a scan: flying is never less probable than that. */
  readonly throwProbability?: number;
  /** That something flying is caught, or lands, in a scan: carrying is never less probable than that. */
  readonly catchProbability?: number;
  /** How often a ball in view becomes hidden [1/s], and for how long on average [s]. */
  readonly occlusionRate?: number;
  readonly occlusionTime?: number;
  /** How often a ball goes away for good [1/s]. */
  readonly deathRate?: number;
  /** Probability that a ball has gone, from which it is given up. */
  readonly goneProbability?: number;
  /** Longest time without any measurement [s]. */
  readonly longestCoast?: number;
  /** Height of the floor in the world [m]: a flying ball that would be below it has landed. */
  readonly floorHeight?: number;
  /** Probability of flying from which a track counts as thrown. */
  readonly confirmProbability?: number;
  /** Scans with a measurement before a track can count as thrown. */
  readonly confirmScans?: number;
  /** Global hypotheses kept. */
  readonly maxHypotheses?: number;
  /** Tracks in one hypothesis. */
  readonly maxTracks?: number;
  /** Scans after which the best hypothesis' past is taken as settled. */
  readonly scanDepth?: number;
  /** Hypotheses less probable than the best by more than this factor are dropped. */
  readonly pruneRatio?: number;
  /** Scans that a late one may be older than: kept to be gone through again. */
  readonly lateScans?: number;
}

/** Options with nothing left open. */
export type TrackerSettings = Required<TrackerOptions>;

export const trackerDefaults = {
  detectionProbability: 0.95,
  clutterPerImage: 5,
  falseRadii: [3, 50],
  clutterPerPointScan: 0.1,
  birthsPerScan: 0.02,
  roomVolume: 60,
  gateProbability: 0.9999,
  accelerationNoise: filterDefaults.accelerationNoise,
  dragSigma: filterDefaults.dragSigma,
  poseInflation: filterDefaults.poseInflation,
  throwSpeed: DEFAULT_VELOCITY_SIGMA,
  carrySpeed: 1.2,
  carryNoise: 1.5,
  flyingPrior: 0.2,
  throwProbability: 1e-3,
  catchProbability: 1e-5,
  occlusionRate: 0.3,
  occlusionTime: 0.2,
  deathRate: 0.2,
  goneProbability: 0.95,
  longestCoast: 1,
  floorHeight: 0,
  confirmProbability: 0.99,
  confirmScans: 3,
  maxHypotheses: 64,
  maxTracks: 12,
  scanDepth: 5,
  pruneRatio: 1e5,
  lateScans: 4,
} as const satisfies TrackerOptions;

/** Least and greatest value of each number, both allowed. */
const ranges: { readonly [K in keyof TrackerOptions]?: readonly [least: number, greatest: number] } = {
  detectionProbability: [0.01, 0.9999],
  clutterPerImage: [1e-3, 1000],
  clutterPerPointScan: [1e-6, 1000],
  birthsPerScan: [1e-9, 10],
  roomVolume: [0.1, 1e6],
  gateProbability: [0.5, 1 - 1e-12],
  accelerationNoise: [0, 10],
  dragSigma: [0, 1],
  poseInflation: [0, 1000],
  throwSpeed: [0.1, 100],
  carrySpeed: [0.01, 100],
  carryNoise: [0.01, 100],
  flyingPrior: [1e-6, 1 - 1e-6],
  throwProbability: [1e-12, 0.1],
  catchProbability: [1e-12, 0.1],
  occlusionRate: [0, 100],
  occlusionTime: [0.001, 10],
  deathRate: [1e-6, 100],
  goneProbability: [0.5, 1 - 1e-9],
  longestCoast: [0.01, 10],
  floorHeight: [-1e6, 1e6],
  confirmProbability: [0.5, 1 - 1e-9],
  confirmScans: [2, 100],
  maxHypotheses: [1, 1024],
  maxTracks: [1, 64],
  scanDepth: [1, 20],
  pruneRatio: [1, 1e30],
  lateScans: [0, 20],
};

/** What a configuration says of the tracker. */
export function trackerOptionsOf({ tracking }: Config): TrackerOptions {
  return tracking;
}

/** Fills in the defaults and refuses what is out of range. */
export function settingsOf(options: TrackerOptions): TrackerSettings {
  const settings: TrackerSettings = { ball: defaultBall, gravity: earthGravity(), ...trackerDefaults, ...options };
  for (const [name, [least, greatest]] of Object.entries(ranges)) {
    const value = settings[name as keyof typeof ranges] as number;
    if (!(value >= least && value <= greatest)) throw outOfRange(name, `${least} to ${greatest}`, String(value));
  }
  for (const name of ["confirmScans", "maxHypotheses", "maxTracks", "scanDepth", "lateScans"] as const) {
    if (!Number.isInteger(settings[name])) throw outOfRange(name, "a whole number", String(settings[name]));
  }
  const [least, greatest] = settings.falseRadii;
  if (!(least >= 0 && greatest > least && greatest < 1e5)) {
    throw outOfRange("falseRadii", "0 ≤ least < greatest [px]", `${least}, ${greatest}`);
  }
  return settings;
}

function outOfRange(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_TRACKER_OPTIONS", "the tracker cannot be made", { path, expected, found });
}
