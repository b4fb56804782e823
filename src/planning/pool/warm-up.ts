import { Random } from "../../math/random.js";
import type { Robot } from "../../robot/robot.js";
import { catchGroups } from "../problem/catch-arm.js";
import { exampleRequest } from "../request/example-request.js";
import type { Planner } from "../request/plan-catch.js";
import { catchModes, type PlanRequest } from "../request/request.js";

/** How far the velocity of a warm-up throw may differ from that of the robot's example [m/s]. */
const SPREAD = 0.3;

/**
 * Plans throws at the robots in turn, in all modes, so that the first real request finds compiled code: a search with and
 * without the body's help, and a solve from its catch.
 */
export function warmUp(planner: Planner, robots: readonly Robot[], rounds: number): void {
  const examples = robots.filter((robot) => catchGroups(robot).length > 0).map(exampleRequest);
  if (examples.length === 0) return;
  const random = new Random("warm-up");
  for (let round = 0; round < rounds; round++) {
    const turn = Math.floor(round / examples.length);
    const request = varied(examples[round % examples.length]!, random);
    const body = turn % 2 === 0 ? "none" : "rule";
    const mode = catchModes[turn % catchModes.length]!;
    const { group, catch: caught } = planner.plan({ ...request, mode, body });
    if (caught === undefined) continue;
    const near = { joints: caught.joints, time: caught.time };
    planner.plan({ ...request, mode, body, group, near });
  }
}

function varied(request: PlanRequest, random: Random): PlanRequest {
  const { state } = request.ball;
  if (state === undefined) return request;
  const velocity = state.velocity.map((component) => component + random.uniformIn(-SPREAD, SPREAD));
  return { ...request, ball: { ...request.ball, state: { ...state, velocity } } };
}
