import { parentPort } from "node:worker_threads";
import { attachChannel, type ChannelHandle } from "../../channels/channel.js";
import { SyncGroup } from "../../channels/sync-group.js";
import { ControlPanel } from "../../control/control-panel.js";
import { Handover, type MotionPlan } from "../../control/motion-execution.js";
import { handoverOf, type PlanFacts, plainMotion, writePlan } from "../../control/plan-codec.module.js";
import { BallPrediction as PredictionPacket } from "../../messages/ball-prediction.js";
import { Event, Severity } from "../../messages/event.js";
import { HeadPose } from "../../messages/head-pose.js";
import { JointCommand } from "../../messages/joint-command.js";
import { JointState } from "../../messages/joint-state.js";
import { Plan } from "../../messages/plan.js";
import { PlanAnswer } from "../../messages/plan-answer.js";
import { PlanHandover } from "../../messages/plan-handover.js";
import { carriedDofs } from "../../planning/body/carried-dofs.js";
import type { CatchArm } from "../../planning/problem/catch-arm.js";
import type { CatchMode } from "../../planning/request/request.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { onStop, workerInput, workerReady } from "../../runtime/worker-context.js";
import { NO_TRACK } from "../../tracking/events/tracker-event.js";
import { Heartbeats } from "../../transport/heartbeats.js";
import { AdaptiveTimes } from "../adaptive-times.js";
import type { ArmPlanner, BallPrediction } from "../arm-planner.js";
import type { BodyUse } from "../body-helper.js";
import type { CatchTimes } from "../catch-times.js";
import { defaultCommitment } from "../commitment.js";
import type { AfterCatch } from "../coordinator-options.js";
import { CatchDirector } from "../director.js";
import type { PlannerTimings } from "../inline-arm-planner.js";
import { MotionMirror } from "../motion-mirror.js";
import { ObservedArmPlanner } from "../observed-arm-planner.js";
import type { ArmState } from "../stage/stage-messages.js";
import { armStates } from "../stage/state-words.js";
import { writeAnswer } from "./answer-codec.module.js";
import { type CoordinatorReport, reportAttempt } from "./attempt-report.js";
import { Gaze } from "./gaze.js";
import { HeadMemory } from "./head-memory.js";
import type { LiveHandles } from "./live-channels.module.js";
import { LivePart } from "./live-input.js";
import { livePartsOf } from "./live-parts.js";
import { PartStatus } from "./part-status.module.js";
import { readPrediction } from "./prediction-codec.module.js";
import { rehearse } from "./rehearsal.js";
import { WorkerArmPlanner } from "./worker-arm-planner.module.js";

/** What the coordinator's thread is started with. */
export interface CoordinatorInput {
  readonly robot: string;
  readonly arms: readonly string[];
  readonly posture: Float64Array;
  readonly clock: ClockOrigin;
  readonly channels: LiveHandles;
  readonly states: ChannelHandle;
  readonly commands: ChannelHandle;
  readonly panel: SharedArrayBuffer;
  readonly heartbeats: SharedArrayBuffer;
  /** See `Gaze`. */
  readonly gaze: SharedArrayBuffer;
  readonly times: CatchTimes;
  readonly mode: CatchMode;
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  readonly latestCatch: number;
  readonly starts: number;
  /** Whether the chest's place is taken from the measured head, or the plan is believed. */
  readonly chest: "measured" | "planned";
  /** Real-time priority of this thread; 0: none. */
  readonly priority: number;
  /** Nice value of the planners. */
  readonly plannerNice: number;
}

/** What may be asked of the thread by a message: its report, its states, another mode, that a planner dies (for tests). */
export type CoordinatorRequest =
  | "report"
  | "forget"
  | "disclose"
  | { readonly mode: CatchMode }
  | { readonly kill: string };

/** What it answers. */
export type CoordinatorMessage = CoordinatorReport | { readonly disclosure: readonly ArmState[] };

/** Longest sleep between two looks around [ms]. */
const LOOK_MS = 2;
/** Predictions of one moment come one by one; so long after the first all are there [ms]. */
const GATHER_MS = 1;

