import type { JointRamps } from "../../motion/joint-ramps.js";
import type { RobotModel } from "../../robot/model.js";
import { PLAUSIBLE_SPEED } from "../monitor/monitor-input.js";

/** Whether ramps stay where the monitor has no other reason to brake: within the joints' limits, at attainable speeds. */
export class RampLimits {
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #fastest: Float64Array;
  readonly #least: Float64Array;
  readonly #greatest: Float64Array;

  /** `tolerance`: how far beyond its limits a joint may be commanded [rad or m]. */
  constructor({ lower, upper, maxVelocity }: RobotModel, dofs: Int32Array, tolerance: number) {
    this.#lower = Float64Array.from(dofs, (dof) => lower[dof]! - tolerance);
    this.#upper = Float64Array.from(dofs, (dof) => upper[dof]! + tolerance);
    this.#fastest = Float64Array.from(dofs, (dof) => PLAUSIBLE_SPEED * maxVelocity[dof]!);
    this.#least = new Float64Array(dofs.length);
    this.#greatest = new Float64Array(dofs.length);
  }

  contain(ramps: JointRamps): boolean {
    ramps.extremes(this.#least, this.#greatest);
    for (let i = 0; i < ramps.count; i++) {
      if (!(this.#least[i]! >= this.#lower[i]! && this.#greatest[i]! <= this.#upper[i]!)) return false;
    }
    ramps.peakSpeeds(this.#greatest);
    for (let i = 0; i < ramps.count; i++) if (!(this.#greatest[i]! <= this.#fastest[i]!)) return false;
    return true;
  }
}
