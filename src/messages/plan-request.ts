import { choice, described, f64, flag, i32, struct, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { ballFields, joints, name } from "./parts.js";

/** What a catch is to be best at. */
export const CatchMode = { soft: 0, latest: 1, cool: 2, sure: 3 } as const;
export type CatchMode = (typeof CatchMode)[keyof typeof CatchMode];

/** A job for a planner. All that a worker needs travels in it, so that any worker gives the same answer. */
export const PlanRequest = packet("PlanRequest", 1, {
  id: u32,
  track: described(i32, "ball to be caught"),
  group: described(name, "joints that catch; empty for any"),
  mode: choice(CatchMode),
  tRequest: described(time, "when it was asked [ns]"),
  tDeadline: described(time, "when the answer is of no more use [ns]"),
  tStart: described(time, "when the motion begins [ns]"),
  count: described(u16, "degrees of freedom in use"),
  q0: described(joints, "commanded position at tStart [rad or m]"),
  w0: described(joints, "commanded velocity at tStart [rad/s or m/s]"),
  tState: described(time, "time the ball's state holds for [ns]"),
  tLastMeasurement: described(time, "exposure of the newest image in it [ns]"),
  ball: struct(ballFields),
  bodyMoves: described(flag, "whether torso and base may help"),
  maxIterations: described(u32, "budget of the solver, for runs that must not depend on time; 0 for none"),
  maxStarts: described(u32, "starts of the global search; 0 for a warm start only"),
  supersedes: described(u32, "plan to begin the search from and to replace; 0 for none"),
  warmStart: struct({
    isGiven: flag,
    q: described(joints, "joint positions at the catch [rad or m]"),
    t: described(f64, "catch, after tStart [s]"),
  }),
});
export type PlanRequest = PacketView<typeof PlanRequest>;
