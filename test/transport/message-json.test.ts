import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import * as control from "../../src/messages/control.js";
import { pageMessages } from "../../src/messages/page.js";
import * as planning from "../../src/messages/planning.js";
import * as prediction from "../../src/messages/prediction.js";
import * as recording from "../../src/messages/recording.js";
import * as report from "../../src/messages/report.js";
import * as sensing from "../../src/messages/sensing.js";
import * as world from "../../src/messages/world.js";
import { array, choice, f32, f64, flag, i32, text, time, u8 } from "../../src/transport/channels/field.js";
import { allocatePacket } from "../../src/transport/channels/packet.js";
import {
  blob,
  decode,
  encode,
  fromBytes,
  group,
  list,
  type MessageType,
  message,
  omittable,
  optional,
  packetOf,
  type Row,
  records,
  row,
  several,
  table,
  toBytes,
} from "../../src/transport/message.js";
import { areSame } from "../../src/transport/message-compare.js";
import { fromJson, jsonSchemaOf, plainJsonSchemaOf, toJson, toPlainJson } from "../../src/transport/message-json.js";
import { deep } from "../support/deep.js";
import { RandomMessages } from "../support/random-message.js";

function isDescription(value: unknown): value is MessageType {
  return typeof value === "object" && value !== null && "fields" in value && "version" in value;
}

const described = [control, planning, prediction, recording, report, sensing, world]
  .flatMap((module) => Object.values<unknown>(module).filter(isDescription))
  .concat(Object.values(pageMessages));

const Everything = message("Everything", 1, "One field of each kind.", {
  f64,
  f32,
  i32,
  u8,
  flag,
  choice: choice({ left: 0, right: 1 }),
  time,
  text: text(16),
  matrix: array(f64, 2, 3),
  bytes: array(u8, 4),
  several: several(4),
  blob: blob(4),
  list: list(row(2), 3),
  table: table(3),
  records: records({ a: f64, names: list(text(16), 3) }, 3),
  group: group({ inner: optional(group({ x: f64 })), extra: omittable(row(3)) }),
});

describe("random messages", () => {
  it("are of every description", () => {
    expect(described.length).toBeGreaterThan(30);
  });

  it.each(described.concat(Everything).map((type) => [type.name, type] as const))(
    "of %s survive JSON and memory bit by bit",
    (name, type) => {
      const make = new RandomMessages(new Random(`bits of ${name}`));
      const validate = new Ajv({ strict: false }).compile(jsonSchemaOf(type) as object);
      const view = allocatePacket(packetOf(type));
      for (let k = 0; k < deep(12, 300); k++) {
        const original = make.of(type);
        const json: unknown = JSON.parse(JSON.stringify(toJson(type, original)));
        expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
        // toStrictEqual tells −0 from 0 and typed arrays from others.
        expect(fromJson(type, json)).toStrictEqual(original);
        encode(type, original, view);
        const back = decode(type, view);
        expect(back).toStrictEqual(original);
        expect(fromBytes(type, toBytes(type, original))).toStrictEqual(original);
        expect(areSame(type, back, original)).toBe(true);
      }
    },
  );
});

