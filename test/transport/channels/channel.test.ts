import { describe, expect, it } from "vitest";
import {
  attachAnyChannel,
  attachChannel,
  type Channel,
  createChannel,
} from "../../../src/transport/channels/channel.js";
import type { ChannelOptions } from "../../../src/transport/channels/channel-options.js";
import { f64, i32, time } from "../../../src/transport/channels/field.js";
import type { GetPort } from "../../../src/transport/channels/get-port.js";
import { packet } from "../../../src/transport/channels/packet.js";
import type { PutPort } from "../../../src/transport/channels/put-port.js";

const Sample = packet("Sample", 1, { t: time, n: i32, x: f64 });
type View = ReturnType<typeof Sample.createView>;

function open(options: ChannelOptions = {}): { channel: Channel<View>; put: PutPort<View> } {
  const channel = createChannel(Sample, options);
  return { channel, put: channel.openPutPort() };
}

function send(put: PutPort<View>, ...numbers: number[]): void {
  for (const n of numbers) {
    const view = put.reserve();
    view.n = n;
    put.publish();
  }
}

/** All that the port has to give. */
function drain(get: GetPort<View>): number[] {
  const numbers: number[] = [];
  for (let view = get.tryReceive(); view !== null; view = get.tryReceive()) {
    numbers.push(view.n);
    get.release(view);
  }
  return numbers;
}

function count(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, k) => from + k);
}

function coded(code: string): Error {
  return expect.objectContaining({ code }) as Error;
}

describe("a channel", () => {
  it("hands a packet to every reader in the very memory it was written to", () => {
    const { channel, put } = open();
    const first = channel.openGetPort("every");
    const second = channel.openGetPort("newest");
    const written = put.reserve();
    written.t.seconds = 0.25;
    written.n = 3;
    written.x = 1.5;
    expect(first.tryReceive()).toBeNull();
    expect(put.publish()).toBe(true);
    const packets = [first.tryReceive(), second.tryReceive()];
    for (const packet of packets) {
      expect(packet).toBe(written);
      expect(packet).toMatchObject({ n: 3, x: 1.5 });
      expect(packet!.t.nanoseconds).toBe(250_000_000);
    }
    expect(first.tryReceive()).toBeNull();
  });

  it("carries packets of many writers to many readers, in one order that keeps each writer's own", () => {
    const { channel, put } = open({ ringSize: 16 });
    const other = channel.openPutPort();
    const readers = [channel.openGetPort("every"), channel.openGetPort("every")];
    send(put, 1, 2);
    send(other, 101);
    send(put, 3);
    send(other, 102, 103);
    for (const reader of readers) expect(drain(reader)).toEqual([1, 2, 101, 3, 102, 103]);
  });

  it("is attached from its handle, with or without knowing the packet", () => {
    const { channel, put } = open();
    const handle = structuredClone(channel.handle);
    const typed = attachChannel(handle, Sample).openGetPort("every");
    const any = attachAnyChannel(handle);
    const untyped = any.openGetPort("every");
    send(put, 5);
    expect(typed.tryReceive()?.n).toBe(5);
    expect(untyped.tryReceive()).toMatchObject({ n: 5 });
  });

  it.each([
    ["another name", packet("Other", 1, { t: time, n: i32, x: f64 })],
    ["another version", packet("Sample", 2, { t: time, n: i32, x: f64 })],
    ["other fields", packet("Sample", 1, { t: time, x: f64, n: i32 })],
  ])("refuses to be attached with a packet of %s", (_, type) => {
    expect(() => attachChannel(open().channel.handle, type)).toThrowError(coded("FLY_CHANNEL_PACKET_MISMATCH"));
  });

  it.each<[string, ChannelOptions]>([
    ["a ring that is no power of two", { ringSize: 12 }],
    ["a ring of zero", { ringSize: 0 }],
    ["half a packet", { ringSize: 0.5 }],
    ["a ring of NaN", { ringSize: Number.NaN }],
    ["no put-port", { maxPutPorts: 0 }],
    ["no get-port", { maxGetPorts: -1 }],
    ["a fraction of a borrow", { maxBorrows: 1.5 }],
    ["too many slots", { ringSize: 4096 }],
    ["a sequence number that is none", { firstSequence: -1 }],
  ])("refuses %s", (_, options) => {
    expect(() => createChannel(Sample, options)).toThrowError(coded("FLY_CHANNEL_OPTIONS"));
  });

  it("works with a ring of one", () => {
    const { channel, put } = open({ ringSize: 1, maxPutPorts: 1, maxGetPorts: 1, maxBorrows: 1 });
    const get = channel.openGetPort("every");
    for (let n = 0; n < 100; n++) {
      send(put, n);
      expect(drain(get)).toEqual([n]);
    }
    send(put, 1, 2, 3);
    expect(drain(get)).toEqual([3]);
    expect(get.lost).toBe(2);
  });

  it("goes on when sequence numbers wrap", () => {
    for (const firstSequence of [2 ** 32 - 7, 2 ** 31 - 7]) {
      const { channel, put } = open({ ringSize: 4, firstSequence });
      const every = channel.openGetPort("every");
      const newest = channel.openGetPort("newest");
      expect(channel.openGetPort("every", { start: "retained" }).tryReceive()).toBeNull();
      for (let n = 0; n < 20; n += 2) {
        send(put, n, n + 1);
        expect(drain(every)).toEqual([n, n + 1]);
        expect(every.sequence).toBe((firstSequence + n + 1) % 2 ** 32);
        expect(drain(newest)).toEqual([n + 1]);
      }
      expect([every.lost, newest.lost]).toEqual([0, 10]);
      send(put, ...count(20, 29));
      expect(drain(every)).toEqual([26, 27, 28, 29]);
      expect(every.lost).toBe(6);
      expect(channel.statistics().published).toBe(30);
    }
  });
});

