import { parentPort } from "node:worker_threads";
import { closingLead } from "../../control/hand-closing.js";
import { RobotMotion } from "../../control/robot-motion.js";
import { buildCatchArm, type CatchArm } from "../../planning/problem/catch-arm.js";
import type { CatchMode } from "../../planning/request/request.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { requestFavour } from "../../runtime/real-time-priority.js";
import { workerInput, workerReady } from "../../runtime/worker-context.js";
import { LATEST_CATCH, throwSpaceOf } from "../../simulation/throw-space.js";
import { ThrowGenerator } from "../../simulation/throws.js";
import type { ArmPlanRequest } from "../arm-planner.js";
import { BodyHelper } from "../body-helper.js";
import { InlineArmPlanner } from "../inline-arm-planner.js";
import { livePartsOf, waitingPosture } from "./live-parts.js";
import { type PlannerReply, reviveRequest } from "./plan-messages.js";

/** What the planner thread of one arm is started with. */
export interface PlannerInput {
  readonly robot: string;
  readonly arm: string;
  readonly mode: CatchMode;
  readonly starts: number;
  /** Nice value to ask for; 0: none. */
  readonly nice: number;
}

/** Throws to practise on, so that the optimiser has settled when the first ball comes. */
const PRACTICE = 24;

const input = workerInput<PlannerInput>();
const robot = loadRobot(input.robot);
const waiting = waitingPosture(robot);
const arm = buildCatchArm(robot, input.arm, waiting);
const planner = new InlineArmPlanner(arm, waiting, { starts: input.starts });

function ask(request: ArmPlanRequest): PlannerReply {
  const begun = performance.now();
  planner.submit(request, 0);
  const answer = planner.collect();
  if (answer === null) throw new Error("an inline planner answers at once");
  return { answer, planningMs: performance.now() - begun };
}

/** Cold and warm, as for balls that were thrown at the waiting robot, with the body's help. */
function practise({ group, hand }: CatchArm): void {
  const throws = new ThrowGenerator(throwSpaceOf(robot), "practice");
  const { parts } = livePartsOf(robot);
  const helper = new BodyHelper(arm, new RobotMotion(waiting, parts), () => null, waiting);
  const q0 = Float64Array.from(group.dofs, (dof) => waiting[dof]!);
  const w0 = new Float64Array(group.dofs.length);
  for (let id = 0; id < PRACTICE; id++) {
    const { state: ball } = throws.make(id, 0);
    const times = { tStart: 0.25, earliest: 0.25 + closingLead(hand.closingTime), latest: LATEST_CATCH };
    const surroundings = helper.surroundings({ ball, ...times, kind: "first" }, "rule");
    const question = { id, mode: input.mode, q0, w0, ball, covariance: null, lastSeen: 0.1, ...times, ...surroundings };
    const previous = ask({ ...question, previous: null }).answer.plan;
    if (previous !== null) ask({ ...question, previous });
  }
}

practise(arm);
if (input.nice !== 0) requestFavour(input.nice);
parentPort?.on("message", (request: ArmPlanRequest) => parentPort?.postMessage(ask(reviveRequest(request))));
workerReady();
