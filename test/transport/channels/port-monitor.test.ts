import { describe, expect, it } from "vitest";
import { type Channel, createChannel } from "../../../src/transport/channels/channel.js";
import { array, f64, i32 } from "../../../src/transport/channels/field.js";
import type { GetPort } from "../../../src/transport/channels/get-port.js";
import { packet } from "../../../src/transport/channels/packet.js";
import type { PutPort } from "../../../src/transport/channels/put-port.js";

const Sample = packet("Sample", 1, { n: i32, q: array(f64, 4) });
type View = ReturnType<typeof Sample.createView>;

function open(): { channel: Channel<View>; put: PutPort<View>; get: GetPort<View>; other: GetPort<View> } {
  const channel = createChannel(Sample);
  return {
    channel,
    put: channel.openPutPort(),
    get: channel.openGetPort("every"),
    other: channel.openGetPort("every"),
  };
}

function send(put: PutPort<View>, ...numbers: number[]): boolean[] {
  return numbers.map((n) => {
    const view = put.reserve();
    view.n = n;
    view.q.fill(n);
    return put.publish();
  });
}

function drain(get: GetPort<View>): number[] {
  const numbers: number[] = [];
  for (let view = get.tryReceive(); view !== null; view = get.tryReceive()) {
    numbers.push(view.n);
    get.release(view);
  }
  return numbers;
}

function scaleBy(factor: number): (view: View) => void {
  return (view) => {
    view.n *= factor;
  };
}

describe("a monitor of a put-port", () => {
  it("observes what goes out", () => {
    const { put, get } = open();
    const seen: number[] = [];
    put.attachMonitor({ kind: "observe", observe: (view) => seen.push(view.n) });
    send(put, 1, 2, 3);
    expect(seen).toEqual([1, 2, 3]);
    expect(drain(get)).toEqual([1, 2, 3]);
  });

  it("filters: what it drops nobody sees, and is counted", () => {
    const { put, get, other } = open();
    put.attachMonitor({ kind: "filter", passes: (view) => view.n % 2 === 0 });
    expect(send(put, 1, 2, 3, 4)).toEqual([false, true, false, true]);
    expect([drain(get), drain(other)]).toEqual([
      [2, 4],
      [2, 4],
    ]);
    expect([put.sent, put.filtered, get.lost]).toEqual([2, 2, 0]);
  });

  it("transforms for all readers, in place", () => {
    const { put, get, other } = open();
    put.attachMonitor({ kind: "transform", transform: scaleBy(10) });
    send(put, 1, 2);
    expect([drain(get), drain(other)]).toEqual([
      [10, 20],
      [10, 20],
    ]);
  });

  it("that fails stops the packet, and the writer can go on", () => {
    const { put, get } = open();
    const detach = put.attachMonitor({
      kind: "observe",
      observe: () => {
        throw new Error("broken monitor");
      },
    });
    expect(() => send(put, 1)).toThrowError("broken monitor");
    expect(drain(get)).toEqual([]);
    detach();
    send(put, 2);
    expect(drain(get)).toEqual([2]);
  });
});

describe("a monitor of a get-port", () => {
  it("observes and filters for this reader alone", () => {
    const { put, get, other } = open();
    const seen: number[] = [];
    get.attachMonitor({ kind: "observe", observe: (view) => seen.push(view.n) });
    get.attachMonitor({ kind: "filter", passes: (view) => view.n > 2 });
    send(put, 1, 2, 3, 4);
    expect(drain(get)).toEqual([3, 4]);
    expect(drain(other)).toEqual([1, 2, 3, 4]);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect([get.received, get.filtered, get.lost]).toEqual([2, 2, 0]);
  });

  it("transforms a copy: the packet in the channel stays as it was", () => {
    const { channel, put, get, other } = open();
    get.attachMonitor({
      kind: "transform",
      transform: (view) => {
        view.n = -view.n;
        view.q[3] = 99;
      },
    });
    send(put, 7, 8);
    const first = get.tryReceive()!;
    const second = get.tryReceive()!;
    expect([first.n, second.n]).toEqual([-7, -8]);
    expect(Array.from(first.q)).toEqual([7, 7, 7, 99]);
    expect(drain(other)).toEqual([7, 8]);
    get.release(first);
    get.release(second);
    expect(channel.statistics().getPorts[0]).toMatchObject({ held: 0, received: 2 });
  });

  it("runs in the order of attaching, and no more once taken off", () => {
    const { put, get } = open();
    const detach = get.attachMonitor({ kind: "transform", transform: scaleBy(3) });
    get.attachMonitor({ kind: "filter", passes: (view) => view.n > 5 });
    get.attachMonitor({ kind: "transform", transform: scaleBy(2) });
    send(put, 1, 2);
    expect(drain(get)).toEqual([12]);
    detach();
    detach();
    send(put, 5, 6);
    expect(drain(get)).toEqual([12]);
  });

  it("that fails loses that packet only, and no slot", () => {
    const { channel, put, get } = open();
    const detach = get.attachMonitor({
      kind: "filter",
      passes: () => {
        throw new Error("broken monitor");
      },
    });
    for (let k = 0; k < 100; k++) {
      send(put, k);
      expect(() => get.tryReceive()).toThrowError("broken monitor");
    }
    detach();
    send(put, 2);
    expect(drain(get)).toEqual([2]);
    expect(channel.statistics().getPorts[0]).toMatchObject({ received: 1, filtered: 100, lost: 0, held: 0 });
  });
});
