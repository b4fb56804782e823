import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { GetPort } from "../../channels/get-port.js";
import { HistoryRing } from "../../control/history-ring.js";
import { type Event, Severity } from "../../messages/event.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import { RealTimeClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { requestRealTimeFor, threadsOfProcess } from "../../runtime/real-time-priority.js";
import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";
import { fullChallenges, noChallenges } from "../../simulation/head-motion/challenges.js";
import { throwSpaceOf } from "../../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../../simulation/throws.js";
import { type CatchTimes, timesOf } from "../catch-times.js";
import type { PlannerTimings } from "../inline-arm-planner.js";
import type { ThrowResult } from "../run-summary.js";
import type { CoordinatorReport } from "./attempt-report.js";
import type { CameraInput } from "./camera.module.js";
import type { BrakeReport } from "./control.module.js";
import type { CoordinatorInput, CoordinatorRequest } from "./coordinator.module.js";
import { LiveChannels } from "./live-channels.module.js";
import { LiveControl, LiveRobotLink } from "./live-control.module.js";
import { type LiveOptions, liveFavour, livePriorities } from "./live-options.js";
import { livePartsOf } from "./live-parts.js";
import { liveResult } from "./live-result.js";
import { RobotProcess } from "./robot-process.module.js";
import type { WorldMessage } from "./robot-sim/world-protocol.js";
import type { SeeingInput } from "./seeing.module.js";
import type { CameraSide } from "./simulated-camera.js";
import type { TruthSeeingInput } from "./truth-seeing.module.js";
import { WorldClient } from "./world-client.module.js";
import type { WorldLinkInput } from "./world-link.module.js";

/** Something a person can follow. */
export interface LiveEvent {
  readonly time: number;
  readonly severity: Severity;
  readonly source: string;
  readonly code: string;
  readonly text: string;
}

/** Who watches a run. */
export interface LiveWatcher {
  event?(event: LiveEvent): void;
  /** What the simulated world says. */
  world?(message: WorldMessage): void;
  /** The robot was stopped; the last ticks of control, measured and commanded. */
  braked?(reason: string, history: HistoryRing): void;
}

/** From the planner's answer to the tick that takes it over, as it is here [ns]: a message, a channel and a tick. */
const TRANSPORT_NS = 6e6;
/** A throw is announced so long before its release [s]. */
const NOTICE = 0.25;
/** Throws are over by then, whatever happens [s]. */
const LONGEST_THROW = 30;
const POLL_MS = 20;

/**
 * The live demo in real time: a simulated robot in a process of its own, control, sensors, tracking, coordination and
 * planning each in a thread of its own, and throws.
 *
 * @example
 * const run = await LiveRun.start({ ...liveDefaults, robot: "agile-justin" });
 * const [result] = await run.throwBalls([0]);
 * await run.stop();
 */
export class LiveRun {
  readonly robot: Robot;
  readonly times: CatchTimes;
  readonly channels = new LiveChannels();
  readonly clock = new RealTimeClock();
  readonly #options: LiveOptions;
  readonly #watcher: LiveWatcher;
  readonly #throws: ThrowGenerator;
  readonly #workers = new Set<RunningWorker>();
  #isStopping = false;
  readonly #events: GetPort<Event>;
  readonly #verdicts = new Map<number, Extract<WorldMessage, { type: "verdict" }>>();
  readonly #released = new Map<number, number>();
  readonly #reports: ((report: CoordinatorReport) => void)[] = [];
  #process: RobotProcess | null = null;
  #link: LiveRobotLink | null = null;
  #control: LiveControl | null = null;
  #world: WorldClient | null = null;
  #coordinator: RunningWorker | null = null;
  #eventTimer: NodeJS.Timeout | undefined;
  #lastReport: CoordinatorReport | null = null;

  static async start(options: LiveOptions, watcher: LiveWatcher = {}): Promise<LiveRun> {
    const run = new LiveRun(options, watcher);
    try {
      await run.#start();
    } catch (error) {
      await run.stop();
      throw error;
    }
    return run;
  }

  private constructor(options: LiveOptions, watcher: LiveWatcher) {
    this.#options = options;
    this.#watcher = watcher;
    this.robot = loadRobot(options.robot);
    this.times = timesOf(this.robot, { transportNs: TRANSPORT_NS, ...options.times });
    this.#throws = new ThrowGenerator(throwSpaceOf(this.robot), options.seed);
    this.#events = this.channels.events.openGetPort("every");
  }

