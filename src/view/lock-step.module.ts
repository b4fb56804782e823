import { loadRobot } from "../robot/loading/load-robot.js";
import { lockStepRun } from "../run/lock-step-host.js";
import { falseAlarmEvent } from "../run/throw-record.js";
import { FlycatcherError } from "../runtime/errors.js";
import { systemThread } from "../runtime/thread-load.js";
import { type Challenges, challengesOf } from "../simulation/head-motion/challenges.js";
import type { Throw } from "../simulation/world/throws.js";
import { Heartbeats } from "../transport/heartbeats.js";
import {
  postToParent,
  stopRequested,
  takeParentMessages,
  workerInput,
  workerReady,
} from "../transport/workers/worker-context.js";
import type { LockStepInput, LockStepReport, LockStepRequest } from "./lock-step-messages.js";
import { LockStepSystem } from "./lock-step-system.js";
import { Pace } from "./pace.js";
import { createPosePacket, encodePosePacket } from "./pose-packet.js";
import { View } from "./view.js";
import { viewPorts } from "./view-ports.js";

/** What is published again and again, so often at most [ms of the wall clock]. */
const periodsMs = { pose: 15, state: 100, safety: 150, swept: 100 } as const;

/** Between two reports of a node that fails [ms of the wall clock]. */
const FAILURE_MS = 1000;

/** Thrown out of a tick when the thread is asked to end amid a throw. */
const ENDED = new FlycatcherError("FLY_INTERNAL", "the run was ended");

const input = workerInput<LockStepInput>();
const { robot: name, pace: paceMemory, heartbeats: heartbeatMemory, ...settings } = input;
const heartbeats = new Heartbeats(heartbeatMemory);
const pace = new Pace(paceMemory);
const robot = loadRobot(name);
const wallMs = () => performance.now();
const challenges: { -readonly [name in keyof Challenges]: number } = { ...challengesOf(settings.thrower.kind) };
const waitingThrows: (readonly Throw[])[] = [];

const run = await lockStepRun({
  ...settings,
  robot,
  challenges,
  onTick: (nowNs) => afterTick(nowNs),
  onNodeError: (node, error) => reportFailure(node, error),
});
const system = new LockStepSystem(run, post);
const view = new View(robot, run.parts, viewPorts(run, "tapped"), {
  publish: (message) => {
    system.note(message);
    post({ type: "message", message });
  },
  publishImage: (image) => post({ type: "image", image }),
});
const pose = createPosePacket(robot.model.dofCount, robot.hands.length);
let wantsSwept = false;
/** When failures were reported last, by node [ms of the wall clock]. */
const failures = new Map<string, number>();
const next = { pose: 0, state: 0, safety: 0, swept: 0 };

function post(report: LockStepReport): void {
  postToParent(report);
}

/** A node that fails is stepped again: one that fails at each tick is reported now and then. */
function reportFailure(node: string, error: unknown): void {
  const wall = wallMs();
  if (wall < (failures.get(node) ?? Number.NEGATIVE_INFINITY) + FAILURE_MS) return;
  failures.set(node, wall);
  const text = `${node} failed: ${error instanceof Error ? error.message : String(error)}`;
  const time = run.nowNs / 1e9;
  post({
    type: "message",
    message: { type: "event", time, severity: "error", source: node, code: "node-failed", text },
  });
}

/** Publishes what the tick gave, and waits until it is time for the next. */
function afterTick(nowNs: number): void {
  view.poll(nowNs);
  publishRegularly(nowNs, wallMs());
  system.look(nowNs, wallMs());
  pace.keep(nowNs / 1e6, wallMs, takeRequests);
}

/** Whether it is time to publish this once more. */
function isDue(what: keyof typeof periodsMs, wall: number): boolean {
  if (wall < next[what]) return false;
  next[what] = wall + periodsMs[what];
  return true;
}

function publishRegularly(nowNs: number, wall: number): void {
  const time = nowNs / 1e9;
  if (view.hasNewState) next.state = wall;
  if (isDue("state", wall)) {
    const state = view.state(time);
    if (state !== null) post({ type: "message", message: state });
  }
  if (isDue("pose", wall) && view.pose(nowNs, pose)) post({ type: "pose", bytes: encodePosePacket(pose) });
  if (isDue("safety", wall)) post({ type: "message", message: view.safety(time) });
  if (wantsSwept && isDue("swept", wall)) {
    const volumes = view.swept();
    if (volumes !== null) post({ type: "swept", volumes });
  }
}

/** The thread never comes back to its event loop: requests are fetched. */
function takeRequests(): void {
  heartbeats.beat(0);
  if (stopRequested()) throw ENDED;
  system.endTrace(wallMs());
  takeParentMessages(handle);
}

function handle(request: LockStepRequest): void {
  switch (request.type) {
    case "throw":
      waitingThrows.push(request.balls);
      break;
    case "mode":
      run.setMode(request.mode);
      break;
    case "challenges":
      Object.assign(challenges, request.challenges);
      break;
    case "colour":
      run.setBallColour(request.colour);
      break;
    case "reset":
      run.release();
      break;
    case "images":
      view.wantsImages = request.wanted;
      break;
    case "swept":
      wantsSwept = request.wanted;
      break;
    case "fields":
      system.fields = request.fields;
      break;
    case "trace":
      system.beginTrace(request.seconds, wallMs());
  }
}

/** Throws what is to be thrown; lets time pass otherwise. */
async function play(): Promise<void> {
  post({ type: "thread", thread: systemThread(), graph: run.graph });
  while (!stopRequested()) {
    const throws = waitingThrows.shift();
    if (throws === undefined) {
      const wait = run.host.advance();
      if (wait !== undefined) await wait;
      continue;
    }
    const before = run.falseAlarms.length;
    const results = await run.throwAll(throws);
    for (const alarm of run.falseAlarms.slice(before)) {
      post({ type: "message", message: { type: "event", ...falseAlarmEvent(alarm) } });
    }
    for (const result of results) post({ type: "result", time: run.nowNs / 1e9, result });
    if (waitingThrows.length === 0) post({ type: "idle" });
  }
}

workerReady();
try {
  await play();
} catch (error) {
  if (error !== ENDED) throw error;
} finally {
  await run.close();
}
