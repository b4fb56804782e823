import Type, { type Static } from "typebox";
import { KeepOutSchema } from "../robot/sidecar-schema.js";

/**
 * A planning request, as it comes over HTTP, from a file or from a program. Times are relative to the start of the
 * motion (t = 0); the ball's reference time may be negative. SI units, radians.
 */

const strict = { additionalProperties: false } as const;
const vector = (description: string) => Type.Tuple([Type.Number(), Type.Number(), Type.Number()], { description });

export const CatchModeSchema = Type.Union(
  [Type.Literal("soft"), Type.Literal("latest"), Type.Literal("cool"), Type.Literal("sure")],
  {
    default: "soft",
    description:
      "What to optimise: the smallest accelerations, the latest catch, the earliest arrival, or the surest catch.",
  },
);

export const PlanFrameSchema = Type.Union(
  [Type.Literal("world"), Type.Literal("base"), Type.Literal("chest"), Type.Literal("group")],
  {
    default: "world",
    description:
      "Frame of the ball, at the start posture; `group` is the group's base link. Gravity is turned with it.",
  },
);

export const BallStateSchema = Type.Object(
  {
    time: Type.Number({ default: 0, description: "When the ball is there [s]; may be negative." }),
    position: vector("Position [m]."),
    velocity: vector("Velocity [m/s]."),
    covariance: Type.Optional(
      Type.Array(Type.Array(Type.Number(), { minItems: 6, maxItems: 6 }), {
        minItems: 6,
        maxItems: 6,
        description: "Covariance of position and velocity, 6 × 6, positive definite [m, m/s].",
      }),
    ),
  },
  { ...strict, description: "Where the ball is and how it flies." },
);

export const BallSampleSchema = Type.Object(
  {
    time: Type.Number({ description: "When it was seen [s]; may be negative." }),
    position: vector("Where it was seen [m]."),
    sigma: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: "Standard deviation [m]; default 0.01." })),
  },
  strict,
);

export const BallSchema = Type.Object(
  {
    frame: Type.Optional(PlanFrameSchema),
    state: Type.Optional(BallStateSchema),
    samples: Type.Optional(
      Type.Array(BallSampleSchema, {
        minItems: 3,
        maxItems: 10_000,
        description: "Positions in time, instead of a state; a flight is fitted to them.",
      }),
    ),
    drag: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0.032, description: "Quadratic drag k = ½ρC_dA/m [1/m]." }),
    ),
  },
  { ...strict, description: "The ball: `state` or `samples`, exactly one of the two." },
);

const jointValues = (description: string) =>
  Type.Union([Type.Array(Type.Number(), { maxItems: 64 }), Type.Record(Type.String(), Type.Number())], { description });

export const StartSchema = Type.Object(
  {
    posture: Type.Optional(
      Type.String({ default: "ready", description: "Stored posture of all joints that are not given otherwise." }),
    ),
    position: Type.Optional(
      jointValues("Joint positions, in the group's order or by joint name [rad or m]; default: the posture's."),
    ),
    velocity: Type.Optional(
      jointValues("Joint velocities, in the group's order or by joint name [rad/s or m/s]; default: standing still."),
    ),
  },
  { ...strict, description: "How the robot stands and moves at t = 0." },
);

const scale = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1, description });

export const PlanRequestSchema = Type.Object(
  {
    robot: Type.Optional(Type.String({ default: "agile-justin", description: "Name of a robot: GET /v1/robots." })),
    group: Type.Optional(
      Type.String({ default: "any", description: "Arm that catches, or `any`: the arm with the better plan." }),
    ),
    mode: Type.Optional(CatchModeSchema),
    start: Type.Optional(StartSchema),
    ball: BallSchema,
    limits: Type.Optional(
      Type.Object(
        {
          velocityScale: Type.Optional(scale("Share of each joint's greatest speed that may be used.")),
          accelerationScale: Type.Optional(scale("Share of each joint's greatest acceleration that may be used.")),
        },
        { ...strict, description: "Limits to scale down." },
      ),
    ),
    catchTime: Type.Optional(
      Type.Object(
        {
          earliest: Type.Optional(Type.Number({ minimum: 0, default: 0, description: "Not before [s]." })),
          latest: Type.Optional(
            Type.Number({ exclusiveMinimum: 0, maximum: 10, default: 1.8, description: "Not after [s]." }),
          ),
        },
        { ...strict, description: "When the ball may be caught." },
      ),
    ),
    keepOut: Type.Optional(
      Type.Array(KeepOutSchema, { maxItems: 64, description: "Shapes to add to the robot's own keep-out shapes." }),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          milliseconds: Type.Optional(
            Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: "Wall-clock time; default: none." }),
          ),
          starts: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 4096, default: 12, description: "Starts of the multi-start search." }),
          ),
        },
        { ...strict, description: "How long to search." },
      ),
    ),
    body: Type.Optional(
      Type.Union([Type.Literal("none"), Type.Literal("rule")], {
        default: "none",
        description: "`rule`: torso and base help to bring the hand nearer to the ball's path.",
      }),
    ),
    sample: Type.Optional(
      Type.Object(
        { rateHz: Type.Number({ exclusiveMinimum: 0, maximum: 2000, description: "Samples per second [Hz]." }) },
        { ...strict, description: "Also give the motion sampled in time." },
      ),
    ),
  },
  { ...strict, $id: "PlanRequest", description: "Where will the ball fly, and how does the robot stand?" },
);

export type CatchMode = Static<typeof CatchModeSchema>;
export type PlanRequest = Static<typeof PlanRequestSchema>;
export type BallDescription = Static<typeof BallSchema>;