  /** Control's thread, its clock and the robot it leads. */
  get control(): LiveControl {
    if (this.#control !== null) return this.#control;
    throw new FlycatcherError("FLY_INTERNAL", "the run has not started");
  }

  /** The link to the robot. */
  get link(): LiveRobotLink {
    if (this.#link !== null) return this.#link;
    throw new FlycatcherError("FLY_INTERNAL", "the run has not started");
  }

  /** The simulated robot's process, if it is ours. */
  get robotProcess(): RobotProcess | null {
    return this.#process;
  }

  /** How long planning took. */
  get timings(): PlannerTimings {
    return this.#lastReport?.timings ?? { coldMs: [], fruitlessMs: [], warmMs: [] };
  }

  #priority(part: keyof typeof livePriorities): number {
    return this.#options.scheduling === "real-time" ? livePriorities[part] : 0;
  }

  #nice(): number {
    return this.#options.scheduling === "real-time" ? liveFavour : 0;
  }

  async #start(): Promise<void> {
    const { perception, missedCycles, spinMs, robot, seed, balls, challenges } = this.#options;
    const engine = threadsOfProcess();
    this.#eventTimer = setInterval(() => this.#tellEvents(), POLL_MS);
    const arms = livePartsOf(this.robot, this.#options.arms).arms.map(({ group }) => group.name);
    if (this.#options.address === undefined) {
      const priority = this.#priority("robot");
      this.#process = await RobotProcess.start({ robot, seed, balls, challenges, missedCycles, priority });
    }
    const address = this.#options.address ?? this.#process!.address;
    const link = await LiveRobotLink.connect(
      this.robot,
      this.clock,
      address,
      Math.max(0, this.#priority("control") - 1),
    );
    this.#link = link;
    this.#world = await WorldClient.connect(address, (message) => this.#hear(message));
    const worldLink: WorldLinkInput = {
      robot,
      address,
      clock: this.clock.origin,
      channels: this.channels.handles,
      challenges: challenges === "full" ? fullChallenges : noChallenges,
      seed,
      priority: this.#priority("world"),
    };
    await this.#startPart("catching/live/world-link", worldLink);
    await this.#startEyes(link);
    await this.#startCoordinator(arms, link);
    // Starting another program stops all threads for a moment: to be done before control runs.
    if (this.#options.scheduling === "real-time") requestRealTimeFor(engine, livePriorities.engine);
    this.#control = await LiveControl.start({
      robot: this.robot,
      arms,
      clock: this.clock,
      channels: this.channels,
      link,
      missedCycles,
      spinMs,
      priority: this.#priority("control"),
      neck: perception === "images" ? "follows" : "stands",
      onBrake: (report) => this.#braked(report),
    });
  }

