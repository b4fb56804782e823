import { timesOf } from "../catching/catch-times.js";
import type { BallColour } from "../messages/sensing.js";
import type { ComponentState } from "../messages/system.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { portsOf } from "../run/node-library.js";
import { FlycatcherError } from "../runtime/errors.js";
import { ThreadLoads } from "../runtime/thread-load.js";
import { type Challenges, challengesOf } from "../simulation/head-motion/challenges.js";
import type { Throw } from "../simulation/world/throws.js";
import type { Graph } from "../transport/graph.js";
import { Heartbeats } from "../transport/heartbeats.js";
import type { PlacementState } from "../transport/placement-states.js";
import { SilenceWatch } from "../transport/silence-watch.js";
import { StopLine } from "../transport/stop-line.js";
import { type RunningWorker, startWorker } from "../transport/workers/start-worker.js";
import { Components, unmeasured } from "./components.js";
import { checkFields } from "./field-taps.js";
import { graphMessage, typeOfPort } from "./graph-message.js";
import type { LockStepInput, LockStepReport, LockStepRequest } from "./lock-step-messages.js";
import { Pace } from "./pace.js";
import { decodePosePacket, type PosePacket } from "./pose-packet.js";
import { hasColour, RunSession } from "./run-session.js";
import type { ThrowRequest } from "./session.js";
import { type TraceFile, traceFile } from "./trace-file.js";

export interface LockStepSessionOptions extends Omit<LockStepInput, "pace" | "heartbeats" | "stopLine"> {
  readonly automatic: boolean;
  /** Share of real time at which the simulation's time goes. */
  readonly speed: number;
  /** Memory of `StopLine`, where another thread may stop the robot, too. */
  readonly stopLine?: SharedArrayBuffer;
}

/** Longest wait for the thread to begin: MuJoCo is loaded and the robot built [ms]. */
const START_TIMEOUT_MS = 60_000;
/** Period of the check whether the requested steps have been made [ms]. */
const STEP_POLL_MS = 2;
/** A thread without a sign of life for so long is reported [ms]; none takes its place. */
const silence = { silentMs: 5000, hungMs: Number.POSITIVE_INFINITY } as const;
/** Period of the component table [ms]. */
const COMPONENTS_MS = 500;

/** A lock-step run with its subscribers and controls: time can be stopped, slowed down and taken step by step. */
export class LockStepSession extends RunSession {
  /** Settles when the run's thread has ended; with an error if it failed. */
  readonly ended: Promise<void>;
  readonly #worker: RunningWorker;
  readonly #pace: Pace;
  protected readonly stopLine: StopLine;
  /** Called when the thread has nothing to throw any more. */
  #idle: () => void = () => undefined;
  #pose: PosePacket | null = null;
  #load: LockStepLoad | null = null;
  #graph: Graph = { nodes: [], edges: [] };
  #components: Components | null = null;
  /** Takes the trace that was asked for. */
  #trace: { readonly resolve: (file: TraceFile) => void; readonly reject: (error: Error) => void } | null = null;
  readonly #timer: NodeJS.Timeout;
  readonly #silence: SilenceWatch;
  /** How the run's thread stands. */
  #state: PlacementState = { state: "running", restarts: 0, isSilent: false };

  static async start(options: LockStepSessionOptions): Promise<LockStepSession> {
    const memory = Pace.memory();
    new Pace(memory).set(options.speed, false);
    const { automatic: _, speed: __, stopLine = StopLine.memory(), ...rest } = options;
    const input: LockStepInput = { ...rest, pace: memory, heartbeats: Heartbeats.memory(1), stopLine };
    const worker = await startWorker("view/lock-step", {
      workerData: input,
      startTimeoutMs: START_TIMEOUT_MS,
    });
    return new LockStepSession(worker, options, input);
  }

