import { createInterface } from "node:readline";
import { WebSocket } from "ws";

/**
 * Viewers of a live run, in a process of their own: each line of the standard input says how many there are to be from now
 * on; answered by a line when there are, with how many bytes all have received so far.
 */
const [address = ""] = process.argv.slice(2);
const sockets: WebSocket[] = [];
let bytes = 0;

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace("http", "ws")}/v1/live/stream`, ["flycatcher.v1"]);
  socket.on("message", (data: Buffer) => {
    bytes += data.length;
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return socket;
}

for await (const line of createInterface({ input: process.stdin })) {
  const wanted = Number(line);
  while (sockets.length < wanted) sockets.push(await open());
  while (sockets.length > wanted) sockets.pop()!.close();
  process.stdout.write(`${JSON.stringify({ viewers: sockets.length, bytes })}\n`);
}
for (const socket of sockets) socket.terminate();
