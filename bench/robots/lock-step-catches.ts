import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";

/** Throws that a robot is given at most for each that its arm can reach. */
const TRIES = 6;

/**
 * Balls that a robot catches in lock-step physics, its balls seen as points: of `count` for which it planned a catch, or of
 * `TRIES` times as many thrown.
 */
export async function countCaught(source: string, seed: number, count: number): Promise<CaughtCount> {
  const run = await lockStepRun({ robot: loadRobot(source), world: "physics", perception: "points", seed });
  try {
    let planned = 0;
    let caught = 0;
    for (let id = 0; id < count * TRIES && planned < count; id++) {
      const [result] = await run.throwBalls([id]);
      if (result === undefined || result.outcome === "no-plan") continue;
      planned++;
      if (result.outcome === "caught") caught++;
    }
    return { planned, caught };
  } finally {
    await run.close();
  }
}

export interface CaughtCount {
  readonly planned: number;
  readonly caught: number;
}
