import Type, { type Static } from "typebox";
import { SampledMotionSchema } from "../request/answer.js";
import { ClosedMotionSchema } from "../request/closed-motion-schema.js";
import { choice, vector } from "../request/request-parts.js";
import { motionPlanners } from "./motion-request.js";

/** What the planning of a motion answers. That there is none is a normal answer with its reasons, not an error. */

const motionStatuses = ["planned", "late", "unreachable", "budget-exhausted"] as const;

const reasonKinds = ["out-of-reach", "collision", "too-fast", "line", "limits", "budget", "unproven"] as const;

const MotionReasonSchema = Type.Object(
  {
    kind: choice([...reasonKinds], { description: "What stands in the way." }),
    sentence: Type.String({ description: "The reason in words, with names and figures." }),
    bodies: Type.Optional(
      Type.Array(Type.String(), { minItems: 2, maxItems: 2, description: "The two bodies that would touch." }),
    ),
    goal: Type.Optional(Type.Integer({ description: "Index of the goal." })),
    distance: Type.Optional(Type.Number({ description: "Amount [m]." })),
    time: Type.Optional(Type.Number({ description: "When on the motion, or how much too late [s]." })),
  },
  { title: "MotionReason", description: "Why there is no motion." },
);

const JointPeakSchema = Type.Object(
  {
    joint: Type.String(),
    velocity: Type.Number({ description: "Greatest speed [rad/s or m/s]." }),
    acceleration: Type.Number({ description: "Greatest acceleration [rad/s² or m/s²]." }),
    jerk: Type.Number({ description: "Greatest jerk [rad/s³ or m/s³]." }),
    torque: Type.Number({ description: "Greatest torque or force, by inverse dynamics [N·m or N]." }),
    torqueRatio: Type.Optional(Type.Number({ description: "The same as a share of the joint's limit." })),
  },
  { title: "JointPeak", description: "The greatest of each joint on the way." },
);

const ExportsSchema = Type.Object(
  {
    csv: Type.Optional(Type.String({ description: "Time, positions, velocities and accelerations, a row a sample." })),
    ros: Type.Optional(Type.Unknown({ description: "A trajectory_msgs/JointTrajectory as JSON." })),
    ur: Type.Optional(Type.String({ description: "Program with cubic spline points: positions and velocities." })),
  },
  { title: "MotionExports", description: "The motion in the formats asked for." },
);

const MotionStatisticsSchema = Type.Object(
  {
    planner: choice([...motionPlanners], { description: "What found the motion; `auto` if nothing did." }),
    samples: Type.Integer({ description: "Configurations that were looked at." }),
    attempts: Type.Integer({ description: "Motions that were checked." }),
    milliseconds: Type.Number({ description: "Time spent planning [ms]; 0 where no clock was given." }),
  },
  { title: "MotionStatistics", description: "What the motion took." },
);

export const MotionAnswerSchema = Type.Object(
  {
    status: choice([...motionStatuses], {
      description:
        "`planned` and `late` carry a verified motion; `late` arrives after the time asked for. `budget-exhausted`: none was found in the time allowed; `unreachable`: there is none that the planners could find.",
    }),
    robot: Type.String(),
    groups: Type.Array(Type.String(), { maxItems: 16 }),
    from: Type.Optional(
      Type.Number({
        description: "Instant from which the motion holds, on the clock of the running one [s]; 0 without one.",
      }),
    ),
    arrival: Type.Optional(Type.Number({ description: "When it is there, from its start [s]." })),
    late: Type.Optional(Type.Number({ description: "How much later than asked for [s]." })),
    goal: Type.Optional(Type.Integer({ description: "Index of the goal that it reaches." })),
    joints: Type.Optional(
      Type.Array(Type.Number(), { maxItems: 256, description: "Joint positions at the end [rad or m]." }),
    ),
    framePosition: Type.Optional(vector("Where the goal's frame is at the end, in the world [m].")),
    frameQuaternion: Type.Optional(
      Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: "Its orientation (x, y, z, w)." }),
    ),
    motion: Type.Optional(ClosedMotionSchema),
    pathLength: Type.Optional(Type.Number({ description: "Length of the way in joint space [rad]." })),
    clearance: Type.Optional(
      Type.Number({
        description: "Least distance of any checked pair of bodies, at samples of the way [m]; none beyond 0.15.",
      }),
    ),
    toolSpeed: Type.Optional(
      Type.Number({ description: "Greatest speed of the goal's frame, at samples of the way [m/s]." }),
    ),
    peaks: Type.Optional(Type.Array(JointPeakSchema, { maxItems: 256 })),
    verified: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 16,
        description:
          "What the last check found right before the motion left: `start`, `goal`, `limits`, and `motion` where the robot has bodies.",
      }),
    ),
    samples: Type.Optional(SampledMotionSchema),
    exports: Type.Optional(ExportsSchema),
    reasons: Type.Optional(
      Type.Array(MotionReasonSchema, { maxItems: 100, description: "Why there is no motion, or why it is late." }),
    ),
    statistics: MotionStatisticsSchema,
  },
  { title: "MotionAnswer", description: "The motion, or why there is none." },
);

export type MotionAnswer = Static<typeof MotionAnswerSchema>;
export type MotionStatus = MotionAnswer["status"];
export type MotionReason = Static<typeof MotionReasonSchema>;
export type JointPeak = Static<typeof JointPeakSchema>;
