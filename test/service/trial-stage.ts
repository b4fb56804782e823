import { defaultTimes } from "../../src/catching/catch-times.js";
import type { PosePacket } from "../../src/view/pose-packet.js";
import type { SettingsChange, Spectator, Stage, StageSnapshot, StopReceipt } from "../../src/view/stage.js";
import { budgetsOf } from "../../src/view/stage-budgets.js";
import type { StageFacts, StageSettings, ThrowRequest } from "../../src/view/stage-messages.js";
import { StageVoice } from "../../src/view/stage-voice.js";

const facts: StageFacts = {
  robot: "lwr-arm",
  clock: "lock-step",
  perception: "truth",
  seed: 1,
  arms: ["arm"],
  joints: ["a", "b"],
  hands: [],
  ballRadius: 0.04,
  framePeriod: 0.04,
  budgets: budgetsOf(defaultTimes),
  maxBalls: 1,
  controls: ["throw"],
  presets: [],
};
const settings: StageSettings = {
  mode: "soft",
  challenges: {},
  automatic: false,
  balls: 1,
  paused: false,
  speed: 1,
  recording: null,
};

/** A stage that notes what it is asked, and whose robot turns evenly. */
export class TrialStage implements Stage {
  readonly facts: StageFacts;
  readonly asked: unknown[] = [];
  readonly voice: StageVoice;
  #poses = 0;

  constructor(different: Partial<StageFacts> = {}) {
    this.facts = { ...facts, ...different };
    this.voice = new StageVoice(this.facts, settings, "0");
  }

  get settings(): StageSettings {
    return this.voice.settings;
  }
  snapshot(): StageSnapshot {
    return this.voice.snapshot();
  }
  watch(spectator: Spectator): () => void {
    return this.voice.watch(spectator);
  }
  pose(out: PosePacket): boolean {
    out.time = this.#poses++;
    return true;
  }
  watchImages(wanted: boolean): void {
    this.asked.push({ images: wanted });
  }
  watchSwept(wanted: boolean): void {
    this.asked.push({ swept: wanted });
  }
  throwBalls(request: ThrowRequest): readonly number[] {
    this.asked.push(request);
    return [7];
  }
  async change(change: SettingsChange): Promise<StageSettings> {
    this.voice.settings = { ...this.settings, ...change } as StageSettings;
    return this.settings;
  }
  async stopRobot(): Promise<StopReceipt> {
    this.asked.push("stop");
    return { at: 1e12, afterMs: 2 };
  }
  resetRobot(): void {
    this.asked.push("reset");
  }
  async step(ticks: number): Promise<void> {
    this.asked.push({ ticks });
  }
  async record(): Promise<StageSettings> {
    return this.settings;
  }
  async close(): Promise<void> {}
}
