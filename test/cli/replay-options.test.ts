import { describe, expect, it } from "vitest";
import { orderingsOf } from "../../src/cli/replay-options.js";

describe("what `flycatcher replay` is told", () => {
  it("is taken over in the recording's units", () => {
    const words = { monitor: "full" as const, from: 0.5, to: 2, tracker: ["carryTime=2", "confirmScans=4"] };
    expect(orderingsOf(words, "brief")).toEqual({
      changes: { tracker: { carryTime: 2, confirmScans: 4 } },
      monitor: "full",
      detail: "brief",
      fromNs: 5e8,
      toNs: 2e9,
    });
  });

  it.each([
    [{ tracker: ["foo=1"] }, "--tracker"],
    [{ tracker: ["falseRadii=3"] }, "--tracker"],
    [{ tracker: ["carryTime="] }, "--tracker"],
    [{ from: 2, to: 1 }, "--to"],
    [{ from: 1, to: 1 }, "--to"],
  ])("is refused: %j", (words, path) => {
    expect(() => orderingsOf({ monitor: "motion", ...words }, "brief")).toThrow(path);
  });
});
