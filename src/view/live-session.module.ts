import { defaultBall } from "../flight/ball.js";
import type { BallColour, CameraSide, Image } from "../messages/sensing.js";
import type { SessionSettings } from "../messages/session.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { RealTimeObserver, TimedEvent } from "../run/real-time-observer.js";
import { initialChallenges, type RealTimeOptions, realTimeDefaults } from "../run/real-time-options.js";
import { createRealTimeRun, startRealTimeRun } from "../run/real-time-run.js";
import type { Run } from "../run/run.js";
import { waitingPosture } from "../run/run-parts.js";
import type { NodeAction, SwitchedThread } from "../run/thread-switch.js";
import type { ThreadsHost } from "../run/threads-host.js";
import { falseAlarmEvent } from "../run/throw-record.js";
import type { WarmUpProgress } from "../runtime/warm-up.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import type { Throw } from "../simulation/world/throws.js";
import { takeEach } from "../transport/port.js";
import type { RingInPort } from "../transport/ring-ports.js";
import type { StopLine } from "../transport/stop-line.js";
import { LiveSystem } from "./live-system.js";
import type { PosePacket } from "./pose-packet.js";
import { hasColour, RunSession } from "./run-session.js";
import type { SessionRecorder } from "./session.js";
import { SessionRecording } from "./session-recording.js";
import type { TraceFile } from "./trace-file.js";
import { View } from "./view.js";
import { viewPorts } from "./view-ports.js";

/** How often the graph is looked at [ms]. */
const POLL_MS = 15;
/** How many looks lie between two states and safety distances. */
const STATE_EVERY = 7;
const SAFETY_EVERY = 10;
/** The same of swept volumes that the page has asked for. */
const PICTURES_EVERY = 7;

type LiveRecorder = SessionRecorder<Run<ThreadsHost>>;

export interface LiveSessionOptions extends RealTimeOptions {
  /** Whether balls are thrown without being asked. */
  readonly automatic: boolean;
  /** Records the run when the page asks for it; left out: there are no recordings. */
  readonly recorder?: LiveRecorder;
}

/** A live run in real time, with its subscribers and controls. */
export class LiveSession extends RunSession {
  readonly run: Run<ThreadsHost>;
  readonly #view: View;
  readonly #system: LiveSystem;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting: Float64Array;
  readonly #recorder: LiveRecorder | null;
  /** Taps of the cameras' images, while the page wants to see them. */
  #images: { readonly side: CameraSide; readonly port: RingInPort<Image> }[] = [];
  readonly #recording: SessionRecording<Run<ThreadsHost>> | null;
  #looks = 0;
  #wantsSwept = false;
  #isStarted = false;

  /** Starts the robot, the run and the throwing; settles when the robot waits for balls. */
  static async start(options: LiveSessionOptions, observer: RealTimeObserver = {}): Promise<LiveSession> {
    const session = LiveSession.open(options, observer);
    await session.started;
    return session;
  }

  /** The same, at once: the session is there while the run is being started, and says how far that has come. */
  static open(options: LiveSessionOptions, observer: RealTimeObserver = {}): LiveSession {
    const sessions: LiveSession[] = [];
    const settings = { ...realTimeDefaults, ...options };
    const run = createRealTimeRun(settings, {
      ...observer,
      event: (event) => {
        observer.event?.(event);
        for (const session of sessions) session.publishEvent(event);
      },
      progress: (progress) => {
        observer.progress?.(progress);
        for (const session of sessions) session.#publishStart(progress);
      },
    });
    const session = new LiveSession(run, settings);
    sessions.push(session);
    return session;
  }

  /** Settles when the robot waits for balls; rejects if the run does not start. */
  readonly started: Promise<void>;

