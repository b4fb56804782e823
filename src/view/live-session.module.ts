import type { ThrowResult } from "../catching/run-summary.js";
import { defaultBall } from "../flight/ball.js";
import type { ComponentStatus } from "../messages/report.js";
import type { CameraSide, Image } from "../messages/sensing.js";
import type { SessionFacts, SessionSettings } from "../messages/session.js";
import type { RealTimeObserver, TimedEvent } from "../run/real-time-observer.js";
import { type RealTimeOptions, realTimeDefaults } from "../run/real-time-options.js";
import { realTimeRun } from "../run/real-time-run.js";
import type { Run } from "../run/run.js";
import type { ThreadsHost } from "../run/threads-host.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { fullChallenges, noChallenges } from "../simulation/head-motion/challenges.js";
import { type InPort, takeEach } from "../transport/port.js";
import type { RingInPort } from "../transport/ring-ports.js";
import { Components } from "./components.js";
import { budgetsOf } from "./latency-budgets.js";
import { Launches } from "./launches.js";
import type { PosePacket } from "./pose-packet.js";
import type {
  Session,
  SessionRecorder,
  SessionSnapshot,
  SettingsChange,
  StopReceipt,
  Subscriber,
  ThrowRequest,
} from "./session.js";
import { SessionBroadcast } from "./session-broadcast.js";
import { ThrowQueue } from "./throw-queue.js";
import { View } from "./view.js";
import { viewPorts } from "./view-ports.js";

/** How often the graph is looked at [ms]. */
const POLL_MS = 15;
/** How many looks lie between two states, safety distances and tables of components. */
const STATE_EVERY = 7;
const SAFETY_EVERY = 10;
const COMPONENTS_EVERY = 66;
/** The same of swept volumes that the page has asked for. */
const PICTURES_EVERY = 7;

export interface LiveSessionOptions extends RealTimeOptions {
  /** Whether balls are thrown without being asked. */
  readonly automatic: boolean;
  /** Records the run when the page asks for it; left out: there are no recordings. */
  readonly recorder?: SessionRecorder<Run<ThreadsHost>>;
}

/** A live run in real time, with its subscribers and controls. */
export class LiveSession implements Session {
  readonly facts: SessionFacts;
  readonly run: Run<ThreadsHost>;
  readonly #broadcast: SessionBroadcast;
  readonly #view: View;
  readonly #components: Components;
  readonly #status: InPort<ComponentStatus>;
  readonly #launches: Launches;
  readonly #queue: ThrowQueue;
  readonly #timer: NodeJS.Timeout;
  readonly #recorder: SessionRecorder<Run<ThreadsHost>> | null;
  /** Taps of the cameras' images, while the page wants to see them. */
  #images: { readonly side: CameraSide; readonly port: RingInPort<Image> }[] = [];
  #looks = 0;
  #wantsSwept = false;

  /** Starts the robot, the run and the throwing. */
  static async start(options: LiveSessionOptions, observer: RealTimeObserver = {}): Promise<LiveSession> {
    let session: LiveSession | null = null;
    const early: TimedEvent[] = [];
    const run = await realTimeRun(
      { ...realTimeDefaults, ...options },
      {
        ...observer,
        event: (event) => {
          observer.event?.(event);
          if (session === null) early.push(event);
          else session.publishEvent(event);
        },
      },
    );
    const started = new LiveSession(run, options);
    session = started;
    for (const event of early) started.publishEvent(event);
    return started;
  }

  private constructor(run: Run<ThreadsHost>, options: LiveSessionOptions) {
    const { robot } = run;
    this.run = run;
    this.#recorder = options.recorder ?? null;
    this.#launches = new Launches(robot, options.seed, options.balls);
    this.facts = this.#factsOf(options);
    const settings: SessionSettings = {
      mode: options.mode ?? "soft",
      challenges: { ...(options.challenges === "full" ? fullChallenges : noChallenges) },
      automatic: options.automatic,
      balls: options.balls,
      paused: false,
      speed: 1,
      recording: null,
    };
    this.#broadcast = new SessionBroadcast(this.facts, settings, packageVersion);
    this.#queue = new ThrowQueue(() => this.#launches.make({ balls: this.settings.balls }), options.automatic);
    this.#components = new Components(run.host.robotProcess?.pid ?? null);
    this.#status = run.host.executor.tapStatus<ComponentStatus>();
    // The run hands its events on itself, those of its threads' starts and ends among them.
    const ports = { ...viewPorts(run), images: [], events: [] };
    const target = {
      publish: (message: Parameters<SessionBroadcast["publish"]>[0]) => this.#broadcast.publish(message),
      show: (image: Parameters<SessionBroadcast["publishImage"]>[0]) => this.#broadcast.publishImage(image),
    };
    this.#view = new View(robot, run.parts, ports, target, run.host.reactionTime);
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    void this.#throwOn();
  }

