import { RecordingWriter } from "../../../src/recording/format/recording-writer.js";
import { MemorySink } from "../../../src/recording/mcap/byte-sink.js";
import { recordSimulatedThrows } from "../../../src/recording/simulated-recording.js";

let made: Promise<Uint8Array> | null = null;

/** A short recording of an arm on a table that catches a ball, as bytes of an MCAP file; made once. */
export function testRecording(): Promise<Uint8Array> {
  made ??= record();
  return made;
}

async function record(): Promise<Uint8Array> {
  const sink = new MemorySink();
  let writer: RecordingWriter | null = null;
  const options = {
    robot: "lwr-arm",
    perception: "points",
    world: "kinematic",
    seed: 1,
    throws: 1,
    title: "A ball",
  } as const;
  await recordSimulatedThrows(options, async (header) => {
    writer = await RecordingWriter.create(sink, header, { foxglove: "none" });
    return writer;
  });
  (writer as RecordingWriter | null)?.close();
  return sink.bytes();
}
