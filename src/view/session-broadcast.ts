import { summarize, type ThrowResult } from "../catching/run-summary.js";
import {
  type ComponentsMessage,
  MAX_THROWS_SENT,
  type PageMessage,
  type SafetyMessage,
  type StartMessage,
  type StateMessage,
} from "../messages/page.js";
import type { RunSummary, SessionFacts, SessionSettings } from "../messages/session.js";
import type { ImagePacket } from "./pose-packet.js";
import type { SessionSnapshot, Subscriber } from "./session.js";
import type { SweptPacket } from "./swept-packet.js";

/** Publishes to all subscribers, and keeps what new ones need. A subscriber that throws is dropped. */
export class SessionBroadcast {
  readonly #facts: SessionFacts;
  readonly #software: string;
  readonly #subscribers = new Set<Subscriber>();
  readonly #throws: ThrowResult[] = [];
  #settings: SessionSettings;
  #start: StartMessage | null = null;
  #state: StateMessage | null = null;
  #safety: SafetyMessage | null = null;
  #components: ComponentsMessage | null = null;

  constructor(facts: SessionFacts, settings: SessionSettings, software: string) {
    this.#facts = facts;
    this.#settings = settings;
    this.#software = software;
  }

  get settings(): SessionSettings {
    return this.#settings;
  }

  /** Whether there are any. */
  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Settings have changed: every subscriber gets a new hello. */
  set settings(settings: SessionSettings) {
    this.#settings = settings;
    this.publish(this.snapshot().hello);
  }

  snapshot(): SessionSnapshot {
    const hello = {
      type: "hello",
      protocol: 1,
      software: this.#software,
      facts: this.#facts,
      settings: this.#settings,
      throws: this.#throws.slice(-MAX_THROWS_SENT),
      summary: this.#summary(),
    } as const;
    return { hello, start: this.#start, state: this.#state, safety: this.#safety, components: this.#components };
  }

  #summary(): RunSummary {
    return summarize(this.#throws);
  }

  subscribe(subscriber: Subscriber): () => void {
    const { hello, start, state, safety, components } = this.snapshot();
    this.#subscribers.add(subscriber);
    for (const message of [hello, start, state, safety, components])
      if (message !== null) subscriber.onMessage(message);
    return () => void this.#subscribers.delete(subscriber);
  }

  publish(message: PageMessage): void {
    if (message.type === "start") this.#start = message.share < 1 ? message : null;
    if (message.type === "state") this.#state = message;
    if (message.type === "safety") this.#safety = message;
    if (message.type === "components") this.#components = message;
    for (const subscriber of this.#subscribers) this.#try(subscriber, () => subscriber.onMessage(message));
  }

  publishImage(image: ImagePacket): void {
    for (const subscriber of this.#subscribers) this.#try(subscriber, () => subscriber.onImage?.(image));
  }

  publishSwept(volumes: SweptPacket): void {
    for (const subscriber of this.#subscribers) this.#try(subscriber, () => subscriber.onSwept?.(volumes));
  }

  /** A throw is over. */
  publishThrow(time: number, result: ThrowResult): void {
    this.#throws.push(result);
    this.publish({ type: "throw", time, result, summary: this.#summary() });
  }

  #try(subscriber: Subscriber, act: () => void): void {
    try {
      act();
    } catch {
      this.#subscribers.delete(subscriber);
    }
  }
}
