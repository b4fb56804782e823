/**
 * Reads a recording: what was sensed, predicted, planned and commanded, message by message.
 *
 * Run:    node dist/examples/06-read-a-recording.js [file.mcap]
 * Prints: the header, how many messages each topic has, what the arms did, and the outcome of each throw.
 */
import { openRecording } from "flycatcher";

const recording = await openRecording(process.argv[2] ?? "data/throws/single/01.mcap");
const { header } = recording;
console.log(
  `${header.robot?.name}, seen by ${header.perception}, recorded with ${header.software.name} ${header.software.version}`,
);

const counts = new Map<string, number>();
for await (const { topic } of recording.items()) counts.set(topic, (counts.get(topic) ?? 0) + 1);
for (const [topic, count] of [...counts].sort()) console.log(`${String(count).padStart(6)} ${topic}`);

// Only what is asked for is decoded; `fromNs` and `toNs` choose a span.
for await (const item of recording.items({ topics: ["states", "results"] })) {
  const time = `${(item.timeNs / 1e9).toFixed(3)} s`;
  if (item.topic === "states" && item.from !== item.to) console.log(`${time}: ${item.arm} ${item.from} → ${item.to}`);
  if (item.topic === "results") console.log(`${time}: throw ${item.id} ${item.outcome}`);
}
await recording.close();