describe("a get-port", () => {
  it("for every packet gets each one in order, and counts those overwritten before it came", () => {
    const { channel, put } = open({ ringSize: 8 });
    const get = channel.openGetPort("every");
    send(put, ...count(1, 8));
    expect(drain(get)).toEqual(count(1, 8));
    expect(get.lost).toBe(0);
    send(put, ...count(9, 21));
    expect(drain(get)).toEqual(count(14, 21));
    expect([get.received, get.lost]).toEqual([16, 5]);
  });

  it("for the newest packet gets that one only, and counts those it skipped", () => {
    const { channel, put } = open({ ringSize: 8 });
    const get = channel.openGetPort("newest");
    send(put, 1, 2, 3);
    expect(drain(get)).toEqual([3]);
    send(put, ...count(4, 40));
    expect(drain(get)).toEqual([40]);
    expect([get.received, get.lost]).toEqual([2, 38]);
  });

  it("begins with the next packet, or with those retained", () => {
    const { channel, put } = open({ ringSize: 4 });
    send(put, 1, 2);
    expect(drain(channel.openGetPort("every"))).toEqual([]);
    expect(drain(channel.openGetPort("every", { start: "retained" }))).toEqual([1, 2]);
    send(put, 3, 4, 5, 6);
    expect(drain(channel.openGetPort("every", { start: "retained" }))).toEqual([3, 4, 5, 6]);
    expect(drain(channel.openGetPort("newest", { start: "retained" }))).toEqual([6]);
  });

  it("holds several packets, each unchanged until it is released", () => {
    const { channel, put } = open({ ringSize: 2, maxBorrows: 3 });
    const get = channel.openGetPort("newest");
    const held = count(1, 3).map((n) => {
      send(put, n);
      return get.tryReceive()!;
    });
    send(put, ...count(4, 500));
    expect(held.map((view) => view.n)).toEqual([1, 2, 3]);
    expect(() => get.tryReceive()).toThrowError(coded("FLY_CHANNEL_BORROW_LIMIT"));
    get.release(held[1]!);
    expect(get.tryReceive()?.n).toBe(500);
  });

  it("refuses to release what it does not hold", () => {
    const { channel, put } = open();
    const get = channel.openGetPort("every");
    const other = channel.openGetPort("every");
    send(put, 1);
    const view = get.tryReceive()!;
    expect(() => other.release(view)).toThrowError(coded("FLY_CHANNEL_PORT_MISUSE"));
    get.release(view);
    expect(() => get.release(view)).toThrowError(coded("FLY_CHANNEL_PORT_MISUSE"));
  });

  it("is not to be used once closed, and can then be opened anew", () => {
    const { channel, put } = open({ maxGetPorts: 1 });
    const get = channel.openGetPort("every");
    expect(() => channel.openGetPort("every")).toThrowError(coded("FLY_CHANNEL_PORTS_EXHAUSTED"));
    send(put, 1);
    get.tryReceive();
    get.close();
    get.close();
    expect(() => get.tryReceive()).toThrowError(coded("FLY_CHANNEL_PORT_MISUSE"));
    const again = channel.openGetPort("every");
    expect(channel.statistics().getPorts).toMatchObject([{ index: 0, held: 0, received: 0, lost: 0 }]);
    send(put, 2);
    expect(drain(again)).toEqual([2]);
  });
});

