import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { BallPrediction } from "./arm-planner.js";

/** The robot as it was commanded to be, in model order. */
export interface CommandedJoints {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
}

/** How a run sees. Both methods are called once a tick, with the simulated time [ns]. */
export interface Perception {
  /** The world has moved on to `nowNs`, the robot being commanded so. */
  observe(nowNs: number, commanded: CommandedJoints): void;
  /** What has become known since the last tick: predictions of balls, in the order in which they arrive. */
  step(nowNs: number): readonly BallPrediction[];
  /** The newest measured head; null where nothing measures it. */
  head(): HeadMeasurement | null;
}
