import { parentPort } from "node:worker_threads";
import { buildCatchArm } from "../../planning/problem/catch-arm.js";
import type { CatchMode } from "../../planning/request/request.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { collectGarbage } from "../../runtime/collect-garbage.js";
import { requestFavour } from "../../runtime/real-time-priority.js";
import { systemThread } from "../../runtime/thread-load.js";
import { workerInput, workerReady } from "../../runtime/worker-context.js";
import type { ArmPlanRequest } from "../arm-planner.js";
import { InlineArmPlanner } from "../inline-arm-planner.js";
import { PlannerPractice } from "../planner-practice.js";
import { waitingPosture } from "../waiting-posture.js";
import { type PlannerReply, reviveRequest } from "./plan-messages.js";

/** What the planner thread of one arm is started with. */
export interface PlannerInput {
  readonly robot: string;
  readonly arm: string;
  readonly mode: CatchMode;
  readonly starts: number;
  readonly clock: ClockOrigin;
  /** From the answer to control [s]. */
  readonly transport: number;
  /** Nice value to ask for; 0: none. */
  readonly nice: number;
}

/** Throws to practise on: after some thirty, planning becomes no faster. */
const PRACTICE = 40;

const input = workerInput<PlannerInput>();
const robot = loadRobot(input.robot);
const waiting = waitingPosture(robot);
const arm = buildCatchArm(robot, input.arm, waiting);
const runClock = clockFrom(input.clock);
/** While the planner practises, the clock stands still: practice throws are not of today. */
let isPractising = true;
const planner = new InlineArmPlanner(arm, waiting, {
  starts: input.starts,
  deadline: { clock: () => (isPractising ? 0 : runClock.nowSeconds()), transport: input.transport },
});

const thread = systemThread();

function ask(request: ArmPlanRequest): PlannerReply {
  const begun = performance.now();
  planner.submit(request, 0);
  const answer = planner.collect();
  if (answer === null) throw new Error("an inline planner answers at once");
  return { answer, planningMs: performance.now() - begun, thread };
}

/** Questions are cloned as on their way between threads: objects of another make would have to be optimised for anew. */
function practise(): void {
  const practice = new PlannerPractice(arm, waiting, input.mode);
  for (let id = 0; id < PRACTICE; id++) {
    practice.play(id, (request) => ask(reviveRequest(structuredClone(request))).answer);
  }
  isPractising = false;
  collectGarbage();
}

if (input.nice !== 0) requestFavour(input.nice);
practise();
parentPort?.on("message", (request: ArmPlanRequest) => parentPort?.postMessage(ask(reviveRequest(request))));
workerReady();
