import { parentPort } from "node:worker_threads";
import { closingLead } from "../../control/hand-closing.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import { dofsBetween } from "../../planning/body/body-kinematics.js";
import { buildCatchArm, type CatchArm } from "../../planning/problem/catch-arm.js";
import type { CatchMode } from "../../planning/request/request.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { workerInput, workerReady } from "../../runtime/worker-context.js";
import { LATEST_CATCH, throwSpaceOf } from "../../simulation/throw-space.js";
import { ThrowGenerator } from "../../simulation/throws.js";
import type { ArmPlanRequest, CatchPlan } from "../arm-planner.js";
import { InlineArmPlanner } from "../inline-arm-planner.js";
import { waitingPosture } from "./live-parts.js";
import { type PlannerReply, reviveRequest } from "./plan-messages.js";

/** What the planner thread of one arm is started with. */
export interface PlannerInput {
  readonly robot: string;
  readonly arm: string;
  readonly mode: CatchMode;
  readonly starts: number;
  readonly priority: number;
}

/** Throws to practise on, so that the optimiser has settled when the first ball comes. */
const PRACTICE = 16;

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

/** Cold and warm, as for balls that were thrown at the waiting robot. */
function practise({ group, hand }: CatchArm): void {
  const throws = new ThrowGenerator(throwSpaceOf(robot), "practice");
  const carrying = dofsBetween(robot.model, robot.frames.world, group.baseLink);
  const pick = (dofs: readonly number[]) => Float64Array.from(dofs, (dof) => waiting[dof]!);
  const ramps = new JointRamps(carrying.length);
  ramps.hold(pick(carrying));
  for (let id = 0; id < PRACTICE; id++) {
    const { state } = throws.make(id, 0);
    let previous: CatchPlan | null = null;
    for (const tStart of [0.25, 0.25]) {
      const request: ArmPlanRequest = {
        id,
        mode: input.mode,
        tStart,
        q0: pick(group.dofs),
        w0: new Float64Array(group.dofs.length),
        ball: state,
        covariance: null,
        lastSeen: 0.1,
        carrier: { ramps, start: tStart, head: null, posture: waiting },
        others: { dofs: [], ramps: new JointRamps(0) },
        earliest: tStart + closingLead(hand.closingTime),
        latest: LATEST_CATCH,
        previous,
      };
      previous = ask(request).answer.plan;
    }
  }
}

practise(arm);
if (input.priority > 0) requestRealTime(input.priority);
parentPort?.on("message", (request: ArmPlanRequest) => parentPort?.postMessage(ask(reviveRequest(request))));
workerReady();
