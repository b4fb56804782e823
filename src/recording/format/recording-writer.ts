import { FlycatcherError } from "../../runtime/errors.js";
import { type ByteSink, FileSink } from "../mcap/byte-sink.js";
import { McapWriter, type McapWriterOptions, type TopicDescription } from "../mcap/mcap-writer.js";
import { loadZstd } from "../mcap/zstd.js";
import { RECORDING_VERSION, type RecordedItem, type RecordingHeader, type RecordingSink } from "../recording.js";
import { FoxgloveScene } from "./foxglove-scene.js";
import { channelOf, encodeHeader, encodeItem, itemTopics } from "./item-codec.js";
import { HEADER_CHANNEL } from "./item-json.js";

export interface RecordingWriterOptions extends McapWriterOptions {
  /** Whether topics for Foxglove's panels are written beside the items; default: they are. */
  readonly foxglove?: "derived" | "none";
}

/** Metadata of the file as a whole: what tools that know nothing of our topics can show. */
export const FACTS = "flycatcher";

/**
 * Writes a recording. Synchronous: an item that was taken is in the chunk in hand, and a chunk that is full is in the file.
 *
 * @example
 * const writer = await RecordingWriter.create("throw.mcap", header);
 * writer.write({ topic: "cameras/lost", timeNs: 40e6, frame: 1, exposureNs: 0 });
 * writer.close();
 */
export class RecordingWriter implements RecordingSink {
  readonly #mcap: McapWriter;
  readonly #topics: Map<string, TopicDescription>;
  readonly #scene: FoxgloveScene;

  /** @param target Path of the new file, or where its bytes go. */
  static async create(
    target: string | ByteSink,
    header: RecordingHeader,
    options: RecordingWriterOptions = {},
  ): Promise<RecordingWriter> {
    await loadZstd();
    return new RecordingWriter(typeof target === "string" ? new FileSink(target) : target, header, options);
  }

  private constructor(sink: ByteSink, header: RecordingHeader, options: RecordingWriterOptions) {
    this.#mcap = new McapWriter(sink, options);
    this.#scene = new FoxgloveScene(header, options.foxglove ?? "derived");
    this.#topics = new Map([...itemTopics(), ...this.#scene.topics].map((topic) => [topic.topic, topic]));
    this.#write(HEADER_CHANNEL, 0, encodeHeader(header));
    // Whatever happens from now on, the file says what it is.
    this.#mcap.flush();
    this.#mcap.addMetadata(FACTS, factsOf(header));
  }

  /** Bytes in the file so far, the chunk in hand not counted. */
  get byteLength(): number {
    return this.#mcap.byteLength;
  }

  /** @returns Bytes of its message before compression. */
  write(item: RecordedItem): number {
    const { timeNs } = item;
    if (!(Number.isSafeInteger(timeNs) && timeNs >= 0)) {
      throw new FlycatcherError("FLY_RECORDING_ITEM", `An item of ${item.topic} cannot be recorded`, {
        path: "timeNs",
        expected: "a whole number of nanoseconds, not negative",
        found: String(timeNs),
      });
    }
    const data = encodeItem(item, (camera) => this.#scene.cameraFrame(camera));
    this.#write(channelOf(item), timeNs, data);
    for (const { topic, json } of this.#scene.follow(item)) {
      this.#write(topic, timeNs, Buffer.from(JSON.stringify(json)));
    }
    return data.length;
  }

  /** Notes facts about the recording as a whole, for people and tools. */
  note(name: string, facts: ReadonlyMap<string, string>): void {
    this.#mcap.addMetadata(name, facts);
  }

  close(): void {
    this.#mcap.close();
  }

  #write(topic: string, timeNs: number, data: Uint8Array): void {
    this.#mcap.write(this.#topics.get(topic)!, timeNs, data);
  }
}

function factsOf({ software, startedAt, clock, title, robot, seed }: RecordingHeader): Map<string, string> {
  return new Map([
    ["title", title],
    ["software", `${software.name} ${software.version}`],
    ["version", String(RECORDING_VERSION)],
    ["robot", robot?.name ?? ""],
    ["clock", clock],
    ["startedAt", startedAt ?? ""],
    ["seed", String(seed ?? "")],
  ]);
}
