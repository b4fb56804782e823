import * as vec3 from "../../math/vec3.js";
import type { BallPrediction as Packet } from "../../messages/ball-prediction.js";
import type { BallPrediction } from "../arm-planner.js";

/** A prediction as algorithms have it, in memory of its own. */
export function readPrediction(packet: Readonly<Packet>): BallPrediction {
  return {
    track: packet.track,
    state: {
      time: packet.tState.seconds,
      position: vec3.copy(packet.position, vec3.create()),
      velocity: vec3.copy(packet.velocity, vec3.create()),
      drag: packet.drag,
    },
    covariance: packet.covariance[0] === 0 ? null : Float64Array.from(packet.covariance),
    lastSeen: packet.tLastMeasurement.seconds,
    confirmed: packet.confirmed,
  };
}

/** Writes a prediction; an exact one has a covariance of zero. */
export function writePrediction(prediction: BallPrediction, out: Packet): void {
  const { track, state, covariance, lastSeen, confirmed } = prediction;
  out.track = track;
  out.tState.seconds = state.time;
  out.tLastMeasurement.seconds = lastSeen;
  vec3.copy(state.position, out.position);
  vec3.copy(state.velocity, out.velocity);
  out.drag = state.drag;
  if (covariance === null) out.covariance.fill(0);
  else out.covariance.set(covariance);
  out.confirmed = confirmed;
}
