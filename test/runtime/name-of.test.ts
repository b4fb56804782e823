import { expect, test } from "vitest";
import { nameOf } from "../../src/runtime/name-of.js";

const Colour = { red: 0, green: 1 } as const;

test("a value of an enumeration has its name, another number and NaN have none", () => {
  expect(nameOf(Colour, Colour.green)).toBe("green");
  expect(nameOf(Colour, 0)).toBe("red");
  expect(nameOf(Colour, 2)).toBeUndefined();
  expect(nameOf(Colour, Number.NaN)).toBeUndefined();
});
