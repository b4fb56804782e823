import { describe, expect, it } from "vitest";
import { hasColours } from "../../src/runtime/colours.js";

const terminal = { isTTY: true };
const pipe = { isTTY: false };

describe("hasColours", () => {
  it.each([
    ["a terminal", terminal, { TERM: "xterm" }, true],
    ["a pipe", pipe, { TERM: "xterm" }, false],
    ["a dumb terminal", terminal, { TERM: "dumb" }, false],
    ["NO_COLOR", terminal, { TERM: "xterm", NO_COLOR: "1" }, false],
    ["an empty NO_COLOR", terminal, { TERM: "xterm", NO_COLOR: "" }, true],
    ["FORCE_COLOR", pipe, { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0", terminal, { FORCE_COLOR: "0" }, false],
    ["both", pipe, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("knows %s", (_, output, env, expected) => {
    expect(hasColours(output as NodeJS.WriteStream, env)).toBe(expected);
  });
});
