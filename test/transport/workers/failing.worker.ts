/** Fails in the way it is told to. */
import { workerDone, workerInput, workerReady } from "../../../src/transport/workers/worker-context.js";

const way = workerInput<string>();
if (way === "throw at load") throw new Error("no such thing");
if (way === "throw a text") throw "just a text";
if (way === "exit at load") process.exit(3);
if (way === "never ready") setInterval(() => undefined, 1000);
if (way === "end at load") workerDone();
if (way.startsWith("later: ")) {
  workerReady();
  setTimeout(() => {
    if (way === "later: throw") throw new Error("out of luck");
    if (way === "later: exit") process.exit(4);
    if (way === "later: done") workerDone();
    if (way === "later: memory") {
      const hoard: number[][] = [];
      for (;;) hoard.push(new Array(1000).fill(hoard.length));
    }
  }, 20);
}
