import { parentPort, workerData } from "node:worker_threads";
import { attachChannel, type Channel, type ChannelHandle } from "../../../src/transport/channels/channel.js";
import type { Delivery } from "../../../src/transport/channels/get-port.js";
import { isWhole, Stamped, stamp } from "./stamped-packet.js";

/** One of the four threads of the stress test. */
export type StressRole =
  | {
      readonly role: "writer";
      readonly handle: ChannelHandle;
      readonly id: number;
      readonly count: number;
      /** Packets after which the writer takes a breath. */
      readonly breath: number;
    }
  | { readonly role: "reader"; readonly handle: ChannelHandle; readonly delivery: Delivery; readonly total: number };

export interface ReaderResult {
  readonly received: number;
  readonly lost: number;
  readonly torn: number;
  readonly reordered: number;
  /** Missing numbers of all writers, counted from the packets themselves. */
  readonly gaps: number;
}

const silenceMs = 20_000;
const role = workerData as StressRole;
const channel = attachChannel(role.handle, Stamped);
if (role.role === "writer") write(channel, role.id, role.count, role.breath);
else read(channel, role.delivery, role.total);

function write(channel: Channel<Stamped>, id: number, count: number, breath: number): void {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  const port = channel.openPutPort();
  parentPort?.postMessage("ready");
  parentPort?.once("message", () => {
    for (let number = 0; number < count; number++) {
      stamp(port.reserve(), id, number);
      port.publish();
      if (number % breath === 0) Atomics.wait(sleeping, 0, 0, 0.01);
    }
    parentPort?.postMessage(port.sent);
  });
}

function read(channel: Channel<Stamped>, delivery: Delivery, total: number): void {
  const port = channel.openGetPort(delivery);
  parentPort?.postMessage("ready");
  const next = [0, 0];
  const result = { received: 0, lost: 0, torn: 0, reordered: 0, gaps: 0 };
  while (port.received + port.lost < total) {
    const packet = port.receive(silenceMs);
    if (packet === null) break;
    // Twice: what is borrowed must also stay as it is.
    if (!isWhole(packet) || !isWhole(packet)) result.torn++;
    const expected = next[packet.writer] ?? Number.NaN;
    if (packet.number >= expected) result.gaps += packet.number - expected;
    else result.reordered++;
    next[packet.writer] = packet.number + 1;
    port.release(packet);
  }
  const rest = next.reduce((sum, number) => sum + total / next.length - number, 0);
  const counts = { received: port.received, lost: port.lost, gaps: result.gaps + rest };
  parentPort?.postMessage({ ...result, ...counts } satisfies ReaderResult);
}