  private constructor(run: Run<ThreadsHost>, options: LiveSessionOptions) {
    const { robot, arms, times } = run;
    const { perception, seed, mode = "soft", automatic, ball = defaultBall, balls } = options;
    const challenges = { ...initialChallenges(options) };
    super({
      robot,
      ball,
      arms,
      times,
      clock: "real-time",
      perception,
      seed,
      controls: [
        "nodes",
        ...(options.recorder === undefined ? [] : (["record"] as const)),
        ...(hasColour(options) ? (["colour"] as const) : []),
      ],
      settings: { mode, challenges, automatic, balls, speed: 1 },
    });
    this.run = run;
    this.#recorder = options.recorder ?? null;
    this.#recording = this.#recorder === null ? null : this.#recordBy(this.#recorder);
    this.#waiting = waitingPosture(robot);
    this.#system = new LiveSystem(run, this.broadcast);
    // The run hands its events on itself, those of its threads' starts and ends among them.
    const ports = { ...viewPorts(run), images: [], events: [] };
    this.#view = new View(robot, run.parts, ports, this.broadcast, run.host.reactionTime);
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    this.#publishStart({ share: 0, parts: [] });
    // The session must be known to what observes it before the first event.
    this.started = new Promise<void>(setImmediate).then(() => this.#start(options));
    this.started.catch(() => clearInterval(this.#timer));
  }

  async #start(options: LiveSessionOptions): Promise<void> {
    await startRealTimeRun(this.run, options);
    this.#isStarted = true;
    // What the page changed meanwhile holds from here on.
    this.setMode(this.settings.mode);
    this.setChallenges(this.settings.challenges);
    void this.throwOn();
  }

  #publishStart({ share, parts }: WarmUpProgress): void {
    this.broadcast.publish({ type: "start", time: this.run.clock.nowSeconds(), share, parts });
  }

  pose(out: PosePacket): boolean {
    const nowNs = this.run.clock.nowNs();
    if (!this.#view.pose(nowNs, out)) this.#view.standing(nowNs, this.#waiting, out);
    return true;
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

  protected async throwAll(balls: readonly Throw[]): Promise<void> {
    const before = this.run.falseAlarms.length;
    const results = await this.run.throwAll(balls);
    for (const alarm of this.run.falseAlarms.slice(before)) {
      this.broadcast.publish({ type: "event", ...falseAlarmEvent(alarm) });
    }
    for (const result of results) {
      this.broadcast.publishThrow(this.run.clock.nowSeconds(), result);
      if (this.settings.recording !== null) this.#recorder?.thrown(result, this.run.clock.nowNs());
    }
  }

  protected colourDetectors(colour: BallColour): void {
    this.run.setBallColour(colour);
  }

  protected setMode(mode: CatchMode): void {
    if (this.#isStarted) this.run.setMode(mode);
  }

  protected setChallenges(challenges: Partial<Challenges>): void {
    if (this.#isStarted) this.run.host.setChallenges(challenges);
  }

  protected get stopLine(): StopLine {
    return this.run.host.stopLine;
  }

  resetRobot(): void {
    this.run.release();
  }

  override async record(on: boolean): Promise<SessionSettings> {
    if (this.#recording === null) return super.record(on);
    await (on ? this.#recording.begin() : this.#recording.end());
    return this.settings;
  }

  #recordBy(recorder: LiveRecorder): SessionRecording<Run<ThreadsHost>> {
    return new SessionRecording(recorder, this.run, {
      changed: (recording) => {
        this.broadcast.settings = { ...this.settings, recording };
      },
      cut: (text) => {
        const time = this.run.clock.nowSeconds();
        this.publishEvent({ time, severity: "error", source: "recorder", code: "recording-cut", track: -1, text });
      },
    });
  }

  plotFields(fields: readonly string[]): void {
    this.#system.fields = fields;
  }

  override controlNode(node: string, action: NodeAction): Promise<SwitchedThread> {
    return this.#system.act(node, action);
  }

  trace(seconds: number): Promise<TraceFile> {
    return this.#system.trace(seconds);
  }

  publishEvent({ time, severity, source, code, text }: TimedEvent): void {
    this.broadcast.publish({ type: "event", time, severity, source, code, text });
    if (code.startsWith("part-") || code.startsWith("robot-")) this.#system.refresh();
  }

  #look(): void {
    const nowNs = this.run.clock.nowNs();
    const time = nowNs / 1e9;
    const { speed } = this.run.clock;
    if (speed !== this.settings.speed) this.broadcast.settings = { ...this.settings, speed };
    this.#view.poll(nowNs);
    this.#system.look(nowNs);
    const k = this.#looks++;
    if (k % STATE_EVERY === 0 || this.#view.hasNewState) {
      const state = this.#view.state(time);
      if (state !== null) this.broadcast.publish(state);
    }
    if (k % SAFETY_EVERY === 0 && this.broadcast.hasSubscribers) this.broadcast.publish(this.#view.safety(time));
    for (const { port } of this.#images) takeEach(port, nowNs, (image) => this.#view.showImage(image));
    if (this.#wantsSwept && k % PICTURES_EVERY === 0) {
      const volumes = this.#view.swept();
      if (volumes !== null) this.broadcast.publishSwept(volumes);
    }
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    // The robot first, whatever the recorder does.
    this.run.hold();
    await super.close();
    await this.run.close();
    await this.#recording?.close();
  }
}
