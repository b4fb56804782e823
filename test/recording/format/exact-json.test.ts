import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { isFinitePlain, reviveNumbers, toExactJson } from "../../../src/recording/format/exact-json.js";
import { decodePng, encodePng } from "../../../src/recording/format/png.js";

describe("exact JSON", () => {
  it("keeps the bits of any double", () => {
    const random = new Random("doubles");
    const words = new Int32Array(2);
    const double = new Float64Array(words.buffer);
    let wrong = 0;
    for (let k = 0; k < 5000; k++) {
      words[0] = random.bits();
      words[1] = random.bits();
      const value = double[0]!;
      const back = reviveNumbers(JSON.parse(toExactJson([value])));
      if (!Object.is((back as number[])[0], value)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it("leaves texts that are none of a number", () => {
    const value = { name: "soft", values: { a: Number.NaN, b: -0, c: 1, d: null } };
    expect(reviveNumbers(JSON.parse(toExactJson(value)))).toStrictEqual(value);
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

describe("PNG", () => {
  it("keeps colours, and does not take gray for colour", () => {
    const pixels = Uint8Array.from({ length: 18 }, (_, k) => 37 * k);
    const png = encodePng({ width: 3, height: 2, encoding: "rgb8", pixels });
    expect(decodePng(png, 3, 2, "rgb8")).toEqual(pixels);
    expect(() => decodePng(png, 3, 2, "mono8")).toThrow("mono8");
  });

  it("is refused if it is of another size or kind, or cut off", () => {
    const png = encodePng({ width: 3, height: 2, pixels: Uint8Array.of(1, 2, 3, 250, 5, 6) });
    expect([...decodePng(png, 3, 2, "mono8")]).toEqual([1, 2, 3, 250, 5, 6]);
    expect(() => decodePng(png, 2, 3, "mono8")).toThrow("2 × 3");
    expect(() => decodePng(png.subarray(0, 40), 3, 2, "mono8")).toThrow();
    expect(() => decodePng(Buffer.from("no image"), 3, 2, "mono8")).toThrow("PNG");
  });
});