  #factsOf({ perception, seed, balls }: LiveSessionOptions): SessionFacts {
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
    return this.#view.pose(this.run.clock.nowNs(), out);
  }

  wantImages(wanted: boolean): void {
    if (wanted === this.#view.wantsImages) return;
    this.#view.wantsImages = wanted;
    for (const { side, port } of this.#images) this.run.host.untap(`camera-${side}.images`, port);
    const sides = wanted && this.facts.perception === "images" ? (["left", "right"] as const) : [];
    this.#images = sides.map((side) => ({ side, port: this.run.host.tap<Image>(`camera-${side}.images`, "newest") }));
  }

  wantSwept(wanted: boolean): void {
    this.#wantsSwept = wanted;
  }

  throwBalls(request: ThrowRequest): readonly number[] {
    const balls = this.#launches.make(request);
    this.#queue.add(balls);
    return balls.map(({ id }) => id);
  }

  async #throwOn(): Promise<void> {
    for (let balls = await this.#queue.next(); balls !== null; balls = await this.#queue.next()) {
      const results = await this.run.throwAll(balls);
      for (const result of results) this.#publishThrow(result);
    }
  }

  #publishThrow(result: ThrowResult): void {
    this.#broadcast.publishThrow(this.run.clock.nowSeconds(), result);
    if (this.settings.recording !== null) this.#recorder?.thrown(result, this.run.clock.nowNs());
  }

  async change({ mode, automatic, balls, challenges, paused, speed }: SettingsChange): Promise<SessionSettings> {
    if (paused !== undefined || speed !== undefined) throw notHere("this needs lock-step");
    const unknown = Object.keys(challenges ?? {}).find((name) => !(name in fullChallenges));
    if (unknown !== undefined) throw notHere(`no challenge ${unknown}`);
    if (balls !== undefined && balls > this.facts.maxBalls) throw notHere(`at most ${this.facts.maxBalls} balls`);
    if (mode !== undefined) this.run.setMode(mode);
    if (challenges !== undefined) this.run.host.setChallenges(challenges);
    this.#broadcast.settings = {
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
    const { clock } = this.run;
    const asked = clock.nowSeconds();
    const braked = await this.run.held(this.run.hold());
    if (braked === null) return null;
    const age = clock.nowSeconds() - braked;
    return { at: performance.timeOrigin + performance.now() - 1e3 * age, afterMs: 1e3 * (braked - asked) };
  }

  resetRobot(): void {
    this.run.release();
  }

  step(): Promise<void> {
    return Promise.reject(notHere("time goes on by itself"));
  }

  async record(on: boolean): Promise<SessionSettings> {
    const recorder = this.#recorder;
    if (recorder === null) throw notHere("there is no recorder");
    if (on === (this.settings.recording !== null)) return this.settings;
    if (on) {
      const recording = await recorder.begin(this.run);
      this.#broadcast.settings = { ...this.settings, recording };
    } else {
      this.#broadcast.settings = { ...this.settings, recording: null };
      await recorder.end();
    }
    return this.settings;
  }

  publishEvent({ time, severity, source, code, text }: TimedEvent): void {
    this.#broadcast.publish({ type: "event", time, severity, source, code, text });
  }

  #look(): void {
    const nowNs = this.run.clock.nowNs();
    const time = nowNs / 1e9;
    this.#view.poll(nowNs);
    takeEach(this.#status, nowNs, (status) => this.#components.add(status, nowNs));
    const k = this.#looks++;
    if (k % STATE_EVERY === 0 || this.#view.hasNewState) {
      const state = this.#view.state(time);
      if (state !== null) this.#broadcast.publish(state);
    }
    if (k % COMPONENTS_EVERY === 0) {
      this.#broadcast.publish({ type: "components", time, components: this.#components.list(nowNs) });
    }
    if (k % SAFETY_EVERY === 0 && this.#broadcast.hasSubscribers) this.#broadcast.publish(this.#view.safety(time));
    for (const { port } of this.#images) takeEach(port, nowNs, (image) => this.#view.showImage(image));
    if (this.#wantsSwept && k % PICTURES_EVERY === 0) {
      const volumes = this.#view.swept();
      if (volumes !== null) this.#broadcast.publishSwept(volumes);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#queue.close();
    await this.record(false).catch(() => undefined);
    await this.run.close();
  }
}

function notHere(why: string): FlycatcherError {
  return new FlycatcherError("FLY_LIVE_CONTROL", `not in this run: ${why}`);
}
