import { Flight } from "../../flight/flight.js";
import type { FlightPath } from "../../flight/flight-path.js";
import * as pose from "../../math/pose.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { KeepOutSet } from "../problem/keep-out.js";
import { type ArmTask, describeFlight, FLIGHT_MARGIN, refuseUnflyable } from "../request/arm-task.js";
import type { ResolvedRequest } from "../request/resolve-request.js";
import { BodyRule } from "./body-rule.js";
import { baseFromLinksAt } from "./moving-base-links.js";
import { MovingBasePath } from "./moving-base-path.js";

/** The tasks of one arm on a body that may help. */
export interface CarriedTasks {
  /** With the body doing what its rule says; null where it would not help. */
  readonly helped: ArmTask | null;
  /** With the body standing or, where it moves at the start, coming to rest. */
  readonly resting: ArmTask;
}

/**
 * What a request means for an arm whose body may help: `armTask`, built for a base that stands as at the start, and seen
 * from the base as it will move. What is known of the ball, and so the probability of success, stays as reckoned in the
 * base's frame at the start: it is a matter of distances in the world, which no motion of the robot changes.
 */
export function carryArmTask(resolved: ResolvedRequest, armTask: ArmTask): CarriedTasks {
  const { robot, start } = resolved;
  const rule = resolved.body === "rule" ? BodyRule.of(robot, armTask.arm.group, resolved) : null;
  if (rule === null) return { helped: null, resting: armTask };
  const { earliest, latest } = armTask.task;
  const flight = flightInWorld(resolved);
  const isMoving = rule.dofs.some((dof) => start.qd[dof] !== 0);
  const carry = (ramps: JointRamps) => carriedBy(resolved, armTask, flight, rule.dofs, ramps);
  const decision = earliest <= latest ? rule.decide(start, flight, earliest, latest) : null;
  return {
    helped: decision?.moves === true ? carry(decision.ramps) : null,
    resting: isMoving ? carry(rule.rest(start)) : { ...armTask, body: "stayed" },
  };
}

/** The ball's flight in the world. */
function flightInWorld(resolved: ResolvedRequest): Flight {
  const { robot, start } = resolved;
  const worldFromRoot = pose.invert(start.worldFromLink[robot.frames.world]!, pose.create());
  const { ball, gravity, flightBegin, flightEnd } = describeFlight(resolved, worldFromRoot);
  const flight = new Flight({ duration: Math.max(flightEnd, ball.time) - flightBegin + FLIGHT_MARGIN });
  refuseUnflyable(flight.reset(ball, gravity, flightBegin, flightEnd));
  return flight;
}

/** The task as seen from a base that moves by `ramps`; keep-out shapes and bodies are where they are on its arrival. */
function carriedBy(
  { robot, start, keepOut }: ResolvedRequest,
  armTask: ArmTask,
  flight: FlightPath,
  dofs: readonly number[],
  ramps: JointRamps,
): ArmTask {
  const { earliest, latest } = armTask.task;
  const begin = Math.max(0, earliest);
  const end = Math.max(begin, latest) + FLIGHT_MARGIN / 2;
  const path = new MovingBasePath(robot, armTask.arm.group.baseLink, { duration: end - begin + FLIGHT_MARGIN });
  refuseUnflyable(path.reset(flight, { ramps, start: 0 }, null, begin, end));
  const posture = start.q.slice();
  path.placeBody(ramps.duration, posture);
  const shapes = KeepOutSet.compile(keepOut, baseFromLinksAt(robot, path, posture, ramps.duration));
  return {
    ...armTask,
    body: "moved",
    question: { ...armTask.question, posture },
    task: { ...armTask.task, path, keepOut: shapes },
    carrier: { dofs, ramps, flight, path },
  };
}
