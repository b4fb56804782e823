import type { RecordingWriter } from "../format/recording-writer.js";
import type { RecordedItem, RecordedTopic, RecordingSink } from "../recording.js";
import { type Drop, DropPolicy } from "./drop-policy.js";

/** What became of a recording. */
export interface RecorderReport {
  /** Bytes in the file, and messages of items and packets. */
  readonly bytes: number;
  readonly messages: number;
  /** What was lost, by topic. */
  readonly drops: readonly Drop[];
  /** Why it ended early; null if it did not. */
  readonly failure: string | null;
}

/** Compressed bytes that may wait for the disk: some ten seconds of images. */
const DEFAULT_ROOM = 64e6;
/** Least time between two items that tell of losses [ns]. */
const TELL_NS = 1_000_000_000;
/** Metadata of the file that tells of losses. */
export const DROPS = "flycatcher.drops";

/** Writes a recording as far as the disk keeps up, the important things first. Never throws: a full disk ends the recording. */
export class PrioritisedWriter implements RecordingSink {
  readonly #writer: RecordingWriter;
  readonly #backlog: () => number;
  readonly #policy: DropPolicy;
  #lastNs = 0;
  #toldNs = Number.NEGATIVE_INFINITY;
  #toldDrops = 0;
  #failure: string | null = null;

  /** @param backlog Bytes that wait for the disk. */
  constructor(writer: RecordingWriter, backlog: () => number, room = DEFAULT_ROOM) {
    this.#writer = writer;
    this.#backlog = backlog;
    this.#policy = new DropPolicy(room);
  }

  write(item: RecordedItem): void {
    this.#lastNs = Math.max(this.#lastNs, item.timeNs);
    if (!this.#admits(item.topic)) return;
    this.#attempt(() => this.#policy.wrote(item.topic, this.#writer.write(item)));
    if (item.timeNs - this.#toldNs >= TELL_NS) this.#tellDrops();
  }

  /** Counts packets that a channel had no more when they were asked for. */
  lose(topic: string, packets: number): void {
    if (packets > 0) this.#policy.lose(topic, packets);
  }

  /** Writes what is in hand, and the account of what was lost. */
  close(): RecorderReport {
    this.#tellDrops();
    const { drops } = this.#policy;
    const facts = drops.map(({ topic, messages, bytes }) => [topic, `${messages} messages, ${bytes} bytes`] as const);
    this.#attempt(() => this.#writer.note(DROPS, new Map(facts)));
    this.#attempt(() => this.#writer.close());
    return { bytes: this.#writer.byteLength, messages: this.#policy.written, drops, failure: this.#failure };
  }

  #admits(topic: RecordedTopic): boolean {
    if (this.#failure === null) return this.#policy.admits(topic, this.#backlog());
    this.#policy.lose(topic, 1);
    return false;
  }

  #tellDrops(): void {
    const { drops } = this.#policy;
    const total = drops.reduce((sum, { messages }) => sum + messages, 0);
    this.#toldNs = this.#lastNs;
    if (total === this.#toldDrops) return;
    this.#toldDrops = total;
    this.#attempt(() => this.#writer.write({ topic: "recorder/drops", timeNs: this.#lastNs, drops }));
  }

  #attempt(action: () => void): void {
    if (this.#failure !== null) return;
    try {
      action();
    } catch (error) {
      this.#failure = (error as Error).message;
    }
  }
}
