import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { HistoryRing } from "../../control/history-ring.js";
import { Severity } from "../../messages/event.js";
import type { CatchMode } from "../../planning/request/request.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import { calmEngine } from "../../runtime/calm-engine.js";
import { RealTimeClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { requestRealTimeFor, threadsOfProcess } from "../../runtime/real-time-priority.js";
import { favourSession } from "../../runtime/session-favour.js";
import { fullChallenges, noChallenges } from "../../simulation/head-motion/challenges.js";
import { throwSpaceOf } from "../../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../../simulation/throws.js";
import { type CatchTimes, timesOf } from "../catch-times.js";
import type { PlannerTimings } from "../inline-arm-planner.js";
import type { ThrowResult } from "../run-summary.js";
import type { ArmState } from "../stage/stage-messages.js";
import type { CoordinatorReport } from "./attempt-report.js";
import type { CameraInput } from "./camera.module.js";
import type { BrakeReport } from "./control.module.js";
import type { CoordinatorInput } from "./coordinator.module.js";
import { CoordinatorClient } from "./coordinator-client.module.js";
import { EventReader } from "./event-reader.module.js";
import { LiveChannels } from "./live-channels.module.js";
import { LiveControl, LiveRobotLink } from "./live-control.module.js";
import { LiveFaults } from "./live-faults.module.js";
import { type LiveOptions, liveFavours, livePriorities } from "./live-options.js";
import { type LiveParts, livePartsOf } from "./live-parts.js";
import { LiveThrows, LONGEST_THROW } from "./live-throws.module.js";
import type { LiveWatcher } from "./live-watcher.js";
import { PartThreads } from "./part-threads.module.js";
import { RobotProcess } from "./robot-process.module.js";
import type { SeeingInput } from "./seeing.module.js";
import type { CameraSide } from "./simulated-camera.js";
import type { TruthSeeingInput } from "./truth-seeing.module.js";
import type { WorldLinkInput } from "./world-link.module.js";

/** From the planner's answer to the tick that takes it over, as it is here [ns]: a message, a channel and a tick. */
const TRANSPORT_NS = 6e6;
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
  /** Faults to be brought about, for tests and shows. */
  readonly faults: LiveFaults;
  readonly #options: LiveOptions;
  readonly #watcher: LiveWatcher;
  readonly #parts: LiveParts;
  readonly #generator: ThrowGenerator;
  readonly #threads = new PartThreads({
    ended: (threadId) => this.#reclaim(threadId),
    died: (name, reason) => this.#say(Severity.error, "part-died", `${name} ended (${reason}) and is started again`),
    lost: (name) => this.#say(Severity.error, "part-lost", `${name} cannot be started again`),
  });
  readonly #coordinator = new CoordinatorClient();
  readonly #events: EventReader;
  #process: RobotProcess | null = null;
  #link: LiveRobotLink | null = null;
  #control: LiveControl | null = null;
  #throws: LiveThrows | null = null;
  #unfavour: () => void = () => undefined;

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
    this.#parts = livePartsOf(this.robot, options.arms);
    this.times = timesOf(this.robot, { transportNs: TRANSPORT_NS, ...options.times });
    this.#generator = new ThrowGenerator(throwSpaceOf(this.robot), options.seed);
    this.#events = new EventReader(this.channels.events, (event) => this.#watcher.event?.(event));
    this.faults = new LiveFaults({
      clock: this.clock,
      channels: this.channels,
      parts: this.#parts.parts,
      threads: this.#threads,
      coordinator: this.#coordinator,
      throws: () => started(this.#throws),
    });
  }

  /** The arms that catch. */
  get arms(): readonly string[] {
    return this.#parts.arms.map(({ group }) => group.name);
  }

  /** Control's thread, its clock and the robot it leads. */
  get control(): LiveControl {
    return started(this.#control);
  }

  /** The link to the robot. */
  get link(): LiveRobotLink {
    return started(this.#link);
  }

  /** The simulated robot's process, if it is ours. */
  get robotProcess(): RobotProcess | null {
    return this.#process;
  }

  /** How long planning took. */
  get timings(): PlannerTimings {
    return this.#coordinator.timings;
  }

  #priority(part: keyof typeof livePriorities): number {
    return this.#options.scheduling === "real-time" ? livePriorities[part] : 0;
  }

  #nice(part: keyof typeof liveFavours): number {
    return this.#options.scheduling === "real-time" ? liveFavours[part] : 0;
  }

  /** One part after the other: to practise they all want the machine to themselves. */
  async #start(): Promise<void> {
    const isRealTime = this.#options.scheduling === "real-time";
    if (isRealTime) this.#unfavour = favourSession(liveFavours.session);
    calmEngine();
    const engine = threadsOfProcess().filter((thread) => thread !== String(process.pid));
    const address = this.#options.address ?? (await this.#startRobot()).address;
    this.#throws = await LiveThrows.connect(address, this.robot, this.clock, this.times, (message) =>
      this.#watcher.world?.(message),
    );
    const priority = Math.max(0, this.#priority("control") - 1);
    const link = await LiveRobotLink.connect(this.robot, this.clock, address, priority);
    this.#link = link;
    this.#warmUp("planners practise on throws");
    await this.#startCoordinator(link);
    await this.#threads.start("catching/live/world-link", this.#worldLinkInput(address));
    await this.#startEyes(link);
    // Starting another program stops all threads for a moment: to be done before control runs.
    if (isRealTime) requestRealTimeFor(engine, livePriorities.engine);
    this.#warmUp("control leads the robot in thought");
    await this.#startControl(link);
    this.#say(Severity.info, "ready", "the robot waits for balls");
  }

  #warmUp(what: string): void {
    this.#say(Severity.info, "warming-up", `warming up: ${what}`);
  }

  async #startRobot(): Promise<RobotProcess> {
    const { missedCycles, robot, seed, balls, challenges } = this.#options;
    this.#warmUp("the simulated robot begins to move");
    const priority = this.#priority("robot");
    this.#process = await RobotProcess.start({ robot, seed, balls, challenges, missedCycles, priority });
    return this.#process;
  }

  #worldLinkInput(address: WorldLinkInput["address"]): WorldLinkInput {
    const { robot, seed, challenges } = this.#options;
    return {
      robot,
      address,
      clock: this.clock.origin,
      channels: this.channels.handles,
      faults: this.faults.memory,
      challenges: challenges === "full" ? fullChallenges : noChallenges,
      seed,
      priority: this.#priority("world"),
    };
  }

  async #startControl(link: LiveRobotLink): Promise<void> {
    const { perception, missedCycles, spinMs } = this.#options;
    this.#control = await LiveControl.start({
      robot: this.robot,
      arms: this.arms,
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

  async #startEyes(link: LiveRobotLink): Promise<void> {
    const { robot, seed, perception } = this.#options;
    const { origin: clock } = this.clock;
    const { handles: channels } = this.channels;
    const { heartbeats, udp } = link;
    const priority = this.#priority("seeing");
    const { times } = this;
    if (perception === "truth") {
      const truth: TruthSeeingInput = { clock, channels, heartbeats, times, priority };
      await this.#threads.start("catching/live/truth-seeing", truth);
      return;
    }
    this.#warmUp("cameras look for balls");
    const faults = this.faults.memory;
    const nice = this.#nice("camera");
    const camera = { robot, clock, channels, faults, times, seed, share: cameraShare(), nice };
    const start = (side: CameraSide) =>
      this.#threads.start("catching/live/camera", { ...camera, side } satisfies CameraInput);
    await Promise.all([start("left"), start("right")]);
    const seeing: SeeingInput = { robot, channels, states: udp.states.handle, heartbeats, priority };
    this.#warmUp("the tracker follows balls");
    await this.#threads.start("catching/live/seeing", seeing);
  }

  async #startCoordinator(link: LiveRobotLink): Promise<void> {
    const { robot, mode, body, afterCatch, latestCatch, starts, perception } = this.#options;
    const { udp, posture, panel, heartbeats } = link;
    const input: CoordinatorInput = {
      robot,
      arms: this.arms,
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
      plannerNice: this.#nice("planner"),
    };
    await this.#threads.start("catching/live/coordinator", input, (worker) => this.#coordinator.attach(worker));
  }

  #reclaim(threadId: number): void {
    this.channels.reclaim(threadId);
    this.#link?.udp.states.reclaimThread(threadId);
    this.#link?.udp.commands.reclaimThread(threadId);
  }

  #say(severity: Severity, code: string, text: string): void {
    this.#watcher.event?.({ time: this.clock.nowSeconds(), severity, source: "run", code, text });
  }

  #braked({ reason, history }: BrakeReport): void {
    this.#watcher.braked?.(reason, HistoryRing.fromSnapshot(history));
  }

  /** What the arms are about. */
  report(): Promise<CoordinatorReport> {
    return this.#coordinator.report();
  }

  /** The arms' state machines. */
  disclose(): Promise<readonly ArmState[]> {
    return this.#coordinator.disclose();
  }

  /** How balls are to be caught from now on. */
  setMode(mode: CatchMode): void {
    this.#coordinator.setMode(mode);
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
  throwBalls(ids: readonly number[]): Promise<ThrowResult[]> {
    return this.throwAll(ids.map((id) => this.#generator.make(id, 0)));
  }

  /** The same with balls of one's own; when they are released is decided here. */
  async throwAll(balls: readonly Throw[]): Promise<ThrowResult[]> {
    const throws = started(this.#throws);
    await this.waits();
    const released = balls.map((ball) => throws.release(ball));
    await throws.judged(released);
    const { arms } = await this.report();
    const results = released.map((ball) => throws.resultOf(ball, arms));
    await this.waits();
    throws.remove(released);
    return results;
  }

  /** The robot first, then everything else. */
  async stop(): Promise<void> {
    const threads = this.#threads;
    threads.expectEnd();
    await this.#control?.stop();
    await this.#link?.udp.close();
    await threads.stop();
    this.#throws?.close();
    await this.#process?.stop();
    this.#events.close();
    this.#unfavour();
  }
}

function started<T>(part: T | null): T {
  if (part !== null) return part;
  throw new FlycatcherError("FLY_INTERNAL", "the run has not started");
}

/**
 * Share of a frame's period that a simulated camera may take for rendering and detecting: with two cores control, robot and
 * tracker need theirs of each.
 */
function cameraShare(): number {
  return availableParallelism() >= 6 ? 0.9 : 0.6;
}
