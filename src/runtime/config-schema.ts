import Type, { type Static, type TSchema } from "typebox";

/**
 * Every tunable of Flycatcher, once: unit, default, range and one line of meaning. A new tunable is a new line here;
 * `docs/configuration.md`, the checks of profiles and `--set` follow from it.
 */

interface NumberFacts {
  readonly default: number;
  readonly range: readonly [minimum: number, maximum: number];
  /** None: a plain number. */
  readonly unit?: string;
}

interface TextFacts {
  readonly default: string;
  readonly description: string;
  readonly minLength?: number;
  readonly pattern?: string;
  /** Masked wherever the configuration is shown. */
  readonly secret?: boolean;
}

const integer = (facts: NumberFacts, description: string) => Type.Integer(keywordsOf(facts, description));
const number = (facts: NumberFacts, description: string) => Type.Number(keywordsOf(facts, description));
const text = (facts: TextFacts) => Type.String({ ...facts });
const section = <P extends Record<string, TSchema>>(description: string, properties: P) =>
  Type.Object(properties, { description, additionalProperties: false });

function keywordsOf({ unit = "", range: [minimum, maximum], ...facts }: NumberFacts, description: string) {
  return { unit, ...facts, minimum, maximum, description };
}

function choice<Names extends string[]>(
  names: readonly [...Names],
  facts: { readonly default: Names[number]; readonly description: string },
) {
  return Type.Enum<Names>(names, { type: "string", ...facts });
}

/** The parts a profile can start. A part that lands adds its name here. */
export const partNames = ["planning", "service"] as const;
export type PartName = (typeof partNames)[number];

/** How simulated balls are thrown and rendered unless a run says otherwise: this one word changes the default everywhere. */
export const defaultThrows: "standard" | "clean" = "clean";

const run = section("The run as a whole.", {
  clock: choice(["real-time", "lock-step"], {
    default: "real-time",
    description: "Source of time: the machine's clock, or the simulation's, with which a run repeats bit by bit.",
  }),
  seed: integer(
    { default: 1, range: [0, 0xffff_ffff] },
    "Seed of everything random; the same seed gives the same run in lock-step.",
  ),
});

const log = section("What is written to the standard error stream.", {
  level: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
    default: "info",
    description: "The least important messages that are still written.",
  }),
  format: choice(["auto", "json", "text"], {
    default: "auto",
    description: "One JSON object per line, or readable text; `auto` is text on a terminal and JSON elsewhere.",
  }),
});

const service = section("The HTTP service.", {
  host: text({
    default: "127.0.0.1",
    minLength: 1,
    description: "Address to listen on; any but a loopback address needs a token.",
  }),
  port: integer({ default: 8080, range: [0, 65_535] }, "Port to listen on; 0 lets the system choose."),
  portTries: integer(
    { default: 20, range: [1, 1000] },
    "How many ports to try, from `port` upwards, if one is taken; 1 tries only `port`.",
  ),
  token: text({
    default: "",
    // The characters RFC 6750 allows in a bearer token: another one could never be sent.
    pattern: "^[A-Za-z0-9._~+/=-]*$",
    secret: true,
    description:
      "Bearer token that requests must carry; empty means none, which only a loopback address allows. Any other address takes 12 characters or more.",
  }),
  tokenFile: text({
    default: "",
    description:
      "File whose first line is the token, where `token` is empty; where both are, the environment variable FLYCATCHER_TOKEN is it.",
  }),
  stopPort: integer(
    { default: 8060, range: [0, 65_535] },
    "Port of the stop listener of a live run, HTTP and UDP; if it is taken, the next free one; 0 lets the system choose.",
  ),
  stopHeartbeatMs: integer(
    { default: 0, range: [0, 60_000], unit: "ms" },
    "Longest time between two heartbeat datagrams at the stop listener, or the robot brakes; 0 expects none.",
  ),
  maxConnections: integer(
    { default: 512, range: [8, 60_000] },
    "Connections at a time; 16 more are kept for health and stop, and the stop listener has 64 of its own.",
  ),
  foxglove: Type.Boolean({
    default: false,
    description: "Whether a live run is offered to Foxglove Studio, at `ws://…/foxglove`.",
  }),
  bodyLimitBytes: integer(
    { default: 1_048_576, range: [1024, 67_108_864], unit: "B" },
    "Longest request body accepted.",
  ),
  uploadLimitBytes: integer(
    { default: 268_435_456, range: [1024, 17_179_869_184], unit: "B" },
    "Largest recording that may be uploaded.",
  ),
  uploadReadTimeoutMs: integer(
    { default: 20_000, range: [100, 600_000], unit: "ms" },
    "Longest that reading an uploaded recording or robot may take; each is read in a thread of its own.",
  ),
  maxUploads: integer(
    { default: 32, range: [0, 10_000] },
    "Uploaded recordings kept at a time; they are deleted when the service ends.",
  ),
  robotLimitBytes: integer(
    { default: 33_554_432, range: [1024, 268_435_456], unit: "B" },
    "Largest robot that may be uploaded, its meshes in Base64 included.",
  ),
  maxRobots: integer(
    { default: 32, range: [0, 1000] },
    "Uploaded robots kept at a time; they are deleted when the service ends.",
  ),
  jsonDepthLimit: integer(
    { default: 32, range: [8, 1000] },
    "How deep the objects and lists of a request body may nest.",
  ),
  maxQueue: integer(
    { default: 64, range: [0, 10_000] },
    "Planning requests that may wait for a worker; one more is refused with Retry-After.",
  ),
  requestTimeoutMs: integer(
    { default: 30_000, range: [100, 600_000], unit: "ms" },
    "How long a client may take to send a whole request.",
  ),
  closeTimeoutMs: integer(
    { default: 1500, range: [0, 600_000], unit: "ms" },
    "How long a closing service waits for the requests it is still answering.",
  ),
});

