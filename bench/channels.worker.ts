import { parentPort, workerData } from "node:worker_threads";
import { attachChannel, type ChannelHandle } from "../src/transport/channels/channel.js";
import { packetTypeOf } from "../src/transport/channels/packet.js";
import { lastRound, type Payload } from "./channels-payload.js";

/** What the master asks of a client: to answer on channels until the last round, or to send messages back as told. */
export type ClientTask =
  | {
      readonly transport: "channel";
      readonly questions: ChannelHandle;
      readonly answers: ChannelHandle;
      readonly spins: number;
    }
  | { readonly transport: "clone" | "transfer" };

/** One of the C clients of the stress test: sends each packet back at once, with a packet of the same size. */
const { client } = workerData as { client: number };
let transport: ClientTask["transport"] = "clone";

parentPort?.on("message", (message: ClientTask | Uint32Array<ArrayBuffer>) => {
  if (message instanceof Uint32Array) {
    parentPort?.postMessage(message, transport === "transfer" ? [message.buffer] : []);
    return;
  }
  transport = message.transport;
  if (message.transport === "channel") answerOnChannel(message.questions, message.answers, message.spins);
  else parentPort?.postMessage("ready");
});

function answerOnChannel(questions: ChannelHandle, answers: ChannelHandle, spins: number): void {
  const get = attachChannel(questions, payloadOf(questions)).openGetPort("every", { spins });
  const put = attachChannel(answers, payloadOf(answers)).openPutPort();
  parentPort?.postMessage("ready");
  for (;;) {
    const question = get.receive()!;
    const round = question.words[0]!;
    if (round !== question.words[question.words.length - 1]) throw new Error(`client ${client}: a torn packet`);
    if (round === lastRound) break;
    const { words } = put.reserve();
    words[0] = round;
    words[words.length - 1] = round;
    put.publish();
    // In the order of the thesis' example (Fig. 2.10): the answer goes out, then the question is given back.
    get.release(question);
  }
  get.close();
  put.close();
  parentPort?.postMessage("done");
}

function payloadOf(handle: ChannelHandle) {
  return packetTypeOf(handle.packet) as Payload;
}