  /** Starts a part's thread; another one when it dies. `began` is called with each. */
  async #startPart(
    name: string,
    workerData: unknown,
    began: (worker: RunningWorker) => void = () => undefined,
  ): Promise<void> {
    const worker = await startWorker(name, { workerData });
    const { threadId } = worker;
    this.#workers.add(worker);
    began(worker);
    void worker.exited.then(({ reason }) => {
      this.#workers.delete(worker);
      this.channels.reclaim(threadId);
      this.#link?.udp.states.reclaimThread(threadId);
      this.#link?.udp.commands.reclaimThread(threadId);
      if (this.#isStopping) return;
      this.#say(Severity.error, "part-died", `${name} ended (${reason}) and is started again`);
      this.#startPart(name, workerData, began).catch(() =>
        this.#say(Severity.error, "part-lost", `${name} cannot be started again`),
      );
    });
  }

  /** Ends a part's thread amid its work, as a fault would; `name` as in "seeing". */
  killPart(name: string): void {
    for (const worker of this.#workers) if (worker.name.endsWith(`/${name}`)) void worker.thread.terminate();
  }

  #say(severity: Severity, code: string, text: string): void {
    this.#watcher.event?.({ time: this.clock.nowSeconds(), severity, source: "run", code, text });
  }

  async #startEyes(link: LiveRobotLink): Promise<void> {
    const { robot, seed, perception } = this.#options;
    const { origin: clock } = this.clock;
    const { handles: channels } = this.channels;
    const { heartbeats, udp } = link;
    const priority = this.#priority("seeing");
    if (perception === "truth") {
      const truth: TruthSeeingInput = { clock, channels, heartbeats, times: this.times, priority };
      await this.#startPart("catching/live/truth-seeing", truth);
      return;
    }
    const seeing: SeeingInput = { robot, channels, states: udp.states.handle, heartbeats, priority };
    await this.#startPart("catching/live/seeing", seeing);
    const camera = { robot, clock, channels, times: this.times, seed, share: cameraShare(), nice: this.#nice() };
    const start = (side: CameraSide) =>
      this.#startPart("catching/live/camera", { ...camera, side } satisfies CameraInput);
    await Promise.all([start("left"), start("right")]);
  }

  async #startCoordinator(arms: readonly string[], link: LiveRobotLink): Promise<void> {
    const { robot, mode, body, afterCatch, latestCatch, starts, perception } = this.#options;
    const { udp, posture, panel, heartbeats } = link;
    const input: CoordinatorInput = {
      robot,
      arms,
      posture,
      clock: this.clock.origin,
      channels: this.channels.handles,
      states: udp.states.handle,
      commands: udp.commands.handle,
      panel,
      heartbeats,
      times: this.times,
      mode,
      body,
      afterCatch,
      latestCatch,
      starts,
      chest: perception === "images" ? "measured" : "planned",
      priority: this.#priority("coordinator"),
      plannerNice: this.#nice(),
    };
    await this.#startPart("catching/live/coordinator", input, (worker) => {
      this.#coordinator = worker;
      worker.thread.on("message", (report: CoordinatorReport) => {
        this.#lastReport = report;
        for (const resolve of this.#reports.splice(0)) resolve(report);
      });
    });
  }

  #hear(message: WorldMessage): void {
    this.#watcher.world?.(message);
    const zero = Number(this.clock.origin.monotonicZeroNs) / 1e9;
    if (message.type === "released") this.#released.set(message.ball, message.time - zero);
    if (message.type !== "verdict") return;
    this.#verdicts.set(message.ball, { ...message, time: message.time === null ? null : message.time - zero });
  }

  #braked({ reason, history }: BrakeReport): void {
    this.#watcher.braked?.(reason, HistoryRing.fromSnapshot(history));
  }

  #tellEvents(): void {
    for (let packet = this.#events.tryReceive(); packet !== null; packet = this.#events.tryReceive()) {
      this.#watcher.event?.({
        time: packet.t.seconds,
        severity: packet.severity,
        source: packet.source.read(),
        code: packet.code.read(),
        text: packet.text.read(),
      });
      this.#events.release(packet);
    }
  }

  /** What the arms are about. */
  report(): Promise<CoordinatorReport> {
    return new Promise((resolve) => {
      this.#reports.push(resolve);
      this.#ask("report");
    });
  }

  /** Lets the planner of an arm die, as a fault would. */
  killPlanner(arm: string): void {
    this.#ask({ kill: arm });
  }

  /** Cuts the wire to the simulated robot for a while [s]. */
  cutWire(duration: number): void {
    this.#world?.cutWire(duration);
  }

  #ask(request: CoordinatorRequest): void {
    this.#coordinator?.thread.postMessage(request);
  }

  /** Settles when the robot waits for balls; false if it does not come to that in `timeout` [s]. */
  async waits(timeout = LONGEST_THROW): Promise<boolean> {
    const end = this.clock.nowSeconds() + timeout;
    while (this.clock.nowSeconds() < end) {
      const report = await Promise.race([this.report(), pause(1000, null)]);
      if (report?.isWaiting && this.control.panel.isReady) return true;
      await pause(POLL_MS);
    }
    return false;
  }

  /** Throws balls of the seed's series, all at once, when the robot waits; settles when all is over. */
  async throwBalls(ids: readonly number[]): Promise<ThrowResult[]> {
    await this.waits();
    const balls = ids.map((id) => this.#release(id));
    await this.#until(() => ids.every((id) => this.#verdicts.has(id)));
    const { arms } = await this.report();
    const results = balls.map((ball) => this.#resultOf(ball, arms));
    await this.waits();
    for (const id of ids) this.#world?.removeBall(id);
    return results;
  }

  #release(id: number): Throw {
    const ball = this.#throws.make(id, this.clock.nowSeconds() + NOTICE);
    const { framePeriodNs } = this.times;
    const zero = Number(this.clock.origin.monotonicZeroNs) / 1e9;
    const time = zero + ball.state.time + (ball.framePhase * framePeriodNs) / 1e9;
    this.#verdicts.delete(id);
    this.#world?.throwBall({ ...ball, state: { ...ball.state, time } });
    return ball;
  }

  #resultOf(ball: Throw, arms: CoordinatorReport["arms"]): ThrowResult {
    const verdict = this.#verdicts.get(ball.id) ?? {
      type: "verdict",
      ball: ball.id,
      hand: null,
      time: null,
      verdict: null,
      hold: null,
    };
    return liveResult(this.robot, ball, this.#released.get(ball.id) ?? ball.state.time, verdict, arms);
  }

  async #until(isOver: () => boolean): Promise<void> {
    const end = this.clock.nowSeconds() + LONGEST_THROW;
    while (!isOver() && this.clock.nowSeconds() < end) await pause(POLL_MS);
  }

  /** The robot first, then everything else. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#control?.stop();
    await this.#link?.udp.close();
    await Promise.all(Array.from(this.#workers, (worker) => worker.stop()));
    this.#world?.close();
    await this.#process?.stop();
    clearInterval(this.#eventTimer);
    this.#tellEvents();
  }
}

/**
 * Share of a frame's period that a simulated camera may take for rendering and detecting: with two cores control, robot and
 * tracker need theirs of each.
 */
function cameraShare(): number {
  return availableParallelism() >= 6 ? 0.9 : 0.6;
}
