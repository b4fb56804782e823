import type { Random } from "../../../src/math/random.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import type { RobotState } from "../../../src/robot/state.js";

/** Intervals of all dofs. */
export interface Box {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Intervals about `q`, up to `widest` to either side; some of width zero. */
export function randomBox(random: Random, q: Float64Array, widest: number): Box {
  const width = (): number => (random.uniform() < 0.2 ? 0 : random.uniformIn(0, widest));
  return { low: q.map((x) => x - width()), high: q.map((x) => x + width()) };
}

/** Puts the robot somewhere in the box, at an end of each interval as often as not. */
export function sampleBox(random: Random, { low, high }: Box, state: RobotState): void {
  for (let i = 0; i < low.length; i++) {
    const choice = random.uniform();
    state.q[i] = choice < 0.35 ? low[i]! : choice < 0.7 ? high[i]! : random.uniformIn(low[i]!, high[i]!);
  }
  forwardKinematics(state);
}
