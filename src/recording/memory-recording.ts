import {
  type ItemSelection,
  RECORDING_VERSION,
  type RecordedItem,
  type Recording,
  type RecordingHeader,
  type RecordingSink,
} from "./recording.js";

/** A recording in memory: what a replay makes, and what tests are made of. */
export class MemoryRecording implements Recording, RecordingSink {
  readonly header: RecordingHeader;
  readonly writtenVersion = RECORDING_VERSION;
  readonly problems: readonly string[] = [];
  readonly #items: RecordedItem[] = [];

  constructor(header: RecordingHeader) {
    this.header = header;
  }

  write(item: RecordedItem): void {
    this.#items.push(item);
  }

  *items(selection: ItemSelection = {}): Generator<RecordedItem> {
    const { fromNs = Number.NEGATIVE_INFINITY, toNs = Number.POSITIVE_INFINITY, topics } = selection;
    for (const item of this.#items.toSorted((a, b) => a.timeNs - b.timeNs)) {
      const isWanted = item.timeNs >= fromNs && item.timeNs <= toNs;
      if (isWanted && (topics?.includes(item.topic) ?? true)) yield item;
    }
  }
}
