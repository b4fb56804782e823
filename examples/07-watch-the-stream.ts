/**
 * Subscribes to the stream of a live run, and prints what happens until so many balls were thrown.
 *
 * Run:    npx flycatcher live --serve          in another terminal
 *         node dist/examples/07-watch-the-stream.js [http://localhost:8080] [throws]
 * Prints: the robot, what its arms do, each throw with its outcome, and how many poses came.
 */
import { once } from "node:events";
import type { PageMessage } from "flycatcher";
import WebSocket from "ws";

const [address = "http://localhost:8080", throws = "3"] = process.argv.slice(2);

/** Byte 0 of a binary frame is its kind: 1 is a pose of the robot. */
const POSE = 1;

const counts = { poses: 0, throws: 0 };
let activity = "";

const socket = new WebSocket(`${address.replace("http", "ws")}/v1/live/stream`, "flycatcher.v1");
// At most ten poses a second are enough here; 60 is the default.
socket.on("open", () => socket.send(JSON.stringify({ type: "rate", poses: 10 })));
socket.on("message", (data: Buffer, isBinary) => {
  if (!isBinary) show(JSON.parse(data.toString()) as PageMessage);
  else if (data[0] === POSE) counts.poses++;
});
await once(socket, "close");
console.log(`${counts.poses > 0 ? "Poses came, too" : "No poses came"}.`);

function show(message: PageMessage): void {
  switch (message.type) {
    case "hello":
      console.log(`${message.facts.robot}, software ${message.software}, protocol ${message.protocol}`);
      break;
    case "state":
      if (message.activity !== activity) console.log(`${message.time.toFixed(2)} s: ${message.activity}`);
      activity = message.activity;
      break;
    case "throw":
      console.log(`${message.time.toFixed(2)} s: throw ${message.result.id} ${message.result.outcome}`);
      if (++counts.throws >= Number(throws)) socket.close();
      break;
  }
}