describe("a message's JSON", () => {
  const make = new RandomMessages(new Random(5), "finite");
  const json = () => toJson(Everything, make.of(Everything)) as Record<string, unknown>;

  it.each([
    ["/f64", { f64: "many" }, "a number", '"many"'],
    ["/i32", { i32: 1.5 }, "a whole number from -2147483648 to 2147483647", "1.5"],
    ["/u8", { u8: 256 }, "a whole number from 0 to 255", "256"],
    ["/flag", { flag: 1 }, "true or false", "1"],
    ["/choice", { choice: "up" }, "left, right", '"up"'],
    ["/time", { time: 2 ** 60 }, "a whole number", "1152921504606847000"],
    ["/text", { text: null }, "a text", "null"],
    ["/matrix", { matrix: [1, 2] }, "6 numbers", "2"],
    ["/matrix/4", { matrix: [1, 2, 3, 4, "x", 6] }, "a number", '"x"'],
    ["/several", { several: [1, 2, 3, 4, 5] }, "at most 4 numbers", "5"],
    ["/list/0", { list: [[1]] }, "2 numbers", "1"],
    [
      "/list",
      {
        list: [
          [1, 2],
          [1, 2],
          [1, 2],
          [1, 2],
        ],
      },
      "at most 3 entries",
      "4",
    ],
    ["/table", { table: [] }, "an object", "[]"],
    ["/table/b", { table: { a: 1, b: "x" } }, "a number", '"x"'],
    ["/blob", { blob: "*" }, "base64", '"*"'],
    [
      "/records/1/names/0",
      {
        records: [
          { a: 1, names: [] },
          { a: 1, names: [2] },
        ],
      },
      "a text",
      "2",
    ],
    ["/group/inner/x", { group: { inner: {} } }, "a number", "nothing"],
    ["/group/extra", { group: { inner: null, extra: null } }, "3 numbers", "null"],
    ["/more", { more: 1 }, "no such field", '"more"'],
  ])("that is wrong at %s is refused with path, expected and found", (path, wrong, expected, found) => {
    const details = { path, found, expected: expect.stringContaining(expected) as string };
    const refused = expect.objectContaining({ code: "FLY_MESSAGE_JSON", details }) as Error;
    expect(() => fromJson(Everything, { ...json(), ...wrong })).toThrow(refused);
  });

  it("leaves out what is beyond a field's room", () => {
    const long = { ...make.of(Everything), several: Float64Array.of(1, 2, 3, 4, 5) };
    expect(toJson(Everything, long)).toMatchObject({ several: [1, 2, 3, 4] });
  });

  it("leaves out what a message does not have, and a message read into another does not keep it", () => {
    const part = message("Part", 1, "A field that may be left out.", { a: f64, b: omittable(row(2)) });
    const [whole, bare] = [{ a: 1, b: Float64Array.of(2, 3) as Row<2> }, { a: 1 }];
    expect(toJson(part, bare)).toStrictEqual({ a: 1 });
    expect(fromJson(part, { a: 1 })).toStrictEqual(bare);
    expect(areSame(part, whole, bare)).toBe(false);
    const view = allocatePacket(packetOf(part));
    encode(part, whole, view);
    const out = decode(part, view);
    expect(out).toStrictEqual(whole);
    encode(part, bare, view);
    expect(decode(part, view, out)).toStrictEqual(bare);
  });

  it("is plain for a page: what JSON does not have is null, 0 has no sign", () => {
    const odd = message("Odd", 1, "Numbers of all kinds.", {
      a: f64,
      b: optional(f64),
      c: several(4),
      d: list(row(2), 2),
    });
    const values = [Number.NaN, -0, Number.POSITIVE_INFINITY, 1.5];
    const json = toPlainJson(odd, { a: -0, b: Number.NaN, c: Float64Array.from(values), d: [[1, 2]] });
    expect(json).toStrictEqual({ a: 0, b: null, c: [null, 0, null, 1.5], d: [[1, 2]] });
    const { properties } = plainJsonSchemaOf(odd);
    expect(properties).toMatchObject({ a: { type: "number" }, b: { anyOf: [{ type: "number" }, { type: "null" }] } });
  });

  it("is no list and no text", () => {
    for (const wrong of [null, [], "{}", undefined]) expect(() => fromJson(Everything, wrong)).toThrow("Everything");
  });

  it("tells messages apart, 0 and −0 not", () => {
    const a = make.of(Everything);
    expect(areSame(Everything, { ...a, f64: 0 }, { ...a, f64: -0 })).toBe(true);
    expect(areSame(Everything, { ...a, f64: Number.NaN }, { ...a, f64: Number.NaN })).toBe(true);
    expect(areSame(Everything, a, { ...a, f64: a.f64 + 1 })).toBe(false);
    expect(areSame(Everything, a, { ...a, several: new Float64Array(0) })).toBe(a.several.length === 0);
    expect(areSame(Everything, { ...a, group: { inner: null } }, { ...a, group: { inner: { x: 1 } } })).toBe(false);
  });
});
