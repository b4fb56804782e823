import Type, { type Static, type TSchema } from "typebox";

/**
 * Every tunable of Flycatcher, once: unit, default, range and one line of meaning. A new tunable is a new line here;
 * `docs/configuration.md`, the checks of profiles and `--set` follow from it.
 */

/** A number with a range; `unit` is "" for a plain number. */
interface NumberFacts {
  readonly unit: string;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly description: string;
}

interface TextFacts {
  readonly default: string;
  readonly description: string;
  readonly minLength?: number;
  readonly pattern?: string;
  /** Masked wherever the configuration is shown. */
  readonly secret?: boolean;
}

const integer = (facts: NumberFacts) => Type.Integer({ ...facts });
const number = (facts: NumberFacts) => Type.Number({ ...facts });
const text = (facts: TextFacts) => Type.String({ ...facts });
const section = <P extends Record<string, TSchema>>(description: string, properties: P) =>
  Type.Object(properties, { description, additionalProperties: false });

function choice<Names extends string[]>(
  names: readonly [...Names],
  facts: { readonly default: Names[number]; readonly description: string },
) {
  return Type.Enum<Names>(names, { type: "string", ...facts });
}

/** The parts a profile can start. A part that lands adds its name here. */
export const partNames = ["planning", "service"] as const;
export type PartName = (typeof partNames)[number];

const run = section("The run as a whole.", {
  clock: choice(["real-time", "lock-step"], {
    default: "real-time",
    description: "Whose time it is: the machine's, or the simulation's, in which a run repeats bit by bit.",
  }),
  seed: integer({
    unit: "",
    default: 1,
    minimum: 0,
    maximum: 0xffff_ffff,
    description: "Seed of everything random; the same seed gives the same run in lock-step.",
  }),
});

const log = section("What is written to the standard error stream.", {
  level: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
    default: "info",
    description: "The least important messages that are still written.",
  }),
  format: choice(["auto", "json", "text"], {
    default: "auto",
    description: "One JSON object a line, or readable text; `auto` is text on a terminal and JSON elsewhere.",
  }),
});

const service = section("The HTTP service.", {
  host: text({
    default: "127.0.0.1",
    minLength: 1,
    description: "Address to listen on; any but a loopback address needs a token.",
  }),
  port: integer({
    unit: "",
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: "Port to listen on; 0 lets the system choose.",
  }),
  portTries: integer({
    unit: "",
    default: 20,
    minimum: 1,
    maximum: 1000,
    description: "How many ports to try, from `port` upwards, where one is taken; 1 insists on `port`.",
  }),
  token: text({
    default: "",
    // The characters RFC 6750 allows in a bearer token: another one could never be sent.
    pattern: "^[A-Za-z0-9._~+/=-]*$",
    secret: true,
    description: "Bearer token that requests must carry; empty means none, which only a loopback address allows.",
  }),
  foxglove: Type.Boolean({
    default: false,
    description: "Whether a live run is offered to Foxglove Studio, at `ws://…/foxglove`.",
  }),
  bodyLimitBytes: integer({
    unit: "B",
    default: 1_048_576,
    minimum: 1024,
    maximum: 67_108_864,
    description: "Longest request body accepted.",
  }),
  uploadLimitBytes: integer({
    unit: "B",
    default: 268_435_456,
    minimum: 1024,
    maximum: 17_179_869_184,
    description: "Largest recording that may be uploaded.",
  }),
  maxUploads: integer({
    unit: "",
    default: 32,
    minimum: 0,
    maximum: 10_000,
    description: "Uploaded recordings kept at a time; they are gone when the service ends.",
  }),
  jsonDepthLimit: integer({
    unit: "",
    default: 32,
    minimum: 8,
    maximum: 1000,
    description: "How deep the objects and lists of a request body may nest.",
  }),
  maxQueue: integer({
    unit: "",
    default: 64,
    minimum: 0,
    maximum: 10_000,
    description: "Planning requests that may wait for a worker; one more is refused with Retry-After.",
  }),
  requestTimeoutMs: integer({
    unit: "ms",
    default: 30_000,
    minimum: 100,
    maximum: 600_000,
    description: "How long a client may take to send a whole request.",
  }),
  closeTimeoutMs: integer({
    unit: "ms",
    default: 5000,
    minimum: 0,
    maximum: 600_000,
    description: "How long a closing service waits for the requests it is still answering.",
  }),
});

const planning = section("The catch planner; a request may say otherwise for itself.", {
  execution: choice(["workers", "inline"], {
    default: "workers",
    description: "Plan in worker threads, or in the calling thread.",
  }),
  workers: integer({
    unit: "",
    default: 0,
    minimum: 0,
    maximum: 64,
    description: "Number of planner threads; 0 follows the machine's cores.",
  }),
  mode: choice(["soft", "latest", "cool", "sure"], {
    default: "soft",
    description: "What the catch optimises: least acceleration, latest catch, early arrival, or surest catch.",
  }),
  budgetMs: number({
    unit: "ms",
    default: 60,
    minimum: 1,
    maximum: 10_000,
    description: "Time a plan may take; the best feasible plan so far is returned then. Not used in lock-step.",
  }),
  starts: integer({
    unit: "",
    default: 12,
    minimum: 1,
    maximum: 4096,
    description: "Starting points of the global search on a first prediction; the grid of seeds gives 80 at most.",
  }),
  tMax: number({
    unit: "s",
    default: 1.8,
    minimum: 0.05,
    maximum: 10,
    description: "Latest catch, from the start of the motion.",
  }),
});

