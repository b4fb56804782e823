import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { ObstaclesSchema } from "../../robot/sidecar/obstacle-schema.js";
import { strictObject } from "../../robot/sidecar/sidecar-parts.js";
import { assertFits } from "../../runtime/schema-problems.js";
import { catchModes } from "../problem/objectives.js";
import { standardPerception } from "../success/perception.js";
import { KeepOutRequestSchema } from "./keep-out-request.js";
import { standardPlanning } from "./planner-settings.js";
import { choice, jointValues, positive, strict, time, vector } from "./request-parts.js";

/**
 * A planning request, as it comes over HTTP, from a file or from a program. Times are relative to the start of the
 * motion (t = 0); the ball's reference time may be negative. SI units, radians.
 */

export const CatchModeSchema = choice([...catchModes], {
  default: "soft",
  description:
    "What to optimise: the smallest accelerations, the latest catch, the earliest arrival, or the most probable catch.",
});

const verifiable = ["limits", "hand", "hand-keep-out", "clearance", "motion"] as const;

const VerifySchema = Type.Array(
  choice([...verifiable], {
    description:
      "`limits`: the motion keeps all joint limits. `hand`: the hand meets and faces the ball. `hand-keep-out`: at the catch it is outside the keep-out shapes. `clearance`: the arm is clear of the robot and of obstacles at the catch. `motion`: the robot touches neither itself nor an obstacle on the whole way.",
  }),
  {
    uniqueItems: true,
    maxItems: verifiable.length,
    default: [...verifiable],
    description:
      "What the independent check tests before a plan is returned. `limits` and `hand` are always checked: a plan that breaks them is no plan. The search keeps its constraints in any case.",
  },
);

const PlanFrameSchema = choice(["world", "base", "chest", "group"], {
  default: "world",
  description: "Frame of the ball, at the start posture; `group` is the group's base link. Gravity is turned with it.",
});

const covarianceEntry = Type.Number({ minimum: -1e6, maximum: 1e6 });

const BallStateSchema = strictObject(
  "Where the ball is and how it flies.",
  {
    time: Type.Optional(time("When the ball is there [s]; may be negative; default 0. It flies from then on.")),
    position: vector("Position of its centre [m]."),
    velocity: vector("Velocity [m/s]."),
    covariance: Type.Optional(
      Type.Array(Type.Array(covarianceEntry, { minItems: 6, maxItems: 6 }), {
        minItems: 6,
        maxItems: 6,
        description: "Covariance of position and velocity at that time, 6 × 6, positive definite [m, m/s].",
      }),
    ),
  },
  "BallState",
);

const BallSampleSchema = Type.Object(
  {
    time: time("When it was seen [s]; may be negative."),
    position: vector("Where it was seen [m]."),
    sigma: Type.Optional(positive("Standard deviation of each coordinate [m]; default 0.01.", 10)),
  },
  { ...strict, title: "BallSample" },
);

const BallSchema = strictObject(
  "The ball: `state` or `samples`, exactly one of the two.",
  {
    frame: Type.Optional(PlanFrameSchema),
    state: Type.Optional(BallStateSchema),
    samples: Type.Optional(
      Type.Array(BallSampleSchema, {
        minItems: 3,
        maxItems: 10_000,
        description: "Positions in time, in ascending order, instead of a state; a flight is fitted to them.",
      }),
    ),
    drag: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0.032, description: "Quadratic drag k = ½ρC_dA/m [1/m]." }),
    ),
  },
  "Ball",
);

export const StartSchema = strictObject(
  "State of the robot at t = 0.",
  {
    posture: Type.Optional(
      Type.String({
        maxLength: 200,
        default: "ready",
        description: "Stored posture: where all joints stand that are not given otherwise.",
      }),
    ),
    position: Type.Optional(
      jointValues("Joint positions, by joint name, or a list in the order of the group or of the robot [rad or m]."),
    ),
    velocity: Type.Optional(jointValues("Joint velocities, in the same form [rad/s or m/s]; default: standing still.")),
  },
  "Start",
);

const scale = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1, description });

