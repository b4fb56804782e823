import Type, { type Static } from "typebox";
import { CatchModeSchema } from "./request.js";

/** What planning answers. A ball that cannot be caught is a normal answer with its reasons, not an error. */

const vector = (description: string) => Type.Tuple([Type.Number(), Type.Number(), Type.Number()], { description });

export const RampSchema = Type.Object(
  {
    joint: Type.String({ description: "Joint name." }),
    q0: Type.Number({ description: "Position at t = 0 [rad or m]." }),
    w0: Type.Number({ description: "Velocity at t = 0 [rad/s or m/s]." }),
    a: Type.Number({ description: "Acceleration until t1; −a after t2 [rad/s² or m/s²]." }),
    tb: Type.Number({ description: "End of a first braking phase to the speed limit [s]; 0 if the start keeps it." }),
    t1: Type.Number({ description: "End of the acceleration [s]." }),
    t2: Type.Number({ description: "Start of the deceleration [s]." }),
    T: Type.Number({ description: "End of the motion, at rest [s]." }),
    q: Type.Number({ description: "Position at the end [rad or m]." }),
    peakTorque: Type.Number({ description: "Greatest torque or force by inverse dynamics [N·m or N]." }),
  },
  { description: "Motion of one joint in closed form." },
);

export const CatchSchema = Type.Object({
  time: Type.Number({ description: "When ball and hand meet: the grasp time [s]." }),
  arrival: Type.Number({ description: "When the hand is there, at rest [s]; before `time` in mode `cool`." }),
  joints: Type.Array(Type.Number(), { description: "Joint positions at the catch, in the group's order." }),
  handPosition: vector("Catch frame's position, in the world at the catch [m]."),
  handQuaternion: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()], {
    description: "Catch frame's orientation in the world at the catch (x, y, z, w).",
  }),
  ballPosition: vector("Ball's position in the world at the catch [m]."),
  ballVelocity: vector("Ball's velocity in the world at the catch [m/s]."),
});

export const ReasonSchema = Type.Object(
  {
    kind: Type.Union(
      ["out-of-reach", "too-fast", "orientation", "keep-out", "collision", "overshoot", "no-flight", "budget"].map(
        (k) => Type.Literal(k),
      ),
    ),
    sentence: Type.String({ description: "The reason in words, with figures." }),
    distance: Type.Optional(Type.Number({ description: "By how much [m]." })),
    time: Type.Optional(Type.Number({ description: "By how much [s]." })),
    joint: Type.Optional(Type.String({ description: "The joint that is too slow." })),
  },
  { description: "Why the ball cannot be caught." },
);

export const PlanAnswerSchema = Type.Object(
  {
    status: Type.Union(
      [Type.Literal("solved"), Type.Literal("feasible"), Type.Literal("unreachable"), Type.Literal("budget-exhausted")],
      { description: "`solved` and `feasible` carry a verified plan; `feasible` is not proven optimal." },
    ),
    robot: Type.String(),
    group: Type.String({ description: "The arm that catches." }),
    mode: CatchModeSchema,
    catch: Type.Optional(CatchSchema),
    ramps: Type.Optional(Type.Array(RampSchema)),
    objective: Type.Optional(Type.Number({ description: "Value of the mode's objective." })),
    clearance: Type.Optional(Type.Number({ description: "Least distance of the hand to a keep-out shape [m]." })),
    successProbability: Type.Optional(
      Type.Number({ description: "Probability that the ball is within the hand's tolerances, given its covariance." }),
    ),
    samples: Type.Optional(
      Type.Object({
        time: Type.Array(Type.Number()),
        position: Type.Array(Type.Array(Type.Number()), { description: "Per time, in the order of `ramps`." }),
        velocity: Type.Array(Type.Array(Type.Number())),
      }),
    ),
    reasons: Type.Optional(Type.Array(ReasonSchema, { description: "Why not, for an unreachable ball." })),
    statistics: Type.Object({
      starts: Type.Integer({ description: "Starts that were polished." }),
      iterations: Type.Integer({ description: "Iterations of the solver, in all." }),
      evaluations: Type.Integer({ description: "Evaluations of the problem, in all." }),
      milliseconds: Type.Number({ description: "Time spent planning [ms]." }),
    }),
  },
  { $id: "PlanAnswer" },
);

export type PlanAnswer = Static<typeof PlanAnswerSchema>;
export type RampDescription = Static<typeof RampSchema>;
export type Reason = Static<typeof ReasonSchema>;
