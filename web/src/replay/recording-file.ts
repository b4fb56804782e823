import { McapIndexedReader } from "@mcap/core";
import type { RecordedItem, RecordedTopic, RecordingHeader } from "../../../src/recording/recorded-messages.js";
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

export type ShownItem = Extract<RecordedItem, { readonly topic: (typeof shownTopics)[number] }>;

/** A recording as the page has read it. */
export interface ReadRecording {
  readonly name: string;
  readonly header: RecordingHeader;
  /** By time. */
  readonly items: readonly ShownItem[];
}

const PREFIX = "/flycatcher/";

/** Reads a recording in the browser: an MCAP file with an index, of ours. */
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
  const topics = [`${PREFIX}header`, ...shownTopics.map((topic) => PREFIX + topic)];
  for await (const { channelId, logTime, data } of reader.readMessages({ topics })) {
    const topic = reader.channelsById.get(channelId)!.topic.slice(PREFIX.length);
    const body = JSON.parse(text.decode(data)) as object;
    if (topic === "header") header = body as RecordingHeader;
    else items.push({ topic, timeNs: Number(logTime), ...body } as ShownItem);
  }
  if (header === null) throw new RangeError("The file is MCAP, but no recording of Flycatcher's");
  return { name, header, items };
}
