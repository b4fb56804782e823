import { FlycatcherError } from "../../runtime/errors.js";
import { type ByteSource, FileSource, MemorySource } from "../mcap/byte-source.js";
import type { StoredMessage } from "../mcap/chunk-content.js";
import { McapFile } from "../mcap/mcap-file.js";
import { fileLimits, type ReadLimits } from "../mcap/read-budget.js";
import type { RecordingProblem } from "../mcap/recording-problem.js";
import type { ItemSelection, RecordedItem, Recording, RecordingHeader } from "../recording.js";
import { assertNearInTime } from "../time-limits.js";
import { decodeHeader, type ItemDecoder, itemDecoder } from "./item-codec.js";
import { HEADER_CHANNEL, versionOf } from "./item-json.js";
import { type FormatHistory, formatHistory } from "./migrations.js";

/**
 * Opens a recording; refuses files that are empty, no MCAP, not ours, newer than we are, or damaged before anything can be read.
 * Everything else is read as far as it goes: `problems` says what is missing.
 *
 * @param from Path of the file, or its bytes.
 * @param history What is known of versions of the format.
 * @param limits How much work reading it may be.
 */
export async function openRecording(
  from: string | Uint8Array,
  history: FormatHistory = formatHistory,
  limits: ReadLimits = fileLimits,
): Promise<RecordingFile> {
  const source = typeof from === "string" ? await FileSource.open(from) : new MemorySource(from);
  const file = await McapFile.open(source, limits);
  try {
    const { header, version } = await readHeader(file, source, history);
    return new RecordingFile(file, header, version, history);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A recording in a file. Items are read as they are asked for, a chunk at a time. */
export class RecordingFile implements Recording {
  readonly header: RecordingHeader;
  readonly writtenVersion: number;
  readonly #file: McapFile;
  /** By the channel's number; only of channels that hold items. */
  readonly #decoders = new Map<number, { readonly channel: string; readonly decoder: ItemDecoder }>();

  /** Use `openRecording`. */
  constructor(file: McapFile, header: RecordingHeader, version: number, history: FormatHistory) {
    this.#file = file;
    this.header = header;
    this.writtenVersion = version;
    for (const { id, topic: channel, metadata } of file.channels.values()) {
      const decoder = itemDecoder(channel, versionOf(metadata), history);
      if (decoder !== null) this.#decoders.set(id, { channel, decoder });
    }
  }

  /** What is missing, in words. Damage within the file is found as it is read: the list is complete after `items`. */
  get problems(): readonly string[] {
    return this.problemDetails.map(({ text }) => text);
  }

  /** The same, for programs. */
  get problemDetails(): readonly RecordingProblem[] {
    return this.#file.problems;
  }

  /** Names and texts about the recording as a whole, by the name of the record. */
  get metadata(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return this.#file.metadata;
  }

  /** Every topic in the file, those that hold no items as well. */
  get topics(): string[] {
    return Array.from(this.#file.channels.values(), ({ topic }) => topic).sort();
  }

  /** Reads all of it, and refuses a recording whose items are far apart in time. */
  async checkTimes(): Promise<void> {
    let firstNs: number | null = null;
    let beforeNs = 0;
    for await (const times of this.#file.times(new Set(this.#decoders.keys()))) {
      for (const timeNs of times) {
        firstNs ??= beforeNs = timeNs;
        assertNearInTime(firstNs, beforeNs, timeNs);
        beforeNs = Math.max(beforeNs, timeNs);
      }
    }
  }

  /** Time of the last message [ns]. */
  get endNs(): number {
    return Math.max(0, this.#file.endNs);
  }

  async *items({ fromNs, toNs, topics }: ItemSelection = {}): AsyncGenerator<RecordedItem> {
    const isWanted = ({ topic }: ItemDecoder): boolean => topics?.includes(topic) ?? true;
    const channels = new Set([...this.#decoders].filter(([, { decoder }]) => isWanted(decoder)).map(([id]) => id));
    for await (const message of this.#file.messages({ channels, fromNs, toNs })) {
      const item = this.#decode(message);
      if (item !== null) yield item;
    }
  }

  #decode({ channelId, data, timeNs, chunkOffset }: StoredMessage): RecordedItem | null {
    const { decoder, channel } = this.#decoders.get(channelId)!;
    try {
      return decoder.decode(data, timeNs);
    } catch (error) {
      const text = `a message of ${channel} at ${(timeNs / 1e9).toFixed(3)} s is lost: ${(error as Error).message}`;
      this.#file.problems.push({ kind: "damaged-message", text, offset: chunkOffset, fromNs: timeNs, toNs: timeNs });
      return null;
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function readHeader(
  file: McapFile,
  source: ByteSource,
  history: FormatHistory,
): Promise<{ readonly header: RecordingHeader; readonly version: number }> {
  const channel = [...file.channels.values()].find(({ topic }) => topic === HEADER_CHANNEL);
  if (channel === undefined) throw headless(file, source);
  const version = versionOf(channel.metadata);
  if (!(version >= 1 && version <= history.version)) {
    throw new FlycatcherError("FLY_RECORDING_VERSION", "The recording's format is not known here", {
      expected: `version 1 to ${history.version}`,
      found: String(channel.metadata.get("version")),
    });
  }
  for await (const { data } of file.messages({ toNs: 0, channels: new Set([channel.id]) })) {
    try {
      return { header: decodeHeader(data, version, history), version };
    } catch (error) {
      throw damaged((error as Error).message);
    }
  }
  throw damaged(file.problems.map(({ text }) => text).join("; ") || "its header is missing");
}

/** A file without the channel of the header: cut off before it, damaged there, or not ours. */
function headless(file: McapFile, source: ByteSource): FlycatcherError {
  const [problem] = file.problems;
  if (problem?.kind === "truncated" && file.chunkCount === 0) {
    const message = `The recording ends after ${source.byteLength} bytes, before anything that can be read`;
    return new FlycatcherError("FLY_RECORDING_TRUNCATED", message);
  }
  if (problem !== undefined && problem.kind !== "truncated") return damaged(problem.text);
  const topics = Array.from(file.channels.values(), ({ topic }) => topic).sort();
  return new FlycatcherError("FLY_RECORDING_FOREIGN", "The file is MCAP, but not a recording of Flycatcher", {
    expected: `a topic ${HEADER_CHANNEL}`,
    found: topics.length === 0 ? "no topics" : topics.slice(0, 5).join(", "),
  });
}

function damaged(why: string): FlycatcherError {
  return new FlycatcherError("FLY_RECORDING_DAMAGED", `The recording does not describe its contents: ${why}`);
}
