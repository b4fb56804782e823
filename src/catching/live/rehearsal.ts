import type { Robot } from "../../robot/robot.js";
import { collectGarbage } from "../../runtime/collect-garbage.js";
import { CatchRun } from "../catch-run.js";
import { createScene } from "../simulated-scene.js";

export interface RehearsalOptions {
  readonly robot: Robot;
  /** What is to be rehearsed beside coordination and control: nothing, or also head pose and tracker. */
  readonly perception: "truth" | "circles";
  readonly throws: number;
}

/** Starts of the planner's search: planning itself is practised elsewhere. */
const STARTS = 2;

/**
 * Catches some balls in lock-step, all in the calling thread, and forgets about it: a lock-step run is the same code as the
 * one in real time, so the engine has seen it at work and has optimised it when it first matters.
 */
export async function rehearse({ robot, perception, throws }: RehearsalOptions): Promise<void> {
  const seed = "rehearsal";
  const scene = await createScene({ robot, world: "kinematic", perception, seed });
  const run = new CatchRun({
    robot,
    seed,
    world: scene.world,
    planner: { starts: STARTS },
    ...(scene.perception !== undefined && { perception: scene.perception }),
  });
  for (let id = 0; id < throws; id++) run.throwBalls([id]);
  scene.world.close();
  collectGarbage();
}
