import { describe, expect, it } from "vitest";
import { formatTimings, type TestRun } from "./timings.js";

function run(part: string, seconds: readonly number[]): TestRun {
  const assertionResults = seconds.map((s, i) => ({ fullName: `case ${i}`, duration: s * 1000 }));
  return {
    numPassedTests: 1,
    numFailedTests: 0,
    testResults: [{ name: `/root/test/${part}/a.test.ts`, assertionResults }],
  };
}

describe("formatTimings", () => {
  it("gives a part within its budget one line", () => {
    expect(formatTimings(run("math", [1, 2]), "/root").split("\n")).toHaveLength(1);
  });

  it("names the ten slowest tests of a part over its budget, slowest first", () => {
    const lines = formatTimings(
      run(
        "math",
        Array.from({ length: 20 }, (_, i) => i),
      ),
      "/root",
    ).split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[1]).toContain("19.00 s  test/math/a.test.ts: case 19");
  });

  it("gives the live demo a minute", () => {
    expect(formatTimings(run("live", [55]), "/root")).not.toContain("over budget");
    expect(formatTimings(run("math", [55]), "/root")).toContain("over budget");
  });
});
