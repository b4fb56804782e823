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
import { type Challenges, fullChallenges, noChallenges } from "../../simulation/head-motion/challenges.js";
import { SharedChallenges } from "../../simulation/head-motion/shared-challenges.js";
import { RobotProcess } from "../../simulation/robot-sim/robot-process.module.js";
import type { WorldMessage } from "../../simulation/robot-sim/world-protocol.js";
import { throwSpaceOf } from "../../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../../simulation/throws.js";
import { type CatchTimes, timesOf } from "../catch-times.js";
import type { PlannerTimings } from "../inline-arm-planner.js";
import type { ThrowResult } from "../run-summary.js";
import type { ArmState } from "../stage/stage-messages.js";
import type { CoordinatorReport } from "./attempt-report.js";
import { CameraPeek } from "./camera-peek.js";
import type { BrakeReport } from "./control.module.js";
import { CoordinatorClient } from "./coordinator-client.module.js";
import { EventReader } from "./event-reader.module.js";
import { LiveChannels } from "./live-channels.module.js";
import { LiveControl, LiveRobotLink, reactionTime } from "./live-control.module.js";
import { LiveFaults } from "./live-faults.module.js";
import { type LiveOptions, liveFavours, livePriorities } from "./live-options.js";
import { type LiveParts, livePartsOf } from "./live-parts.js";
import { LiveThrows, LONGEST_THROW } from "./live-throws.module.js";
import type { LiveWatcher } from "./live-watcher.js";
import { PartInputs } from "./part-inputs.js";
import { PartThreads } from "./part-threads.module.js";
import type { CameraSide } from "./simulated-camera.js";

