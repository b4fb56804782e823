import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { systemThread } from "../../runtime/thread-load.js";
import { stopRequested, workerInput, workerReady } from "../../runtime/worker-context.js";
import { type Challenges, fullChallenges } from "../../simulation/head-motion/challenges.js";
import type { Throw } from "../../simulation/throws.js";
import { CatchRun } from "../catch-run.js";
import { createScene } from "../simulated-scene.js";
import type { LockStepInput, LockStepRequest, LockStepWord } from "./lock-step-messages.js";
import { LockStepView } from "./lock-step-view.js";
import { Pace } from "./pace.js";
import { severityName } from "./state-words.js";

/** Thrown out of a tick when the thread is asked to end amid a throw. */
const ENDED = new FlycatcherError("FLY_INTERNAL", "the run was ended");

const input = workerInput<LockStepInput>();
const robot = loadRobot(input.robot);
const pace = new Pace(input.pace);
const wallMs = () => performance.now();
const view = new LockStepView(robot, wallMs, tell);
const challenges: { -readonly [name in keyof Challenges]: number } = { ...fullChallenges };
const waitingThrows: (readonly Throw[])[] = [];
/** What `CatchRun` asks for by its number. */
const balls = new Map<number, Throw>();

const scene = await createScene({
  robot,
  perception: input.perception,
  world: input.world,
  balls: input.balls,
  seed: input.seed,
  challenges,
  images: "kept",
  observer: view,
  onEvent: ({ time, severity, code, text }) =>
    tell({
      type: "message",
      message: { type: "event", time, severity: severityName(severity), source: "tracker", code, text },
    }),
});
const run = new CatchRun({
  robot,
  world: scene.world,
  ...(scene.perception !== undefined && { perception: scene.perception }),
  ...(input.arms !== undefined && { arms: input.arms }),
  body: input.body,
  mode: input.mode,
  seed: input.seed,
  afterCatch: input.afterCatch,
  latestCatch: input.latestCatch,
  planner: { starts: input.starts },
  throws: { make: (id, time) => released(balls.get(id), time) },
  observer: view,
  onTick: (time) => pace.keep(1e3 * time, wallMs, takeRequests),
});
view.run = run;

function released(ball: Throw | undefined, time: number): Throw {
  if (ball === undefined) throw new FlycatcherError("FLY_INTERNAL", "a ball that nobody threw");
  return { ...ball, state: { ...ball.state, time } };
}

function tell(word: LockStepWord): void {
  parentPort?.postMessage(word);
}

/** The thread never comes back to its event loop: requests are fetched. */
function takeRequests(): void {
  if (stopRequested()) throw ENDED;
  if (parentPort === null) return;
  for (let got = receiveMessageOnPort(parentPort); got !== undefined; got = receiveMessageOnPort(parentPort)) {
    heed(got.message as LockStepRequest);
  }
}

function heed(request: LockStepRequest): void {
  switch (request.type) {
    case "throw":
      waitingThrows.push(request.balls);
      break;
    case "mode":
      run.director.mode = request.mode;
      break;
    case "challenges":
      Object.assign(challenges, request.challenges);
      break;
    case "stop":
      run.hold();
      break;
    case "reset":
      run.letGo();
      break;
    case "images":
      view.wantsImages = request.wanted;
      break;
    case "swept":
      view.wantsSwept = request.wanted;
  }
}

/** Throws what is to be thrown; lets time pass otherwise. */
function play(): void {
  tell({ type: "thread", thread: systemThread() });
  tell({ type: "idle" });
  while (!stopRequested()) {
    const next = waitingThrows.shift();
    if (next === undefined) {
      run.advance();
      continue;
    }
    for (const ball of next) balls.set(ball.id, ball);
    run.throwBalls(next.map(({ id }) => id));
    for (const { id } of next) balls.delete(id);
    if (waitingThrows.length === 0) tell({ type: "idle" });
  }
}

workerReady();
try {
  play();
} catch (error) {
  if (error !== ENDED) throw error;
} finally {
  scene.world.close();
}
