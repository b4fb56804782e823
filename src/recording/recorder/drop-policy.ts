import { getOrCreate } from "../../runtime/get-or-create.js";
import type { RecordedTopic } from "../recording.js";

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