/** From the planner's answer to the tick that takes it over, as it is here [ns]: a message, a channel and a tick. */
const TRANSPORT_NS = 6e6;
const POLL_MS = 20;
/** A rehearsal is over when so many balls were caught one after the other. */
const CAUGHT_IN_A_ROW = 2;
/** Number of the first ball of the rehearsal: far from all others. */
const FIRST_REHEARSAL = 1_000_000_000;

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
  /** Images of the cameras, for those who watch. */
  readonly peeks: Readonly<Record<CameraSide, CameraPeek>>;
  readonly #options: LiveOptions;
  readonly #watcher: LiveWatcher;
  readonly #challenges: SharedChallenges;
  readonly #parts: LiveParts;
  readonly #inputs: PartInputs;
  readonly #generator: ThrowGenerator;
  readonly #threads = new PartThreads({
    ended: (threadId) => this.#reclaim(threadId),
    died: (name, reason) => this.#say(Severity.error, "part-died", `${name} ended (${reason}) and is started again`),
    restarted: (name) => this.#say(Severity.info, "part-restarted", `${name} is back`),
    lost: (name) => this.#say(Severity.error, "part-lost", `${name} cannot be started again`),
  });
  readonly #coordinator = new CoordinatorClient();
  readonly #events: EventReader;
  #process: RobotProcess | null = null;
  #link: LiveRobotLink | null = null;
  #control: LiveControl | null = null;
  #throws: LiveThrows | null = null;
  #isRehearsing = false;
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
    const challenges = SharedChallenges.memory(options.challenges === "full" ? fullChallenges : noChallenges);
    this.#challenges = new SharedChallenges(challenges);
    const peeks = { left: this.#peekMemory("left"), right: this.#peekMemory("right") };
    this.peeks = { left: new CameraPeek(peeks.left), right: new CameraPeek(peeks.right) };
    this.#inputs = new PartInputs({
      options,
      arms: this.arms,
      clock: this.clock,
      channels: this.channels.handles,
      times: this.times,
      faults: this.faults.memory,
      peeks,
      challenges,
    });
  }

  #peekMemory(side: CameraSide): SharedArrayBuffer {
    const { stereo, cameras } = this.robot;
    const camera = stereo === undefined ? undefined : cameras[stereo[side]];
    return CameraPeek.memory(camera === undefined ? 0 : camera.width * camera.height);
  }

  /** The arms that catch. */
  get arms(): readonly string[] {
    return this.#parts.arms.map(({ group }) => group.name);
  }

  /** Longest time from a command to the beginning of a brake that the safety monitor allows for [s]. */
  get reactionTime(): number {
    return reactionTime(this.#options.missedCycles);
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

  /** One part after the other: to practise they all want the machine to themselves. */
  async #start(): Promise<void> {
    const inputs = this.#inputs;
    if (inputs.isRealTime) this.#unfavour = favourSession(liveFavours.session);
    calmEngine();
    const engine = threadsOfProcess().filter((thread) => thread !== String(process.pid));
    const address = this.#options.address ?? (await this.#startRobot()).address;
    this.#throws = await LiveThrows.connect(address, this.robot, this.clock, this.times, (message) =>
      this.#hear(message),
    );
    const priority = Math.max(0, inputs.priority("control") - 1);
    const link = await LiveRobotLink.connect(this.robot, this.clock, address, priority);
    this.#link = link;
    this.#warmUp("planners practise on throws");
    const coordinator = this.#coordinator;
    await this.#threads.start("catching/live/coordinator", inputs.coordinator(link), (worker) =>
      coordinator.attach(worker),
    );
    await this.#threads.start("catching/live/world-link", inputs.worldLink(address));
    await this.#startEyes(link);
    // Starting another program stops all threads for a moment: to be done before control runs.
    if (inputs.isRealTime) requestRealTimeFor(engine, livePriorities.engine);
    this.#warmUp("control leads the robot in thought");
    await this.#startControl(link);
    await this.#rehearse(this.#options.rehearsals ?? 0);
    this.#say(Severity.info, "ready", "the robot waits for balls");
  }

  /** All threads together, with the robot: what each has practised by itself is then known to work, and how long it takes. */
  async #rehearse(most: number): Promise<void> {
    const throws = new ThrowGenerator(throwSpaceOf(this.robot), "rehearsal");
    this.#isRehearsing = true;
    for (let k = 0, inARow = 0; k < most && inARow < CAUGHT_IN_A_ROW; k++) {
      this.#warmUp(`the robot catches a ball, number ${k + 1}`);
      const [result] = await this.throwAll([throws.make(FIRST_REHEARSAL + k, 0)]);
      inARow = result?.outcome === "caught" ? inARow + 1 : 0;
    }
    this.#isRehearsing = false;
    this.#coordinator.forgetTimings();
    this.control.statistics.reset();
  }

  /** Balls of the rehearsal are nobody's business. */
  #hear(message: WorldMessage): void {
    if (message.type === "mode" || !this.#isRehearsing) this.#watcher.world?.(message);
  }

  #warmUp(what: string): void {
    this.#say(Severity.info, "warming-up", `warming up: ${what}`);
  }

  async #startRobot(): Promise<RobotProcess> {
    const { missedCycles, robot, seed, balls, challenges } = this.#options;
    this.#warmUp("the simulated robot begins to move");
    const priority = this.#inputs.priority("robot");
    this.#process = await RobotProcess.start({ robot, seed, balls, challenges, missedCycles, priority });
    return this.#process;
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
      priority: this.#inputs.priority("control"),
      neck: perception === "images" ? "follows" : "stands",
      onBrake: (report) => this.#braked(report),
    });
  }

  async #startEyes(link: LiveRobotLink): Promise<void> {
    const threads = this.#threads;
    const inputs = this.#inputs;
    if (this.#options.perception === "truth") {
      await threads.start("catching/live/truth-seeing", inputs.truthSeeing(link));
      return;
    }
    this.#warmUp("cameras look for balls");
    const start = (side: CameraSide) => threads.start("catching/live/camera", inputs.camera(side));
    await Promise.all([start("left"), start("right")]);
    this.#warmUp("the tracker follows balls");
    await threads.start("catching/live/seeing", inputs.seeing(link));
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

  /** How strong challenges are from now on: of the sensors that are simulated here, and of the robot. */
  setChallenges(challenges: Partial<Challenges>): void {
    this.#challenges.set(challenges);
    started(this.#throws).setChallenges(challenges);
  }

  /** Settles when the robot waits for balls and looks where they come from; false if it does not come to that in `timeout` [s]. */
  async waits(timeout = LONGEST_THROW): Promise<boolean> {
    const end = this.clock.nowSeconds() + timeout;
    while (this.clock.nowSeconds() < end) {
      const report = await Promise.race([this.report(), pause(1000, null)]);
      const { panel, gaze } = this.control;
      if (report?.isWaiting && panel.isReady && gaze.isResting) return true;
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
