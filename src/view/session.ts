import type { ThrowResult } from "../catching/run-summary.js";
import type { Ball } from "../flight/ball.js";
import type {
  ComponentsMessage,
  GraphMessage,
  HelloMessage,
  LogMessage,
  PageMessage,
  SafetyMessage,
  StartMessage,
  StateMessage,
} from "../messages/page.js";
import type { BallColour } from "../messages/sensing.js";
import type { SessionFacts, SessionSettings } from "../messages/session.js";
import type { LogLine } from "../messages/system.js";
import type { NodeAction, SwitchedThread } from "../run/thread-switch.js";
import type { StopAnswer } from "../transport/stop-report.js";
import type { ImagePacket, PosePacket } from "./pose-packet.js";
import type { SweptPacket } from "./swept-packet.js";
import type { TraceFile } from "./trace-file.js";

/** What gets the messages of a session. */
export interface Subscriber {
  onMessage(message: PageMessage): void;
  /** Only while `wantImages` asks for them. */
  onImage?(image: ImagePacket): void;
  /** The same of `wantSwept`. */
  onSwept?(volumes: SweptPacket): void;
}

/** The newest of what is published regularly; null before the first. */
export interface SessionSnapshot {
  readonly hello: HelloMessage;
  /** Of a run that is being started; null once it is ready. */
  readonly start: StartMessage | null;
  readonly graph: GraphMessage | null;
  readonly state: StateMessage | null;
  readonly safety: SafetyMessage | null;
  readonly components: ComponentsMessage | null;
  /** The newest lines. */
  readonly log: LogMessage;
  /** Events so far, by their code. */
  readonly eventCounts: ReadonlyMap<string, number>;
}

/** Asks for balls: a preset, or launches of one's own, or the next of the seed's series. */
export interface ThrowRequest {
  readonly balls?: number;
  readonly preset?: string;
  /** Where the balls leave the hand, and how fast, in the world [m, m/s]. */
  readonly launches?: readonly { readonly position: readonly number[]; readonly velocity: readonly number[] }[];
}

/** What can be changed from outside. */
export type SettingsChange = Partial<
  Pick<SessionSettings, "mode" | "challenges" | "automatic" | "balls" | "paused" | "speed">
>;

/**
 * What a page, another program or the command line attaches to: a live run in real time or in lock-step.
 * What cannot be done now ends in a coded error that says why.
 */
export interface Session {
  readonly facts: SessionFacts;
  /** The ball that is thrown and looked for. */
  readonly ball: Ball;
  readonly settings: SessionSettings;
  snapshot(): SessionSnapshot;
  /** Begins to publish to the subscriber; returns how to end it. */
  subscribe(subscriber: Subscriber): () => void;
  /** The robot and the balls as they are now; false if nothing is known yet. */
  pose(out: PosePacket): boolean;
  /** Whether camera images are to be handed out. */
  wantImages(wanted: boolean): void;
  /** Whether the volumes that the bodies can sweep until the robot stands are to be computed, ten times a second. */
  wantSwept(wanted: boolean): void;
  /** Throws balls as soon as the robot waits; their numbers. */
  throwBalls(request: ThrowRequest): readonly number[];
  change(change: SettingsChange): Promise<SessionSettings>;
  /**
   * Stops the robot at once, before it returns. Settles when the robot has got a braking command, or within a second when it is
   * known how far the stop has come. `arrivedMs`: when the request arrived, as of `monotonicMs`.
   */
  stopRobot(arrivedMs: number): Promise<StopAnswer>;
  /** Lets the robot move again. */
  resetRobot(): void;
  /** In lock-step, while paused: goes on for so many milliseconds. */
  step(ticks: number): Promise<void>;
  /** How balls stand out in colour images, from the next image on. */
  setBallColour(colour: BallColour): void;
  /** Begins or ends a recording. */
  record(on: boolean): Promise<SessionSettings>;
  /** Fields of messages that are sampled from now on, and no others: as `tracker.predictions.balls[0].lastSeen`. */
  plotFields(fields: readonly string[]): void;
  /** In real time: stops, starts or restarts the thread of a node, where that is safe. */
  controlNode(node: string, action: NodeAction): Promise<SwitchedThread>;
  /** What the nodes do in the next seconds. */
  trace(seconds: number): Promise<TraceFile>;
  /** A line of the log that comes from beside the run. */
  log(line: Omit<LogLine, "time">): void;
  close(): Promise<void>;
}

/** Records a run in real time. */
export interface SessionRecorder<Run> {
  /** Begins a recording of the run; its name. `cut` is called if it ends early, with the reason. */
  begin(run: Run, cut: (reason: string) => void): Promise<string>;
  /** A throw of the run is over. */
  thrown(result: ThrowResult, timeNs: number): void;
  /** Ends the recording; a disk is waited for so long [ms]. */
  end(timeoutMs?: number): Promise<void>;
}
