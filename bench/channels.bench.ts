import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { createChannel } from "../src/transport/channels/channel.js";
import type { ClientTask } from "./channels.worker.js";
import { lastRound, payloadPacket } from "./channels-payload.js";
import { type BenchContext, type BenchSuite, type Metrics, percentiles } from "./harness.js";

const packetSizes = { "4B": 4, "1KB": 1024, "100KB": 102_400, "1MB": 1_048_576, "10MB": 10_485_760 } as const;
/** Looks before a spinning thread sleeps: about 50 µs. */
const SPINS = 5000;
const clientCounts = [1, 4, 16] as const;

/**
 * The stress test of Bäuml's thesis, section 2.4.1: a master sends a packet of P bytes to C clients, each of which sends
 * one of P bytes back at once; the round trip ends when the master has all of them, and the next begins.
 *
 * What a round trip by channel includes: reserving a slot, writing the round's number to its first and last word,
 * publishing, waking the sleeping clients, borrowing, checking both words, releasing, and the same on the way back, on
 * one channel to the clients and one from them. As in the thesis the rest of the data is not written anew, for
 * `postMessage` neither: it clones it, or hands over a buffer per client.
 *
 * `sab_rtt`: where every thread has a core of its own, each looks for about 50 µs before it sleeps (`spins`); with more
 * threads than cores all sleep while they wait. `sab_sleep_rtt`: all sleep in any case. On an idle virtual machine waking
 * a sleeping thread costs some 30 µs each way, for `postMessage` as well; on a busy one it costs a tenth of that.
 * Before the first cell of each number of clients one cell is run for the optimiser alone.
 */
export const suite: BenchSuite = {
  name: "channels",
  description: "Round trip master → C clients → master: channels in shared memory beside postMessage.",
  async run(context) {
    const metrics: Metrics = {};
    for (const clientCount of clientCounts) {
      const clients = startClients(clientCount);
      await measureCell(clients, packetSizes["4B"], limitsOf(context, clientCount));
      for (const [label, byteCount] of Object.entries(packetSizes)) {
        const cell = `${label}_${clientCount}c`;
        context.progress(`${label} to ${clientCount} client${clientCount === 1 ? "" : "s"}`);
        const cellSamples = await measureCell(clients, byteCount, limitsOf(context, clientCount));
        for (const [transport, samples] of Object.entries(cellSamples)) record(metrics, transport, cell, samples);
        metrics[`speedup_vs_post_${cell}`] = metrics[`post_rtt_us_p50_${cell}`]! / metrics[`sab_rtt_us_p50_${cell}`]!;
      }
      await Promise.all(clients.map((client) => client.terminate()));
    }
    metrics.size_dependence_1c = metrics.sab_rtt_us_p50_10MB_1c! / metrics.sab_rtt_us_p50_4B_1c!;
    return metrics;
  },
};

/** A cell of the table ends after so many rounds or so much time, whichever is first. */
interface Limits {
  readonly rounds: number;
  readonly milliseconds: number;
}

function limitsOf({ full }: BenchContext, clientCount: number): Limits {
  return full
    ? { rounds: 100_000 / clientCount, milliseconds: 10_000 }
    : { rounds: 20_000 / clientCount, milliseconds: 700 };
}

/** The same round trips by all three transports, one right after the other; microseconds. */
async function measureCell(clients: readonly Worker[], byteCount: number, limits: Limits) {
  const hasSpareCores = clients.length < availableParallelism();
  return {
    ...(hasSpareCores && { sab_sleep: await roundTripsByChannel(clients, byteCount, limits, 0) }),
    sab: await roundTripsByChannel(clients, byteCount, limits, hasSpareCores ? SPINS : 0),
    post: await roundTripsByMessage(clients, byteCount, limits, "clone"),
    transfer: await roundTripsByMessage(clients, byteCount, limits, "transfer"),
  };
}

function startClients(count: number): Worker[] {
  const file = new URL("./channels.worker.js", import.meta.url);
  return Array.from({ length: count }, (_, client) => new Worker(file, { workerData: { client } }));
}

