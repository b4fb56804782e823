import { array, choice, described, f64, flag, i32, struct, time, u8, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { joints, maxJoints, name, pose, rampFields } from "./parts.js";
import { CatchMode } from "./plan-request.js";

/** How planning ended; `solved` and `feasible` carry a motion. */
export const PlanStatus = { solved: 0, feasible: 1, unreachable: 2, "budget-exhausted": 3 } as const;
export type PlanStatus = (typeof PlanStatus)[keyof typeof PlanStatus];

/**
 * A motion to catch a ball. Joint i of the model runs its ramp if `moves[i]` is 1 and stays under its former command
 * otherwise; arm, torso, base and neck are told apart by their place in the model alone. All ramps begin at tStart.
 */
export const Plan = packet("Plan", 2, {
  id: u32,
  request: described(u32, "request it answers"),
  track: described(i32, "ball to be caught"),
  group: described(name, "joints that catch"),
  mode: choice(CatchMode),
  status: choice(PlanStatus),
  verified: described(flag, "whether an independent check found it right"),
  supersedes: described(u32, "plan it replaces; 0 for none"),
  tStart: described(time, "when the motion begins [ns]"),
  tCatch: described(time, "when the hand has arrived [ns]"),
  tGrasp: described(time, "when ball and hand meet [ns]"),
  closesHand: described(flag, "whether the hand closes; else it opens as the motion begins"),
  tClose: described(time, "when the hand is told to close [ns]"),
  count: described(u16, "degrees of freedom in use"),
  moves: described(array(u8, maxJoints), "1 for the joints that this plan moves"),
  ramps: struct({
    ...rampFields,
    end: described(joints, "position from T on [rad or m]"),
  }),
  worldFromHand: described(pose, "catch frame at tGrasp"),
  objective: described(f64, "value of the mode's objective"),
  successProbability: described(f64, "0 to 1; NaN if the covariance is not known"),
});
export type Plan = PacketView<typeof Plan>;
