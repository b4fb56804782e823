import Type, { type Static } from "typebox";
import { ClosedMotionSchema } from "./closed-motion-schema.js";
import { CatchModeSchema } from "./request.js";
import { choice, vector } from "./request-parts.js";

/** What planning answers. A ball that cannot be caught is a normal answer with its reasons, not an error. */

const RampSchema = Type.Object(
  {
    joint: Type.String({ description: "Joint name." }),
    q0: Type.Number({ description: "Position at t = 0 [rad or m]." }),
    w0: Type.Number({ description: "Velocity at t = 0 [rad/s or m/s]." }),
    ab: Type.Number({ description: "Acceleration until tb, braking to the speed limit; 0 if the start keeps it." }),
    tb: Type.Number({ description: "End of that first braking phase [s]; 0 if there is none." }),
    a: Type.Number({ description: "Acceleration from tb to t1; −a from t2 to T [rad/s² or m/s²]." }),
    t1: Type.Number({ description: "End of the acceleration [s]; constant speed from here." }),
    t2: Type.Number({ description: "Start of the deceleration [s]." }),
    T: Type.Number({ description: "End of the motion, at rest [s]." }),
    q: Type.Number({ description: "Position at the end [rad or m]." }),
    peakTorque: Type.Number({ description: "Greatest torque or force on the way, by inverse dynamics [N·m or N]." }),
    torqueRatio: Type.Optional(Type.Number({ description: "The same as a share of the joint's limit." })),
  },
  { title: "Ramp", description: "Motion of one joint in closed form." },
);

const CatchSchema = Type.Object(
  {
    time: Type.Number({ description: "When ball and hand meet: the grasp time [s]." }),
    arrival: Type.Number({ description: "When the hand is there, at rest [s]; before `time` in mode `cool`." }),
    joints: Type.Array(Type.Number(), {
      maxItems: 256,
      description: "Joint positions at the catch, in the group's order [rad or m].",
    }),
    handPosition: vector("Catch frame's position in the world at the catch [m]."),
    handQuaternion: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: "Catch frame's orientation in the world at the catch (x, y, z, w).",
    }),
    ballPosition: vector("Ball's position in the world at the catch [m]."),
    ballVelocity: vector("Ball's velocity in the world at the catch [m/s]."),
  },
  { title: "Catch", description: "Where, when and how hand and ball meet." },
);

const reasonKinds = [
  "out-of-reach",
  "too-fast",
  "orientation",
  "keep-out",
  "collision",
  "overshoot",
  "no-flight",
  "budget",
] as const;

const ReasonSchema = Type.Object(
  {
    kind: choice([...reasonKinds], { description: "Which constraint is violated." }),
    sentence: Type.String({ description: "The reason in words, with figures." }),
    distance: Type.Optional(Type.Number({ description: "Amount [m]." })),
    time: Type.Optional(Type.Number({ description: "Amount [s]." })),
    angle: Type.Optional(Type.Number({ description: "Amount [rad]." })),
    joint: Type.Optional(Type.String({ description: "The joint that is too slow or leaves its range." })),
    shape: Type.Optional(Type.String({ description: "The keep-out shape that is entered." })),
    at: Type.Optional(Type.Number({ description: "Time of the best candidate [s]." })),
  },
  { title: "Reason", description: "Why the ball cannot be caught." },
);

/** What torso and platform do for a catch. */
const bodyMoves = ["none", "moved", "stayed"] as const;

const planStatuses = ["solved", "feasible", "unreachable", "budget-exhausted"] as const;

/** At the highest rate, for the longest motion. */
const mostSamples = 100_000;
const sample = Type.Array(Type.Number(), { maxItems: 256 });

export const SampledMotionSchema = Type.Object(
  {
    time: Type.Array(Type.Number(), { maxItems: mostSamples, description: "[s]" }),
    position: Type.Array(sample, {
      maxItems: mostSamples,
      description: "Per time, in the order of `ramps` [rad or m].",
    }),
    velocity: Type.Array(sample, { maxItems: mostSamples, description: "The same [rad/s or m/s]." }),
  },
  { title: "SampledMotion", description: "The motion sampled in time, if requested." },
);

const StatisticsSchema = Type.Object(
  {
    solver: choice(["sqp", "nlopt"], { description: "Which solver polished the starts." }),
    starts: Type.Integer({ description: "Starts that were polished." }),
    iterations: Type.Integer({ description: "Iterations of the solver, in all." }),
    evaluations: Type.Integer({ description: "Evaluations of the problem, in all." }),
    milliseconds: Type.Number({ description: "Time spent planning [ms]; 0 where no clock was given." }),
  },
  { title: "PlanStatistics", description: "What the plan took." },
);

export const PlanAnswerSchema = Type.Object(
  {
    status: choice([...planStatuses], {
      description:
        "`solved` and `feasible` carry a verified plan; `feasible` is not proven optimal. `budget-exhausted`: none was found in the time allowed.",
    }),
    robot: Type.String(),
    group: Type.String({ description: "The arm that catches; for an unreachable ball the one that comes nearest." }),
    mode: CatchModeSchema,
    body: choice([...bodyMoves], {
      description:
        "`none`: the body was not asked to help, or has no rule; `moved`: torso and base move, as listed in `ramps`; `stayed`: that would gain nothing, or did not pass the check. For an unreachable ball: what its reasons were computed with.",
    }),
    catch: Type.Optional(CatchSchema),
    ramps: Type.Optional(
      Type.Array(RampSchema, {
        maxItems: 256,
        description:
          "The joints that move, in the group's order; where the body moves, then those of base, torso and neck.",
      }),
    ),
    motion: Type.Optional(ClosedMotionSchema),
    objective: Type.Optional(Type.Number({ description: "Value of the mode's objective." })),
    clearance: Type.Optional(
      Type.Number({ description: "Least distance of the hand to a keep-out shape [m]; none without shapes." }),
    ),
    verified: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 16,
        description:
          "What an independent check found right before the plan left: `limits`, `ramps` and `hand` always, what `verify` asked for of the rest, where the robot has bodies to check, and `body` where that moves. `hand-keep-out` is about the hand at the catch alone; `motion` is the whole robot on the whole way, against itself and, where `obstacles` is listed too, against every obstacle of sidecar and request.",
      }),
    ),
    successProbability: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Probability that the ball is within the hand's tolerances, if a covariance is known.",
      }),
    ),
    covariance: Type.Optional(
      choice(["given", "fitted", "assumed"], {
        description: "Where the covariance behind it is from: the request, its samples, or assumed (mode `sure`).",
      }),
    ),
    samples: Type.Optional(SampledMotionSchema),
    reasons: Type.Optional(
      Type.Array(ReasonSchema, {
        maxItems: 100,
        description: "Why an unreachable ball cannot be caught; the most important reason first.",
      }),
    ),
    statistics: StatisticsSchema,
  },
  { title: "PlanAnswer", description: "Where, when and how to catch the ball, or why it cannot be caught." },
);

export type PlanAnswer = Static<typeof PlanAnswerSchema>;
export type PlanStatus = PlanAnswer["status"];
export type BodyMove = PlanAnswer["body"];
export type CatchDescription = Static<typeof CatchSchema>;
export type RampDescription = Static<typeof RampSchema>;
export type SampledMotion = Static<typeof SampledMotionSchema>;
export type Reason = Static<typeof ReasonSchema>;
export type PlanStatistics = Static<typeof StatisticsSchema>;
