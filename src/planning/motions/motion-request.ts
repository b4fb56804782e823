import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { CourseSchema, MotionObstaclesSchema } from "../../robot/sidecar/obstacle-schema.js";
import { strictObject } from "../../robot/sidecar/sidecar-parts.js";
import { assertFits } from "../../runtime/schema-problems.js";
import { ClosedMotionSchema } from "../request/closed-motion-schema.js";
import { StartSchema } from "../request/request.js";
import { choice, jointValues, positive, strict, vector } from "../request/request-parts.js";

/** A request for a motion, as it comes over HTTP, from a file or from a program. SI units, radians. */

const quaternion = (description: string) =>
  Type.Array(Type.Number({ minimum: -1000, maximum: 1000 }), { minItems: 4, maxItems: 4, description });

const GoalSchema = strictObject(
  "Where to go: `joints`, `posture`, `position`, or `course`, exactly one of them.",
  {
    joints: Type.Optional(
      jointValues("Joint positions, by name, or a list in the order of the group or of the robot [rad or m]."),
    ),
    posture: Type.Optional(Type.String({ maxLength: 200, description: "A stored posture of the robot." })),
    position: Type.Optional(vector("Where the frame's origin is to be in the world [m].")),
    course: Type.Optional(CourseSchema),
    frame: Type.Optional(
      Type.String({ maxLength: 200, description: "Link that is to get there; default: the tip of the group." }),
    ),
    quaternion: Type.Optional(
      quaternion("Orientation of the frame in the world (x, y, z, w); need not be of length 1."),
    ),
    rpy: Type.Optional(vector("The same as roll, pitch and yaw [rad], instead of the quaternion.")),
    free: Type.Optional(
      choice(["none", "roll", "cone", "orientation"], {
        description:
          "What of the orientation does not matter: nothing; the roll about the frame's z axis; that, and the z axis within `cone` of the wanted one; all of it. Default: `none`, and `orientation` where no orientation is given.",
      }),
    ),
    cone: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 3.15, description: "Half angle of the cone [rad]." }),
    ),
  },
  "MotionGoal",
);

const scale = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1, description });

const MotionLimitsSchema = strictObject(
  "Limits of the motion.",
  {
    velocityScale: Type.Optional(scale("Share of each joint's greatest speed that may be used.")),
    accelerationScale: Type.Optional(scale("Share of each joint's greatest acceleration that may be used.")),
    jerkScale: Type.Optional(scale("Share of each joint's greatest jerk that may be used.")),
    jerk: Type.Optional(
      Type.Union([positive("Of every joint.", 1e6), jointValues("By joint, as the start is given.")], {
        description:
          "Greatest jerk [rad/s³ or m/s³]; default: that of the robot's description, and where it says nothing what takes 0.1 s to the full acceleration.",
      }),
    ),
    toolSpeed: Type.Optional(positive("Greatest speed of the goal's frame [m/s].", 1000)),
    torqueScale: Type.Optional(
      scale("Share of each joint's greatest torque or force; without it torques are reported, not limited."),
    ),
  },
  "MotionLimits",
);

const WhenSchema = strictObject(
  "When to arrive, counted from the start of the motion: as soon as possible, at a time, or within a window.",
  {
    at: Type.Optional(
      Type.Number({
        minimum: -1000,
        maximum: 1000,
        description: "Exactly then [s]; the best effort, and how much too late, if that is too soon.",
      }),
    ),
    earliest: Type.Optional(Type.Number({ minimum: -1000, maximum: 1000, description: "Not before [s]." })),
    latest: Type.Optional(Type.Number({ minimum: -1000, maximum: 1000, description: "Not after [s]." })),
  },
  "MotionTime",
);

const RunningSchema = strictObject(
  "A motion that is running: the new one begins in its state at an instant, and may replace it there without a step.",
  {
    motion: ClosedMotionSchema,
    at: Type.Number({
      minimum: 0,
      maximum: 1e4,
      description: "Instant from which the new motion holds, on the clock of the running one [s].",
    }),
  },
  "RunningMotion",
);

