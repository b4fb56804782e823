import { setTimeout as pause } from "node:timers/promises";
import { defaultBall } from "../flight/ball.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { MonitorPhase } from "../safety/monitor/monitor-words.js";
import { fullChallenges, noChallenges } from "../simulation/head-motion/challenges.js";
import { type LiveOptions, liveDefaults } from "../catching/live/live-options.js";
import { LiveRun } from "../catching/live/live-run.module.js";
import type { LiveEvent, LiveWatcher } from "../catching/live/live-watcher.js";
import type { ThrowResult } from "../catching/run-summary.js";
import { CommandSweep } from "./command-sweep.module.js";
import { Launches } from "./launches.js";
import { LiveView } from "./live-view.module.js";
import type { PosePacket } from "./pose-packet.js";
import { previewOf } from "./preview.js";
import type { SettingsChange, Spectator, Stage, StageRecorder, StageSnapshot, StopReceipt } from "./stage.js";
import { budgetsOf } from "./stage-budgets.js";
import type { StageFacts, StageSettings, StateMessage, ThrowRequest } from "./stage-messages.js";
import { StageVoice } from "./stage-voice.js";
import { monitorState, severityName } from "./state-words.js";
import { ThrowQueue } from "./throw-queue.js";

/** How often the channels are looked at [ms]. */
const POLL_MS = 15;
/** How many looks lie between two states, safety distances and tables of components. */
const STATE_EVERY = 7;
const SAFETY_EVERY = 10;
const COMPONENTS_EVERY = 66;
/** The same of pictures that somebody has asked for. */
const PICTURES_EVERY = 7;
/** How long control has to brake [s]: a robot that has stopped by itself is not braked; and how often it is looked [ms]. */
const STOP_PATIENCE = 1;
const STOP_POLL_MS = 1;

export interface LiveStageOptions extends LiveOptions {
  /** Whether balls are thrown without being asked. */
  readonly automatic: boolean;
  /** Who records the run when somebody asks for it; nobody if left out. */
  readonly recorder?: StageRecorder<LiveRun>;
}

/** A live run in real time, with those who watch and steer it. */
export class LiveStage implements Stage {
  readonly facts: StageFacts;
  readonly run: LiveRun;
  readonly #voice: StageVoice;
  readonly #view: LiveView;
  readonly #launches: Launches;
  readonly #queue: ThrowQueue;
  readonly #timer: NodeJS.Timeout;
  readonly #recorder: StageRecorder<LiveRun> | null;
  #looks = 0;
  #isStateAsked = false;
  #wantsImages = false;
  #swept: CommandSweep | null = null;

  /** Starts the robot, the run and the throwing. */
  static async start(options: LiveStageOptions, watcher: LiveWatcher = {}): Promise<LiveStage> {
    let stage: LiveStage | null = null;
    const early: LiveEvent[] = [];
    const ears = { event: (event: LiveEvent): void => void early.push(event) };
    const run = await LiveRun.start(
      { ...liveDefaults, ...options },
      {
        ...watcher,
        event: (event) => {
          watcher.event?.(event);
          ears.event(event);
        },
        world: (message) => {
          watcher.world?.(message);
          if (message.type === "released") stage?.released(message.ball);
        },
      },
    );
    const started = new LiveStage(run, options);
    stage = started;
    for (const event of early) started.tellEvent(event);
    ears.event = (event) => started.tellEvent(event);
    return started;
  }