/** From the end of a search to its answer [s]: the last check of a plan, or the reasons why there is none. */
const LAST_CHECKS = 0.008;

/** Throws to rehearse before the first that counts. */
const REHEARSAL = 4;

/** Leads the catches in real time: a `CatchDirector` between channels. */
class CoordinatorThread {
  readonly #input = workerInput<CoordinatorInput>();
  readonly #robot = loadRobot(this.#input.robot);
  readonly #parts = livePartsOf(this.#robot, this.#input.arms);
  readonly #clock = clockFrom(this.#input.clock);
  readonly #mirror = new MotionMirror(this.#input.posture, this.#parts.parts, this.#input.times.tickNs / 1e9);
  readonly #times = new AdaptiveTimes(this.#input.times);
  readonly #panel = new ControlPanel(this.#input.panel);
  readonly #heartbeats = new Heartbeats(this.#input.heartbeats);
  readonly #gaze = new Gaze(this.#input.gaze);
  readonly #predictions = attachChannel(this.#input.channels.predictions, PredictionPacket).openGetPort("every");
  readonly #handovers = attachChannel(this.#input.channels.handovers, PlanHandover).openGetPort("every");
  readonly #heads = attachChannel(this.#input.channels.head, HeadPose).openGetPort("newest");
  readonly #states = attachChannel(this.#input.states, JointState).openGetPort("every");
  readonly #commands = attachChannel(this.#input.commands, JointCommand).openGetPort("every");
  readonly #plans = attachChannel(this.#input.channels.plans, Plan).openPutPort();
  readonly #answers = attachChannel(this.#input.channels.answers, PlanAnswer).openPutPort();
  readonly #events = attachChannel(this.#input.channels.events, Event).openPutPort();
  readonly #status = new PartStatus(this.#input.channels.status, "coordinator");
  readonly #head: HeadMemory | null;
  readonly #timings: PlannerTimings = { coldMs: [], fruitlessMs: [], warmMs: [] };
  readonly #planners = new Map<string, WorkerArmPlanner>();
  readonly #lastCommand: Float64Array = Float64Array.from(this.#input.posture);
  readonly #lastVelocity = new Float64Array(this.#input.posture.length);
  #director: CatchDirector | null = null;
  #halts = 0;
  #releases = 0;
  #isStopped = false;

  constructor() {
    this.#head = this.#input.chest === "measured" ? new HeadMemory(carriedDofs(this.#robot)) : null;
  }