describe("a put-port", () => {
  it("always finds a free slot, with all readers holding all they may and all other writers holding one", () => {
    const sizes = { ringSize: 2, maxPutPorts: 3, maxGetPorts: 3, maxBorrows: 2 };
    const { channel, put } = open(sizes);
    const others = [channel.openPutPort(), channel.openPutPort()];
    const held: { view: Readonly<View>; n: number }[] = [];
    let n = 0;
    // One after the other, so that no two hold the same packet and as many slots as possible are taken.
    for (let k = 0; k < sizes.maxGetPorts; k++) {
      const get = channel.openGetPort("newest");
      for (let b = 0; b < sizes.maxBorrows; b++) {
        send(put, ++n, ++n);
        held.push({ view: get.tryReceive()!, n });
      }
    }
    expect(new Set(held.map(({ view }) => view)).size).toBe(6);
    for (const other of others) other.reserve().n = -1;
    send(put, ...count(n + 1, n + 1000));
    for (const { view, n: expected } of held) expect(view.n).toBe(expected);
    for (const other of others) expect(other.reserve().n).toBe(-1);
    expect(channel.handle.sizes.slotCount).toBe(2 + 6 + 3);
  });

  it("returns the same packet until it is published or discarded", () => {
    const { channel, put } = open();
    const get = channel.openGetPort("every");
    expect(put.reserve()).toBe(put.reserve());
    put.reserve().n = 1;
    put.discard();
    expect(() => put.publish()).toThrowError(coded("FLY_CHANNEL_PORT_MISUSE"));
    send(put, 2);
    expect(drain(get)).toEqual([2]);
    expect(put.sent).toBe(1);
  });

  it("is not to be used once closed, and can then be opened anew", () => {
    const { channel, put } = open({ maxPutPorts: 1 });
    expect(() => channel.openPutPort()).toThrowError(coded("FLY_CHANNEL_PORTS_EXHAUSTED"));
    put.reserve();
    put.close();
    expect(() => put.reserve()).toThrowError(coded("FLY_CHANNEL_PORT_MISUSE"));
    expect(() => put.publish()).toThrowError(coded("FLY_CHANNEL_PORT_MISUSE"));
    send(channel.openPutPort(), 1);
    expect(channel.statistics().putPorts).toMatchObject([{ index: 0, sent: 1 }]);
  });
});

describe("the statistics of a channel", () => {
  it("tell of every open port what it sent, received, lost and holds", () => {
    const { channel, put } = open({ ringSize: 4 });
    const every = channel.openGetPort("every");
    channel.openGetPort("newest");
    send(put, ...count(1, 10));
    every.tryReceive();
    expect(attachChannel(channel.handle, Sample).statistics()).toEqual({
      published: 10,
      putPorts: [{ index: 0, threadId: 0, sent: 10, filtered: 0 }],
      getPorts: [
        { index: 0, threadId: 0, delivery: "every", received: 1, lost: 6, filtered: 0, behind: 3, held: 1 },
        { index: 1, threadId: 0, delivery: "newest", received: 0, lost: 0, filtered: 0, behind: 10, held: 0 },
      ],
    });
  });
});
