import { choice, f64, flag, u32 } from "../transport/channels/field.js";
import { group, list, meaning, optional, records, table } from "../transport/message.js";
import type { JsonField } from "../transport/message-json.js";
import { maxJoints, name, sentence } from "./parts.js";
import { catchMode } from "./planning.js";

/** What a page has to know of a live run: parts of the messages in `page.ts`. */

/** Room for what is counted or set by name, and for launches by name. */
const MAX_NAMES = 32;
/** Arms and hands of a robot. */
const MAX_GROUPS = 8;

const budgets = group({
  camera: meaning(f64, "from the exposure to the image's arrival [s]"),
  detection: meaning(f64, "circles in an image, from its arrival [s]"),
  tracking: meaning(f64, "detection and tracking, from the image's arrival to the prediction [s]"),
  firstPlan: meaning(f64, "a first plan, by global search [s]"),
  replan: meaning(f64, "another plan, from the one before [s]"),
  transport: meaning(f64, "from planner to control [s]"),
});
/** What each stage of a run may take, from an image to the command that follows from it [s]. */
export type LatencyBudgets = JsonField<typeof budgets>;

const control = choice({
  throw: 0,
  mode: 1,
  challenges: 2,
  automatic: 3,
  stop: 4,
  reset: 5,
  pause: 6,
  record: 7,
  nodes: 8,
  trace: 9,
  colour: 10,
});
/** What a page may do with a run. */
export type SessionControl = JsonField<typeof control>;

export const sessionFacts = group({
  robot: meaning(name, "name of the robot: `GET /v1/robots/{name}/scene` has its shapes"),
  clock: choice({ "real-time": 0, "lock-step": 1 }),
  perception: name,
  seed: f64,
  arms: meaning(list(name, MAX_GROUPS), "groups that catch"),
  joints: meaning(list(name, maxJoints), "joint names in the order of every joint vector"),
  hands: meaning(list(name, MAX_GROUPS), "hands in the order of those of a pose"),
  ballRadius: meaning(f64, "of a ball [m]"),
  ballDrag: meaning(f64, "k of a ball's deceleration k·|v|·v [1/m]"),
  framePeriod: meaning(f64, "time from one image to the next [s]"),
  budgets: meaning(budgets, "what the stages from image to command may take"),
  maxBalls: meaning(u32, "most balls in the air at a time"),
  controls: meaning(list(control, 16), "what the page may do"),
  presets: meaning(records({ name, text: sentence }, MAX_NAMES), "launches by name, for `POST /v1/live/throws`"),
});
/** What does not change during a run. */
export type SessionFacts = JsonField<typeof sessionFacts>;

export const sessionSettings = group({
  mode: meaning(catchMode, "what a catch optimises"),
  challenges: meaning(table(MAX_NAMES), "strength of each challenge of the simulation: 0 none, 1 realistic, up to 3"),
  automatic: meaning(flag, "whether balls are thrown automatically, one after the other"),
  balls: meaning(u32, "how many of them at a time"),
  paused: meaning(flag, "in lock-step: whether time is paused"),
  speed: meaning(f64, "how fast time goes, 1 being real time"),
  recording: meaning(optional(sentence), "name of the recording being written; null if none is"),
});
/** What can be changed during a run. */
export type SessionSettings = JsonField<typeof sessionSettings>;

const rate = group({
  count: u32,
  of: u32,
  rate: meaning(optional(f64), "null of nothing"),
  low: f64,
  high: f64,
});
/** A share with its 95 % confidence interval (Wilson). */
export type Rate = JsonField<typeof rate>;

const quantiles = group({ p50: f64, p95: f64, max: f64 });
/** Median, 95 % quantile and greatest of some values. */
export type Quantiles = JsonField<typeof quantiles>;

export const runSummary = group({
  throws: u32,
  reachable: meaning(rate, "throws for which a plan was found, of all"),
  caughtOfReachable: meaning(rate, "throws caught, of those"),
  caughtOfAll: meaning(rate, "throws caught, of all"),
  gateOfReachable: meaning(rate, "throws that passed the geometric gate, of the reachable"),
  holds: meaning(table(MAX_NAMES), "how many throws ended how, by physics; empty without it"),
  lateralMm: meaning(
    optional(quantiles),
    "distance from hand to the ball's line, over all grasps; null without one [mm]",
  ),
  timingMs: meaning(optional(quantiles), "magnitude of the timing error, the same [ms]"),
  replans: u32,
  unsolved: u32,
  refused: u32,
});
/** The figures of all throws of a run. */
export type RunSummary = JsonField<typeof runSummary>;
