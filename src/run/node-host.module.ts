import { parentPort } from "node:worker_threads";
import { Reaction } from "../control/watchdog.js";
import type { Ball } from "../flight/ball.js";
import { ComponentStatus } from "../messages/report.js";
import type { DrivenGroup } from "../nodes/driver-robot.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import type { Robot } from "../robot/robot.js";
import type { RunClock } from "../runtime/clock.js";
import { collectGarbage } from "../runtime/gc-flags.js";
import { yieldInWarmUp } from "../runtime/real-time-priority.js";
import { sharedChallenges } from "../simulation/head-motion/challenges.js";
import { InjectedFaults } from "../simulation/injected-faults.js";
import { Heartbeats } from "../transport/heartbeats.js";
import type { HostInput } from "../transport/host-input.js";
import { NodeHost } from "../transport/node-host.js";
import { StopLine } from "../transport/stop-line.js";
import { workerInput } from "../transport/workers/worker-context.js";
import { NodeBuilder } from "./build-nodes.js";
import { hasEyes } from "./graph.js";
import { lockStepRun } from "./lock-step-host.js";
import type { NodeThreadMessage, RealTimeNodeData } from "./node-data.js";
import { portsOf } from "./node-library.js";
import { importOwnNodes, type OwnNodes } from "./own-nodes.js";
import { calibrated } from "./real-time-options.js";
import { drivenGroups } from "./robot-link.js";
import { RunParts, waitingPosture } from "./run-parts.js";

/** How long a watched thread may be silent [s]. It can do no harm by silence: a motion in execution ends at rest by itself. */
const PATIENCE = 0.5;
/** Ticks of control kept for the time something goes wrong. */
const HISTORY = 2000;
/** Ticks of control with all but the sending of commands, before the first that counts: the optimiser settles. */
const WARM_UP_TICKS = 200;
/** Starts of the planner's search in the warm-up: planners have one of their own. */
const WARM_UP_STARTS = 2;

function post(message: NodeThreadMessage): void {
  parentPort?.postMessage(message);
}

/** Catches some balls in lock-step, all in this thread, with the classes that will run in it. */
async function warmUp(
  robot: Robot,
  ball: Ball,
  { perception, throws }: NonNullable<RealTimeNodeData["warmUp"]>,
): Promise<void> {
  const run = await lockStepRun({
    robot,
    ball,
    world: "kinematic",
    perception,
    seed: "warm-up",
    planner: { starts: WARM_UP_STARTS },
  });
  for (let id = 0; id < throws; id++) await run.throwBalls([id]);
  await run.close();
}

interface OwnParts {
  readonly nodes: OwnNodes;
  readonly drivers: readonly DrivenGroup[];
}

function builderOf(
  input: HostInput<RealTimeNodeData>,
  robot: Robot,
  clock: RunClock,
  { nodes, drivers }: OwnParts,
): NodeBuilder {
  const { data } = input;
  const { settings, arms, times, posture, address, cameraShare, monitor, watched } = data;
  const { perception } = settings;
  const waiting = waitingPosture(robot);
  const faults = new InjectedFaults(data.faults);
  const heartbeats = new Heartbeats(input.heartbeats);
  const stopLine = new StopLine(data.stopLine);
  return new NodeBuilder({
    ...settings,
    arms,
    times,
    robot,
    truth: robot,
    made: new RunParts(robot, waiting),
    waiting,
    posture: posture ?? waiting,
    challenges: sharedChallenges(data.challenges),
    simulated: null,
    clock,
    stopLine,
    nodes,
    chest: hasEyes(perception) ? "measured" : "planned",
    realTime: {
      clock,
      stopLine,
      address,
      drivers,
      cameraShare,
      isFrozen: (side, time) => faults.isFrozen(side, time),
      isImuSilent: (time) => faults.isImuSilent(time),
      control: {
        history: HISTORY,
        monitor,
        watched: watched.map(({ name }) => ({ name, patience: PATIENCE, reaction: Reaction.finish })),
        takeBeat: (part) => heartbeats.takeBeat(watched[part]!.part),
        warmUpTicks: WARM_UP_TICKS,
        onBegin: collectGarbage,
        onBrake: (cycle, reason) => post({ type: "braked", reason, history: cycle.history.snapshot() }),
      },
    },
  });
}

const input = workerInput<HostInput<RealTimeNodeData>>();
// A thread that takes the place of another in a run that goes on is wanted at once.
const isFirst = Atomics.load(new Int32Array(input.gate), 0) === 0;
if (isFirst && (input.scheduling.priority > 0 || input.scheduling.nice !== 0)) yieldInWarmUp();
const robot = loadRobot(input.data.robot, calibrated(input.data));
if (input.data.warmUp !== null) await warmUp(robot, input.data.settings.ball, input.data.warmUp);
const host = new NodeHost(input, portsOf, ComponentStatus);
const here = input.graph.nodes.filter(({ placement }) => placement === input.placement).map(({ name }) => name);
const nodes = await importOwnNodes(input.data.nodes, here);
const drivers = here.includes("robot") ? await drivenGroups(input.data.drivers) : [];
const builder = builderOf(input, robot, host.clock, { nodes, drivers });
await host.build((name, kind, { wiring, wake }) => builder.build(name, kind, wiring, wake));
const grant = host.schedule();
if (grant !== null) post({ type: "scheduled", ...grant });
await host.run();
