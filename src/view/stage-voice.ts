import type { RunSummary, ThrowResult } from "../catching/run-summary.js";
import { summarize } from "../catching/run-summary.js";
import type { ImagePacket } from "./pose-packet.js";
import type { Spectator, StageSnapshot } from "./stage.js";
import type {
  ComponentsMessage,
  SafetyMessage,
  StageFacts,
  StageMessage,
  StageSettings,
  StateMessage,
} from "./stage-messages.js";
import type { SweptPacket } from "./swept-packet.js";

/** Throws a newcomer is told of. */
const THROWS_TOLD = 100;

/** Tells spectators what goes on, and keeps what newcomers must know. A spectator that fails is not told any more. */
export class StageVoice {
  readonly #facts: StageFacts;
  readonly #software: string;
  readonly #spectators = new Set<Spectator>();
  readonly #throws: ThrowResult[] = [];
  #settings: StageSettings;
  #state: StateMessage | null = null;
  #safety: SafetyMessage | null = null;
  #components: ComponentsMessage | null = null;

  constructor(facts: StageFacts, settings: StageSettings, software: string) {
    this.#facts = facts;
    this.#settings = settings;
    this.#software = software;
  }

  get settings(): StageSettings {
    return this.#settings;
  }

  /** Whether anybody is there. */
  get isHeard(): boolean {
    return this.#spectators.size > 0;
  }

  get results(): readonly ThrowResult[] {
    return this.#throws;
  }

  /** Settings have changed: everybody is greeted anew. */
  set settings(settings: StageSettings) {
    this.#settings = settings;
    this.tell(this.snapshot().hello);
  }

  snapshot(): StageSnapshot {
    const hello = {
      type: "hello",
      protocol: 1,
      software: this.#software,
      facts: this.#facts,
      settings: this.#settings,
      throws: this.#throws.slice(-THROWS_TOLD),
      summary: this.#summary(),
    } as const;
    return { hello, state: this.#state, safety: this.#safety, components: this.#components };
  }

  #summary(): RunSummary {
    return summarize(this.#throws);
  }

  watch(spectator: Spectator): () => void {
    const { hello, state, safety, components } = this.snapshot();
    this.#spectators.add(spectator);
    for (const message of [hello, state, safety, components]) if (message !== null) spectator.hear(message);
    return () => void this.#spectators.delete(spectator);
  }

  tell(message: StageMessage): void {
    if (message.type === "state") this.#state = message;
    if (message.type === "safety") this.#safety = message;
    if (message.type === "components") this.#components = message;
    for (const spectator of this.#spectators) this.#try(spectator, () => spectator.hear(message));
  }

  show(image: ImagePacket): void {
    for (const spectator of this.#spectators) this.#try(spectator, () => spectator.see?.(image));
  }

  showSwept(volumes: SweptPacket): void {
    for (const spectator of this.#spectators) this.#try(spectator, () => spectator.seeSwept?.(volumes));
  }

  /** A throw is over. */
  tellThrow(time: number, result: ThrowResult): void {
    this.#throws.push(result);
    this.tell({ type: "throw", time, result, summary: this.#summary() });
  }

  #try(spectator: Spectator, act: () => void): void {
    try {
      act();
    } catch {
      this.#spectators.delete(spectator);
    }
  }
}
