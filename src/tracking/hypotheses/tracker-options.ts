import { type Ball, defaultBall, gravity as earthGravity } from "../../flight/ball.js";
import { defined } from "../../runtime/defined.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { DEFAULT_VELOCITY_SIGMA } from "../filter/ball-birth.js";
import { type BallFilterOptions, filterDefaults } from "../filter/ball-filter.js";

/**
 * What the tracker assumes of the world and of its detector: default, least and greatest value, all allowed. All of it
 * enters one probability of all that was seen, so each number can be measured, and none is a threshold of taste but those of
 * confirmation and the sizes at the end.
 */
const assumptions = {
  /** That a ball in full view gives a circle. */
  detectionProbability: [0.95, 0.01, 0.9999],
  /** False circles in an image, on average; uniform in place and in radius between `falseRadii`. */
  clutterPerImage: [5, 1e-3, 1000],
  /** False points in a scan of motion capture, on average, in the room where balls are. */
  clutterPerPointScan: [0.1, 1e-6, 1000],
  /** How often points of motion capture become outliers [1/s], for how long [s], and by how many times their sigma. */
  outlierRate: [0.2, 0, 100],
  outlierTime: [0.01, 1e-3, 1],
  outlierFactor: [10, 1, 1000],
  /** The part of a point's error that lasts, at most its sigma [m], and for how long [s]. */
  pointBias: [0.001, 0, 1],
  pointBiasTime: [0.025, 1e-4, 10],
  /** New balls a second, on average, in the room where balls are. */
  birthRate: [0.5, 1e-9, 100],
  /** The room where balls are seen [m³]. */
  roomVolume: [60, 0.1, 1e6],
  /** Share of true measurements that the gate lets pass. */
  gateProbability: [0.9999, 0.5, 1 - 1e-12],
  accelerationNoise: [filterDefaults.accelerationNoise, 0, 10],
  dragSigma: [filterDefaults.dragSigma, 0, 1],
  liftSigma: [filterDefaults.liftSigma, 0, 100],
  poseInflation: [filterDefaults.poseInflation, 0, 1000],
  /** Speed of a thrown ball, one standard deviation in each axis [m/s]. */
  throwSpeed: [DEFAULT_VELOCITY_SIGMA, 0.1, 100],
  /** The same of a ball that is carried, rolls or rests, and of a lamp. */
  carrySpeed: [1.2, 0.01, 100],
  /** Acceleration of what is held, rolls or rests: standard deviation [m/s²] and correlation time [s]. */
  carryAcceleration: [1, 0.01, 100],
  carryTime: [0.3, 0.01, 10],
  /** The same of what a person who walks carries. */
  walkAcceleration: [6, 0.1, 1000],
  walkTime: [0.1, 0.01, 10],
  /** The same of a hand that swings or catches. */
  swingAcceleration: [30, 0.1, 1000],
  swingTime: [0.1, 0.01, 10],
  /** What the fingers change of the velocity as they let go, one standard deviation in each axis [m/s]. */
  releaseJump: [0.2, 0, 10],
  /** How long they take to let go: after this time a third of that change is still to come [s]. */
  releaseTime: [0.015, 1e-6, 1],
  /** What a catch, or the floor, changes of the velocity at once [m/s]. */
  catchJump: [2, 0, 100],
  /** That something new flies rather than is carried. */
  flyingPrior: [0.2, 1e-6, 1 - 1e-6],
  /** That something new which does not fly is carried by a person who walks, and that it is being swung. */
  walkPrior: [0.3, 1e-6, 0.9],
  swingPrior: [0.02, 1e-6, 0.09],
  /** How often something held or carried calmly is thrown, with no swing to be seen before [1/s]. */
  throwRate: [0.05, 0, 100],
  /** How often something swung is let go [1/s]. */
  releaseRate: [1, 0, 100],
  /** How often something that flies is caught, or lands [1/s]. */
  catchRate: [0.5, 0, 100],
  /** How often something that flies is touched, and flies on about as before [1/s]. */
  touchRate: [0.05, 0, 100],
  /** How often something that flies bounces off something level [1/s], and the shares of its speed that it keeps. */
  bounceRate: [0.1, 0, 100],
  restitution: [0.75, 0, 1],
  grip: [0.8, 0, 1],
  /** What is not known of these shares, one standard deviation. */
  bounceSigma: [0.1, 0, 1],
  /** How often a person begins to walk with what is held [1/s], and how often that stops. */
  walkRate: [0.5, 0, 100],
  restRate: [0.5, 0, 100],
  /** How often a hand begins to swing what it carries [1/s], and how often it ends. */
  swingRate: [0.5, 0, 100],
  calmRate: [3, 0, 100],
  /** How often a ball in view becomes hidden [1/s], and for how long on average [s]. */
  occlusionRate: [0.3, 0, 100],
  occlusionTime: [0.2, 0.001, 10],
  /** How often a ball goes away for good [1/s]. */
  deathRate: [0.2, 1e-6, 100],
  /** Probability that a ball has gone, from which it is given up. */
  goneProbability: [0.95, 0.5, 1 - 1e-9],
  /** Longest time without any measurement [s]. */
  longestCoast: [1, 0.01, 10],
  /** Height of the floor in the world [m]: a flying ball that would be below it has landed. */
  floorHeight: [0, -1e6, 1e6],
  /** Probability of flying from which a track counts as thrown. */
  confirmProbability: [0.99, 0.5, 1 - 1e-9],
  /** Scans with a measurement before a track can count as thrown. */
  confirmScans: [3, 2, 100],
  /** Time since the release before it can [s]: for a moment a hand may move as a flying ball does. */
  confirmTime: [0.04, 0, 1],
  /** Global hypotheses kept. */
  maxHypotheses: [64, 1, 1024],
  /** Tracks in one hypothesis. */
  maxTracks: [12, 1, 64],
  /** Scans after which the best hypothesis' past is taken as settled. */
  scanDepth: [5, 1, 20],
  /** Hypotheses less probable than the best by more than this factor are dropped. */
  pruneRatio: [1e5, 1, 1e30],
  /** Scans that a late one may be older than: kept to be gone through again. */
  lateScans: [4, 0, 20],
} as const satisfies Record<string, readonly [value: number, least: number, greatest: number]>;