const tracking = section("The ball tracker: what it assumes of its detector and of balls, and its bounds.", {
  detectionProbability: number({
    unit: "",
    default: 0.95,
    minimum: 0.01,
    maximum: 0.9999,
    description: "That a ball in full view gives a circle.",
  }),
  clutterPerImage: number({
    unit: "",
    default: 5,
    minimum: 0.001,
    maximum: 1000,
    description: "False circles in an image, on average.",
  }),
  gateProbability: number({
    unit: "",
    default: 0.9999,
    minimum: 0.5,
    maximum: 0.999_999_999,
    description: "Share of true circles that a ball's gate lets pass.",
  }),
  accelerationNoise: number({
    unit: "m/s²/√Hz",
    default: 0.0005,
    minimum: 0,
    maximum: 10,
    description: "White acceleration of a flying ball: wind, spin and what else gravity and drag leave out.",
  }),
  maxHypotheses: integer({
    unit: "",
    default: 64,
    minimum: 1,
    maximum: 1024,
    description: "Explanations of all that was seen that are kept; bounds the time of a scan.",
  }),
  scanDepth: integer({
    unit: "",
    default: 5,
    minimum: 1,
    maximum: 20,
    description: "Scans after which the best explanation's past is taken as settled.",
  }),
  confirmProbability: number({
    unit: "",
    default: 0.99,
    minimum: 0.5,
    maximum: 0.999_999_999,
    description: "Probability of flying from which a ball counts as thrown.",
  }),
});

const catching = section("Which balls are gone after, and what follows a catch.", {
  body: choice(["rule", "stand"], {
    default: "rule",
    description: "Whether torso and platform help to catch one ball, or stand.",
  }),
  afterCatch: choice(["return", "stay"], {
    default: "return",
    description: "After a catch the arm drops the ball and goes back to wait, or waits where it is.",
  }),
  sigma: number({
    unit: "m",
    default: 0.35,
    minimum: 0.001,
    maximum: 10,
    description: "Greatest standard deviation of the place where a ball comes by that an arm is sent after.",
  }),
  sigmaOfSeveral: number({
    unit: "m",
    default: 0.6,
    minimum: 0.001,
    maximum: 10,
    description: "The same with several balls in the air.",
  }),
  hurry: number({
    unit: "s",
    default: 0.55,
    minimum: 0,
    maximum: 5,
    description: "With less time left until the ball comes by, any prediction is acted upon.",
  }),
  returnShare: number({
    unit: "",
    default: 0.5,
    minimum: 0.1,
    maximum: 1,
    description: "Share of speed and acceleration with which an arm, or the body, goes back to wait.",
  }),
  holdMs: integer({
    unit: "ms",
    default: 500,
    minimum: 0,
    maximum: 10_000,
    description: "How long a caught ball is held before the arm goes back.",
  }),
});

const timing = section("Budgets that motions are planned with; in lock-step also the modelled delays.", {
  framesToConfirm: integer({
    unit: "",
    default: 3,
    minimum: 1,
    maximum: 20,
    description: "Frames in which perfect perception must have seen a ball before its flight counts as known.",
  }),
  trackingMs: integer({
    unit: "ms",
    default: 35,
    minimum: 0,
    maximum: 1000,
    description: "From an image's arrival to the prediction; modelled in lock-step alone.",
  }),
  coldBudgetMs: integer({
    unit: "ms",
    default: 30,
    minimum: 1,
    maximum: 1000,
    description: "For planning a first catch; in real time the least budget, which grows where searches take longer.",
  }),
  warmBudgetMs: integer({
    unit: "ms",
    default: 15,
    minimum: 1,
    maximum: 1000,
    description: "For planning a catch from the one before.",
  }),
  transportMs: integer({
    unit: "ms",
    default: 0,
    minimum: 0,
    maximum: 1000,
    description: "From the planner's answer to control; 0: 17 ms in lock-step, 6 ms in real time.",
  }),
});

const neck = section("How the head follows balls.", {
  follows: Type.Boolean({ default: true, description: "Whether the neck keeps balls in view, or stands." }),
  slack: number({
    unit: "rad",
    default: 0.14,
    minimum: 0,
    maximum: 1,
    description: "How far a ball may be off the middle of the view before the neck moves for it.",
  }),
  idleSpeed: number({
    unit: "rad/s",
    default: 0.4,
    minimum: 0.01,
    maximum: 5,
    description: "How fast the neck goes back when there is no ball to see.",
  }),
  patience: number({
    unit: "s",
    default: 0.3,
    minimum: 0.01,
    maximum: 5,
    description: "A ball that was not seen for so long is not looked for any more.",
  }),
  gentle: choice(["auto", "on", "off"], {
    default: "auto",
    description: "Whether the neck keeps speed and acceleration in reserve; `auto`: in real time.",
  }),
});

export const configSchema = Type.Object(
  {
    robot: text({
      default: "agile-justin",
      minLength: 1,
      description: "Robot of `data/robots/` to load.",
    }),
    parts: Type.Array(Type.Enum(partNames, { type: "string" }), {
      default: [],
      uniqueItems: true,
      description: "The parts that run.",
    }),
    run,
    log,
    service,
    planning,
    catching,
    timing,
    neck,
    tracking,
  },
  { additionalProperties: false },
);

/** Properties and lists of a type, all read-only, all the way down. */
type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Any of the properties of a type, at any depth. */
type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** A whole, checked configuration. */
export type Config = DeepReadonly<Static<typeof configSchema>>;

/** Some of the configuration: what a profile or the command line says. */
export type PartialConfig = DeepPartial<Config>;
