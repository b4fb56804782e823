import { expect, it } from "vitest";
import { printable } from "../../src/runtime/printable-text.js";

it.each([
  ["a title\n\tof two lines, ö 球", "a title\n\tof two lines, ö 球"],
  ["\u001b[31mred\u001b[0m", "\u001b[31mred\u001b[0m"],
  ["\u001b]0;title\u0007", "\\x1b]0;title\\x07"],
  ["\u001b[2Jgone", "\\x1b[2Jgone"],
  ["all\rnothing", "all\\x0dnothing"],
  ["\u009b2J", "\\x9b2J"],
  ["\u202egnp.exe", "\\u202egnp.exe"],
])("control characters are made visible: %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
});