const planning = section("The catch planner; a request may override these.", {
  execution: choice(["workers", "inline"], {
    default: "workers",
    description: "Plan in worker threads, or in the calling thread.",
  }),
  workers: integer({ default: 0, range: [0, 64] }, "Number of planner threads; 0 follows the machine's cores."),
  mode: choice(["soft", "latest", "cool", "sure"], {
    default: "soft",
    description:
      "What the catch optimises: smallest acceleration, latest catch, early arrival, or most probable catch.",
  }),
  budgetMs: number(
    { default: 60, range: [1, 10_000], unit: "ms" },
    "Time a plan may take; the best feasible plan so far is returned then. Not used in lock-step.",
  ),
  motionBudgetMs: number(
    { default: 1000, range: [1, 60_000], unit: "ms" },
    "Time that planning a motion may take. Not used in lock-step.",
  ),
  starts: integer(
    { default: 12, range: [1, 4096] },
    "Starting points of the global search on a first prediction; the grid of seeds gives 80 at most.",
  ),
  tMax: number({ default: 1.8, range: [0.05, 10], unit: "s" }, "Latest catch, from the start of the motion."),
});

const tracking = section("The ball tracker: what it assumes of its detector and of balls, and its bounds.", {
  detectionProbability: number(
    { default: 0.95, range: [0.01, 0.9999] },
    "Probability that a ball in full view gives a circle.",
  ),
  clutterPerImage: number({ default: 5, range: [0.001, 1000] }, "False circles in an image, on average."),
  gateProbability: number(
    { default: 0.9999, range: [0.5, 0.999_999_999] },
    "Share of true circles that a ball's gate lets pass.",
  ),
  accelerationNoise: number(
    { default: 0.03, range: [0, 10], unit: "m/s²/√Hz" },
    "White acceleration noise of a flying ball: wind, spin and everything else beyond gravity and drag.",
  ),
  maxHypotheses: integer({ default: 64, range: [1, 1024] }, "Hypotheses that are kept; bounds the time of a scan."),
  scanDepth: integer({ default: 5, range: [1, 20] }, "Scans after which the best hypothesis' past is final."),
  confirmProbability: number(
    { default: 0.99, range: [0.5, 0.999_999_999] },
    "Probability of flying from which a ball counts as thrown.",
  ),
});

const catching = section("Which balls are caught, and what follows a catch.", {
  body: choice(["rule", "stand"], {
    default: "rule",
    description: "Whether torso and platform help to catch one ball, or stand.",
  }),
  afterCatch: choice(["return", "stay"], {
    default: "return",
    description: "After a catch the arm drops the ball and returns to wait, or waits where it is.",
  }),
  sigma: number(
    { default: 0.35, range: [0.001, 10], unit: "m" },
    "Largest standard deviation of the place where a ball passes at which an arm acts.",
  ),
  sigmaOfSeveral: number({ default: 0.6, range: [0.001, 10], unit: "m" }, "The same with several balls in the air."),
  hurry: number(
    { default: 0.55, range: [0, 5], unit: "s" },
    "With less time left until the ball passes, the robot acts on any prediction.",
  ),
  returnShare: number(
    { default: 0.5, range: [0.1, 1] },
    "Share of speed and acceleration with which an arm, or the body, returns to wait.",
  ),
  holdMs: integer(
    { default: 500, range: [0, 10_000], unit: "ms" },
    "How long a caught ball is held before the arm goes back.",
  ),
});

