import { describe, expect, expectTypeOf, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import {
  array,
  bytes,
  choice,
  f32,
  f64,
  flag,
  i32,
  struct,
  text,
  time,
  u8,
  u16,
  u32,
} from "../../../src/transport/channels/field.js";
import { descriptionOf, type PacketView, packet, packetTypeOf } from "../../../src/transport/channels/packet.js";
import { PacketMemory } from "../../../src/transport/channels/packet-memory.js";
import type { TextView } from "../../../src/transport/channels/text-view.js";
import type { TimeView } from "../../../src/transport/channels/time-view.js";

const Everything = packet("Everything", 3, {
  a: f64,
  b: f32,
  c: i32,
  d: u32,
  e: u16,
  f: u8,
  on: flag,
  side: choice({ left: 0, right: 7 }),
  t: time,
  name: text(8),
  raw: bytes(3),
  matrix: array(f64, 2, 3),
  counts: array(i32, 4),
  inner: struct({ x: f64, deeper: struct({ y: i32, z: array(f32, 2) }) }),
  items: array(struct({ u: f64, k: u8 }), 3),
  times: array(time, 2),
});

/** A packet that does not begin at the start of its memory, beside neighbours that must not change. */
function placed(): { view: PacketView<typeof Everything>; data: DataView; guard: () => boolean } {
  const before = 64;
  const buffer = new SharedArrayBuffer(before + Everything.byteLength + 64);
  new Uint8Array(buffer).fill(0xaa);
  new Uint8Array(buffer, before, Everything.byteLength).fill(0);
  const guard = () => {
    const all = new Uint8Array(buffer);
    return (
      all.subarray(0, before).every((b) => b === 0xaa) &&
      all.subarray(before + Everything.byteLength).every((b) => b === 0xaa)
    );
  };
  const view = Everything.createView(new PacketMemory(buffer), before);
  return { view, data: new DataView(buffer, before, Everything.byteLength), guard };
}

function offsetOf(name: string): number {
  return Everything.layout.members.find((member) => member.name === name)!.offset;
}

describe("a packet's view", () => {
  it("writes each number where the layout says, in the host's byte order", () => {
    const { view, data, guard } = placed();
    view.a = -1.5;
    view.b = 0.25;
    view.c = -7;
    view.d = 4e9;
    view.e = 65535;
    view.f = 200;
    view.on = true;
    view.side = 7;
    expect(data.getFloat64(offsetOf("a"), true)).toBe(-1.5);
    expect(data.getFloat32(offsetOf("b"), true)).toBe(0.25);
    expect(data.getInt32(offsetOf("c"), true)).toBe(-7);
    expect(data.getUint32(offsetOf("d"), true)).toBe(4e9);
    expect(data.getUint16(offsetOf("e"), true)).toBe(65535);
    expect(data.getUint8(offsetOf("f"))).toBe(200);
    expect(data.getUint8(offsetOf("on"))).toBe(1);
    expect(data.getUint8(offsetOf("side"))).toBe(7);
    expect([view.a, view.b, view.c, view.d, view.e, view.f, view.on, view.side]).toEqual([
      -1.5,
      0.25,
      -7,
      4e9,
      65535,
      200,
      true,
      7,
    ]);
    expect(guard()).toBe(true);
  });

  it("reaches nested structs, arrays of structs and arrays of several dimensions in place", () => {
    const { view, data, guard } = placed();
    view.matrix[1 * 3 + 2] = 9;
    view.counts.set([1, 2, 3, 4]);
    view.inner.x = 2.5;
    view.inner.deeper.y = 11;
    view.inner.deeper.z[1] = 0.5;
    view.items[2]!.u = 6;
    view.items[2]!.k = 5;
    view.raw.set([1, 2, 3]);
    expect(data.getFloat64(offsetOf("matrix") + 5 * 8, true)).toBe(9);
    expect(data.getInt32(offsetOf("counts") + 12, true)).toBe(4);
    expect(data.getFloat64(offsetOf("inner"), true)).toBe(2.5);
    expect(data.getInt32(offsetOf("inner") + 8, true)).toBe(11);
    expect(data.getFloat32(offsetOf("inner") + 16, true)).toBe(0.5);
    expect(data.getFloat64(offsetOf("items") + 2 * 16, true)).toBe(6);
    expect(data.getUint8(offsetOf("items") + 2 * 16 + 8)).toBe(5);
    expect(data.getUint8(offsetOf("raw") + 2)).toBe(3);
    expect(guard()).toBe(true);
  });

  it("keeps its parts: the same objects at each access", () => {
    const { view } = placed();
    expect(view.matrix).toBe(view.matrix);
    expect(view.items[1]).toBe(view.items[1]);
    expect(view.t).toBe(view.t);
  });

  it("has the types of its description", () => {
    type View = PacketView<typeof Everything>;
    expectTypeOf<View["a"]>().toEqualTypeOf<number>();
    expectTypeOf<View["on"]>().toEqualTypeOf<boolean>();
    expectTypeOf<View["side"]>().toEqualTypeOf<0 | 7>();
    expectTypeOf<View["t"]>().toEqualTypeOf<TimeView>();
    expectTypeOf<View["name"]>().toEqualTypeOf<TextView>();
    expectTypeOf<View["matrix"]>().toEqualTypeOf<Float64Array>();
    expectTypeOf<View["counts"]>().toEqualTypeOf<Int32Array>();
    expectTypeOf<View["raw"]>().toEqualTypeOf<Uint8Array>();
    expectTypeOf<View["inner"]["deeper"]["y"]>().toEqualTypeOf<number>();
    expectTypeOf<View["items"][number]["u"]>().toEqualTypeOf<number>();
    expectTypeOf<View>().not.toHaveProperty("missing");
  });
});

describe("a time", () => {
  it("is an i64 of nanoseconds in memory, read and written without a BigInt", () => {
    const { view, data } = placed();
    const random = new Random("time");
    const cases = [0, 1, -1, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53 - 1)];
    for (let i = 0; i < 1000; i++) cases.push(Math.floor(random.uniformIn(-1, 1) * 2 ** random.integer(54)));
    for (const nanoseconds of cases) {
      view.t.nanoseconds = nanoseconds;
      expect(data.getBigInt64(offsetOf("t"), true)).toBe(BigInt(nanoseconds));
      expect(view.t.nanoseconds).toBe(nanoseconds);
    }
  });

  it("is exact to the nanosecond in seconds", () => {
    const { view } = placed();
    view.t.seconds = 86_400.123456789;
    expect(view.t.nanoseconds).toBe(86_400_123_456_789);
    expect(view.t.seconds).toBe(86_400.123456789);
    view.t.seconds = -0.5;
    expect(view.t.nanoseconds).toBe(-500_000_000);
    view.times[1]!.seconds = 2;
    expect(view.times[1]!.nanoseconds).toBe(2e9);
    expect(view.times[0]!.nanoseconds).toBe(0);
  });
});

describe("a text", () => {
  it.each([
    ["", ""],
    ["arm", "arm"],
    ["exactly8", "exactly8"],
    ["too long by far", "too long"],
    ["ééééé", "éééé"],
    ["abcdef漢", "abcdef"],
  ])("keeps %j as %j", (written, read) => {
    const { view, guard } = placed();
    view.name.write("previous");
    view.name.write(written);
    expect(view.name.read()).toBe(read);
    expect(guard()).toBe(true);
  });
});

describe("a packet type", () => {
  it("survives being sent to another thread as plain data", () => {
    const other = packetTypeOf(structuredClone(descriptionOf(Everything)));
    expect(other.signature).toBe(Everything.signature);
    expect(other.layout).toEqual(Everything.layout);
  });

  it.each([
    ["lower case", 1],
    ["Has space", 1],
    ["Version", 0],
    ["Version", 1.5],
  ])("refuses the name %j with version %d", (name, version) => {
    expect(() => packet(name, version, { a: f64 })).toThrowError(
      expect.objectContaining({ code: "FLY_CHANNEL_PACKET_DESCRIPTION" }) as Error,
    );
  });
});
