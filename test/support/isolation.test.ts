import { describe, expect, it } from "vitest";
import { sharesModules } from "./isolation.js";

const plain = 'import { add } from "../../src/math/vec3.js";\nexpect(add(1, 2)).toBe(3);\n';

describe("sharesModules", () => {
  it("holds for tests of algorithms, single nodes and routes", () => {
    expect(sharesModules("test/math/vec3.test.ts", plain)).toBe(true);
    expect(sharesModules("test/planning/assign/assign.test.ts", plain)).toBe(true);
    expect(sharesModules("test/nodes/tracker.test.ts", plain)).toBe(true);
    expect(sharesModules("test/service/routes.test.ts", `vi.setConfig({ testTimeout: 1 });\n${plain}`)).toBe(true);
  });

  it("does not hold for folders with browsers and commands", () => {
    for (const folder of ["web", "live", "docs", "mathematics"]) {
      expect(sharesModules(`test/${folder}/a.test.ts`, plain)).toBe(false);
    }
  });

  it.each([
    'import { heapGrowth } from "../support/heap.js";',
    "gc();",
    "process.env.X = '1';",
    "const run = await realTimeRun(options);",
    'vi.spyOn(process.stdout, "write");',
  ])("does not hold for a file with %s", (line) => {
    expect(sharesModules("test/math/vec3.test.ts", `${line}\n${plain}`)).toBe(false);
  });
});
