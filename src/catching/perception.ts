import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { BallPrediction } from "./arm-planner.js";

/** How a run sees. Called once a tick, with the simulated or real time [ns]. */
export interface Perception {
  /** What has become known since the last tick: predictions of balls, in the order in which they arrive. */
  step(nowNs: number): readonly BallPrediction[];
  /** The newest measured head; null where nothing measures it. */
  head(): HeadMeasurement | null;
}
