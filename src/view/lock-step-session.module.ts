import { timesOf } from "../catching/catch-times.js";
import { defaultBall } from "../flight/ball.js";
import type { SessionFacts, SessionSettings } from "../messages/session.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { type RunningWorker, startWorker } from "../runtime/start-worker.js";
import { fullChallenges } from "../simulation/head-motion/challenges.js";
import { budgetsOf } from "./latency-budgets.js";
import { Launches } from "./launches.js";
import { LockStepLoad } from "./lock-step-load.js";
import type { LockStepInput, LockStepReport, LockStepRequest } from "./lock-step-messages.js";
import { Pace } from "./pace.js";
import { decodePosePacket, type PosePacket } from "./pose-packet.js";
import type { Session, SessionSnapshot, SettingsChange, Subscriber, ThrowRequest } from "./session.js";
import { SessionBroadcast } from "./session-broadcast.js";
import { ThrowQueue } from "./throw-queue.js";

export interface LockStepSessionOptions extends Omit<LockStepInput, "pace"> {
  readonly automatic: boolean;
  /** Share of real time at which the simulation's time goes. */
  readonly speed: number;
}

/** Longest wait for the thread to begin: MuJoCo is loaded and the robot built [ms]. */
const START_TIMEOUT_MS = 60_000;
/** Period of the check whether the requested steps have been made [ms]. */
const STEP_POLL_MS = 2;
/** Period of the component table [ms]. */
const COMPONENTS_MS = 1000;

/** A lock-step run with its subscribers and controls: time can be stopped, slowed down and taken step by step. */
export class LockStepSession implements Session {
  readonly facts: SessionFacts;
  /** Settles when the run's thread has ended; with an error if it failed. */
  readonly ended: Promise<void>;
  readonly #worker: RunningWorker;
  readonly #broadcast: SessionBroadcast;
  readonly #pace: Pace;
  readonly #launches: Launches;
  readonly #queue: ThrowQueue;
  #isIdle = false;
  #pose: PosePacket | null = null;
  #load: LockStepLoad | null = null;
  readonly #timer: NodeJS.Timeout;

  static async start(options: LockStepSessionOptions): Promise<LockStepSession> {
    const memory = Pace.memory();
    new Pace(memory).set(options.speed, false);
    const { automatic: _, speed: __, ...rest } = options;
    const input: LockStepInput = { ...rest, pace: memory };
    const worker = await startWorker("view/lock-step", {
      workerData: input,
      startTimeoutMs: START_TIMEOUT_MS,
    });
    return new LockStepSession(worker, options, memory);
  }

  private constructor(worker: RunningWorker, options: LockStepSessionOptions, memory: SharedArrayBuffer) {
    this.#worker = worker;
    this.#pace = new Pace(memory);
    const robot = loadRobot(options.robot);
    this.#launches = new Launches(robot, options.seed, options.balls);
    this.facts = {
      robot: robot.name,
      clock: "lock-step",
      perception: options.perception,
      seed: options.seed,
      arms: options.arms ?? catchGroups(robot).map(({ name }) => name),
      joints: robot.model.dofNames,
      hands: robot.hands.map(({ name }) => name),
      ballRadius: defaultBall.diameter / 2,
      framePeriod: timesOf(robot).framePeriodNs / 1e9,
      budgets: budgetsOf(timesOf(robot)),
      maxBalls: options.balls,
      controls: ["throw", "mode", "challenges", "automatic", "stop", "reset", "pause"],
      presets: this.#launches.presets,
    };
    const { mode, automatic, balls, speed } = options;
    const challenges = { ...fullChallenges };
    const settings = { mode, challenges, automatic, balls, paused: false, speed, recording: null };
    this.#broadcast = new SessionBroadcast(this.facts, settings, packageVersion);
    this.#queue = new ThrowQueue(() => this.#launches.make({ balls: this.settings.balls }), automatic);
    worker.thread.on("message", (report: LockStepReport) => this.#handle(report));
    this.ended = worker.exited.then(({ error }) => {
      if (error !== undefined) throw error;
    });
    this.ended.catch(() => undefined);
    this.#timer = setInterval(() => this.#publishComponents(), COMPONENTS_MS);
  }

  get settings(): SessionSettings {
    return this.#broadcast.settings;
  }

  snapshot(): SessionSnapshot {
    return this.#broadcast.snapshot();
  }

  subscribe(subscriber: Subscriber): () => void {
    return this.#broadcast.subscribe(subscriber);
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
        this.#broadcast.publish(report.message);
        break;
      case "result":
        this.#broadcast.publishThrow(report.time, report.result);
        break;
      case "pose":
        this.#pose = decodePosePacket(report.bytes);
        break;
      case "image":
        this.#broadcast.publishImage(report.image);
        break;
      case "swept":
        this.#broadcast.publishSwept(report.volumes);
        break;
      case "thread":
        this.#load = new LockStepLoad(report.thread);
        break;
      case "idle":
        this.#isIdle = true;
        this.#throwNext();
    }
  }

