import { catchGroups } from "../../planning/problem/catch-arm.js";
import { Planner } from "../../planning/request/plan-catch.js";
import type { PlanRequest } from "../../planning/request/request.js";
import { type Finding, finding } from "../../robot/report/finding.js";
import type { Robot } from "../../robot/robot.js";
import { type Throw, ThrowGenerator, throwSpaceOf } from "../../simulation/world/throws.js";

/** When the robot starts to move, after a ball is released [s]: three camera frames and what it takes to plan. */
const HEAD_START = 0.25;
/** Share of the throws below which a robot hardly catches anything. */
const POOR = 0.1;

/** How many of some throws at the robot have a verified catch from its posture `ready`. */
export function countCatchable(robot: Robot, throws: number, seed: number | string = "check"): number {
  const planner = new Planner({ robots: { get: () => robot }, clock: null });
  const generator = new ThrowGenerator(throwSpaceOf(robot), seed);
  const requests = Array.from({ length: throws }, (_, id) => requestFor(robot, generator.make(id, -HEAD_START)));
  return requests.filter((request) => planner.plan(request).catch !== undefined).length;
}

function requestFor({ name }: Robot, { state }: Throw): PlanRequest {
  const { time, position, velocity } = state;
  return {
    robot: name,
    group: "any",
    ball: { frame: "world", state: { time, position: [...position], velocity: [...velocity] } },
  };
}

/** Whether the robot can catch anything of what is thrown at it. */
export function checkReach(robot: Robot, throws: number): Finding[] {
  if (catchGroups(robot).length === 0 || !robot.postures.has("ready") || throws === 0) return [];
  const count = countCatchable(robot, throws);
  if (count >= POOR * throws) return [];
  const said = `Of ${throws} throws at the robot ${count} can be caught from the posture \`ready\`.`;
  const repair = `flycatcher robot posture ${robot.name} --at x,y,z --facing x,y,z --write ready`;
  return [finding(count === 0 ? "error" : "warning", "reach", said, repair)];
}
