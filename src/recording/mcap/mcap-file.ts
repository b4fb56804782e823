import { type Channel, MCAP_MAGIC } from "@mcap/core";
import { FlycatcherError } from "../../runtime/errors.js";
import { type ByteSource, FileSource } from "./byte-source.js";
import { messagesOf, openChunk, type StoredMessage } from "./chunk-content.js";
import { type ChunkPlace, type McapIndex, readIndex } from "./mcap-index.js";
import { scanFile } from "./mcap-scan.js";
import { fileLimits, ReadBudget, type ReadLimits } from "./read-budget.js";
import type { RecordingProblem } from "./recording-problem.js";
import { loadZstd } from "./zstd.js";

/** Which messages are wanted. */
export interface MessageSelection {
  /** First and last time [ns]; default: all. */
  readonly fromNs?: number | undefined;
  readonly toNs?: number | undefined;
  /** Default: all. */
  readonly channels?: ReadonlySet<number>;
}

/**
 * An MCAP file open for reading. Only the chunks that are asked for are read, one at a time. A file without an index, or with a
 * wrong one, is gone through once when it is opened and then read like any other.
 */
export class McapFile {
  /** What is missing, as far as is known: damaged chunks are found when they are read. */
  readonly problems: RecordingProblem[];
  readonly #source: ByteSource;
  readonly #index: McapIndex;
  readonly #budget: ReadBudget;
  /** By time. */
  readonly #chunks: readonly ChunkPlace[];
  /** Places of chunks that were found damaged. */
  readonly #damaged = new Set<number>();

  /** Refuses what is empty or no MCAP at all. The source is closed by `close`, and if it is refused. */
  static async open(source: ByteSource, limits: ReadLimits = fileLimits): Promise<McapFile> {
    try {
      await checkMagic(source);
      await loadZstd();
      const budget = new ReadBudget(limits);
      return new McapFile(source, await indexOf(source, budget), budget);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  private constructor(source: ByteSource, index: McapIndex, budget: ReadBudget) {
    this.#source = source;
    this.#budget = budget;
    this.#index = index;
    this.problems = [...index.problems];
    this.#chunks = [...index.chunks].sort((a, b) => a.startNs - b.startNs || a.offset - b.offset);
  }

  get channels(): ReadonlyMap<number, Channel> {
    return this.#index.channels;
  }

  get metadata(): McapIndex["metadata"] {
    return this.#index.metadata;
  }

  get chunkCount(): number {
    return this.#chunks.length;
  }

  /** Time of the last message [ns]; −∞ if there is none. */
  get endNs(): number {
    return this.#chunks.reduce((end, { endNs }) => Math.max(end, endNs), Number.NEGATIVE_INFINITY);
  }

  /** Times of the messages of these channels [ns], chunk by chunk, sorted within each; nothing else of them is kept. */
  async *times(channels: ReadonlySet<number>): AsyncGenerator<Float64Array> {
    for (const chunk of this.#chunks) {
      const wanted = (await this.#read(chunk)).filter(({ channelId }) => channels.has(channelId));
      yield Float64Array.from(wanted, ({ timeNs }) => timeNs).sort();
    }
  }

  /** The messages by time; those of the same time as they were written. */
  async *messages(selection: MessageSelection = {}): AsyncGenerator<StoredMessage> {
    const { fromNs = Number.NEGATIVE_INFINITY, toNs = Number.POSITIVE_INFINITY, channels } = selection;
    const isWanted = ({ timeNs, channelId }: StoredMessage): boolean =>
      timeNs >= fromNs && timeNs <= toNs && (channels?.has(channelId) ?? true);
    const chunks = this.#chunks.filter(({ startNs, endNs }) => endNs >= fromNs && startNs <= toNs);
    let waiting: StoredMessage[] = [];
    for (const [k, chunk] of chunks.entries()) {
      waiting = waiting.concat((await this.#read(chunk)).filter(isWanted));
      waiting.sort((a, b) => a.timeNs - b.timeNs || a.chunkOffset - b.chunkOffset);
      // Chunks may overlap: what is not older than the next one's beginning waits for it.
      const limit = chunks[k + 1]?.startNs ?? Number.POSITIVE_INFINITY;
      const due = waiting.findIndex(({ timeNs }) => !(timeNs < limit));
      const ready = due < 0 ? waiting : waiting.slice(0, due);
      waiting = due < 0 ? [] : waiting.slice(due);
      yield* ready;
    }
  }

  async #read({ offset, length, startNs, endNs }: ChunkPlace): Promise<StoredMessage[]> {
    if (this.#damaged.has(offset)) return [];
    try {
      return messagesOf(openChunk(await this.#source.read(BigInt(offset), BigInt(length)), this.#budget), offset);
    } catch (error) {
      if (error instanceof FlycatcherError) throw error;
      this.#damaged.add(offset);
      const why = (error as Error).message;
      const span = `${(startNs / 1e9).toFixed(3)} s to ${(endNs / 1e9).toFixed(3)} s`;
      const text = `the chunk from ${span} is lost: ${why} (byte ${offset})`;
      this.problems.push({ kind: "damaged-chunk", text, offset, fromNs: startNs, toNs: endNs });
      return [];
    }
  }

  async close(): Promise<void> {
    await this.#source.close();
  }
}

/** Refuses a file that is empty or no MCAP; it looks at its first bytes alone. */
export async function assertMcapFile(path: string): Promise<void> {
  const source = await FileSource.open(path);
  try {
    await checkMagic(source);
  } finally {
    await source.close();
  }
}

async function checkMagic(source: ByteSource): Promise<void> {
  if (source.byteLength === 0) throw new FlycatcherError("FLY_RECORDING_EMPTY", "The recording is an empty file");
  const length = Math.min(source.byteLength, MCAP_MAGIC.length);
  const found = await source.read(0n, BigInt(length));
  if (!found.every((byte, k) => byte === MCAP_MAGIC[k])) {
    throw new FlycatcherError("FLY_RECORDING_NOT_MCAP", "The file is not MCAP", {
      expected: "the bytes 89 4d 43 41 50 30 0d 0a at its beginning",
      found: Buffer.from(found)
        .toString("hex")
        .replaceAll(/(..)(?=.)/g, "$1 "),
    });
  }
  if (length < MCAP_MAGIC.length) {
    throw new FlycatcherError("FLY_RECORDING_TRUNCATED", `The recording ends after ${length} bytes`);
  }
}

/** The index at the file's end, or one made by going through the file. */
async function indexOf(source: ByteSource, budget: ReadBudget): Promise<McapIndex> {
  try {
    return await readIndex(source, budget);
  } catch (error) {
    if (error instanceof FlycatcherError) throw error;
    const index = await scanFile(source, budget);
    if (index.problems.length > 0) return index;
    const why = (error as Error).message;
    const text = `the index at the end cannot be used: ${why}`;
    return { ...index, problems: [{ kind: "damaged-index", text, offset: source.byteLength }] };
  }
}
