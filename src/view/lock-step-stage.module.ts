import { timesOf } from "../catching/catch-times.js";
import { defaultBall } from "../flight/ball.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { type RunningWorker, startWorker } from "../runtime/start-worker.js";
import { fullChallenges } from "../simulation/head-motion/challenges.js";
import { Launches } from "./launches.js";
import { LockStepLoad } from "./lock-step-load.js";
import type { LockStepInput, LockStepRequest, LockStepWord } from "./lock-step-messages.js";
import { Pace } from "./pace.js";
import { decodePosePacket, type PosePacket } from "./pose-packet.js";
import type { SettingsChange, Spectator, Stage, StageSnapshot } from "./stage.js";
import { budgetsOf } from "./stage-budgets.js";
import type { StageFacts, StageSettings, ThrowRequest } from "./stage-messages.js";
import { StageVoice } from "./stage-voice.js";
import { ThrowQueue } from "./throw-queue.js";

export interface LockStepStageOptions extends Omit<LockStepInput, "pace"> {
  readonly automatic: boolean;
  /** Share of real time at which the simulation's time goes. */
  readonly speed: number;
}

/** Longest wait for the thread to begin: MuJoCo is loaded and the robot built [ms]. */
const START_TIMEOUT_MS = 60_000;
/** How often it is looked whether steps that were asked for have been made [ms]. */
const STEP_POLL_MS = 2;
/** How often it is told how the run's thread fares [ms]. */
const COMPONENTS_MS = 1000;

/** A lock-step run with those who watch and steer it: time can be stopped, slowed down and taken step by step. */
export class LockStepStage implements Stage {
  readonly facts: StageFacts;
  /** Settles when the run's thread has ended; with an error if it failed. */
  readonly ended: Promise<void>;
  readonly #worker: RunningWorker;
  readonly #voice: StageVoice;
  readonly #pace: Pace;
  readonly #launches: Launches;
  readonly #queue: ThrowQueue;
  #isIdle = false;
  #pose: PosePacket | null = null;
  #load: LockStepLoad | null = null;
  readonly #timer: NodeJS.Timeout;

  static async start(options: LockStepStageOptions): Promise<LockStepStage> {
    const memory = Pace.memory();
    new Pace(memory).set(options.speed, false);
    const { automatic: _, speed: __, ...rest } = options;
    const input: LockStepInput = { ...rest, pace: memory };
    const worker = await startWorker("view/lock-step", {
      workerData: input,
      startTimeoutMs: START_TIMEOUT_MS,
    });
    return new LockStepStage(worker, options, memory);
  }

  private constructor(worker: RunningWorker, options: LockStepStageOptions, memory: SharedArrayBuffer) {
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
    this.#voice = new StageVoice(this.facts, settings, packageVersion);
    this.#queue = new ThrowQueue(() => this.#launches.make({ balls: this.settings.balls }), automatic);
    worker.thread.on("message", (word: LockStepWord) => this.#hear(word));
    this.ended = worker.exited.then(({ error }) => {
      if (error !== undefined) throw error;
    });
    this.ended.catch(() => undefined);
    this.#timer = setInterval(() => this.#tellComponents(), COMPONENTS_MS);
  }

  get settings(): StageSettings {
    return this.#voice.settings;
  }

  snapshot(): StageSnapshot {
    return this.#voice.snapshot();
  }

  watch(spectator: Spectator): () => void {
    return this.#voice.watch(spectator);
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

  #hear(word: LockStepWord): void {
    switch (word.type) {
      case "message":
        this.#voice.tell(word.message);
        break;
      case "result":
        this.#voice.tellThrow(word.time, word.result);
        break;
      case "pose":
        this.#pose = decodePosePacket(word.bytes);
        break;
      case "image":
        this.#voice.show(word.image);
        break;
      case "swept":
        this.#voice.showSwept(word.volumes);
        break;
      case "thread":
        this.#load = new LockStepLoad(word.thread);
        break;
      case "idle":
        this.#isIdle = true;
        this.#throwNext();
    }
  }

  #tellComponents(): void {
    const time = this.#pose?.time ?? 0;
    const components = this.#load?.look(time, performance.now()) ?? [];
    if (components.length > 0) this.#voice.tell({ type: "components", time, components });
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

  watchImages(wanted: boolean): void {
    this.#ask({ type: "images", wanted });
  }

  watchSwept(wanted: boolean): void {
    this.#ask({ type: "swept", wanted });
  }

  throwBalls(request: ThrowRequest): readonly number[] {
    const balls = this.#launches.make(request);
    this.#queue.add(balls);
    this.#throwNext();
    return balls.map(({ id }) => id);
  }

  async change(change: SettingsChange): Promise<StageSettings> {
    const { mode, automatic, balls, challenges, paused, speed } = change;
    if (balls !== undefined && balls > this.facts.maxBalls) throw refused(`at most ${this.facts.maxBalls} balls`);
    for (const name of Object.keys(challenges ?? {})) {
      if (!(name in fullChallenges)) throw refused(`a challenge among ${Object.keys(fullChallenges).join(", ")}`, name);
    }
    this.#voice.settings = {
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

  record(): Promise<StageSettings> {
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
