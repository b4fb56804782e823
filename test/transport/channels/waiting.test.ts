import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createChannel } from "../../../src/transport/channels/channel.js";
import { SyncGroup } from "../../../src/transport/channels/sync-group.js";
import { createSyncTable } from "../../../src/transport/channels/sync-table.js";
import { deep } from "../../support/deep.js";
import type { EchoRole } from "./echo.worker.js";
import { Stamped, stamp } from "./stamped-packet.js";
import { startThread } from "./threads.js";

/** Far more than any wake-up takes: a packet that does not come by then was never announced. */
const patienceMs = 10_000;

async function open(how: EchoRole["how"], count: number) {
  const table = createSyncTable();
  const questions = [0, 1].map(() => createChannel(Stamped, { syncTable: table }));
  const answers = createChannel(Stamped, { syncTable: table });
  const get = answers.openGetPort("every");
  const role = { how, questions: questions.map(({ handle }) => handle), answers: answers.handle, table, count };
  const thread = await startThread("echo", role satisfies EchoRole);
  return { table, puts: questions.map((channel) => channel.openPutPort()), get, thread, questions };
}

describe("a receiver that waits", () => {
  const rounds = deep(3000, 100_000);

  it("is woken for every packet, blocking on both sides", async () => {
    const { puts, get, thread } = await open("blocking", rounds);
    for (let number = 0; number < rounds; number++) {
      stamp(puts[0]!.reserve(), 0, number);
      puts[0]!.publish();
      const packet = get.receive(patienceMs);
      expect(packet?.number).toBe(number);
      get.release(packet!);
    }
    await thread.terminate();
  }, 60_000);

  it("is woken by whichever channel of its sync group gets a packet", async () => {
    const { puts, get, thread, table } = await open("group", rounds);
    const group = new SyncGroup(table, [get]);
    for (let number = 0; number < rounds; number++) {
      const which = (number * 7) % 3 === 0 ? 0 : 1;
      stamp(puts[which]!.reserve(), 0, number);
      puts[which]!.publish();
      expect(group.wait(patienceMs)).toBe(get);
      const packet = get.tryReceive()!;
      expect([packet.writer, packet.number]).toEqual([which, number]);
      get.release(packet);
    }
    await thread.terminate();
  }, 60_000);

  it("is woken without blocking the event loop, on the main thread and in a worker that does nothing else", async () => {
    const { puts, get, thread } = await open("async", 200);
    // Long enough for a thread with nothing left to do to end.
    await sleep(100);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    for (let number = 0; number < 200; number++) {
      const waiting = get.receiveAsync(patienceMs);
      stamp(puts[0]!.reserve(), 0, number);
      puts[0]!.publish();
      const packet = await waiting;
      expect(packet?.number).toBe(number);
      get.release(packet!);
    }
    await sleep(5);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
    await thread.terminate();
  });

  it("gives up after its timeout, on a quiet channel and on one whose packets are all filtered", async () => {
    const channel = createChannel(Stamped);
    const get = channel.openGetPort("every");
    for (const timeout of [0, 15, -1, Number.NaN]) {
      expect(get.receive(timeout)).toBeNull();
      expect(await get.receiveAsync(timeout)).toBeNull();
    }
    get.attachMonitor({ kind: "filter", passes: () => false });
    const put = channel.openPutPort();
    const timer = setInterval(() => {
      stamp(put.reserve(), 0, 0);
      put.publish();
    }, 1);
    expect(await get.receiveAsync(40)).toBeNull();
    expect(get.filtered).toBeGreaterThan(0);
    clearInterval(timer);
  });

  it("ends an asynchronous receive when the port is closed", async () => {
    const get = createChannel(Stamped).openGetPort("every");
    const waiting = get.receiveAsync();
    get.close();
    expect(await waiting).toBeNull();
  });
});
