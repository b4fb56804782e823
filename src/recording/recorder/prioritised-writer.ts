import { getOrCreate } from "../../runtime/get-or-create.js";
import type { RecordingWriter } from "../format/recording-writer.js";
import type { RecordedItem, RecordedTopic, RecordingSink } from "../recording.js";

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

  /** Why nothing more is written; null while something is. */
  get failure(): string | null {
    return this.#failure;
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

/**
 * Share of the backlog's room from which messages are left out when the disk cannot keep up: pictures before comforts. What a
 * replay cannot do without is left out last, when all of the room is used.
 */
const limits: Readonly<Partial<Record<RecordedTopic, number>>> = {
  joints: 0.5,
  head: 0.5,
  monitor: 0.5,
  "cameras/images": 0.25,
};

/** What one topic got and lost. */
interface TopicCount {
  written: number;
  writtenBytes: number;
  dropped: number;
}

/** What was left out of one topic. */
export interface Drop {
  readonly topic: string;
  readonly messages: number;
  /** By the mean size of those that were written. */
  readonly bytes: number;
}

/** Decides what is written, and keeps count of what is not. */
export class DropPolicy {
  /** Bytes that may wait for the disk. */
  readonly room: number;
  readonly #counts = new Map<string, TopicCount>();

  constructor(room: number) {
    this.room = room;
  }

  /** Whether a message is to be written while `backlog` bytes wait; a refusal is counted. */
  admits(topic: RecordedTopic, backlog: number): boolean {
    if (backlog < (limits[topic] ?? 1) * this.room) return true;
    this.lose(topic, 1);
    return false;
  }

  wrote(topic: string, bytes: number): void {
    const count = this.#of(topic);
    count.written++;
    count.writtenBytes += bytes;
  }

  /** Counts messages that were lost before anybody could decide. */
  lose(topic: string, messages: number): void {
    this.#of(topic).dropped += messages;
  }

  get written(): number {
    return Array.from(this.#counts.values(), ({ written }) => written).reduce((a, b) => a + b, 0);
  }

  /** Messages lost so far, by topic; topics without a loss are not there. */
  get drops(): Drop[] {
    return [...this.#counts]
      .filter(([, { dropped }]) => dropped > 0)
      .map(([topic, { written, writtenBytes, dropped }]) => ({
        topic,
        messages: dropped,
        bytes: written === 0 ? 0 : Math.round((writtenBytes / written) * dropped),
      }));
  }

  #of(topic: string): TopicCount {
    return getOrCreate(this.#counts, topic, () => ({ written: 0, writtenBytes: 0, dropped: 0 }));
  }
}