  #publishComponents(): void {
    const time = this.#pose?.time ?? 0;
    const components = this.#load?.look(time, performance.now()) ?? [];
    if (components.length > 0) this.#broadcast.publish({ type: "components", time, components });
  }

  /** One throw at a time is with the run, so that settings hold from the next on. */
  #throwNext(): void {
    const balls = this.#isIdle ? this.#queue.take() : null;
    if (balls === null) return;
    this.#isIdle = false;
    this.#ask({ type: "throw", balls });
  }

  #ask(request: LockStepRequest): void {
    this.#worker.thread.postMessage(request);
  }

  wantImages(wanted: boolean): void {
    this.#ask({ type: "images", wanted });
  }

  wantSwept(wanted: boolean): void {
    this.#ask({ type: "swept", wanted });
  }

  throwBalls(request: ThrowRequest): readonly number[] {
    const balls = this.#launches.make(request);
    this.#queue.add(balls);
    this.#throwNext();
    return balls.map(({ id }) => id);
  }

  async change(change: SettingsChange): Promise<SessionSettings> {
    const { mode, automatic, balls, challenges, paused, speed } = change;
    if (balls !== undefined && balls > this.facts.maxBalls) throw refused(`at most ${this.facts.maxBalls} balls`);
    for (const name of Object.keys(challenges ?? {})) {
      if (!(name in fullChallenges)) throw refused(`a challenge among ${Object.keys(fullChallenges).join(", ")}`, name);
    }
    this.#broadcast.settings = {
      ...this.settings,
      ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
      challenges: { ...this.settings.challenges, ...challenges },
    };
    if (mode !== undefined) this.#ask({ type: "mode", mode });
    if (challenges !== undefined) this.#ask({ type: "challenges", challenges });
    if (paused !== undefined || speed !== undefined) this.#pace.set(this.settings.speed, this.settings.paused);
    if (automatic !== undefined) {
      this.#queue.isAutomatic = automatic;
      this.#throwNext();
    }
    return this.settings;
  }

  async stopRobot(): Promise<null> {
    this.#ask({ type: "stop" });
    return null;
  }

  resetRobot(): void {
    this.#ask({ type: "reset" });
  }

  async step(ticks: number): Promise<void> {
    if (!this.settings.paused) throw refused("a paused run", "one whose time goes on");
    this.#pace.step(ticks);
    while (this.#pace.isPaused && this.#pace.stepsLeft > 0) {
      await new Promise((resolve) => setTimeout(resolve, STEP_POLL_MS));
    }
  }

  record(): Promise<SessionSettings> {
    return Promise.reject(refused("a run that can be recorded"));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#queue.close();
    this.#pace.set(1, false);
    await this.#worker.stop();
  }
}

function refused(expected: string, found?: string): FlycatcherError {
  const details = { expected, ...(found !== undefined && { found }) };
  return new FlycatcherError("FLY_LIVE_CONTROL", "this run cannot do that now", details);
}
