import Type from "typebox";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import {
  exactNumber,
  isFinitePlain,
  mayHoldTextualNumbers,
  reviveNumbers,
  toExactJson,
} from "../../../src/recording/format/exact-json.js";
import { decodeGrayPng, encodeGrayPng } from "../../../src/recording/format/gray-png.js";

describe("exact JSON", () => {
  it("keeps the bits of any double", () => {
    const random = new Random("doubles");
    const words = new Int32Array(2);
    const double = new Float64Array(words.buffer);
    const schema = Type.Array(exactNumber);
    let wrong = 0;
    for (let k = 0; k < 5000; k++) {
      words[0] = random.bits();
      words[1] = random.bits();
      const value = double[0]!;
      const text = toExactJson([value]);
      const json: unknown = JSON.parse(text);
      const back = mayHoldTextualNumbers(text) ? reviveNumbers(schema, json) : json;
      if (!Object.is((back as number[])[0], value)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it("leaves texts that are meant as such", () => {
    const schema = Type.Object({ name: Type.String(), values: Type.Record(Type.String(), exactNumber) });
    const value = { name: "NaN", values: { a: Number.NaN, b: -0, c: 1 } };
    expect(reviveNumbers(schema, JSON.parse(toExactJson(value)))).toStrictEqual(value);
  });

  it("makes arrays of typed arrays", () => {
    expect(toExactJson({ v: Float64Array.of(1, -0) })).toBe('{"v":[1,"-0"]}');
  });

  it("tells where JSON's own numbers are enough", () => {
    expect(isFinitePlain({ a: [1, -0, { b: "NaN" }], c: null })).toBe(true);
    expect(isFinitePlain({ a: [1, { b: Number.NaN }] })).toBe(false);
    expect(isFinitePlain([Number.POSITIVE_INFINITY])).toBe(false);
  });
});

describe("gray PNG", () => {
  it("is refused if it is of another size or kind, or cut off", () => {
    const png = encodeGrayPng({ width: 3, height: 2, pixels: Uint8Array.of(1, 2, 3, 250, 5, 6) });
    expect([...decodeGrayPng(png, 3, 2)]).toEqual([1, 2, 3, 250, 5, 6]);
    expect(() => decodeGrayPng(png, 2, 3)).toThrow("2 × 3");
    expect(() => decodeGrayPng(png.subarray(0, 40), 3, 2)).toThrow();
    expect(() => decodeGrayPng(Buffer.from("no image"), 3, 2)).toThrow("PNG");
  });
});
