import type { ThrowResult } from "../catching/run-summary.js";
import type { ImagePacket, PosePacket } from "./pose-packet.js";
import type {
  ComponentsMessage,
  HelloMessage,
  SafetyMessage,
  StageFacts,
  StageMessage,
  StageSettings,
  StateMessage,
  ThrowRequest,
} from "./stage-messages.js";
import type { SweptPacket } from "./swept-packet.js";

/** Who watches a run. */
export interface Spectator {
  hear(message: StageMessage): void;
  /** Only while `watchImages` says that somebody looks. */
  see?(image: ImagePacket): void;
  /** The same of `watchSwept`. */
  seeSwept?(volumes: SweptPacket): void;
}

/** The newest of what is told again and again; null before the first. */
export interface StageSnapshot {
  readonly hello: HelloMessage;
  readonly state: StateMessage | null;
  readonly safety: SafetyMessage | null;
  readonly components: ComponentsMessage | null;
}

/** When the robot began to brake after a person had stopped it. */
export interface StopReceipt {
  /** When control's first braking command left: UTC [ms since 1970], and since the stop was asked for here [ms]. */
  readonly at: number;
  readonly afterMs: number;
}

/** What can be changed from outside. */
export type SettingsChange = Partial<
  Pick<StageSettings, "mode" | "challenges" | "automatic" | "balls" | "paused" | "speed">
>;

/**
 * A live run as those see it who watch and steer it, in real time or in lock-step: the page, other programs, the command
 * line. Whatever cannot be done now ends in a coded error that says why.
 */
export interface Stage {
  readonly facts: StageFacts;
  readonly settings: StageSettings;
  snapshot(): StageSnapshot;
  /** Begins to tell; returns how to end it. */
  watch(spectator: Spectator): () => void;
  /** The robot and the balls as they are now; false if nothing is known yet. */
  pose(out: PosePacket): boolean;
  /** Whether camera images are to be handed out. */
  watchImages(wanted: boolean): void;
  /** Whether the volumes that the bodies can sweep until the robot stands are to be computed, ten times a second. */
  watchSwept(wanted: boolean): void;
  /** Throws balls as soon as the robot waits; their numbers. */
  throwBalls(request: ThrowRequest): readonly number[];
  change(change: SettingsChange): Promise<StageSettings>;
  /**
   * Stops the robot at once, before it returns. Settles when control brakes; with null if it does not within a second, since
   * the robot stands already, or where time is the simulation's.
   */
  stopRobot(): Promise<StopReceipt | null>;
  /** Lets the robot move again. */
  resetRobot(): void;
  /** In lock-step, while paused: goes on for so many milliseconds. */
  step(ticks: number): Promise<void>;
  /** Begins or ends a recording. */
  record(on: boolean): Promise<StageSettings>;
  close(): Promise<void>;
}

/** Whoever can record a run in real time: handed in from above, for recordings know of runs and not the other way round. */
export interface StageRecorder<Run> {
  /** Begins a recording of the run; its name. */
  begin(run: Run): Promise<string>;
  /** A throw of the run is over. */
  thrown(result: ThrowResult, timeNs: number): void;
  /** Ends the recording. */
  end(): Promise<void>;
}
