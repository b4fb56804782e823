import { parentPort, workerData } from "node:worker_threads";
import { attachChannel, type ChannelHandle } from "../../../src/transport/channels/channel.js";
import { SyncGroup } from "../../../src/transport/channels/sync-group.js";
import type { SyncTableHandle } from "../../../src/transport/channels/sync-table.js";
import { isWhole, stamp, stampedOf } from "./stamped-packet.js";

/** A thread that works until it is terminated, wherever it is just then. */
export interface VictimRole {
  readonly role: "writer" | "reader" | "sleeper";
  readonly handle: ChannelHandle;
  readonly table: SyncTableHandle;
  readonly bodyLength: number;
}

const { role, handle, table, bodyLength } = workerData as VictimRole;
const channel = attachChannel(handle, stampedOf(bodyLength));

if (role === "writer") {
  const port = channel.openPutPort();
  parentPort?.postMessage("ready");
  for (let number = 0; ; number++) {
    stamp(port.reserve(), 1, number);
    port.publish();
  }
}
if (role === "reader") {
  const port = channel.openGetPort("newest");
  parentPort?.postMessage("ready");
  for (;;) {
    const packet = port.receive();
    if (packet === null) continue;
    if (!isWhole(packet)) throw new Error("torn packet");
    port.release(packet);
  }
}
if (role === "sleeper") {
  const group = new SyncGroup(table, [channel.openGetPort("every")]);
  parentPort?.postMessage("ready");
  for (;;) {
    const port = group.wait();
    const packet = port?.tryReceive();
    if (port && packet) port.release(packet);
  }
}
