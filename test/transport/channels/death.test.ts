import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { type Channel, createChannel } from "../../../src/transport/channels/channel.js";
import type { GetPort } from "../../../src/transport/channels/get-port.js";
import type { PutPort } from "../../../src/transport/channels/put-port.js";
import { createSyncTable, SyncTable } from "../../../src/transport/channels/sync-table.js";
import { deep } from "../../support/deep.js";
import { slotsTaken } from "./slots.js";
import { isWhole, type Stamped, stamp, stampedOf } from "./stamped-packet.js";
import { startThread, type TestThread } from "./threads.js";
import type { VictimRole } from "./victim.worker.js";

/** Long enough that a thread is nearly always in the middle of a packet. */
const bodyLength = 50_000;
const Long = stampedOf(bodyLength);
type View = Stamped;

interface Stage {
  readonly channel: Channel<View>;
  readonly table: SyncTable;
  readonly put: PutPort<View>;
  readonly get: GetPort<View>;
  start(role: VictimRole["role"]): Promise<TestThread>;
}

function stage(): Stage {
  const table = createSyncTable(1);
  const channel = createChannel(Long, {
    ringSize: 2,
    maxPutPorts: 2,
    maxGetPorts: 3,
    maxBorrows: 1,
    syncTable: table,
  });
  return {
    channel,
    table: new SyncTable(table),
    put: channel.openPutPort(),
    get: channel.openGetPort("every"),
    start: (role) => startThread("victim", { role, handle: channel.handle, table, bodyLength } satisfies VictimRole),
  };
}

/** The main thread still sends and receives through the channel. */
function goesOn({ put, get }: Stage): void {
  let own = 0;
  for (let number = 0; number < 6; number++) {
    stamp(put.reserve(), 0, number);
    put.publish();
    for (let packet = get.tryReceive(); packet !== null; packet = get.tryReceive()) {
      expect(isWhole(packet)).toBe(true);
      if (packet.writer === 0) own++;
      get.release(packet);
    }
  }
  expect(own).toBe(6);
}

describe("a thread that is terminated", () => {
  it("while writing or reading leaves a channel that works, and all it had can be reclaimed", async () => {
    const rounds = deep(8, 60);
    const random = new Random("death");
    const actors = stage();
    let diedHolding = 0;
    for (let round = 0; round < rounds; round++) {
      const victims = await Promise.all([actors.start("writer"), actors.start("reader")]);
      await sleep(random.integer(10));
      await Promise.all(victims.map((victim) => victim.terminate()));
      diedHolding += slotsTaken(actors.channel);
      goesOn(actors);
      for (const { threadId } of victims) expect(actors.channel.reclaimThread(threadId)).toBe(1);
      expect(slotsTaken(actors.channel)).toBe(0);
      goesOn(actors);
    }
    expect(diedHolding).toBeGreaterThan(0);
  }, 60_000);

  it("does not wedge the channel even if nobody reclaims it", async () => {
    const actors = stage();
    const victims = await Promise.all([actors.start("writer"), actors.start("reader"), actors.start("reader")]);
    await sleep(5);
    await Promise.all(victims.map((victim) => victim.terminate()));
    for (let round = 0; round < 20; round++) goesOn(actors);
    expect(() => actors.channel.openPutPort()).toThrowError(/no port is free/);
  });

  it("while asleep in a sync group gives its group and port back", async () => {
    const actors = stage();
    const sleeper = await actors.start("sleeper");
    goesOn(actors);
    expect(actors.table.claimGroup()).toBe(-1);
    await sleeper.terminate();
    goesOn(actors);
    expect(actors.channel.reclaimThread(sleeper.threadId)).toBe(1);
    expect(actors.table.reclaimThread(sleeper.threadId)).toBe(1);
    expect(actors.table.claimGroup()).toBe(0);
    const fired = actors.table.cell(0).read();
    goesOn(actors);
    expect(actors.table.cell(0).read()).toBe(fired);
  });
});

describe("reclaimThread", () => {
  it("takes nothing from threads that live, and refuses the caller's own", async () => {
    const actors = stage();
    expect(actors.channel.reclaimThread(4711)).toBe(0);
    expect(() => actors.channel.reclaimThread(0)).toThrowError(
      expect.objectContaining({ code: "FLY_CHANNEL_PORT_MISUSE" }) as Error,
    );
    goesOn(actors);
  });
});
