import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { compiledTests, kindOf } from "./compiled-tests.js";

const plain = "expect(add(1, 2)).toBe(3);\n";

describe("kindOf", () => {
  it("is that of the sources for tests that replace modules or measure the heap, and for parts of the page", () => {
    expect(kindOf("test/robot/a.test.ts", `vi.${"mock"}("node:fs");\n${plain}`)).toBe("fromSources");
    expect(kindOf("test/math/a.test.ts", `import { x } from "../support/${"heap"}.js";\n${plain}`)).toBe("fromSources");
    expect(kindOf("test/web/parts/a.test.ts", plain)).toBe("fromSources");
    expect(kindOf("test/web/a.test.ts", plain)).toBe("ownProcess");
    expect(kindOf("test/robot/a.test.ts", plain)).toBe("sharedProcess");
  });
});

describe("compiledTests", () => {
  it("has each test file once, those of the build as they were compiled", () => {
    const { ownProcess, sharedProcess, fromSources } = compiledTests(packageRoot);
    const files = [...ownProcess, ...sharedProcess, ...fromSources];
    expect(new Set(files).size).toBe(files.length);
    expect(sharedProcess).toContain("dist/test/support/timings.test.js");
    expect(fromSources).toContain("test/security/xacro-fuzz.test.ts");
    expect(files.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([]);
  });
});
