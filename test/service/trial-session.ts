import { defaultTimes } from "../../src/catching/catch-times.js";
import { defaultBall } from "../../src/flight/ball.js";
import type { BallColour } from "../../src/messages/sensing.js";
import type { SessionFacts, SessionSettings } from "../../src/messages/session.js";
import type { LogLine } from "../../src/messages/system.js";
import type { NodeAction, SwitchedThread } from "../../src/run/thread-switch.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import type { StopAnswer } from "../../src/transport/stop-report.js";
import { budgetsOf } from "../../src/view/latency-budgets.js";
import type { PosePacket } from "../../src/view/pose-packet.js";
import type { Session, SessionSnapshot, SettingsChange, Subscriber, ThrowRequest } from "../../src/view/session.js";
import { SessionBroadcast } from "../../src/view/session-broadcast.js";
import type { TraceFile } from "../../src/view/trace-file.js";

const facts: SessionFacts = {
  robot: "lwr-arm",
  clock: "lock-step",
  perception: "truth",
  seed: 1,
  arms: ["arm"],
  joints: ["a", "b"],
  hands: [],
  ballRadius: 0.04,
  ballDrag: 0.032,
  framePeriod: 0.04,
  budgets: budgetsOf(defaultTimes),
  maxBalls: 1,
  controls: ["throw"],
  presets: [],
};
const settings: SessionSettings = {
  mode: "soft",
  challenges: {},
  automatic: false,
  balls: 1,
  paused: false,
  speed: 1,
  recording: null,
};

/** A session that notes what it is asked, and whose robot turns evenly. */
export class TrialSession implements Session {
  readonly facts: SessionFacts;
  readonly asked: unknown[] = [];
  readonly broadcast: SessionBroadcast;
  #poses = 0;

  constructor(different: Partial<SessionFacts> = {}) {
    this.facts = { ...facts, ...different };
    this.broadcast = new SessionBroadcast(this.facts, settings, "0");
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
  pose(out: PosePacket): boolean {
    out.time = this.#poses++;
    return true;
  }
  wantImages(wanted: boolean): void {
    this.asked.push({ images: wanted });
  }
  readonly ball = defaultBall;
  setBallColour(colour: BallColour): void {
    this.asked.push({ colour });
  }
  wantSwept(wanted: boolean): void {
    this.asked.push({ swept: wanted });
  }
  throwBalls(request: ThrowRequest): readonly number[] {
    this.asked.push(request);
    return [7];
  }
  async change(change: SettingsChange): Promise<SessionSettings> {
    this.broadcast.settings = { ...this.settings, ...change } as SessionSettings;
    return this.settings;
  }
  async stopRobot(): Promise<StopAnswer> {
    this.asked.push("stop");
    return { braked: { at: 1e12, afterMs: 2, confirmedBy: "robot", confirmedAfterMs: 3 }, detail: "It brakes." };
  }
  resetRobot(): void {
    this.asked.push("reset");
  }
  async step(ticks: number): Promise<void> {
    this.asked.push({ ticks });
  }
  async record(): Promise<SessionSettings> {
    return this.settings;
  }
  plotFields(fields: readonly string[]): void {
    if (fields.some((field) => !field.startsWith("control."))) {
      throw new FlycatcherError("FLY_FIELD_UNKNOWN", "there is no such out-port");
    }
    this.asked.push({ fields: [...fields] });
  }
  async controlNode(node: string, action: NodeAction): Promise<SwitchedThread> {
    this.asked.push({ node, action });
    if (node === "control") throw new FlycatcherError("FLY_NODE_CONTROL", "this node cannot be switched now");
    return { thread: node, nodes: [node], state: action === "stop" ? "stopped" : "running", restarts: 1 };
  }
  async trace(seconds: number): Promise<TraceFile> {
    this.asked.push({ seconds });
    return { displayTimeUnit: "ms", traceEvents: [], otherData: {} };
  }
  log(line: Omit<LogLine, "time">): void {
    this.broadcast.log(line);
  }
  async close(): Promise<void> {}
}
