import { type CatchTimes, timesOf } from "../catching/catch-times.js";
import { HistoryRing } from "../control/history-ring.js";
import type { MotionPart } from "../control/robot-motion.js";
import { type Ball, defaultBall } from "../flight/ball.js";
import type { Handover, Motion, PlanReply } from "../messages/planning.js";
import { ComponentStatus, type Event } from "../messages/report.js";
import type { JointState } from "../messages/sensing.js";
import type { PlannerTimings } from "../planning/arm/timed-planner.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import type { Robot } from "../robot/robot.js";
import { setAutogroupNice } from "../runtime/autogroup-priority.js";
import { newRealTimeOrigin, RealTimeClock } from "../runtime/clock.js";
import { ClockPace } from "../runtime/clock-pace.js";
import { FlycatcherError } from "../runtime/errors.js";
import { setGcFlags } from "../runtime/gc-flags.js";
import { requestRealTimeFor, threadsOfProcess } from "../runtime/real-time-priority.js";
import { WarmUp, type WarmUpProgress } from "../runtime/warm-up.js";
import { cameraDefaults } from "../simulation/camera-settings.js";
import { type Challenges, challengeMemory, setChallenges } from "../simulation/head-motion/challenges.js";
import { type RobotAddress, RobotProcess } from "../simulation/robot-sim/robot-process.module.js";
import { WorldClient } from "../simulation/robot-sim/world-client.module.js";
import type { WorldMessage } from "../simulation/robot-sim/world-protocol.js";
import { checkGraph, type Graph } from "../transport/graph.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";
import { type InPort, type OutPort, type Policy, takeEach } from "../transport/port.js";
import type { RingInPort } from "../transport/ring-ports.js";
import { StopLine } from "../transport/stop-line.js";
import { ThreadsExecutor } from "../transport/threads-executor.js";
import { mountOf } from "./build-nodes.js";
import { checkPipes } from "./camera-pipes.js";
import { catchGraph, type GraphOptions, hasEyes } from "./graph.js";
import { MessageLoop } from "./message-loop.js";
import { type NodeThreadMessage, nodeData, type RealTimeNodeData } from "./node-data.js";
import { portsOf } from "./node-library.js";
import { checkOwnNodes } from "./own-nodes.js";
import { RealTimeFaults } from "./real-time-faults.js";
import type { RealTimeObserver } from "./real-time-observer.js";
import {
  calibrated,
  fedPortsOf,
  initialChallenges,
  isSimulated,
  niceValues,
  placementsOf,
  priorities,
  type RealTimeOptions,
  reactionTime,
} from "./real-time-options.js";
import type { RecordedRing } from "./recorder.module.js";
import type { RunHost } from "./run-host.js";
import { movingParts, RunParts, waitingPosture } from "./run-parts.js";
import { recordedRingsOf } from "./run-recorder.js";
import { RunSpeed } from "./run-speed.js";
import { misplacedRobot, silentRobot, standingPosture } from "./standing-posture.js";

/** From the planner's answer to the tick that takes it over, as it is here [ns]: a message, a channel and a tick. */
const TRANSPORT_NS = 6e6;
/** Throws of a thread's warm-up in lock-step. */
const WARM_UP_THROWS = 2;
/** Threads that speak to the robot, and threads that must know where it stands. */
const linkPlacements: readonly string[] = ["robot", "world"];
const posturePlacements: readonly string[] = ["catching", "control"];
/** Between two looks for signs of life [ms]. */
const WATCH_MS = 100;
/** How long control may take to be ready [s]. */
const READY = 5;

