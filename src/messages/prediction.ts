import { flag, i32 } from "../transport/channels/field.js";
import { type MessageOf, meaning, message, optional, type Plain, records } from "../transport/message.js";
import { ballCovariance, ballState, seconds } from "./fields.js";

export const ball = {
  track: meaning(i32, "identity of the ball"),
  state: meaning(ballState, "in the world; its flight follows by gravity, drag and lift"),
  covariance: meaning(optional(ballCovariance), "of position, velocity and drag; null where the state is exact"),
  lastSeen: meaning(seconds, "exposure of the newest image that went into it [s]"),
  confirmed: meaning(flag, "whether it was seen often enough to act on it"),
} as const;

/** A ball as perception gives it. */
export type BallPrediction = Plain<typeof ball>;

/** Balls that are known at a time at most. */
export const MAX_BALLS = 16;

export const Predictions = message("Predictions", 2, "All balls that are known at one moment.", {
  balls: records(ball, MAX_BALLS),
});
export type Predictions = MessageOf<typeof Predictions>;
