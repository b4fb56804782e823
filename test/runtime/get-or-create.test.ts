import { describe, expect, it } from "vitest";
import { getOrCreate } from "../../src/runtime/get-or-create.js";

describe("what a map has, or gets", () => {
  it("is made once for each key, and kept", () => {
    const lists = new Map<string, number[]>();
    getOrCreate(lists, "even", () => []).push(2);
    getOrCreate(lists, "odd", () => []).push(3);
    getOrCreate(lists, "even", () => []).push(4);
    expect([...lists]).toEqual([
      ["even", [2, 4]],
      ["odd", [3]],
    ]);
  });

  it("works with weak maps, and keeps nothing of what could not be made", () => {
    const names = new WeakMap<object, string>();
    const key = {};
    const fail = () => {
      throw new Error("cannot be made");
    };
    expect(() => getOrCreate(names, key, fail)).toThrow("cannot be made");
    expect(names.has(key)).toBe(false);
    expect(getOrCreate(names, key, () => "made")).toBe("made");
    expect(getOrCreate(names, key, fail)).toBe("made");
  });
});
