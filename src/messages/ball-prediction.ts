import { described, flag, i32, time } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { ballFields } from "./parts.js";

/** The state of a tracked ball; its flight follows from it by gravity and drag. */
export const BallPrediction = packet("BallPrediction", 1, {
  track: described(i32, "identity of the ball"),
  tState: described(time, "time the state holds for [ns]"),
  tLastMeasurement: described(time, "exposure of the newest image that went into it [ns]"),
  ...ballFields,
  confirmed: described(flag, "whether it flies as only a thrown ball does"),
});
export type BallPrediction = PacketView<typeof BallPrediction>;
