import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { mutateBytes, mutateElements, mutateJson, mutateText, repeatedly } from "./mutate.js";

const count = 2000;
const bytes = Buffer.from("a file of some bytes, longer than one run of them".repeat(4));
const text = `<robot name="r"><link name="a"/><joint name="j" type="fixed"/></robot>`;
const tree = { name: "r", list: [1, 2, { deep: [3] }], inner: { a: null } };

function results(mutation: (random: Random) => unknown): string[] {
  const random = new Random("mutate");
  return Array.from({ length: count }, () => JSON.stringify(mutation(random)) ?? "undefined");
}

describe("mutations", () => {
  const mutations = {
    bytes: (random: Random) => mutateBytes(bytes, random, [Buffer.from("glTF")]).toString("latin1"),
    text: (random: Random) => mutateText(text, random),
    elements: (random: Random) => mutateElements(text, random),
    json: (random: Random) => mutateJson(tree, random),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`of ${name} repeat with the seed, are many, and leave their input`, () => {
      const before = JSON.stringify([bytes.toString("latin1"), text, tree]);
      const first = results(mutation);
      expect(results(mutation)).toEqual(first);
      expect(new Set(first).size).toBeGreaterThan(10);
      expect(JSON.stringify([bytes.toString("latin1"), text, tree])).toBe(before);
    });
  }

  it("stay small and valid for empty input", () => {
    const random = new Random("empty");
    for (let k = 0; k < count; k++) {
      expect(mutateBytes(Buffer.alloc(0), random).length).toBeLessThan(100);
      expect(mutateText("", random).length).toBeLessThan(100);
      expect(mutateElements("", random)).toBe("");
      mutateJson({}, random);
    }
  });

  it("can be repeated", () => {
    expect(repeatedly(3, 1, (value) => 2 * value)).toBe(8);
  });
});
