import type {
  CirclesMessage,
  ComponentsMessage,
  EventMessage,
  GraphMessage,
  HelloMessage,
  PageMessage,
  PredictionMessage,
  SafetyMessage,
  StartMessage,
  StateMessage,
} from "../../../src/messages/page.js";
import type { SessionSettings } from "../../../src/messages/session.js";
import type { PosePacket } from "../../../src/view/pose-packet.js";
import { Listeners } from "../dom/listeners.js";
import { LogLines } from "../system/log-lines.js";
import { BallTrail } from "./ball-trail.js";
import type { StopTiming } from "./stop-timing.js";
import { ThrowLog } from "./throw-log.js";

type ThrowResult = HelloMessage["throws"][number];
type RunSummary = HelloMessage["summary"];

/** Remembered on the page; the service keeps more. */
const MOST_THROWS = 100;
const MOST_EVENTS = 60;
/** A run whose clock goes back by more than this was started again [s]; poses of a start are less exact. */
const RESTART = 1;
/** A ball that was not heard of for so long is gone [s]. */
const TRAIL_LIFE = 2.5;

const allTopics: readonly PageMessage["type"][] = [
  "hello",
  "start",
  "state",
  "prediction",
  "circles",
  "plan",
  "handover",
  "safety",
  "components",
  "event",
  "graph",
  "log",
  "samples",
  "ball",
  "throw",
];

/** What the page knows of the live run, from what the stream said. */
export class LiveStore {
  /** After every message that changed something but poses. */
  readonly changes = new Listeners<PageMessage["type"]>();
  readonly poses = new Listeners<PosePacket>();
  hello: HelloMessage | null = null;
  settings: SessionSettings | null = null;
  /** Of a run that is being started. */
  start: StartMessage | null = null;
  state: StateMessage | null = null;
  safety: SafetyMessage | null = null;
  components: ComponentsMessage | null = null;
  pose: PosePacket | null = null;
  throws: ThrowResult[] = [];
  summary: RunSummary | null = null;
  events: EventMessage[] = [];
  graph: GraphMessage | null = null;
  readonly lines = new LogLines();
  /** The stop asked for on this page, until the robot moves again. */
  stop: StopTiming | null = null;
  /** The throw under way, or the last. */
  log: ThrowLog | null = null;
  readonly trails = new Map<number, BallTrail>();
  readonly circles = new Map<CirclesMessage["camera"], CirclesMessage>();

  #isQuiet = false;

  handle(message: PageMessage): void {
    this.#apply(message);
    if (!this.#isQuiet) this.changes.emit(message.type);
  }

  /** A stop that was asked for here has come about. */
  handleStop(timing: StopTiming): void {
    this.stop = timing;
    this.changes.emit("state");
  }

  /** Forgets everything, lets `publish` fill it again, and only then notifies that all has changed. */
  startOver(publish: () => void): void {
    this.#forget();
    this.hello = null;
    this.settings = null;
    this.start = null;
    this.state = null;
    this.safety = null;
    this.components = null;
    this.pose = null;
    this.throws = [];
    this.summary = null;
    this.#isQuiet = true;
    publish();
    this.#isQuiet = false;
    for (const topic of allTopics) this.changes.emit(topic);
    if (this.pose !== null) this.poses.emit(this.pose);
  }

  handlePose(pose: PosePacket): void {
    if (this.pose !== null && pose.time < this.pose.time - RESTART) this.#forget();
    this.pose = pose;
    for (const { id, position } of pose.balls) this.#trailOf(id).add(pose.time, position);
    for (const [id, trail] of this.trails) if (pose.time - trail.newest > TRAIL_LIFE) this.trails.delete(id);
    if (!this.#isQuiet) this.poses.emit(pose);
  }

  #trailOf(id: number): BallTrail {
    const known = this.trails.get(id);
    if (known !== undefined) return known;
    const made = new BallTrail();
    this.trails.set(id, made);
    return made;
  }

  #apply(message: PageMessage): void {
    switch (message.type) {
      case "hello":
        this.hello = message;
        this.settings = message.settings;
        this.throws = [...message.throws];
        this.summary = message.summary;
        break;
      case "start":
        this.start = message.share < 1 ? message : null;
        // Trial throws have no result: nothing of them is left when the first throw begins.
        if (this.start === null) this.log = null;
        break;
      case "state":
        if (this.state?.activity === "stopped" && message.activity !== "stopped") this.stop = null;
        this.state = message;
        break;
      case "safety":
        this.safety = message;
        break;
      case "components":
        this.components = message;
        break;
      case "event":
        this.events = [...this.events, message].slice(-MOST_EVENTS);
        this.lines.add(message);
        break;
      case "graph":
        this.graph = message;
        break;
      case "log":
        this.lines.reset(message.lines);
        break;
      case "ball":
        this.#openLog(message.time).balls.push(message.ball);
        break;
      case "prediction":
        this.#logOf(message)?.predictions.push(message);
        break;
      case "circles":
        this.circles.set(message.camera, message);
        if (this.log !== null && !this.log.isOver) this.log.circles.push(message);
        break;
      case "plan":
        this.log?.plans.push(message);
        break;
      case "handover":
        this.log?.handovers.push(message);
        break;
      case "throw":
        this.log?.conclude();
        this.throws = [...this.throws, message.result].slice(-MOST_THROWS);
        this.summary = message.summary;
        break;
    }
  }

  /** The log of the throw under way; a new one if the last is over. */
  #openLog(time: number): ThrowLog {
    if (this.log === null || this.log.isOver) {
      this.log = new ThrowLog(time);
      this.trails.clear();
    }
    return this.log;
  }

  /** Where a prediction belongs: a throw that is over gets no more, but an unannounced ball begins one. */
  #logOf({ track, tExposure }: PredictionMessage): ThrowLog | null {
    if (this.log?.isOver && this.log.predictions.some((earlier) => earlier.track === track)) return null;
    return this.#openLog(tExposure);
  }

  /** The run was started again: its clock has gone back. */
  #forget(): void {
    this.log = null;
    this.trails.clear();
    this.circles.clear();
    this.events = [];
  }
}
