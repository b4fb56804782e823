import { MemoryRecording } from "../../../src/recording/memory-recording.js";
import { recordSimulatedThrows, type SimulatedRecordingOptions } from "../../../src/run/simulated-recording.js";

/** A simulated run, recorded in memory: as short as it can be. */
export async function recordInMemory(options: SimulatedRecordingOptions): Promise<MemoryRecording> {
  let recording: MemoryRecording | null = null;
  const short = { settlingNs: 200_000_000, jointPeriodNs: null, end: "balls are over" } as const;
  await recordSimulatedThrows({ ...short, ...options }, (header) => {
    recording = new MemoryRecording(header);
    return recording;
  });
  return recording as unknown as MemoryRecording;
}