  async start(): Promise<void> {
    const { robot, mode, starts, clock, times, plannerNice: nice } = this.#input;
    const transport = times.transportNs / 1e9 + LAST_CHECKS;
    const watcher = {
      searched: (durationNs: number) => this.#times.searched(durationNs),
      ended: (arm: string) => this.#tell(Severity.error, "planner-died", `the planner of ${arm} died`),
      restarted: (arm: string) => this.#tell(Severity.info, "planner-restarted", `${arm} has a planner again`),
    };
    const now = () => this.#clock.nowNs();
    const { status } = this.#input.channels;
    const start = ({ group: { name: arm } }: CatchArm) => {
      const own = new PartStatus(status, `planner ${arm}`);
      return WorkerArmPlanner.start(
        { robot, arm, mode, starts, clock, transport, nice },
        this.#timings,
        now,
        watcher,
        own,
      );
    };
    const planners = await Promise.all(this.#parts.arms.map(start));
    for (const [k, { group }] of this.#parts.arms.entries()) this.#planners.set(group.name, planners[k]!);
    this.#director = this.#createDirector();
  }

  #createDirector(): CatchDirector {
    const { mode, body, afterCatch, latestCatch } = this.#input;
    const director = new CatchDirector({
      robot: this.#robot,
      arms: this.#parts.arms.map((arm) => ({ arm, planner: this.#observed(arm.group.name) })),
      motion: this.#mirror.motion,
      send: (part, plan) => this.#send(part, plan),
      head: () => this.#head?.measurement() ?? null,
      waiting: this.#parts.waiting,
      body,
      times: this.#times,
      mode,
      afterCatch,
      latestCatch,
      commitment: defaultCommitment,
    });
    for (const [arm, { machine }] of director.coordinators) {
      machine.watch(({ from, event, to }) => this.#tell(Severity.info, "state", `${arm}: ${from} → ${to} (${event})`));
    }
    director.start(this.#clock.nowNs());
    return director;
  }

  /** An arm's planner, whose answers anybody may listen to. */
  #observed(arm: string): ArmPlanner {
    return new ObservedArmPlanner(this.#planners.get(arm)!, (request, askedNs, answer, nowNs) => {
      const track = this.#director?.coordinators.get(arm)?.subject ?? NO_TRACK;
      writeAnswer({ arm, track, askedNs, request, answer }, nowNs, this.#answers.reserve());
      this.#answers.publish();
    });
  }

  #send(part: string, plan: MotionPlan): void {
    const motionPart = this.#parts.parts.find(({ name }) => name === part);
    if (motionPart === undefined) return;
    const nowNs = this.#clock.nowNs();
    writePlan(motionPart, plan, this.#factsOf(part), this.#plans.reserve());
    this.#mirror.sent(part, plan, nowNs);
    this.#plans.publish();
  }

  #factsOf(part: string): PlanFacts {
    const coordinator = this.#director?.coordinators.get(part);
    const plan = coordinator?.offered ?? null;
    if (coordinator?.subject == null || plan === null) return plainMotion;
    const { tCatch, objective, successProbability } = plan;
    return {
      track: coordinator.subject,
      tCatch,
      objective,
      successProbability: successProbability ?? Number.NaN,
    };
  }

  /** Looks around whenever something comes, and every few milliseconds, until stopped. */
  async run(): Promise<void> {
    const table = this.#input.channels.predictions.syncTable;
    if (table === null) return;
    const group = new SyncGroup(table, [this.#predictions, this.#handovers]);
    while (!this.#isStopped) {
      const port = await group.waitAsync(LOOK_MS);
      if (port === this.#predictions) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      this.#look();
      this.#tellStatus();
    }
    group.close();
  }

  #look(): void {
    const director = this.#director!;
    const nowNs = this.#clock.nowNs();
    this.#heartbeats.beat(LivePart.coordinator);
    this.#mirror.advance(nowNs / 1e9);
    this.#takeJoints();
    this.#watchStops(director, nowNs);
    this.#takeHandovers(director, nowNs);
    const predictions = this.#takePredictions();
    if (predictions.length > 0) director.receive(predictions, nowNs);
    director.step(nowNs);
    this.#gaze.areArmsBusy = !director.isWaiting;
    for (const { track } of predictions) if (director.isGrasped(track)) this.#gaze.grasped(track);
    this.#status.worked((this.#clock.nowNs() - nowNs) / 1e9);
  }

  #tellStatus(): void {
    const nowNs = this.#clock.nowNs();
    const ports = [this.#predictions, this.#handovers];
    this.#status.lost = ports.reduce((sum, { lost }) => sum + lost, 0);
    this.#status.waiting = ports.reduce((sum, { waiting }) => sum + waiting, 0);
    this.#status.step(nowNs);
    for (const planner of this.#planners.values()) planner.step(nowNs);
  }

  /** What the joints do and are told; of the head and its neck only where it is measured. */
  #takeJoints(): void {
    const head = this.#head;
    for (let packet = this.#commands.tryReceive(); packet !== null; packet = this.#commands.tryReceive()) {
      this.#lastCommand.set(packet.position.subarray(0, this.#lastCommand.length));
      this.#lastVelocity.set(packet.velocity.subarray(0, this.#lastVelocity.length));
      head?.addCommanded(packet.t.seconds, packet.position);
      this.#commands.release(packet);
    }
    for (let packet = this.#states.tryReceive(); packet !== null; packet = this.#states.tryReceive()) {
      head?.addMeasured(packet.t.seconds, packet.position);
      this.#states.release(packet);
    }
    const packet = this.#heads.tryReceive();
    if (packet === null) return;
    head?.addHead(packet.t.seconds, packet.worldFromHead);
    this.#heads.release(packet);
  }

  /** A robot that is being stopped forgets its catches; let go again, all begins from where it stands. */
  #watchStops(director: CatchDirector, nowNs: number): void {
    const { halts, releases, share } = this.#panel;
    if (halts !== this.#halts) director.halt("the robot was stopped", nowNs);
    this.#halts = halts;
    if (releases === this.#releases) return;
    this.#releases = releases;
    this.#mirror.rest(this.#lastCommand);
    director.release(share, nowNs);
  }

  #takeHandovers(director: CatchDirector, nowNs: number): void {
    for (let packet = this.#handovers.tryReceive(); packet !== null; packet = this.#handovers.tryReceive()) {
      const part = packet.group.read();
      const handover = handoverOf(packet.outcome);
      const { plan } = packet;
      this.#handovers.release(packet);
      if (!this.#mirror.handedOver(part, plan, handover)) continue;
      if (handover !== Handover.accepted) this.#tell(Severity.warning, "plan-refused", `${part}: ${handover}`);
      if (handover === Handover.mismatch) this.#correct(part);
      director.handedOver(part, handover, nowNs);
    }
    for (const part of this.#mirror.overdue(nowNs)) director.handedOver(part, Handover.stopped, nowNs);
  }

  /** We are mistaken about what control does with a part; once it is seen to hold it still, we know again. */
  #correct(part: string): void {
    const { dofs } = this.#parts.parts.find(({ name }) => name === part)!;
    if (dofs.every((dof) => this.#lastVelocity[dof] === 0)) this.#mirror.correct(part, this.#lastCommand);
  }

  /** The newest of each ball. */
  #takePredictions(): BallPrediction[] {
    const newest = new Map<number, BallPrediction>();
    for (let packet = this.#predictions.tryReceive(); packet !== null; packet = this.#predictions.tryReceive()) {
      const prediction = readPrediction(packet);
      newest.set(prediction.track, prediction);
      this.#predictions.release(packet);
    }
    return Array.from(newest.values());
  }

  report(): CoordinatorReport {
    const director = this.#director!;
    const arms = Array.from(director.coordinators, ([arm, { machine, attempt }]) => ({
      arm,
      state: machine.state,
      attempt: attempt === null ? null : reportAttempt(attempt),
    }));
    return { arms, isWaiting: director.isWaiting, timings: this.#timings, divergences: this.#mirror.divergences };
  }

  /** The arms' state machines, laid open. */
  disclose(): readonly ArmState[] {
    return armStates(this.#director!.disclose(this.#clock.nowNs()));
  }

  /** What the next plans optimise. */
  set mode(mode: CatchMode) {
    this.#director!.mode = mode;
  }

  /** From here on times count: what planning took until now is forgotten. */
  forget(): void {
    for (const times of Object.values(this.#timings)) times.length = 0;
  }

  killPlanner(arm: string): void {
    this.#planners.get(arm)?.kill();
  }

  #tell(severity: Severity, code: string, text: string): void {
    const event = this.#events.reserve();
    event.t.nanoseconds = Math.max(0, this.#clock.nowNs());
    event.severity = severity;
    event.source.write("coordinator");
    event.code.write(code);
    event.track = -1;
    event.plan = 0;
    event.text.write(text);
    this.#events.publish();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const planner of this.#planners.values()) await planner.stop();
  }
}

const { priority, robot } = workerInput<CoordinatorInput>();
await rehearse({ robot: loadRobot(robot), perception: "truth", throws: REHEARSAL });
const thread = new CoordinatorThread();
await thread.start();
if (priority > 0) requestRealTime(priority);
const running = thread.run();
parentPort?.on("message", (request: CoordinatorRequest) => {
  if (request === "report") answer(thread.report());
  else if (request === "forget") thread.forget();
  else if (request === "disclose") answer({ disclosure: thread.disclose() });
  else if ("mode" in request) thread.mode = request.mode;
  else thread.killPlanner(request.kill);
});

function answer(message: CoordinatorMessage): void {
  parentPort?.postMessage(message);
}

onStop(async () => {
  await thread.stop();
  await running;
});
workerReady();