const MotionStartSchema = strictObject(
  "State of the robot at t = 0.",
  {
    ...StartSchema.properties,
    acceleration: Type.Optional(jointValues("Joint accelerations, in the same form [rad/s² or m/s²]; default zero.")),
  },
  "MotionStart",
);

export const motionPlanners = ["auto", "straight", "rrt-connect", "lazy-prm"] as const;
export type MotionPlannerName = (typeof motionPlanners)[number];

const MotionBudgetSchema = strictObject("How long to search.", {
  milliseconds: Type.Optional(
    positive(
      "Wall-clock time of the whole answer [ms]; default: that of the service's configuration, none in a program.",
      60_000,
    ),
  ),
  samples: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 200_000,
      description: "Configurations that a path search may look at.",
    }),
  ),
  improve: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: 0,
      description: "Further searches for a shorter motion once one is found.",
    }),
  ),
});

export const exportFormats = ["csv", "ros", "ur"] as const;

export const MotionRequestSchema = Type.Object(
  {
    robot: Type.Optional(
      Type.String({ maxLength: 1000, default: "agile-justin", description: "Name of a robot: GET /v1/robots." }),
    ),
    group: Type.Optional(
      Type.Union(
        [Type.String({ maxLength: 200 }), Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 16 })],
        {
          description:
            "Group of joints that moves, or several that move together; default: the first that can catch, or the first.",
        },
      ),
    ),
    start: Type.Optional(MotionStartSchema),
    running: Type.Optional(RunningSchema),
    goal: Type.Optional(GoalSchema),
    goals: Type.Optional(
      Type.Array(GoalSchema, { minItems: 1, maxItems: 64, description: "Several goals: any of them will do." }),
    ),
    via: Type.Optional(
      Type.Array(GoalSchema, {
        maxItems: 64,
        description: "Places to pass on the way, in this order; the motion comes to rest at each.",
      }),
    ),
    line: Type.Optional(
      strictObject("The goal's frame goes to it in a straight line, turning evenly.", {
        tolerance: Type.Optional(positive("Greatest distance from the line [m]; default 0.0005.", 1)),
      }),
    ),
    when: Type.Optional(WhenSchema),
    limits: Type.Optional(MotionLimitsSchema),
    obstacles: Type.Optional(MotionObstaclesSchema),
    planner: Type.Optional(
      choice([...motionPlanners], {
        default: "auto",
        description: "`auto`: the straight motion, then the path planners; or one of them alone.",
      }),
    ),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 31, default: 1, description: "Of all random choices." }),
    ),
    budget: Type.Optional(MotionBudgetSchema),
    figures: Type.Optional(
      choice(["all", "none"], {
        default: "all",
        description:
          "`none` leaves out `clearance`, `toolSpeed` and `peaks`, which take longer than a straight motion does.",
      }),
    ),
    sample: Type.Optional(
      strictObject("Also give the motion sampled in time.", { rateHz: positive("Samples per second [Hz].", 2000) }),
    ),
    export: Type.Optional(
      Type.Array(
        choice([...exportFormats], {
          description: "CSV, a ROS JointTrajectory as JSON, or spline points of a UR robot.",
        }),
        {
          uniqueItems: true,
          maxItems: exportFormats.length,
          description: "Also give the motion in these formats, at the rate of `sample`, or 100 a second.",
        },
      ),
    ),
  },
  { ...strict, title: "MotionRequest", description: "Where to go, from which state, when, and among which obstacles." },
);

export type MotionRequest = Static<typeof MotionRequestSchema>;
export type GoalDescription = Static<typeof GoalSchema>;
export type ExportFormat = (typeof exportFormats)[number];

const validator = Compile(MotionRequestSchema);

/** Refuses what does not follow the schema, every field of it named. */
export function assertMotionRequest(value: unknown): asserts value is MotionRequest {
  if (validator.Check(value)) return;
  assertFits(MotionRequestSchema, value, "FLY_PLAN_REQUEST_INVALID", "The request for a motion is wrong");
}