type Assumptions = { readonly [K in keyof typeof assumptions]?: number };

/** What may be said to the tracker; everything left out has its default, sigmas of drag and lift that of the ball. */
export interface TrackerOptions extends Assumptions, Omit<BallFilterOptions, "relinearizations"> {
  /** Least and greatest radius of false circles [px]. */
  readonly falseRadii?: readonly [least: number, greatest: number];
}

/** Options with nothing left open. */
export type TrackerSettings = Required<TrackerOptions>;

export const trackerDefaults = {
  ...(Object.fromEntries(Object.entries(assumptions).map(([name, [value]]) => [name, value])) as Required<Assumptions>),
  falseRadii: [3, 50],
} as const satisfies TrackerOptions;

/** Least and greatest value of each setting that is a number, by name. */
export const trackerRanges: ReadonlyMap<string, readonly [least: number, greatest: number]> = new Map(
  Object.entries(assumptions).map(([name, [, least, greatest]]) => [name, [least, greatest]]),
);

/** Fills in the defaults, the ball's own first, and refuses what is out of range. */
export function settingsOf(options: TrackerOptions): TrackerSettings {
  const { ball = defaultBall } = options;
  const defaults = { ...trackerDefaults, ...flightPriors(ball) };
  const settings: TrackerSettings = { ball, gravity: earthGravity(), ...defaults, ...options };
  for (const [name, [, least, greatest]] of Object.entries(assumptions)) {
    const value = settings[name as keyof typeof assumptions];
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

/** How well the flight of a ball is known beforehand. */
function flightPriors({ dragSigma, liftSigma }: Ball): Pick<TrackerOptions, "dragSigma" | "liftSigma"> {
  return defined({ dragSigma, liftSigma });
}

function outOfRange(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_TRACKER_OPTIONS", "the tracker cannot be made", { path, expected, found });
}
