import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { RecordingWriter } from "../../src/recording/format/recording-writer.js";
import { recordSimulatedThrows } from "../../src/run/simulated-recording.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { dataSetFiles } from "./throw-kinds.js";

/**
 * Makes `data/throws/` anew, bit by bit as it is: `node dist/bench/recording/make-throws.js [folder] [kind]`.
 */
const [folder = join(packageRoot, "data", "throws"), only] = process.argv.slice(2);

for (const { kind, path, options } of dataSetFiles()) {
  if (only !== undefined && kind !== only) continue;
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  let writer: RecordingWriter | null = null;
  const results = await recordSimulatedThrows(options, async (header) => {
    writer = await RecordingWriter.create(file, header, { foxglove: "none", compression: 19, chunkSpanNs: 60e9 });
    return writer;
  });
  (writer as RecordingWriter | null)?.close();
  const outcomes = results.map(({ outcome, reason }) => (reason === null ? outcome : `${outcome} (${reason})`));
  process.stdout.write(`${path.padEnd(22)} ${outcomes.join(", ")}\n`);
}