/** The nodes of a run in threads, one a placement, in real time; the robot is simulated in a process of its own. */
export class ThreadsHost implements RunHost {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly times: CatchTimes;
  readonly graph: Graph;
  readonly graphOptions: GraphOptions;
  readonly clock = new RealTimeClock(newRealTimeOrigin(ClockPace.memory()));
  readonly timings: PlannerTimings = { coldMs: [], fruitlessMs: [], warmMs: [] };
  readonly faults: RealTimeFaults;
  readonly stopLine: StopLine;
  readonly executor: ThreadsExecutor;
  readonly #options: RealTimeOptions;
  readonly #observer: RealTimeObserver;
  readonly #challenges: SharedArrayBuffer;
  readonly #loop: MessageLoop;
  readonly #planners: OutPort<ComponentStatus>;
  readonly #events: InPort<Event>[];
  readonly #answers: InPort<PlanReply>[];
  #process: RobotProcess | null = null;
  /** The process from the moment it is being started: a run may end before it is there. */
  #starting: Promise<RobotProcess> | null = null;
  #world: WorldClient | null = null;
  readonly #waiting: Float64Array;
  #posture: Float64Array | null = null;
  readonly warmUp: WarmUp;
  readonly speed: RunSpeed;
  readonly #handovers: InPort<Handover>;
  #isWarmingUp = true;
  /** Whether control has ended: what other threads miss from then on does not matter. */
  #isOver = false;
  #isClosing = false;
  #resetNice: () => void = () => undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: RealTimeOptions, observer: RealTimeObserver) {
    this.#options = options;
    this.#observer = observer;
    this.stopLine = new StopLine(options.stopLine);
    this.robot = loadRobot(options.robot, calibrated(options));
    this.#waiting = waitingPosture(this.robot);
    this.arms = options.arms ?? catchGroups(this.robot).map(({ name }) => name);
    this.times = timesOf(this.robot, { transportNs: TRANSPORT_NS, ...options.times });
    this.#challenges = challengeMemory(initialChallenges(options));
    const { arms, times, robot } = this;
    const { perception, cameras = cameraDefaults } = options;
    const { windows } = cameras;
    checkPipes(perception, cameras);
    this.graphOptions = {
      ...{ perception, sources: "streamed", arms, mount: mountOf(robot), windows, times },
      cameras: cameras.pipes === undefined ? "simulated" : "pipes",
      hasDrivers: (options.drivers ?? []).length > 0,
    };
    this.graph = catchGraph(this.graphOptions);
    checkGraph(this.graph, portsOf, times.tickNs);
    checkOwnNodes(options.nodes, this.graph);
    this.executor = new ThreadsExecutor({
      graph: this.graph,
      ports: portsOf,
      clock: this.clock,
      program: "run/node-host",
      placements: placementsOf(this.graph, options, times.tickNs),
      feeds: fedPortsOf(this.graph),
      status: ComponentStatus,
      observer: {
        died: (placement, reason) => {
          this.#report("error", "part-died", `${placement} ended (${reason})`);
          this.#publishPlanner(placement, "failed");
        },
        restarted: (placement) => {
          this.#report("info", "part-restarted", `${placement} is back`);
          this.#publishPlanner(placement, "running");
        },
        lost: (placement) => this.#report("error", "part-lost", `${placement} is not started again`),
        silent: (placement) => this.#report("error", "part-silent", `${placement} gives no sign of life`),
        heard: (placement) => this.#report("info", "part-heard", `${placement} gives signs of life again`),
        message: (placement, message) => this.#take(placement, message as NodeThreadMessage),
      },
    });
    this.#loop = new MessageLoop(this.executor.syncTable, () => this.clock.nowNs());
    this.#planners = this.feed("catching.planners");
    const outOf = (port: string) => this.graph.nodes.filter(({ kind }) => portsOf(kind).out[port] !== undefined);
    this.#events = outOf("events").map(({ name }) => this.watch(`${name}.events`));
    this.#answers = outOf("answers").map(({ name }) => this.watch(`${name}.answers`));
    this.#handovers = this.watch("control.handovers");
    this.warmUp = new WarmUp(weightsOf(this.executor.placements), this.#progress);
    this.speed = new RunSpeed({
      ...{ clock: this.clock, times, statistics: this.statistics, speed: options.speed ?? 1 },
      robot: isSimulated(options.address) && cameras.pipes === undefined ? "simulated" : "real",
      follow: (change) => this.#world?.setPace(change),
      report: (severity, code, text) => this.#report(severity, code, text),
    });
    const motions = this.feed<Motion>("control.motions");
    const { clock, executor } = this;
    const [world, robotPid] = [() => started(this.#world), () => this.#process?.pid ?? null];
    this.faults = new RealTimeFaults({ clock, executor, motions, world, robotPid });
  }

  get parts(): readonly MotionPart[] {
    return movingParts(this.robot, new RunParts(this.robot, waitingPosture(this.robot)).armsOf(this.arms));
  }

  /** Longest time from a command to the beginning of a brake that the safety monitor allows for [s]. */
  get reactionTime(): number {
    return reactionTime(this.#options.missedCycles);
  }

  /** The simulated robot's process, if it is ours. */
  get robotProcess(): RobotProcess | null {
    return this.#process;
  }

  /** How control keeps its time. */
  get statistics(): LoopStatistics {
    return this.executor.statistics("control");
  }

  /** To be given back with `untap`. */
  tap<M extends object>(from: string, policy: Policy = "every"): RingInPort<M> {
    return this.executor.tap(from, policy);
  }

  untap<M extends object>(from: string, port: RingInPort<M>): void {
    this.executor.untap(from, port as RingInPort<never>);
  }

  watch<M extends object>(from: string): InPort<M> {
    const port = this.tap<M>(from);
    this.#loop.add(port as RingInPort<never>);
    return port;
  }

  feed<M extends object>(to: string): OutPort<M> {
    return this.executor.feed(to);
  }

  onMessages(look: (nowNs: number) => void): void {
    this.#loop.begin((nowNs) => {
      for (const port of this.#events) takeEach(port, nowNs, this.#event);
      for (const port of this.#answers) takeEach(port, nowNs, this.#time);
      takeEach(this.#handovers, nowNs, this.speed.handedOver);
      look(nowNs);
    });
  }

  until(isOver: () => boolean, timeout: number): Promise<boolean> {
    return this.#loop.until(isOver, timeout);
  }

  /** The rings that a recorder reads. */
  recordedRings(): RecordedRing[] {
    return recordedRingsOf(this.executor, this.graphOptions);
  }

  readonly #time = (reply: PlanReply): void => {
    const { search, plan, askedNs, answeredNs } = reply;
    this.speed.answered(reply);
    const { coldMs, fruitlessMs, warmMs } = this.timings;
    const wallNs = (answeredNs - askedNs) / this.clock.speed;
    const kind = search === "warm" ? warmMs : plan === null ? fruitlessMs : coldMs;
    kind.push(wallNs / 1e6);
  };

  /** Starts the robot and all threads side by side, each with its warm-up; control goes when all others do. */
  async start(isReady: () => boolean): Promise<void> {
    const isRealTime = this.#options.scheduling === "real-time";
    setGcFlags();
    const engine = threadsOfProcess().filter((thread) => thread !== String(process.pid));
    const { executor } = this;
    // A simulated robot of our own begins where it waits; another one is asked first.
    const late = this.#options.address === undefined ? [] : posturePlacements;
    const others = executor.placements.filter((name) => !linkPlacements.includes(name) && !late.includes(name));
    await Promise.all([this.#startRobot(late), ...others.map((name) => this.#startPlacement(name, null))]);
    if (isRealTime) {
      this.#resetNice = setAutogroupNice(niceValues.session);
      // Starting another program stops all threads for a moment: to be done before control runs.
      requestRealTimeFor(engine, priorities.engine);
    }
    executor.open();
    if (!(await this.until(isReady, READY))) throw silentRobot();
    this.speed.begin();
    this.statistics.reset();
    this.#watch = setInterval(() => executor.watch(performance.now()), WATCH_MS);
  }

  /** The robot, then its links, and then the threads that must wait for it. */
  async #startRobot(late: readonly string[]): Promise<void> {
    const { address: given } = this.#options;
    const address = given ?? (await this.warmUp.part("simulated robot", () => this.#startProcess())).address;
    if (address.world > 0) this.#world = await WorldClient.connect(address, (message) => this.#relay(message));
    await Promise.all([this.#connect(address), this.#startPlacement("world", address)]);
    await Promise.all(late.map((placement) => this.#startPlacement(placement, null)));
  }

  #startPlacement(placement: string, address: RobotAddress | null): Promise<void> {
    const data = this.#dataFor(address, this.#warmUpOf(placement));
    return this.warmUp.part(placement, () => this.executor.start(placement, data));
  }

  /** Threads whose nodes do not warm up by themselves run a few throws in lock-step first. */
  #warmUpOf(placement: string): RealTimeNodeData["warmUp"] {
    if (placement === "catching" || placement === "control") return { perception: "truth", throws: WARM_UP_THROWS };
    const { perception } = this.#options;
    if (placement !== "perception" || perception === "truth") return null;
    return { perception: hasEyes(perception) ? "circles" : "points", throws: WARM_UP_THROWS };
  }

  /** The warm-up is over: from here on balls are reported, and durations count. */
  begin(): void {
    this.#isWarmingUp = false;
    for (const times of Object.values(this.timings)) times.length = 0;
    this.statistics.reset();
    this.speed.discard();
    this.warmUp.end();
    this.#report("info", "ready", `ready; the run goes at speed ${this.clock.speed}`);
  }

  async #startProcess(): Promise<RobotProcess> {
    const { missedCycles, robot, seed, balls, challenges, scheduling, ball = defaultBall } = this.#options;
    const priority = scheduling === "real-time" ? priorities.process : 0;
    this.#starting = RobotProcess.start({ robot, seed, ball, balls, challenges, missedCycles, priority });
    this.#process = await this.#starting;
    void this.#process.exited.then((why) => {
      if (!this.#isClosing) this.#report("error", "robot-died", `the simulated robot's process ended (${why})`);
    });
    return this.#process;
  }

  #dataFor(address: RealTimeNodeData["address"], warmUp: RealTimeNodeData["warmUp"]): RealTimeNodeData {
    const { arms, times, executor } = this;
    return nodeData(this.#options, executor.placements, {
      ...{ arms, times, address, warmUp },
      posture: this.#posture,
      faults: this.faults.memory,
      stopLine: this.stopLine.memory,
      challenges: this.#challenges,
    });
  }

  /** Where the robot stands: exactly its waiting posture, if it differs from that by noise alone. */
  async #connect(address: RobotAddress): Promise<void> {
    const states = this.tap<JointState>("robot.state", "newest");
    await this.#startPlacement("robot", address);
    this.#posture = await standingPosture(this.#waiting, states);
    this.untap("robot.state", states);
    if (this.#options.address === undefined && this.#posture !== this.#waiting) throw misplacedRobot();
  }

  /** Balls of the warm-up are not reported. */
  #relay(message: WorldMessage): void {
    if (message.type === "welcome") this.#compareBall(message.ball);
    if (message.type === "mode" || !this.#isWarmingUp) this.#observer.world?.(message);
  }

  /** A robot that somebody else has started may have balls of its own. */
  #compareBall(there: Ball): void {
    const { ball = defaultBall } = this.#options;
    if (there.diameter === ball.diameter && there.mass === ball.mass && there.drag === ball.drag) return;
    const words = ({ diameter, mass, drag }: Ball) => `${1e3 * diameter} mm, ${1e3 * mass} g and ${drag} 1/m`;
    this.#report("warning", "other-ball", `the robot's balls have ${words(there)}, those of the run ${words(ball)}`);
  }

  /** What is being warmed up. */
  readonly #progress = (progress: WarmUpProgress): void => {
    if (progress.parts.length > 0) this.#report("debug", "warming-up", `Warming up: ${progress.parts.join(", ")}`);
    this.#observer.progress?.(progress);
  };

  afterThrow(): void {
    this.speed.afterThrow();
    if (!this.#isWarmingUp) this.speed.adapt();
  }

  #report(severity: Event["severity"], code: string, text: string): void {
    this.#event({ severity, source: "run", code, track: -1, text });
  }

  readonly #event = (event: Event): void => {
    this.speed.happened(event);
    if (!this.#isOver) this.#observer.event?.({ ...event, time: this.clock.nowSeconds() });
  };

  /** Catching must know of planners that do not answer. */
  #publishPlanner(component: string, health: ComponentStatus["health"]): void {
    if (!component.startsWith("planner")) return;
    const counts = { thread: 0, cycles: 0, lost: 0, behind: 0, cycleMean: 0, cycleMax: 0, detail: "" };
    const ports = { put: new Float64Array(0), waiting: new Float64Array(0) };
    this.#planners.put({ component, health, ...counts, ...ports }, this.clock.nowNs());
  }

  /** A person has stopped a thread, or started it. */
  switched(placement: string, state: "stopped" | "running"): void {
    const isRunning = state === "running";
    const words = isRunning ? `${placement} was started by hand` : `${placement} was stopped by hand`;
    this.#report(isRunning ? "info" : "warning", isRunning ? "part-started" : "part-stopped", words);
    this.#publishPlanner(placement, state);
  }

  #take(placement: string, message: NodeThreadMessage): void {
    if (message.type === "braked") {
      this.#observer.braked?.(message.reason, HistoryRing.fromSnapshot(message.history));
    } else if (placement === "control") {
      const severity = message.granted ? "info" : "warning";
      this.#event({ severity, source: "control", code: "scheduling", track: -1, text: message.text });
    }
  }

  /** How strong challenges are from now on: of the sensors that are simulated here, and of the robot. */
  setChallenges(challenges: Partial<Challenges>): void {
    setChallenges(this.#challenges, challenges);
    this.#world?.setChallenges(challenges);
  }

  /** The robot first, then everything else. */
  async close(): Promise<void> {
    const { executor } = this;
    this.#isClosing = true;
    clearInterval(this.#watch);
    executor.expectEnd();
    await executor.stop("control");
    // The last that control says is that it brakes.
    this.#loop.look();
    this.#isOver = true;
    await executor.stop("robot");
    await executor.stopAll();
    await this.#loop.close();
    this.#world?.close();
    const process = await this.#starting?.catch(() => null);
    await process?.stop();
    this.#resetNice();
  }
}

function started<T>(part: T | null): T {
  if (part !== null) return part;
  throw new FlycatcherError("FLY_INTERNAL", "the run has not started");
}

/** Expected work of the parts of a start, about their seconds. */
function weightsOf(placements: readonly string[]): Record<string, number> {
  const weights = Object.fromEntries(placements.map((placement) => [placement, 1]));
  return { "simulated robot": 1, ...weights, "trial throw": placements.length };
}