const timing = section("Budgets that motions are planned with; in lock-step also the modelled delays.", {
  framesToConfirm: integer(
    { default: 3, range: [1, 20] },
    "Frames in which perfect perception must have seen a ball before its flight counts as known.",
  ),
  trackingMs: integer(
    { default: 35, range: [0, 1000], unit: "ms" },
    "From an image's arrival to the prediction; modelled in lock-step alone.",
  ),
  coldBudgetMs: integer(
    { default: 30, range: [1, 1000], unit: "ms" },
    "For planning a first catch; the smallest budget, if it is adaptive.",
  ),
  budget: choice(["fixed", "adaptive"], {
    default: "adaptive",
    description: "Whether the budget of a first catch grows while searches use it up.",
  }),
  searchMs: integer(
    { default: 24, range: [1, 1000], unit: "ms" },
    "What planning a first catch takes, no more than its budget; modelled in lock-step alone.",
  ),
  warmBudgetMs: integer({ default: 15, range: [1, 1000], unit: "ms" }, "For planning a catch from the one before."),
  transportMs: integer(
    { default: 0, range: [0, 1000], unit: "ms" },
    "From the planner's answer to control; 0: 17 ms in lock-step, 6 ms in real time.",
  ),
});

const neck = section("How the head follows balls.", {
  follows: Type.Boolean({ default: true, description: "Whether the neck keeps balls in view, or stands." }),
  slack: number(
    { default: 0.14, range: [0, 1], unit: "rad" },
    "How far a ball may be from the middle of the view before the neck moves.",
  ),
  idleSpeed: number(
    { default: 0.4, range: [0.01, 5], unit: "rad/s" },
    "How fast the neck returns when there is no ball.",
  ),
  patience: number(
    { default: 0.3, range: [0.01, 5], unit: "s" },
    "A ball that was not seen for this long is no longer followed by the neck.",
  ),
  gentle: Type.Boolean({ default: true, description: "Whether the neck keeps speed and acceleration in reserve." }),
});

const cameras = section("The cameras: simulated ones, or those whose frames other programs send.", {
  windows: Type.Boolean({
    default: true,
    description: "Whether images are rendered and searched only where balls are expected, most of the time.",
  }),
  scale: choice(["auto", "1", "0.75"], {
    default: "auto",
    description:
      "Image size relative to the camera's own; `auto`: what the machine sustains in real time, the camera's own in lock-step.",
  }),
  rateHz: number(
    { default: 0, range: [0, 300], unit: "Hz" },
    "Images per second, also of motion capture; 0: the robot's own. The time between images is rounded to whole milliseconds.",
  ),
  colour: Type.Boolean({ default: false, description: "Whether images are in colour; else they are gray." }),
  left: text({
    default: "",
    description:
      "Command line of a program that writes the left camera's frames to its standard output, in real time; empty: the camera is simulated.",
  }),
  right: text({ default: "", description: "The same for the right camera." }),
  framing: text({
    default: "gdp",
    pattern: "^(gdp|gray8|rgb|bgr|yuy2|nv12|i420|rggb|grbg|gbrg|bggr)$",
    description:
      "What these programs write: `gdp`, GStreamer's data protocol with time stamps; else bare frames of the camera's size in that pixel format.",
  }),
});

const throws = section("How the simulated thrower throws balls.", {
  kind: choice(["standard", "clean"], {
    default: defaultThrows,
    description:
      "`standard`: a ball is carried, swung and released by a hand, and images are as hard as photographs; `clean`: it appears at its release in plain images.",
  }),
  fakes: number({ default: 0.1, range: [0, 1] }, "Share of standard throws with a swing without release before."),
  handOvers: number({ default: 0.1, range: [0, 1] }, "Share of standard throws with the ball handed over before."),
});

/** In place of a known ball's name: the one that the other keys describe. */
export const OWN_BALL = "own";

