import * as vec3 from "../../math/vec3.js";
import type { BallTracker } from "../../tracking/ball-tracker.js";
import { beliefCovariance, beliefState, STATE_SIZE } from "../../tracking/filter/ball-belief.js";
import type { BallPrediction } from "../arm-planner.js";

/** What a tracker knows of all its balls, as copies that may travel. */
export function predictionsOf(tracker: BallTracker): BallPrediction[] {
  return tracker.tracks.slice(0, tracker.trackCount).map(({ id, belief, confirmed, lastMeasurement }) => ({
    track: id,
    state: beliefState(belief, { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 }),
    covariance: beliefCovariance(belief, new Float64Array(STATE_SIZE * STATE_SIZE)),
    lastSeen: lastMeasurement,
    confirmed,
  }));
}
