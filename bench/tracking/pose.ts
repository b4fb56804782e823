import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { fullChallenges } from "../../src/simulation/head-motion/challenges.js";
import { type BenchContext, type Metrics, percentiles } from "../harness.js";
import { CYCLE, ShakenHead, WARM_UP } from "./shaken-head.js";
import { ShakenThrows } from "./shaken-throws.js";

/**
 * The head's pose with the IMU and without, over seeded hasty catches that shake it as the design page says, and what
 * that does to the prediction of the ball. `shake_gain` is the ratio of the prediction errors without and with the IMU,
 * on a head that vibrates, bends and slips; `shake_gain_vibration_alone` on one that only vibrates.
 */
export function measureHeadPose({ seed, full, progress }: BenchContext): Metrics {
  const throws = full ? 400 : 100;
  progress(`head pose over ${throws} throws with a shaking head`);
  const robot = loadRobot("agile-justin");
  const shaken = new ShakenThrows(robot, seed, fullChallenges);
  for (let id = 0; id < throws; id++) shaken.run(id);
  progress("the same with a head that vibrates but neither bends nor slips");
  const vibrating = new ShakenThrows(robot, seed, { ...fullChallenges, deflection: 0, slip: 0 });
  for (let id = 0; id < throws / 2; id++) vibrating.run(id);
  return {
    shake_throws: throws,
    ...shaken.metrics(),
    shake_gain_vibration_alone: vibrating.metrics().shake_gain!,
    ...timeUpdates(robot, seed),
  };
}

/** Microseconds of one IMU sample, corrections included, and of one estimate. */
function timeUpdates(robot: Robot, seed: number): Metrics {
  const head = new ShakenHead(robot, { seed });
  const { on } = head.filters;
  const updates: number[] = [];
  const queries: number[] = [];
  const add = head.imu;
  head.imu = (sample) => {
    const start = performance.now();
    add(sample);
    updates.push((performance.now() - start) * 1e3);
  };
  for (let time = 0.1; time < WARM_UP + CYCLE; time += 0.04) {
    head.advance(time);
    const start = performance.now();
    head.estimate("on", on.newest - 0.04);
    queries.push((performance.now() - start) * 1e3);
  }
  const settled = (all: number[]): Float64Array => Float64Array.from(all.slice(all.length / 2));
  return { ...percentiles("pose_update_us", settled(updates)), ...percentiles("pose_query_us", settled(queries)) };
}
