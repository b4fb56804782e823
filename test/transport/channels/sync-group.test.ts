import { describe, expect, it } from "vitest";
import { createChannel } from "../../../src/transport/channels/channel.js";
import { f64, i32 } from "../../../src/transport/channels/field.js";
import { packet } from "../../../src/transport/channels/packet.js";
import { SyncGroup, type SyncMember } from "../../../src/transport/channels/sync-group.js";
import { createSyncTable, SyncTable } from "../../../src/transport/channels/sync-table.js";

const Number1 = packet("Number1", 1, { n: i32 });
const Number2 = packet("Number2", 1, { x: f64 });

function open(maxGroups = 4) {
  const table = createSyncTable(maxGroups);
  const first = createChannel(Number1, { syncTable: table });
  const second = createChannel(Number2, { syncTable: table });
  return {
    table,
    first: { channel: first, put: first.openPutPort(), get: first.openGetPort("every") },
    second: { channel: second, put: second.openPutPort(), get: second.openGetPort("newest") },
  };
}

function sendN(put: { reserve(): { n: number }; publish(): boolean }, n: number): void {
  put.reserve().n = n;
  put.publish();
}

function sendX(put: { reserve(): { x: number }; publish(): boolean }, x: number): void {
  put.reserve().x = x;
  put.publish();
}

function coded(code: string): Error {
  return expect.objectContaining({ code }) as Error;
}

describe("a sync group", () => {
  it("names whichever port has a packet", () => {
    const { table, first, second } = open();
    const group = new SyncGroup(table, [first.get, second.get]);
    expect(group.ready()).toBeNull();
    expect(group.wait(0)).toBeNull();
    expect(group.wait(20)).toBeNull();
    sendX(second.put, 2.5);
    const port = group.wait();
    expect(port).toBe(second.get);
    if (port === second.get) expect(port.tryReceive()?.x).toBe(2.5);
    sendN(first.put, 1);
    expect(group.wait()).toBe(first.get);
    first.get.release(first.get.tryReceive()!);
    expect(group.ready()).toBeNull();
  });

  it("gives each port its turn while several have packets", () => {
    const { table, first, second } = open();
    const group = new SyncGroup(table, [first.get, second.get]);
    const turns: string[] = [];
    for (let k = 0; k < 6; k++) {
      sendN(first.put, k);
      sendX(second.put, k);
      turns.push(group.wait() === first.get ? "first" : "second");
    }
    expect(turns).toEqual(["first", "second", "first", "second", "first", "second"]);
  });

  it("wakes on the main thread without blocking it", async () => {
    const { table, first, second } = open();
    const group = new SyncGroup(table, [first.get, second.get]);
    expect(await group.waitAsync(10)).toBeNull();
    const waiting = group.waitAsync();
    setImmediate(() => sendX(second.put, 1));
    expect(await waiting).toBe(second.get);
  });

  it("ends its waiting when closed, and its number can be taken again", async () => {
    const { table, first, second } = open(1);
    const group = new SyncGroup(table, [first.get, second.get]);
    expect(() => new SyncGroup(table)).toThrowError(coded("FLY_CHANNEL_SYNC_GROUP"));
    const waiting = group.waitAsync();
    group.close();
    group.close();
    expect(await waiting).toBeNull();
    const again = new SyncGroup(table, [second.get]);
    sendX(second.put, 1);
    expect(again.wait()).toBe(second.get);
    sendN(first.put, 1);
    expect(first.get.tryReceive()?.n).toBe(1);
  });

  it("is left by a port that is removed or closed, and fired no more by its channel", async () => {
    const { table, first, second } = open();
    const twin = first.channel.openGetPort("every");
    const group = new SyncGroup(table, [first.get, twin, second.get]);
    group.remove(first.get);
    const waiting = group.waitAsync();
    sendN(first.put, 1);
    expect(await waiting).toBe(twin);
    twin.close();
    const before = new SyncTable(table).cell(0).read();
    sendN(first.put, 2);
    expect(new SyncTable(table).cell(0).read()).toBe(before);
    expect(group.ready()).toBeNull();
    sendX(second.put, 2);
    expect(new SyncTable(table).cell(0).read()).toBe(before + 1);
    new SyncGroup(table, [first.get]);
  });

  it("refuses ports of channels with another table, or none, and ports that are in a group", () => {
    const { table, first, second } = open();
    const elsewhere = createChannel(Number1, { syncTable: createSyncTable() }).openGetPort("every");
    const nowhere = createChannel(Number1).openGetPort("every");
    for (const port of [elsewhere, nowhere]) {
      expect(() => new SyncGroup(table, [port])).toThrowError(coded("FLY_CHANNEL_SYNC_GROUP"));
    }
    const group = new SyncGroup<SyncMember>(structuredClone(table), [first.get]);
    expect(() => new SyncGroup(table, [second.get, first.get])).toThrowError(coded("FLY_CHANNEL_SYNC_GROUP"));
    // The group that failed has let go of what it had.
    group.add(second.get);
    sendX(second.put, 3);
    expect(group.wait()).toBe(second.get);
  });

  it.each([0, -1, 1.5, Number.NaN, 5000])("refuses a table of %d groups", (maxGroups) => {
    expect(() => createSyncTable(maxGroups)).toThrowError(coded("FLY_CHANNEL_OPTIONS"));
  });

  it("works with many groups on one channel", () => {
    const table = createSyncTable(100);
    const channel = createChannel(Number1, { syncTable: table, maxGetPorts: 100, maxBorrows: 1 });
    const put = channel.openPutPort();
    const ports = Array.from({ length: 100 }, () => channel.openGetPort("newest"));
    const groups = ports.map((port) => new SyncGroup(table, [port]));
    const cells = new SyncTable(table);
    sendN(put, 1);
    for (const [index, group] of groups.entries()) {
      expect(group.ready()).toBe(ports[index]);
      expect(cells.cell(index).read()).toBe(1);
    }
  });
});
