import { describe, expect, it } from "vitest";
import { rankOf } from "./longest-first.js";

describe("rankOf", () => {
  it("puts long files before their folder, and their folder before the rest", () => {
    const paths = ["math/vec3", "run/lock-step", "web/page", "run/real-time-faults"].map(
      (name) => `/a/test/${name}.test.ts`,
    );
    expect(paths.sort((a, b) => rankOf(a) - rankOf(b)).map((path) => path.slice(8, -8))).toEqual([
      "run/real-time-faults",
      "web/page",
      "run/lock-step",
      "math/vec3",
    ]);
  });
});
