import { describe, expect, it } from "vitest";
import { createChannel } from "../../../src/transport/channels/channel.js";
import type { Delivery } from "../../../src/transport/channels/get-port.js";
import { deep } from "../../support/deep.js";
import { Stamped } from "./stamped-packet.js";
import type { ReaderResult, StressRole } from "./stress.worker.js";
import { startThread } from "./threads.js";

interface Scene {
  readonly deliveries: readonly [Delivery, Delivery];
  readonly ringSize: number;
  readonly firstSequence: number;
  readonly total: number;
  /** Packets after which a writer takes a breath, for the readers to follow. */
  readonly breath: number;
  /** So that the test cannot pass because nothing was read. */
  readonly receivedAtLeast: number;
}

const scenes: [string, Scene][] = [
  [
    "all readers wanting every packet",
    {
      deliveries: ["every", "every"],
      ringSize: 64,
      firstSequence: 0,
      total: 1_000_000,
      breath: 64,
      receivedAtLeast: 1000,
    },
  ],
  [
    "writers without a pause, a ring of two, sequence numbers that wrap",
    {
      deliveries: ["every", "newest"],
      ringSize: 2,
      firstSequence: 2 ** 32 - 999,
      total: deep(200_000, 1_000_000),
      breath: Number.POSITIVE_INFINITY,
      receivedAtLeast: 3,
    },
  ],
];

describe("four threads, two writing and two reading", () => {
  it.each(scenes)(
    "pass packets without a tear, a change of order or a silent loss: %s",
    async (_, { deliveries, ringSize, firstSequence, total, breath, receivedAtLeast }) => {
      const channel = createChannel(Stamped, {
        ringSize,
        maxPutPorts: 2,
        maxGetPorts: 2,
        maxBorrows: 1,
        firstSequence,
      });
      const { handle } = channel;
      const start = (role: StressRole) => startThread("stress", role);
      const count = total / 2;
      const readers = await Promise.all(
        deliveries.map((delivery) => start({ role: "reader", handle, delivery, total })),
      );
      const results = Promise.all(readers.map((reader) => reader.message())) as Promise<ReaderResult[]>;
      const writers = await Promise.all([0, 1].map((id) => start({ role: "writer", handle, id, count, breath })));
      const sent = Promise.all(writers.map((writer) => writer.message()));
      for (const { worker } of writers) worker.postMessage("go");
      expect(await sent).toEqual([count, count]);
      for (const { received, lost, torn, reordered, gaps } of await results) {
        expect([torn, reordered]).toEqual([0, 0]);
        expect(received + lost).toBe(total);
        expect(gaps).toBe(lost);
        expect(received).toBeGreaterThanOrEqual(receivedAtLeast);
      }
      expect(channel.statistics().published).toBe(total);
      await Promise.all([...readers, ...writers].map((thread) => thread.terminate()));
    },
    120_000,
  );
});
