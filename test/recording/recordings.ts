import { openRecording } from "../../src/recording/format/open-recording.js";
import { RecordingWriter, type RecordingWriterOptions } from "../../src/recording/format/recording-writer.js";
import type { RecordedItem, RecordingHeader } from "../../src/recording/recording.js";
import { MemorySink } from "./memory-sink.js";
import { plainHeader } from "./random-items.js";

/** A recording in memory. */
export async function recordingOf(
  items: readonly RecordedItem[],
  header: RecordingHeader = plainHeader(),
  options: RecordingWriterOptions = {},
): Promise<Uint8Array> {
  const sink = new MemorySink();
  const writer = await RecordingWriter.create(sink, header, options);
  for (const item of items) writer.write(item);
  writer.close();
  return sink.bytes();
}

export interface ReadBack {
  readonly items: RecordedItem[];
  readonly problems: readonly string[];
  readonly header: RecordingHeader;
}

/** Everything that can be read of a recording. */
export async function readBack(bytes: Uint8Array): Promise<ReadBack> {
  const recording = await openRecording(bytes);
  const items: RecordedItem[] = [];
  for await (const item of recording.items()) items.push(item);
  await recording.close();
  return { items, problems: recording.problems, header: recording.header };
}