/** Microseconds of each round trip. */
async function roundTripsByChannel(clients: readonly Worker[], byteCount: number, limits: Limits, spins: number) {
  const type = payloadPacket(byteCount);
  const count = clients.length;
  const toClients = createChannel(type, { ringSize: 2, maxPutPorts: 1, maxGetPorts: count, maxBorrows: 1 });
  const fromClients = createChannel(type, { ringSize: count, maxPutPorts: count, maxGetPorts: 1, maxBorrows: 1 });
  await instruct(clients, { transport: "channel", questions: toClients.handle, answers: fromClients.handle, spins });
  const put = toClients.openPutPort();
  const get = fromClients.openGetPort("every", { spins });
  const send = (round: number): void => {
    const { words } = put.reserve();
    words[0] = round;
    words[words.length - 1] = round;
    put.publish();
  };
  const samples = measure(limits, (round) => {
    send(round);
    for (let answers = 0; answers < count; answers++) {
      const answer = get.receive()!;
      if (answer.words[0] !== round || answer.words[answer.words.length - 1] !== round) throw new Error("torn packet");
      get.release(answer);
    }
  });
  const done = Promise.all(clients.map((client) => once(client, "message")));
  send(lastRound);
  await done;
  return samples;
}

async function roundTripsByMessage(
  clients: readonly Worker[],
  byteCount: number,
  limits: Limits,
  transport: "clone" | "transfer",
): Promise<Float64Array> {
  await instruct(clients, { transport });
  const payloads = clients.map(() => new Uint32Array(byteCount / 4));
  const current = { round: 0, missing: 0, resolve: (): void => undefined };
  for (const [index, client] of clients.entries()) {
    client.removeAllListeners("message");
    client.on("message", (answer: Uint32Array<ArrayBuffer>) => {
      const { round } = current;
      if (answer[0] !== round || answer[answer.length - 1] !== round) throw new Error("wrong answer");
      payloads[index] = answer;
      if (--current.missing === 0) current.resolve();
    });
  }
  return measureAsync(limits, (round) => {
    current.round = round;
    current.missing = clients.length;
    for (const [index, client] of clients.entries()) {
      const payload = payloads[index]!;
      payload[0] = round;
      payload[payload.length - 1] = round;
      client.postMessage(payload, transport === "transfer" ? [payload.buffer] : []);
    }
    return new Promise<void>((resolve) => {
      current.resolve = resolve;
    });
  });
}

async function instruct(clients: readonly Worker[], task: ClientTask): Promise<void> {
  await Promise.all(
    clients.map((client) => {
      client.removeAllListeners("message");
      const ready = once(client, "message");
      client.postMessage(task);
      return ready;
    }),
  );
}

const warmupShare = 10;

function measure({ rounds, milliseconds }: Limits, roundTrip: (round: number) => void): Float64Array {
  const samples: number[] = [];
  const end = performance.now() + milliseconds;
  for (let round = 0; round < rounds && (performance.now() < end || samples.length < 3); round++) {
    const start = performance.now();
    roundTrip(round);
    samples.push((performance.now() - start) * 1e3);
  }
  return warmedUp(samples);
}

async function measureAsync({ rounds, milliseconds }: Limits, roundTrip: (round: number) => Promise<void>) {
  const samples: number[] = [];
  const end = performance.now() + milliseconds;
  for (let round = 0; round < rounds && (performance.now() < end || samples.length < 3); round++) {
    const start = performance.now();
    await roundTrip(round);
    samples.push((performance.now() - start) * 1e3);
  }
  return warmedUp(samples);
}

/** The first tenth is for the optimiser. */
function warmedUp(samples: readonly number[]): Float64Array {
  return Float64Array.from(samples.slice(Math.floor(samples.length / warmupShare)));
}

function record(metrics: Metrics, transport: string, cell: string, samples: Float64Array): void {
  for (const [name, value] of Object.entries(percentiles(`${transport}_rtt_us`, samples))) {
    if (name.endsWith("_p95")) continue;
    metrics[`${name}_${cell}`] = value;
  }
}
