import { McapIndexedReader } from "@mcap/core";
import { HEADER_CHANNEL, itemFromJson, PREFIX, versionOf } from "../../../src/recording/format/item-json.js";
import {
  type ItemOf,
  RECORDING_VERSION,
  type RecordedTopic,
  type RecordingHeader,
} from "../../../src/recording/recording.js";
import { loadZstd } from "./zstd.js";

/** What is shown of a recording. Images and raw readings are left in the file. */
const shownTopics = [
  "truth/flights",
  "cameras/circles",
  "head",
  "predictions",
  "plans",
  "motions",
  "handovers",
  "monitor",
  "states",
  "joints",
  "events",
  "results",
] as const satisfies readonly RecordedTopic[];

export type ShownItem = ItemOf<(typeof shownTopics)[number]>;

/** A recording as the page has read it. */
export interface ReadRecording {
  readonly name: string;
  readonly header: RecordingHeader;
  /** By time. */
  readonly items: readonly ShownItem[];
}

/** Reads a recording in the browser: an MCAP file with an index, of ours, of any version so far. Damaged messages are left out. */
export async function readRecording(name: string, file: Blob): Promise<ReadRecording> {
  const zstd = await loadZstd();
  const readable = {
    size: async (): Promise<bigint> => BigInt(file.size),
    read: async (offset: bigint, size: bigint): Promise<Uint8Array> =>
      new Uint8Array(await file.slice(Number(offset), Number(offset + size)).arrayBuffer()),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: { zstd } });
  let header: RecordingHeader | null = null;
  const items: ShownItem[] = [];
  const text = new TextDecoder();
  const topics = [HEADER_CHANNEL, ...shownTopics.map((topic) => PREFIX + topic)];
  for await (const { channelId, logTime, data } of reader.readMessages({ topics })) {
    const { topic: channel, metadata } = reader.channelsById.get(channelId)!;
    const version = versionOf(metadata);
    if (version > RECORDING_VERSION)
      throw new RangeError(`The recording is of version ${version}, newer than this page`);
    const body = JSON.parse(text.decode(data)) as Record<string, unknown>;
    if (channel === HEADER_CHANNEL) header = body as unknown as RecordingHeader;
    else items.push(...itemsIn(channel.slice(PREFIX.length) as ShownItem["topic"], body, Number(logTime), version));
  }
  if (header === null) throw new RangeError("The file is MCAP, but not a recording of Flycatcher");
  return { name, header, items };
}

/** The message of a topic; none if it is damaged. */
function itemsIn(
  topic: ShownItem["topic"],
  body: Record<string, unknown>,
  timeNs: number,
  version: number,
): ShownItem[] {
  try {
    return [itemFromJson(topic, body, timeNs, version) as ShownItem];
  } catch {
    return [];
  }
}
