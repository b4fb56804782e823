import { summarize, type ThrowResult } from "../catching/run-summary.js";
import {
  type ComponentsMessage,
  type GraphMessage,
  MAX_THROWS_SENT,
  type PageMessage,
  type SafetyMessage,
  type StartMessage,
  type StateMessage,
} from "../messages/page.js";
import type { RunSummary, SessionFacts, SessionSettings } from "../messages/session.js";
import { type LogLine, MAX_LINES } from "../messages/system.js";
import type { FieldSeries } from "./field-taps.js";
import type { ImagePacket } from "./pose-packet.js";
import type { SessionSnapshot, Subscriber } from "./session.js";
import type { SweptPacket } from "./swept-packet.js";

/** What a subscriber gets first: the newest of each kind that there is. */
export function firstMessages({ hello, start, graph, state, safety, components, log }: SessionSnapshot): PageMessage[] {
  return [hello, start, graph, state, safety, components, log].filter((message) => message !== null);
}

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
  #graph: GraphMessage | null = null;
  readonly #lines: LogLine[] = [];
  readonly #eventCounts = new Map<string, number>();

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
    const log = { type: "log", lines: [...this.#lines] } as const;
    return {
      hello,
      start: this.#start,
      graph: this.#graph,
      state: this.#state,
      safety: this.#safety,
      components: this.#components,
      log,
      eventCounts: this.#eventCounts,
    };
  }

  #summary(): RunSummary {
    return summarize(this.#throws);
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    for (const message of firstMessages(this.snapshot())) subscriber.onMessage(message);
    return () => void this.#subscribers.delete(subscriber);
  }

  publish(message: PageMessage): void {
    if (message.type === "start") this.#start = message.share < 1 ? message : null;
    if (message.type === "state") this.#state = message;
    if (message.type === "safety") this.#safety = message;
    if (message.type === "components") this.#components = message;
    if (message.type === "graph") this.#graph = message;
    if (message.type === "event") this.#keep(message);
    for (const subscriber of this.#subscribers) this.#try(subscriber, () => subscriber.onMessage(message));
  }

  /** The log is bounded: old lines make room. */
  #keep({ time, severity, source, code, text }: LogLine): void {
    this.#eventCounts.set(code, (this.#eventCounts.get(code) ?? 0) + 1);
    this.#lines.push({ time, severity, source, code, text });
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** A line of the log that is none of a node; its time is that of the newest state. */
  log({ severity, source, code, text }: Omit<LogLine, "time">): void {
    this.publish({ type: "event", time: this.#state?.time ?? 0, severity, source, code, text });
  }

  publishSamples(time: number, series: readonly FieldSeries[]): void {
    const plain = series.map(({ field, times, values }) => {
      const known = Array.from(values, (value) => (Number.isFinite(value) ? value : null));
      return { field, times: [...times], values: known };
    });
    this.publish({ type: "samples", time, series: plain });
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