const LimitsSchema = strictObject("Limits to scale down.", {
  velocityScale: Type.Optional(scale("Share of each joint's greatest speed that may be used.")),
  accelerationScale: Type.Optional(scale("Share of each joint's greatest acceleration that may be used.")),
  jerk: Type.Optional(
    Type.Union([Type.Literal("robot"), Type.Number({ exclusiveMinimum: 0, maximum: 1e6 })], {
      description:
        "Greatest jerk of the arm's joints [rad/s³ or m/s³]; `robot`: that of the robot's description. The answer then has `motion`, which keeps it and is what to execute. Default: no limit, and `ramps`.",
    }),
  ),
});

const CatchTimeSchema = strictObject("When the ball may be caught.", {
  earliest: Type.Optional(Type.Number({ minimum: 0, maximum: 10, default: 0, description: "Not before [s]." })),
  latest: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 10, default: standardPlanning.tMax, description: "Not after [s]." }),
  ),
});

const BudgetSchema = strictObject("How long to search.", {
  milliseconds: Type.Optional(
    positive("Wall-clock time [ms]; default: that of the service's configuration, none in a program.", 10_000),
  ),
  starts: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4096,
      default: standardPlanning.starts,
      description: "Starts of the multi-start search.",
    }),
  ),
});

const NearSchema = strictObject(
  "An earlier catch of the same ball: one solve from there; the global search follows only if it finds no catch.",
  {
    joints: Type.Array(Type.Number({ minimum: -1000, maximum: 1000 }), {
      maxItems: 256,
      description: "Joint positions at that catch, in the group's order [rad or m].",
    }),
    time: time("Its time, on this request's clock [s]."),
  },
);

const PerceptionSchema = strictObject("Parameters of the success probability, in addition to the robot's cameras.", {
  lastMeasurement: Type.Optional(
    time("Time of the last measurement [s]; default: the state's time, or that of the last sample."),
  ),
  pixelSigma: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      default: standardPerception.pixelSigma,
      description: "Standard deviation of the ball's centre in an image [px].",
    }),
  ),
  processingTime: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: standardPerception.processingTime,
      description: "From an image's arrival until the arm follows the plan made of it [s].",
    }),
  ),
  servoSigma: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: standardPerception.servoSigma,
      description: "Standard deviation of the hand about its planned place, in each direction [m].",
    }),
  ),
});

export const PlanRequestSchema = Type.Object(
  {
    robot: Type.Optional(
      Type.String({ maxLength: 1000, default: "agile-justin", description: "Name of a robot: GET /v1/robots." }),
    ),
    group: Type.Optional(
      Type.String({
        maxLength: 200,
        default: "any",
        description: "Arm that catches, or `any`: the arm with the better plan.",
      }),
    ),
    mode: Type.Optional(CatchModeSchema),
    start: Type.Optional(StartSchema),
    ball: BallSchema,
    limits: Type.Optional(LimitsSchema),
    catchTime: Type.Optional(CatchTimeSchema),
    handKeepOut: Type.Optional(
      Type.Array(KeepOutRequestSchema, {
        maxItems: 64,
        description:
          "Where the hand must not catch, in addition to the robot's own shapes. They bound the hand's place at the catch and nothing else; what no body may touch on the way is in `obstacles`.",
      }),
    ),
    obstacles: Type.Optional(ObstaclesSchema),
    near: Type.Optional(NearSchema),
    budget: Type.Optional(BudgetSchema),
    body: Type.Optional(
      choice(["none", "rule"], {
        default: "none",
        description: "`rule`: torso and base move the hand nearer to the ball's path, if the robot has a rule for it.",
      }),
    ),
    verify: Type.Optional(VerifySchema),
    perception: Type.Optional(PerceptionSchema),
    sample: Type.Optional(
      strictObject("Also give the motion sampled in time.", { rateHz: positive("Samples per second [Hz].", 2000) }),
    ),
  },
  { ...strict, title: "PlanRequest", description: "Flight of the ball and state of the robot." },
);

export type PlanFrame = Static<typeof PlanFrameSchema>;
export type PlanRequest = Static<typeof PlanRequestSchema>;
export type BallDescription = Static<typeof BallSchema>;
export type StartDescription = Static<typeof StartSchema>;
export type Verifiable = (typeof verifiable)[number];

const validator = Compile(PlanRequestSchema);

/** Refuses what does not follow the schema, every field of it named. */
export function assertPlanRequest(value: unknown): asserts value is PlanRequest {
  if (validator.Check(value)) return;
  assertFits(PlanRequestSchema, value, "FLY_PLAN_REQUEST_INVALID", "The planning request is wrong");
}
