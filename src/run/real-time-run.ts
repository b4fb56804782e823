import { type CatchTimes, timesOf } from "../catching/catch-times.js";
import type { PlannerTimings } from "../catching/inline-arm-planner.js";
import { movingParts, RunParts, waitingPosture } from "../catching/run-parts.js";
import type { ThrowResult } from "../catching/run-summary.js";
import { HistoryRing } from "../control/history-ring.js";
import type { MotionPart } from "../control/robot-motion.js";
import { LinkStatus } from "../control/udp/link-status.js";
import type { ControlState, OperatorCommand } from "../messages/control.js";
import type { CatchSetting, Motion } from "../messages/planning.js";
import { ComponentStatus, type Event } from "../messages/report.js";
import type { JointState } from "../messages/sensing.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import type { Robot } from "../robot/robot.js";
import { setAutogroupNice } from "../runtime/autogroup-priority.js";
import { RealTimeClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { setGcFlags } from "../runtime/gc-flags.js";
import { requestRealTimeFor, threadsOfProcess } from "../runtime/real-time-priority.js";
import {
  type Challenges,
  fullChallenges,
  noChallenges,
  SharedChallenges,
} from "../simulation/head-motion/challenges.js";
import { RobotProcess } from "../simulation/robot-sim/robot-process.module.js";
import { WorldClient } from "../simulation/robot-sim/world-client.module.js";
import type { WorldMessage } from "../simulation/robot-sim/world-protocol.js";
import { throwSpaceOf } from "../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../simulation/throws.js";
import { checkGraph, type Graph } from "../transport/graph.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";
import type { OutPort, Policy } from "../transport/port.js";
import type { RingInPort } from "../transport/ring-ports.js";
import { ThreadsExecutor } from "../transport/threads-executor.js";
import { hasHead } from "./build-nodes.js";
import { catchGraph, type GraphOptions } from "./graph.js";
import { type NodeThreadMessage, nodeData, type RealTimeNodeData } from "./node-data.js";
import { portsOf } from "./node-library.js";
import { poll } from "./poll.js";
import { RealTimeFaults } from "./real-time-faults.js";
import type { RealTimeObserver } from "./real-time-observer.js";
import {
  fedPorts,
  niceValues,
  placementsOf,
  priorities,
  type RealTimeOptions,
  reactionTime,
} from "./real-time-options.js";
import { RealTimeTaps } from "./real-time-taps.js";
import { RealTimeThrows } from "./real-time-throws.js";
import type { RecordedRing } from "./recorder.module.js";
import { recordedRingsOf } from "./run-recorder.js";
import { silent, standingPosture } from "./standing-posture.js";

/** From the planner's answer to the tick that takes it over, as it is here [ns]: a message, a channel and a tick. */
const TRANSPORT_NS = 6e6;
/** How often the robot's answer to a stop is looked for [ms]. */
const HOLD_POLL_MS = 1;
/** A rehearsal is over when so many balls were caught one after the other. */
const CAUGHT_IN_A_ROW = 2;
/** Number of the first ball of the rehearsal: far from all others. */
const FIRST_REHEARSAL = 1_000_000_000;
/** Throws of a thread's warm-up in lock-step. */
const WARM_UP_THROWS = 4;
const READY_MS = 5000;

/**
 * The graph in real time: a simulated robot in a process of its own, and the nodes in threads, one a placement.
 *
 * @example
 * const run = await RealTimeRun.start({ ...realTimeDefaults, robot: "agile-justin" });
 * const [result] = await run.throwBalls([0]);
 * await run.stop();
 */
export class RealTimeRun {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly times: CatchTimes;
  readonly graph: Graph;
  readonly graphOptions: GraphOptions;
  readonly clock = new RealTimeClock();
  readonly faults: RealTimeFaults;
  readonly executor: ThreadsExecutor;
  /** How the link to the robot fares; for a robot over UDP. */
  readonly link: LinkStatus;
  readonly #options: RealTimeOptions;
  readonly #observer: RealTimeObserver;
  readonly #linkMemory = LinkStatus.memory();
  readonly #challenges: SharedArrayBuffer;
  readonly #generator: ThrowGenerator;
  readonly #taps: RealTimeTaps;
  readonly #throws: RealTimeThrows;
  readonly #feeds: {
    readonly operator: OutPort<OperatorCommand>;
    readonly motions: OutPort<Motion>;
    readonly settings: OutPort<CatchSetting>;
    readonly planners: OutPort<ComponentStatus>;
  };
  #process: RobotProcess | null = null;
  #world: WorldClient | null = null;
  #posture: Float64Array | null = null;
  #holds = 0;
  #isRehearsing = false;
  /** Whether control has ended: what other threads miss from then on does not matter. */
  #isOver = false;
  #unfavour: () => void = () => undefined;

  static async start(options: RealTimeOptions, observer: RealTimeObserver = {}): Promise<RealTimeRun> {
    const run = new RealTimeRun(options, observer);
    try {
      await run.#start();
    } catch (error) {
      await run.stop();
      throw error;
    }
    return run;
  }

  private constructor(options: RealTimeOptions, observer: RealTimeObserver) {
    this.#options = options;
    this.#observer = observer;
    this.robot = loadRobot(options.robot);
    this.arms = options.arms ?? catchGroups(this.robot).map(({ name }) => name);
    this.times = timesOf(this.robot, { transportNs: TRANSPORT_NS, ...options.times });
    this.link = new LinkStatus(this.#linkMemory);
    this.#challenges = SharedChallenges.memory(options.challenges === "full" ? fullChallenges : noChallenges);
    this.#generator = new ThrowGenerator(throwSpaceOf(this.robot), options.seed);
    const { perception } = options;
    const { arms, times } = this;
    this.graphOptions = { perception, sources: "streamed", arms, hasHead: hasHead(this.robot), times };
    this.graph = catchGraph(this.graphOptions);
    checkGraph(this.graph, portsOf, times.tickNs);
    this.executor = new ThreadsExecutor({
      graph: this.graph,
      ports: portsOf,
      clock: this.clock,
      program: "run/node-host",
      placements: placementsOf(this.graph, options, times.tickNs),
      feeds: fedPorts,
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
        message: (placement, message) => this.#take(placement, message as NodeThreadMessage),
      },
    });
    this.#feeds = {
      operator: this.executor.feed("control.operator"),
      motions: this.executor.feed("control.motions"),
      settings: this.executor.feed("catching.settings"),
      planners: this.executor.feed("catching.planners"),
    };
    this.#taps = new RealTimeTaps(this.executor, this.graph, portsOf, this.clock, (event) => this.#event(event));
    this.#throws = new RealTimeThrows({
      clock: this.clock,
      taps: this.#taps,
      throws: this.executor.feed("world.throws"),
      removals: this.executor.feed("world.removals"),
      framePeriodNs: times.framePeriodNs,
    });
    this.faults = new RealTimeFaults(() => ({
      clock: this.clock,
      executor: this.executor,
      motions: this.#feeds.motions,
      world: () => started(this.#world),
    }));
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

  /** How long planning took. */
  get timings(): PlannerTimings {
    return this.#taps.timings;
  }

  /** The newest state of control. */
  get control(): ControlState | null {
    return this.#taps.control;
  }

  /** Another reader of an out-port, in this thread; to be given back with `untap`. */
  tap<M extends object>(from: string, policy: Policy = "every"): RingInPort<M> {
    return this.executor.tap(from, policy);
  }

  untap<M extends object>(from: string, port: RingInPort<M>): void {
    this.executor.untap(from, port as RingInPort<never>);
  }

  /** What of the robot gets motions of its own. */
  get parts(): readonly MotionPart[] {
    return movingParts(this.robot, new RunParts(this.robot, waitingPosture(this.robot)).armsOf(this.arms));
  }

  /** The rings that a recorder reads. */
  recordedRings(): RecordedRing[] {
    return recordedRingsOf(this.executor, this.graphOptions);
  }

  /** One thread after the other: to warm up they all want the machine to themselves. */
  async #start(): Promise<void> {
    const { address: given, scheduling, perception } = this.#options;
    const isRealTime = scheduling === "real-time";
    if (isRealTime) this.#unfavour = setAutogroupNice(niceValues.session);
    setGcFlags();
    const engine = threadsOfProcess().filter((thread) => thread !== String(process.pid));
    const address = given ?? (await this.#startProcess()).address;
    this.#world = await WorldClient.connect(address, (message) => this.#relay(message));
    const data = (warmUp: RealTimeNodeData["warmUp"] = null) => this.#dataFor(address, warmUp);
    const { executor } = this;
    await this.#connect(data());
    this.#warmUp("planners plan throws");
    const planners = executor.placements.filter((placement) => placement.startsWith("planner"));
    const truth = { perception: "truth", throws: WARM_UP_THROWS } as const;
    await Promise.all(planners.map((placement) => executor.start(placement, data())));
    await executor.start("catching", data(truth));
    await executor.start("world", data());
    if (perception === "images") {
      this.#warmUp("cameras look for balls");
      const cameras = executor.placements.filter((placement) => placement.startsWith("camera"));
      await Promise.all(cameras.map((placement) => executor.start(placement, data())));
      this.#warmUp("the tracker follows balls");
    }
    const tracker = { perception: "circles", throws: WARM_UP_THROWS } as const;
    await executor.start("perception", data(perception === "images" ? tracker : null));
    // Starting another program stops all threads for a moment: to be done before control runs.
    if (isRealTime) requestRealTimeFor(engine, priorities.engine);
    this.#warmUp("control runs without commanding");
    await executor.start("control", data(truth));
    await this.#ready();
    await this.#rehearse(this.#options.rehearsals ?? 0);
    this.#report("info", "ready", "the robot waits for balls");
  }

  async #startProcess(): Promise<RobotProcess> {
    const { missedCycles, robot, seed, balls, challenges, scheduling } = this.#options;
    this.#warmUp("the simulated robot begins to move");
    const priority = scheduling === "real-time" ? priorities.process : 0;
    this.#process = await RobotProcess.start({ robot, seed, balls, challenges, missedCycles, priority });
    return this.#process;
  }

  #dataFor(address: RealTimeNodeData["address"], warmUp: RealTimeNodeData["warmUp"]): RealTimeNodeData {
    const { arms, times, executor } = this;
    return nodeData(this.#options, executor.placements, {
      ...{ arms, times, address, warmUp },
      posture: this.#posture,
      link: this.#linkMemory,
      faults: this.faults.memory,
      challenges: this.#challenges,
    });
  }

  /** Where the robot stands: exactly its waiting posture, if it differs from that by noise alone. */
  async #connect(data: RealTimeNodeData): Promise<void> {
    const states = this.tap<JointState>("robot.state", "newest");
    await this.executor.start("robot", data);
    this.#posture = await standingPosture(this.robot, states);
    this.untap("robot.state", states);
  }

  async #ready(): Promise<void> {
    const isReady = () => (this.#taps.control?.isReady === true ? true : null);
    if ((await poll(READY_MS, isReady)) === null) throw silent();
    this.statistics.reset();
  }

  /** All threads together, with the robot: what each has warmed up by itself is then known to work. */
  async #rehearse(most: number): Promise<void> {
    const throws = new ThrowGenerator(throwSpaceOf(this.robot), "rehearsal");
    this.#isRehearsing = true;
    for (let k = 0, inARow = 0; k < most && inARow < CAUGHT_IN_A_ROW; k++) {
      this.#warmUp(`the robot catches a ball, number ${k + 1}`);
      const [result] = await this.throwAll([throws.make(FIRST_REHEARSAL + k, 0)]);
      inARow = result?.outcome === "caught" ? inARow + 1 : 0;
    }
    this.#isRehearsing = false;
    this.#taps.forgetTimings();
    this.statistics.reset();
  }

  /** Balls of the rehearsal are not reported. */
  #relay(message: WorldMessage): void {
    if (message.type === "mode" || !this.#isRehearsing) this.#observer.world?.(message);
  }

  #warmUp(what: string): void {
    this.#report("info", "warming-up", `warming up: ${what}`);
  }

  #report(severity: Event["severity"], code: string, text: string): void {
    this.#event({ severity, source: "run", code, track: -1, text });
  }

  #event(event: Event): void {
    if (!this.#isOver) this.#observer.event?.({ ...event, time: this.clock.nowSeconds() });
  }

  /** Catching must know of planners that do not answer. */
  #publishPlanner(component: string, health: ComponentStatus["health"]): void {
    if (!component.startsWith("planner")) return;
    const counts = { thread: 0, cycles: 0, lost: 0, behind: 0, cycleMean: 0, cycleMax: 0, detail: "" };
    this.#feeds.planners.put({ component, health, ...counts }, this.clock.nowNs());
  }

  #take(placement: string, message: NodeThreadMessage): void {
    if (message.type === "braked") {
      this.#observer.braked?.(message.reason, HistoryRing.fromSnapshot(message.history));
    } else if (placement === "control") {
      const severity = message.granted ? "info" : "warning";
      this.#event({ severity, source: "control", code: "scheduling", track: -1, text: message.text });
    }
  }

  /** How balls are to be caught from now on. */
  setMode(mode: CatchMode): void {
    this.#feeds.settings.put({ mode }, this.clock.nowNs());
  }

  /** How strong challenges are from now on: of the sensors that are simulated here, and of the robot. */
  setChallenges(challenges: Partial<Challenges>): void {
    new SharedChallenges(this.#challenges).set(challenges);
    started(this.#world).setChallenges(challenges);
  }

  /** Stops the robot at once; when a braking command left, on the run's clock [s]. Null if none did in `timeout` [s]. */
  async hold(timeout = 1): Promise<number | null> {
    const number = ++this.#holds;
    this.#feeds.operator.put({ action: "hold", number }, this.clock.nowNs());
    const braked = () => {
      const { control } = this.#taps;
      return control !== null && control.hold >= number ? control.holdTime : null;
    };
    return poll(1e3 * timeout, braked, HOLD_POLL_MS);
  }

  /** Lets the robot move again after a hold; after a stop from which control does not recover by itself, too. */
  release(): void {
    for (const action of ["release", "resume"] as const) {
      this.#feeds.operator.put({ action, number: this.#holds }, this.clock.nowNs());
    }
  }

  /** Settles when the robot waits for balls and looks where they come from; false if it does not come to that in `timeout` [s]. */
  waits(timeout?: number): Promise<boolean> {
    return this.#throws.waits(timeout);
  }

  /** Throws balls of the seed's series, all at once, when the robot waits; settles when all is over. */
  throwBalls(ids: readonly number[]): Promise<ThrowResult[]> {
    return this.throwAll(ids.map((id) => this.#generator.make(id, 0)));
  }

  /** The same with balls of one's own; when they are released is decided here. */
  throwAll(balls: readonly Throw[]): Promise<ThrowResult[]> {
    return this.#throws.throwAll(balls);
  }

  /** The robot first, then everything else. */
  async stop(): Promise<void> {
    const { executor } = this;
    executor.expectEnd();
    await executor.stop("control");
    this.#isOver = true;
    await executor.stop("robot");
    await executor.stopAll();
    await this.#taps.close();
    this.#world?.close();
    await this.#process?.stop();
    this.#unfavour();
  }
}

function started<T>(part: T | null): T {
  if (part !== null) return part;
  throw new FlycatcherError("FLY_INTERNAL", "the run has not started");
}
