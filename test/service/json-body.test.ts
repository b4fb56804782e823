import { describe, expect, it } from "vitest";
import { exceedsDepth } from "../../src/service/json-body.js";

/** How deep a parsed value nests, counted the slow way. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("exceedsDepth", () => {
  it.each([
    "1",
    "[]",
    "{}",
    "[[],[[]]]",
    '{"a":{"b":[{"c":1}]}}',
    '"[[[["',
    '["[[[", "\\"[[["]',
    '{"a\\\\":[{"]":"{"}]}',
    '[[[["\\u005b"]]]]',
  ])("agrees with the parsed value: %s", (text) => {
    const depth = depthOf(JSON.parse(text));
    expect(exceedsDepth(text, depth)).toBe(false);
    if (depth > 0) expect(exceedsDepth(text, depth - 1)).toBe(true);
  });

  it("does not count depth that is closed again", () => {
    expect(exceedsDepth("[[],[],[],[],[]]", 2)).toBe(false);
  });
});