  private constructor(
    worker: RunningWorker,
    options: LockStepSessionOptions,
    { pace, heartbeats, stopLine }: Pick<LockStepInput, "pace" | "heartbeats" | "stopLine">,
  ) {
    const robot = loadRobot(options.robot);
    const { perception, seed, mode, automatic, ball, balls, speed, thrower } = options;
    super({
      robot,
      ball,
      arms: options.arms ?? catchGroups(robot).map(({ name }) => name),
      times: timesOf(robot, options.times),
      clock: "lock-step",
      perception,
      seed,
      controls: hasColour(options) ? ["pause", "colour"] : ["pause"],
      settings: { mode, challenges: { ...challengesOf(thrower.kind) }, automatic, balls, speed },
    });
    this.#worker = worker;
    this.#pace = new Pace(pace);
    this.stopLine = new StopLine(stopLine);
    const beats = new Heartbeats(heartbeats);
    this.#silence = new SilenceWatch(1, () => beats.takeBeat(0), silence);
    worker.thread.on("message", (report: LockStepReport) => this.#handle(report));
    this.ended = worker.exited.then(({ error }) => {
      if (error !== undefined) throw error;
    });
    this.ended.catch((error: unknown) => this.#fail(error));
    this.#timer = setInterval(() => this.#publishComponents(), COMPONENTS_MS);
    void this.throwOn();
  }

  pose(out: PosePacket): boolean {
    if (this.#pose === null) return false;
    out.time = this.#pose.time;
    out.joints.set(this.#pose.joints);
    out.hands.set(this.#pose.hands);
    out.head.set(this.#pose.head);
    out.balls = this.#pose.balls;
    return true;
  }

  #handle(report: LockStepReport): void {
    switch (report.type) {
      case "message":
        this.broadcast.publish(report.message);
        break;
      case "result":
        this.broadcast.publishThrow(report.time, report.result);
        break;
      case "pose":
        this.#pose = decodePosePacket(report.bytes);
        break;
      case "image":
        this.broadcast.publishImage(report.image);
        break;
      case "swept":
        this.broadcast.publishSwept(report.volumes);
        break;
      case "thread":
        this.#begin(report.thread, report.graph);
        break;
      case "status":
        for (const status of report.reports) this.#components?.add(status, report.runNs, report.wallNs);
        break;
      case "samples":
        this.broadcast.publishSamples(report.time, report.series);
        break;
      case "trace":
        this.#endTrace(traceFile([report.trace], report.instants, this.#graph));
        break;
      case "idle":
        this.#idle();
    }
  }

  /** The thread is there: what it runs is known. All its nodes share it, so none can be stopped alone. */
  #begin(thread: number, graph: Graph): void {
    this.#load = new LockStepLoad(thread);
    this.#graph = graph;
    const stateOf = () => this.#state;
    this.#components = new Components({ graph, ports: portsOf, stateOf, robotProcess: null });
    this.broadcast.publish(graphMessage(graph, "not offered"));
  }

  /** The thread has ended amid the run: what waits for it is told so, and nothing that is shown counts any more. */
  #fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#state = { ...this.#state, state: "failed", isSilent: false };
    this.#report("error", "part-died", `the lock-step run ended (${why})`);
    this.#publishComponents();
    this.#endTrace(null);
    void super.close();
    this.#idle();
  }

  #report(severity: "info" | "error", code: string, text: string): void {
    this.log({ severity, source: "run", code, text });
  }

  #endTrace(file: TraceFile | null): void {
    const trace = this.#trace;
    this.#trace = null;
    if (file === null) trace?.reject(hasEnded());
    else trace?.resolve(file);
  }

  #watch(nowMs: number): void {
    const isRunning = () => this.#state.state === "running";
    this.#silence.look(nowMs, isRunning, (_, change) => {
      if (change === "hung") return;
      this.#state = { ...this.#state, isSilent: change === "silent" };
      if (change === "silent") this.#report("error", "part-silent", "the lock-step run gives no sign of life");
      else this.#report("info", "part-heard", "the lock-step run gives signs of life again");
    });
  }

  #publishComponents(): void {
    const time = this.#pose?.time ?? 0;
    const nowMs = performance.now();
    this.#watch(nowMs);
    const nodes = this.#components?.list(1e6 * nowMs, 1e9 * time) ?? [];
    const run = this.#load?.look(time, nowMs, this.#state) ?? [];
    const components = [...nodes, ...run];
    if (components.length > 0) this.broadcast.publish({ type: "components", time, components });
  }

  protected throwAll(balls: readonly Throw[]): Promise<void> {
    this.#ask({ type: "throw", balls });
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  override throwBalls(request: ThrowRequest): readonly number[] {
    if (this.#state.state !== "running") throw hasEnded();
    return super.throwBalls(request);
  }

  #ask(request: LockStepRequest): void {
    if (this.#state.state !== "running") throw hasEnded();
    this.#worker.thread.postMessage(request);
  }

  wantImages(wanted: boolean): void {
    this.#ask({ type: "images", wanted });
  }

  wantSwept(wanted: boolean): void {
    this.#ask({ type: "swept", wanted });
  }

  protected colourDetectors(colour: BallColour): void {
    this.#ask({ type: "colour", colour });
  }

  protected setMode(mode: CatchMode): void {
    this.#ask({ type: "mode", mode });
  }

  protected setChallenges(challenges: Partial<Challenges>): void {
    this.#ask({ type: "challenges", challenges });
  }

  protected override setPace(speed: number, state: "going" | "paused"): void {
    this.#pace.set(speed, state === "paused");
  }

  resetRobot(): void {
    this.#ask({ type: "reset" });
  }

  plotFields(fields: readonly string[]): void {
    checkFields({ typeOf: (port) => typeOfPort(this.#graph, port) }, fields);
    this.#ask({ type: "fields", fields });
  }

  trace(seconds: number): Promise<TraceFile> {
    if (this.#trace !== null) {
      return Promise.reject(new FlycatcherError("FLY_TRACE_BUSY", "a trace is being taken"));
    }
    this.#ask({ type: "trace", seconds });
    return new Promise((resolve, reject) => {
      this.#trace = { resolve, reject };
    });
  }

  override async step(ticks: number): Promise<void> {
    if (!this.settings.paused) return super.step(ticks);
    this.#pace.step(ticks);
    while (this.#pace.isPaused && this.#pace.stepsLeft > 0) {
      if (this.#state.state !== "running") throw hasEnded();
      await new Promise((resolve) => setTimeout(resolve, STEP_POLL_MS));
    }
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    await super.close();
    this.#pace.set(1, false);
    await this.#worker.stop();
  }
}

function hasEnded(): FlycatcherError {
  return new FlycatcherError("FLY_LIVE_ENDED", "the live run has ended by itself");
}

/** Ticks of the simulated control a second of simulated time. */
const TICKS = 1000;

/** How the thread of a lock-step run fares: it simulates, sees, plans and controls. */
export class LockStepLoad {
  readonly #thread: number;
  readonly #loads = new ThreadLoads();
  #last: { readonly time: number; readonly wallMs: number } | null = null;

  /** `thread`: the system's number of the run's thread. */
  constructor(thread: number) {
    this.#thread = thread;
  }

  /** Since the last look; the run's time is `time` [s]. */
  look(time: number, wallMs: number, { state, isSilent }: PlacementState): ComponentState[] {
    if (state !== "running" || isSilent) {
      const text = isSilent ? "no sign of life" : "its thread has ended";
      return [{ ...unmeasured, name: "lock-step run", health: "failed", cpu: null, text }];
    }
    const last = this.#last;
    this.#last = { time, wallMs };
    const pace = last === null || wallMs <= last.wallMs ? null : (1e3 * (time - last.time)) / (wallMs - last.wallMs);
    const text = pace === null ? "" : `${pace.toFixed(2)} times real time`;
    const rate = pace === null ? null : TICKS * pace;
    const nowNs = 1e6 * wallMs;
    return [{ ...unmeasured, name: "lock-step run", rate, cpu: this.#loads.ofThread(this.#thread, nowNs), text }];
  }
}
