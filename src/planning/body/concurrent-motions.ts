import { JointRamps } from "../../motion/joint-ramps.js";
import type { Robot } from "../../robot/robot.js";
import { MonitorForecast } from "../../safety/forecast/monitor-forecast.js";

/** Ten times what a catch takes; a motion that needs more is a near miss, and counts as contact. */
const MOST_SAMPLES = 200;

/**
 * Checks motions that happen at once, of two arms or of an arm and the body that carries it: that at no time anything
 * touches, by the whole robot's collision bodies, nor the self-collision monitor brakes.
 */
export class ConcurrentMotions {
  readonly #check: MonitorForecast;
  readonly #ramps: JointRamps;

  /** `dofs` are those of each motion. */
  constructor(robot: Robot, dofs: readonly (readonly number[])[]) {
    const all = dofs.flat();
    this.#check = new MonitorForecast(robot, all, { maxSamples: MOST_SAMPLES });
    this.#ramps = new JointRamps(all.length);
  }

  /** Whether the motions, in the order of their dofs, are clear with all other joints standing in `posture`. */
  isClear(motions: readonly JointRamps[], posture: Float64Array): boolean {
    return this.#check.isClear(this.#ramps.join(motions), posture);
  }

  /** The bodies that came too near in the last check, indices of `robot.hulls`; −1 where none did. */
  get contact(): readonly [number, number] {
    return [this.#check.bodyA, this.#check.bodyB];
  }
}
