import type { CatchTimes } from "../catching/catch-times.js";
import type { Ball } from "../flight/ball.js";
import type { BallColour } from "../messages/sensing.js";
import type { SessionControl, SessionFacts, SessionSettings } from "../messages/session.js";
import type { LogLine } from "../messages/system.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { Robot } from "../robot/robot.js";
import type { NodeAction, SwitchedThread } from "../run/thread-switch.js";
import { defined } from "../runtime/defined.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import type { CameraSettings } from "../simulation/camera-settings.js";
import { type Challenges, fullChallenges } from "../simulation/head-motion/challenges.js";
import type { Throw } from "../simulation/world/throws.js";
import { answerOf } from "../transport/stop-answer.js";
import type { StopLine } from "../transport/stop-line.js";
import type { StopAnswer } from "../transport/stop-report.js";
import { budgetsOf } from "./latency-budgets.js";
import { Launches } from "./launches.js";
import type { PosePacket } from "./pose-packet.js";
import type { Session, SessionSnapshot, SettingsChange, Subscriber, ThrowRequest } from "./session.js";
import { SessionBroadcast } from "./session-broadcast.js";
import type { TraceFile } from "./trace-file.js";

/** What a session is about from its start on. */
export interface SessionBasis extends Pick<SessionFacts, "clock" | "perception" | "seed" | "arms"> {
  readonly robot: Robot;
  readonly ball: Ball;
  readonly times: CatchTimes;
  /** What the page may do beside what it always may. */
  readonly controls: readonly SessionControl[];
  /** Settings at the start; `balls` are also the most at a time. */
  readonly settings: Pick<SessionSettings, "mode" | "challenges" | "automatic" | "balls" | "speed">;
}

/** What a page may do with every run. */
const controls: readonly SessionControl[] = ["throw", "mode", "challenges", "automatic", "stop", "reset", "trace"];

/**
 * A live run with its subscribers and controls: facts, settings and throws, the same in real time and in lock-step. What the
 * run itself does about them is left to the two kinds of sessions.
 */
export abstract class RunSession implements Session {
  readonly facts: SessionFacts;
  readonly ball: Ball;
  protected readonly broadcast: SessionBroadcast;
  readonly #launches: Launches;
  readonly #queue: ThrowQueue;

  constructor({ robot, ball, times, controls: more, settings, ...facts }: SessionBasis) {
    this.ball = ball;
    this.#launches = new Launches(robot, facts.seed, ball, settings.balls);
    this.facts = {
      ...facts,
      robot: robot.name,
      joints: robot.model.dofNames,
      hands: robot.hands.map(({ name }) => name),
      ballRadius: ball.diameter / 2,
      ballDrag: ball.drag,
      framePeriod: times.framePeriodNs / 1e9,
      budgets: budgetsOf(times),
      maxBalls: settings.balls,
      controls: [...controls, ...more],
      presets: this.#launches.presets,
    };
    this.broadcast = new SessionBroadcast(this.facts, { ...settings, paused: false, recording: null }, packageVersion);
    this.#queue = new ThrowQueue(() => this.#launches.make({ balls: this.settings.balls }), settings.automatic);
  }

  get settings(): SessionSettings {
    return this.broadcast.settings;
  }

  snapshot(): SessionSnapshot {
    return this.broadcast.snapshot();
  }

  subscribe(subscriber: Subscriber): () => void {
    return this.broadcast.subscribe(subscriber);
  }

  throwBalls(request: ThrowRequest): readonly number[] {
    const balls = this.#launches.make(request);
    this.#queue.add(balls);
    return balls.map(({ id }) => id);
  }

  /** One throw after the other is with the run, so that settings hold from the next on. Ends when the session closes. */
  protected async throwOn(): Promise<void> {
    for (let balls = await this.#queue.next(); balls !== null; balls = await this.#queue.next()) {
      await this.throwAll(balls);
    }
  }

  async change(change: SettingsChange): Promise<SessionSettings> {
    const { mode, automatic, balls, challenges, paused, speed } = change;
    const { maxBalls } = this.facts;
    if (balls !== undefined && balls > maxBalls) throw refused(`at most ${maxBalls} balls`, String(balls));
    const unknown = Object.keys(challenges ?? {}).find((name) => !Object.hasOwn(fullChallenges, name));
    if (unknown !== undefined) throw refused(`a challenge among ${Object.keys(fullChallenges).join(", ")}`, unknown);
    const changesPace = paused !== undefined || speed !== undefined;
    if (changesPace && !this.facts.controls.includes("pause")) throw refused("a run in lock-step", "one in real time");
    this.broadcast.settings = {
      ...this.settings,
      ...defined(change),
      challenges: { ...this.settings.challenges, ...challenges },
    };
    if (mode !== undefined) this.setMode(mode);
    if (challenges !== undefined) this.setChallenges(challenges);
    if (changesPace) this.setPace(this.settings.speed, this.settings.paused ? "paused" : "going");
    if (automatic !== undefined) this.#queue.isAutomatic = automatic;
    return this.settings;
  }