const ball = section("The ball that is thrown, seen, tracked and caught.", {
  kind: choice(["default", "tennis", "table-tennis", "juggling", "squash", "baseball", "golf", OWN_BALL], {
    default: "default",
    description:
      "A known ball, with its size, mass, drag and spin; `own`: as the keys below say, which hold for no other kind.",
  }),
  diameter: number({ default: 0.085, range: [0.005, 0.5], unit: "m" }, "Diameter of an own ball."),
  mass: number({ default: 0.05, range: [0.0001, 10], unit: "kg" }, "Mass of an own ball."),
  drag: number(
    { default: 0, range: [0, 1], unit: "1/m" },
    "k of the deceleration k·v² of an own ball; 0: that of a smooth sphere of its size and mass.",
  ),
  dragSigma: number(
    { default: 0, range: [0, 1], unit: "1/m" },
    "What the tracker does not know of an own ball's drag, one standard deviation; 0: nothing.",
  ),
  liftSigma: number(
    { default: 0, range: [0, 100], unit: "1/s" },
    "The same of the lift by spin, in each axis; 0: the tracker takes it as a ball without spin.",
  ),
  colour: text({
    default: "",
    pattern: "^(#[0-9a-fA-F]{6})?$",
    description: "Colour of an own ball in simulated images, as `#rrggbb`; empty: light gray.",
  }),
});

function weight(usual: number, colour: string) {
  return number(
    { default: usual, range: [-100, 100] },
    `Weight of ${colour} in the channel in which balls are looked for, where images are in colour; default: as in brightness.`,
  );
}

const detector = section("The circle detectors of the cameras.", {
  contrast: number(
    { default: 0, range: [0, 255], unit: "gray" },
    "How much brighter than its surroundings the ball is in images projected from colour (128 for a learnt projection); 0: unknown.",
  ),
  red: weight(0.299, "red"),
  green: weight(0.587, "green"),
  blue: weight(0.114, "blue"),
  offset: number(
    { default: 0, range: [-10_000, 10_000], unit: "gray" },
    "What is added to the weighted sum of red, green and blue.",
  ),
});

const port = (usual: number, description: string) => integer({ default: usual, range: [1, 65_535] }, description);

const ur = section("Robots by Universal Robots; an address `ur://host?key=value` may give the same keys.", {
  rtde: port(30_004, "TCP port of the controller's state interface, RTDE."),
  primary: port(30_001, "TCP port of the controller that takes programs."),
  dashboard: port(29_999, "TCP port of the controller's dashboard."),
  listen: text({
    default: "127.0.0.1",
    minLength: 1,
    description: "Address of this machine on which the driver waits for the robot's program.",
  }),
  reverse: integer({ default: 50_001, range: [0, 65_535] }, "TCP port on which it waits; 0 lets the system choose."),
  callback: text({
    default: "",
    description: "This machine's address as the robot sees it; empty: that of the connection to it.",
  }),
  lookahead: number({ default: 0.03, range: [0.03, 0.2], unit: "s" }, "Lookahead of `servoj`: smoother, and later."),
  gain: number({ default: 2000, range: [100, 2000] }, "Gain of `servoj`: stiffer."),
  maxSpeed: number(
    { default: 3.5, range: [0.01, 20], unit: "rad/s" },
    "Fastest joint that the program on the robot accepts.",
  ),
  timeoutMs: integer(
    { default: 20, range: [4, 200], unit: "ms" },
    "How long the program waits for a command before it stops the robot.",
  ),
  powerOn: Type.Boolean({
    default: false,
    description: "Whether the driver may switch the robot's power on and release its brakes.",
  }),
  unlock: Type.Boolean({
    default: false,
    description: "Whether the driver may unlock a protective stop when control asks for a reset.",
  }),
});

export const configSchema = Type.Object(
  {
    robot: text({
      default: "agile-justin",
      minLength: 1,
      description: "Robot to load: the name of a known one, or the path of a `robot.json`.",
    }),
    robots: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      maxItems: 64,
      description: "Folders of your own robots, which are then known by name.",
    }),
    drivers: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      maxItems: 8,
      description:
        "Where the robot is, as `live --robot-address` takes it, with `group=` before it if it is one driver of several; none: simulated.",
    }),
    parts: Type.Array(Type.Enum(partNames, { type: "string" }), {
      default: [],
      uniqueItems: true,
      maxItems: partNames.length,
      description: "The parts that run.",
    }),
    run,
    log,
    service,
    planning,
    catching,
    timing,
    neck,
    cameras,
    throws,
    ball,
    detector,
    tracking,
    ur,
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
