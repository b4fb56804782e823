import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import {
  array,
  bytes,
  choice,
  described,
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
} from "../../src/channels/field.js";
import { fromJson, toJson } from "../../src/channels/json.js";
import { packet } from "../../src/channels/packet.js";
import { PacketMemory } from "../../src/channels/packet-memory.js";
import { jsonSchemaOf, recordingSchemaOf } from "../../src/channels/schema.js";
import { Random } from "../../src/math/random.js";
import { fillRandomly } from "./random-packet.js";

const Sample = packet("Sample", 2, {
  t: time,
  x: described(f64, "position [m]"),
  y: f32,
  i: i32,
  u: u32,
  h: u16,
  b: u8,
  on: flag,
  side: choice({ left: 0, right: 1 }),
  name: text(12),
  raw: bytes(5),
  m: array(f64, 2, 3, 2),
  list: array(struct({ t: time, v: array(f32, 2), inner: struct({ k: u8 }) }), 2),
});

function sample(): { view: ReturnType<typeof Sample.createView>; all: Uint8Array } {
  const memory = new PacketMemory(new SharedArrayBuffer(Sample.byteLength));
  return { view: Sample.createView(memory, 0), all: memory.u8 };
}

describe("a packet as JSON", () => {
  it("comes back bit for bit through text, and is valid under its schema", () => {
    const random = new Random("json");
    const validator = Compile(JSON.parse(recordingSchemaOf(Sample).data));
    const source = sample();
    const target = sample();
    for (let trial = 0; trial < 300; trial++) {
      fillRandomly(Sample, source.view, random);
      const json = JSON.parse(JSON.stringify(toJson(Sample, source.view)));
      expect([...validator.Errors(json)]).toEqual([]);
      fromJson(Sample, json, target.view);
      expect(target.all).toEqual(source.all);
    }
  });

  it("reads as a person expects", () => {
    const { view } = sample();
    view.t.seconds = 1.5;
    view.side = 1;
    view.name.write("wrist");
    view.raw.set([1, 2, 3, 4, 5]);
    view.m.set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    view.y = Number.NaN;
    expect(toJson(Sample, view)).toMatchObject({
      t: 1_500_000_000,
      y: "NaN",
      side: "right",
      on: false,
      name: "wrist",
      raw: "AQIDBAU=",
      m: [
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [
          [7, 8],
          [9, 10],
          [11, 12],
        ],
      ],
    });
  });

  it.each<[string, string, unknown]>([
    ["a number as text", "/x", "1.5"],
    ["null for a number", "/x", null],
    ["a fraction in an integer", "/i", 0.5],
    ["an integer out of range", "/h", 65536],
    ["a negative byte", "/b", -1],
    ["a time that is not exact", "/t", 2 ** 60],
    ["an unknown choice", "/side", "middle"],
    ["a number for a flag", "/on", 1],
    ["bytes of another length", "/raw", "AQID"],
    ["an array too short", "/m", [[[1, 2]]]],
    ["text too long", "/name", "far more than twelve"],
  ])("refuses %s and leaves the packet as it was", (_, path, value) => {
    const { view, all } = sample();
    fillRandomly(Sample, view, new Random("refuse"));
    const json = { ...toJson(Sample, view), [path.slice(1)]: value };
    const before = all.slice();
    expect(() => fromJson(Sample, json, view)).toThrowError(
      expect.objectContaining({
        code: "FLY_CHANNEL_PACKET_JSON",
        details: expect.objectContaining({ path: expect.stringContaining(path) }),
      }) as Error,
    );
    expect(all).toEqual(before);
  });

  it.each([[null], [[]], [{}], ["text"]])("refuses %j", (json) => {
    expect(() => fromJson(Sample, json, sample().view)).toThrowError(/not the JSON of a Sample packet/);
  });

  it("refuses unknown fields", () => {
    const { view } = sample();
    expect(() => fromJson(Sample, { ...toJson(Sample, view), extra: 1 }, view)).toThrowError(
      expect.objectContaining({ code: "FLY_CHANNEL_PACKET_JSON" }) as Error,
    );
  });
});

describe("the schemas of a packet", () => {
  it("carry title, version, units and sizes", () => {
    const schema = JSON.parse(JSON.stringify(jsonSchemaOf(Sample)));
    expect(schema).toMatchObject({ type: "object", title: "Sample", version: 2, additionalProperties: false });
    expect(schema.required).toEqual(Object.keys(Sample.fields));
    expect(schema.properties.x.description).toBe("position [m]");
    expect(schema.properties.m).toMatchObject({ type: "array", minItems: 2, maxItems: 2 });
    expect(schema.properties.m.items.items).toMatchObject({ minItems: 2, maxItems: 2 });
    expect(schema.properties.list.items.properties.inner.properties.k).toMatchObject({ minimum: 0, maximum: 255 });
  });

  it("give what a recording file asks for", () => {
    const { name, encoding, data } = recordingSchemaOf(Sample);
    expect([name, encoding]).toEqual(["flycatcher.Sample", "jsonschema"]);
    expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(jsonSchemaOf(Sample))));
  });
});