  step(_ticks: number): Promise<void> {
    return Promise.reject(refused("a paused run in lock-step", "a run that is not paused"));
  }

  setBallColour(colour: BallColour): void {
    if (!this.facts.controls.includes("colour")) throw refused("a run with colour images", "one without");
    // A replay has one colour for the whole recording.
    if (this.settings.recording !== null) throw refused("a run that is not being recorded", "one that is");
    this.colourDetectors(colour);
    const [red, green, blue] = [colour.red, colour.green, colour.blue].map((weight) => weight.toFixed(2));
    const text = `balls are looked for by ${red} red, ${green} green and ${blue} blue from now on`;
    this.log({ severity: "info", source: "page", code: "ball-colour", text });
  }

  record(_on: boolean): Promise<SessionSettings> {
    return Promise.reject(refused("a run that can be recorded"));
  }

  stopRobot(arrivedMs: number): Promise<StopAnswer> {
    return answerOf(this.stopLine, this.stopLine.ask(), arrivedMs);
  }

  controlNode(_node: string, _action: NodeAction): Promise<SwitchedThread> {
    return Promise.reject(refused("a run in real time", "one in lock-step, whose nodes share a thread"));
  }

  log(line: Omit<LogLine, "time">): void {
    this.broadcast.log(line);
  }

  async close(): Promise<void> {
    this.#queue.close();
  }

  protected abstract readonly stopLine: StopLine;
  abstract pose(out: PosePacket): boolean;
  abstract wantImages(wanted: boolean): void;
  abstract wantSwept(wanted: boolean): void;
  abstract plotFields(fields: readonly string[]): void;
  abstract trace(seconds: number): Promise<TraceFile>;
  abstract resetRobot(): void;
  /** Lets the run throw these balls, and publishes what became of them; settles when the next may be thrown. */
  protected abstract throwAll(balls: readonly Throw[]): Promise<void>;
  /** Lets the detectors know of the ball's colour. */
  protected abstract colourDetectors(colour: BallColour): void;
  /** What the next plans optimise. */
  protected abstract setMode(mode: CatchMode): void;
  /** Changes those that are given, from now on. */
  protected abstract setChallenges(challenges: Partial<Challenges>): void;
  /** Only where the page may pause the run. */
  protected setPace(_speed: number, _state: "going" | "paused"): void {}
}

/** Of what the session cannot do now. */
/** Whether the images of a run are in colour. */
export function hasColour({
  perception,
  cameras,
}: {
  readonly perception: string;
  readonly cameras?: CameraSettings;
}): boolean {
  return perception === "images" && cameras?.colour === true;
}

export function refused(expected: string, found?: string): FlycatcherError {
  return new FlycatcherError("FLY_LIVE_CONTROL", "this run cannot do that now", defined({ expected, found }));
}

/** Throws that may wait to be made. */
const MOST_WAITING = 8;

/**
 * What to throw next: what was asked for, in its order, else, if it goes by itself, the next of a series. A series may be
 * limited; `next` settles when there is something to throw, with null once it has been closed.
 */
export class ThrowQueue {
  readonly #waiting: (readonly Throw[])[] = [];
  readonly #series: () => readonly Throw[];
  #isAutomatic: boolean;
  #isClosed = false;
  #wake: () => void = () => undefined;

  /** `series` makes the next throws by itself. */
  constructor(series: () => readonly Throw[], isAutomatic: boolean) {
    this.#series = series;
    this.#isAutomatic = isAutomatic;
  }

  set isAutomatic(value: boolean) {
    this.#isAutomatic = value;
    this.#wake();
  }

  add(balls: readonly Throw[]): void {
    if (this.#waiting.length >= MOST_WAITING) {
      throw new FlycatcherError("FLY_LIVE_CONTROL", "enough balls wait to be thrown", {
        expected: `at most ${MOST_WAITING} throws that wait`,
        found: "one more",
      });
    }
    this.#waiting.push(balls);
    this.#wake();
  }

  /** Takes what is next; null if nothing is. */
  take(): readonly Throw[] | null {
    return this.#waiting.shift() ?? (this.#isAutomatic ? this.#series() : null);
  }

  async next(): Promise<readonly Throw[] | null> {
    for (;;) {
      if (this.#isClosed) return null;
      const balls = this.take();
      if (balls !== null) return balls;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }
}
