import * as pose from "../../math/pose.js";
import type { HeadPose } from "../../messages/sensing.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import type { OutPort } from "../../transport/port.js";

/** Cameras that stand still have one pose, which the tracker gets for each exposure. */
export class StandingHead {
  readonly #poses: OutPort<HeadPose>;
  readonly #worldFromHead: pose.Pose;
  #lastNs = Number.NEGATIVE_INFINITY;

  constructor({ model, frames }: Robot, poses: OutPort<HeadPose>) {
    this.#poses = poses;
    this.#worldFromHead = relativePose(stateAt(model), frames.world ?? 0, frames.head!, pose.create());
  }

  expose({ exposureNs, timeNs }: { readonly exposureNs: number; readonly timeNs: number }): void {
    if (exposureNs <= this.#lastNs) return;
    this.#lastNs = exposureNs;
    const worldFromHead = pose.copy(this.#worldFromHead, pose.create());
    const still = { twist: new Float64Array(6), covariance: new Float64Array(36) };
    this.#poses.put({ time: exposureNs / 1e9, worldFromHead, ...still }, timeNs);
  }
}
