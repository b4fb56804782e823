import { parentPort, workerData } from "node:worker_threads";
import { attachChannel, type ChannelHandle } from "../../../src/transport/channels/channel.js";
import type { GetPort } from "../../../src/transport/channels/get-port.js";
import { SyncGroup } from "../../../src/transport/channels/sync-group.js";
import type { SyncTableHandle } from "../../../src/transport/channels/sync-table.js";
import { Stamped, stamp } from "./stamped-packet.js";

/** A thread that sends back each packet it gets, and is done after `count`. */
export interface EchoRole {
  readonly how: "blocking" | "async" | "group";
  readonly questions: readonly ChannelHandle[];
  readonly answers: ChannelHandle;
  readonly table: SyncTableHandle;
  readonly count: number;
}

const { how, questions, answers, table, count } = workerData as EchoRole;
const answer = attachChannel(answers, Stamped).openPutPort();
const ports = questions.map((handle) => attachChannel(handle, Stamped).openGetPort("every"));
const group = how === "group" ? new SyncGroup(table, ports) : null;
parentPort?.postMessage("ready");

for (let k = 0; k < count; k++) {
  const port = group === null ? ports[0]! : group.wait()!;
  await echo(port);
}

async function echo(port: GetPort<Stamped>): Promise<void> {
  const packet = how === "async" ? await port.receiveAsync() : port.receive();
  if (packet === null) throw new Error("no packet");
  stamp(answer.reserve(), ports.indexOf(port), packet.number);
  port.release(packet);
  answer.publish();
}
