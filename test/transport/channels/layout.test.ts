import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import {
  array,
  bytes,
  choice,
  type Field,
  type Fields,
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
import { layoutOf, signatureOf } from "../../../src/transport/channels/layout.js";

function offsets(fields: Fields): number[] {
  return layoutOf(fields).members.map((member) => member.offset);
}

describe("layoutOf", () => {
  it("places fields as a C compiler places the members of a struct", () => {
    // struct { uint8_t a; double b; uint8_t c; int32_t d; uint16_t e; float f; uint8_t g[3]; int64_t h; uint8_t i; }
    const fields = { a: u8, b: f64, c: u8, d: i32, e: u16, f: f32, g: array(u8, 3), h: time, i: flag };
    expect(offsets(fields)).toEqual([0, 8, 16, 20, 24, 28, 32, 40, 48]);
    expect(layoutOf(fields)).toMatchObject({ size: 56, alignment: 8 });
  });

  it("aligns a nested struct to its widest member and pads it, also in arrays", () => {
    const inner = struct({ x: f64, valid: u8 });
    const fields = { head: u8, inner, list: array(inner, 3), tail: u16 };
    expect(offsets(fields)).toEqual([0, 8, 24, 72]);
    expect(layoutOf(fields).size).toBe(80);
  });

  it("takes the product of the dimensions of an array", () => {
    expect(layoutOf({ covariance: array(f64, 6, 6) }).size).toBe(288);
    expect(layoutOf({ pixels: bytes(7), name: text(5), n: u32 }).members[2]?.offset).toBe(12);
  });

  it("never overlaps fields and keeps each aligned, for random descriptions", () => {
    const random = new Random("layout");
    for (let trial = 0; trial < 500; trial++) {
      const layout = layoutOf(randomFields(random, 3));
      let end = 0;
      for (const member of layout.members) {
        expect(member.offset).toBeGreaterThanOrEqual(end);
        expect(member.offset - end).toBeLessThan(8);
        expect(member.offset % widestNumber(member.field)).toBe(0);
        end = member.offset + member.size;
      }
      expect(layout.size).toBeGreaterThanOrEqual(end);
      expect(layout.size % layout.alignment).toBe(0);
    }
  });

  it.each<[string, Fields, string]>([
    ["an empty struct", {}, "/"],
    ["an empty nested struct", { a: struct({}) }, "/a"],
    ["a name that is no identifier", { "not a name": f64 }, "/not a name"],
    ["a name that could clash with the view's own", { $offset: f64 }, "/$offset"],
    ["a length of zero", { a: array(f64, 0) }, "/a"],
    ["a fractional length", { a: text(1.5) }, "/a"],
    ["a length of NaN", { a: bytes(Number.NaN) }, "/a"],
    ["more than a gigabyte", { a: array(f64, 2 ** 20, 2 ** 10) }, "/a"],
    ["a choice that does not fit a byte", { a: choice({ none: -1 }) }, "/a"],
    ["two choices of one value", { a: choice({ left: 0, right: 0 }) }, "/a"],
    ["an unknown kind", { a: { kind: "f128" } as unknown as Field }, "/a"],
  ])("refuses %s and names the field", (_, fields, path) => {
    expect(() => layoutOf(fields)).toThrowError(
      expect.objectContaining({
        code: "FLY_CHANNEL_PACKET_DESCRIPTION",
        details: expect.objectContaining({ path }),
      }) as Error,
    );
  });
});

describe("signatureOf", () => {
  const base: Fields = { a: f64, s: struct({ n: array(i32, 2, 3) }), c: choice({ on: 1 }), t: text(4) };

  it("is the same for the same bytes, whatever the descriptions say", () => {
    const copy = structuredClone({ ...base, a: { ...f64, description: "angle [rad]" } });
    expect(signatureOf(copy)).toBe(signatureOf(base));
  });

  it.each<[string, Fields]>([
    ["a field renamed", { b: f64, s: base.s!, c: base.c!, t: base.t! }],
    ["a kind changed", { ...base, a: time }],
    ["a shape changed", { ...base, s: struct({ n: array(i32, 3, 2) }) }],
    ["a choice renamed", { ...base, c: choice({ off: 1 }) }],
    ["a length changed", { ...base, t: text(5) }],
    ["text made bytes", { ...base, t: bytes(4) }],
    ["the order changed", { s: base.s!, a: f64, c: base.c!, t: base.t! }],
  ])("differs with %s", (_, fields) => {
    expect(signatureOf(fields)).not.toBe(signatureOf(base));
  });
});

function randomFields(random: Random, depth: number): Fields {
  const count = 1 + random.integer(6);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, randomField(random, depth)]));
}

function randomField(random: Random, depth: number): Field {
  const scalars = [f64, f32, i32, u32, u16, u8, flag] as const;
  const numbers = [f64, f32, i32, u32, u16, u8] as const;
  switch (random.integer(depth > 0 ? 6 : 4)) {
    case 0:
      return time;
    case 1:
      return array(numbers[random.integer(6)]!, 1 + random.integer(5), 1 + random.integer(3));
    case 2:
      return text(1 + random.integer(9));
    case 3:
      return scalars[random.integer(7)]!;
    case 4:
      return array(struct(randomFields(random, depth - 1)), 1 + random.integer(3));
    default:
      return struct(randomFields(random, depth - 1));
  }
}

/** An alignment computed another way: the widest number anywhere inside. */
function widestNumber(field: Field): number {
  const widths: Record<string, number> = { f64: 8, time: 8, f32: 4, i32: 4, u32: 4, u16: 2 };
  switch (field.kind) {
    case "numbers":
      return widths[field.element] ?? 1;
    case "list":
      return widestNumber(field.element);
    case "struct":
      return Math.max(...Object.values(field.fields).map(widestNumber));
    default:
      return widths[field.kind] ?? 1;
  }
}