  private constructor(run: LiveRun, options: LiveStageOptions) {
    const { robot } = run;
    this.run = run;
    this.#recorder = options.recorder ?? null;
    this.#launches = new Launches(robot, options.seed, options.balls);
    this.facts = this.#factsOf(options);
    const settings: StageSettings = {
      mode: options.mode,
      challenges: { ...(options.challenges === "full" ? fullChallenges : noChallenges) },
      automatic: options.automatic,
      balls: options.balls,
      paused: false,
      speed: 1,
      recording: null,
    };
    this.#voice = new StageVoice(this.facts, settings, packageVersion);
    this.#queue = new ThrowQueue(() => this.#launches.make({ balls: this.settings.balls }), options.automatic);
    this.#view = new LiveView(robot, run.channels, run.link.udp.states, run.robotProcess?.pid ?? null, (message) =>
      this.#voice.tell(message),
    );
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    void this.#throwOn();
  }

  #factsOf({ perception, seed, balls }: LiveStageOptions): StageFacts {
    const { robot, times } = this.run;
    return {
      robot: robot.name,
      clock: "real-time",
      perception,
      seed,
      arms: this.run.arms,
      joints: robot.model.dofNames,
      hands: robot.hands.map(({ name }) => name),
      ballRadius: defaultBall.diameter / 2,
      framePeriod: times.framePeriodNs / 1e9,
      budgets: budgetsOf(times),
      maxBalls: balls,
      controls: [
        "throw",
        "mode",
        "challenges",
        "automatic",
        "stop",
        "reset",
        ...(this.#recorder === null ? [] : (["record"] as const)),
      ],
      presets: this.#launches.presets,
    };
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
    return this.#view.pose(out);
  }

  watchImages(wanted: boolean): void {
    this.#wantsImages = wanted;
  }

  watchSwept(wanted: boolean): void {
    if (wanted === (this.#swept !== null)) return;
    this.#swept?.close();
    const { robot, link, reactionTime } = this.run;
    this.#swept = wanted ? new CommandSweep(robot, link.udp.commands, reactionTime) : null;
  }

  throwBalls(request: ThrowRequest): readonly number[] {
    const balls = this.#launches.make(request);
    this.#queue.add(balls);
    return balls.map(({ id }) => id);
  }

  async #throwOn(): Promise<void> {
    for (let balls = await this.#queue.next(); balls !== null; balls = await this.#queue.next()) {
      const results = await this.run.throwAll(balls);
      for (const result of results) this.#tellThrow(result);
    }
  }

  #tellThrow(result: ThrowResult): void {
    this.#voice.tellThrow(this.run.clock.nowSeconds(), result);
    if (this.settings.recording !== null) this.#recorder?.thrown(result, this.run.clock.nowNs());
  }

  async change({ mode, automatic, balls, challenges, paused, speed }: SettingsChange): Promise<StageSettings> {
    if (paused !== undefined || speed !== undefined) throw notHere("this needs lock-step");
    const unknown = Object.keys(challenges ?? {}).find((name) => !(name in fullChallenges));
    if (unknown !== undefined) throw notHere(`no challenge ${unknown}`);
    if (balls !== undefined && balls > this.facts.maxBalls) throw notHere(`at most ${this.facts.maxBalls} balls`);
    if (mode !== undefined) this.run.setMode(mode);
    if (challenges !== undefined) this.run.setChallenges(challenges);
    this.#voice.settings = {
      ...this.settings,
      ...(mode !== undefined && { mode }),
      ...(automatic !== undefined && { automatic }),
      ...(balls !== undefined && { balls }),
      challenges: { ...this.settings.challenges, ...challenges },
    };
    if (automatic !== undefined) this.#queue.isAutomatic = automatic;
    return this.settings;
  }

  async stopRobot(): Promise<StopReceipt | null> {
    const { control, clock } = this.run;
    const { panel } = control;
    const hold = panel.hold();
    const asked = clock.nowSeconds();
    const end = asked + STOP_PATIENCE;
    while (panel.heldBrakes < hold && clock.nowSeconds() < end) await pause(STOP_POLL_MS);
    if (panel.heldBrakes < hold) return null;
    const age = clock.nowSeconds() - panel.heldBrakeTime;
    return { at: performance.timeOrigin + performance.now() - 1e3 * age, afterMs: 1e3 * (panel.heldBrakeTime - asked) };
  }

  resetRobot(): void {
    const { panel } = this.run.control;
    panel.letGo();
    panel.requestResume();
  }

  step(): Promise<void> {
    return Promise.reject(notHere("time goes on by itself"));
  }

  async record(on: boolean): Promise<StageSettings> {
    const recorder = this.#recorder;
    if (recorder === null) throw notHere("nobody is there who could record it");
    if (on === (this.settings.recording !== null)) return this.settings;
    if (on) {
      const recording = await recorder.begin(this.run);
      this.#voice.settings = { ...this.settings, recording };
    } else {
      this.#voice.settings = { ...this.settings, recording: null };
      await recorder.end();
    }
    return this.settings;
  }

  /** A ball has left the thrower's hand. */
  released(ball: number): void {
    this.#voice.tell({ type: "ball", time: this.run.clock.nowSeconds(), ball });
  }

  tellEvent({ time, severity, source, code, text }: LiveEvent): void {
    this.#voice.tell({ type: "event", time, severity: severityName(severity), source, code, text });
  }

  #look(): void {
    const now = this.run.clock.nowSeconds();
    this.#view.poll(now);
    const k = this.#looks++;
    if (k % STATE_EVERY === 0) void this.#tellState(now);
    if (k % COMPONENTS_EVERY === 0) {
      this.#voice.tell({ type: "components", time: now, components: this.#view.components(this.run.clock.nowNs()) });
    }
    if (k % SAFETY_EVERY === 0 && this.#voice.isHeard) this.#voice.tell(this.#view.safety(now));
    this.#showPictures(k);
  }

  /** The cameras' images as soon as they are there, asked for now and then; swept volumes now and then. */
  #showPictures(k: number): void {
    const isTime = k % PICTURES_EVERY === 0;
    this.#swept?.poll();
    if (isTime && this.#swept?.volumes != null) this.#voice.showSwept(this.#swept.volumes);
    for (const side of ["left", "right"] as const) {
      const peek = this.run.peeks[side];
      const image = peek.take();
      if (image !== null && this.#wantsImages) this.#voice.show(previewOf(image, side, image.time, image.windows));
      if (isTime && this.#wantsImages) peek.ask();
    }
  }

  async #tellState(time: number): Promise<void> {
    if (this.#isStateAsked) return;
    this.#isStateAsked = true;
    const arms = await this.run.disclose();
    this.#isStateAsked = false;
    const { phase, reason, isRobotAtFault, isReady } = this.run.control.panel;
    const monitor = monitorState(phase, reason);
    const isBusy = arms.some(({ state }) => state !== "watching");
    const activity = activityOf(isReady, isRobotAtFault, phase, isBusy);
    this.#voice.tell({ type: "state", time, activity, monitor, arms });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#queue.close();
    this.#view.close();
    this.#swept?.close();
    await this.record(false).catch(() => undefined);
    await this.run.stop();
  }
}

function activityOf(
  isReady: boolean,
  isAtFault: boolean,
  phase: MonitorPhase,
  isBusy: boolean,
): StateMessage["activity"] {
  if (isAtFault) return "fault";
  if (!isReady) return "starting";
  if (phase !== MonitorPhase.safe) return "stopped";
  return isBusy ? "busy" : "waiting";
}

function notHere(why: string): FlycatcherError {
  return new FlycatcherError("FLY_LIVE_CONTROL", `not in this run: ${why}`);
}
