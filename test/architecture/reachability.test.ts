import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { readSourceTree, type SourceFile } from "./layers.js";
import { exportEntries, findUnreachedFiles, scriptEntries } from "./reachability.js";

describe("what the product runs", () => {
  it("is all of src/", () => {
    const { scripts, exports } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as Manifest;
    const page = readSourceTree(join(packageRoot, "web", "src"));
    const unreached = findUnreachedFiles(readSourceTree(join(packageRoot, "src")), {
      files: ["cli/main.ts", ...exportEntries(exports), ...scriptEntries(scripts)],
      outside: page.map(({ path, text }) => ({ path: `../web/src/${path}`, text })),
    });
    expect(unreached).toEqual([]);
  });

  it("finds a file that only an unreached file imports", () => {
    const tree = { "index.ts": 'import "./a.js";', "a.ts": "", "b.ts": 'import "./c.js";', "c.ts": "" };
    expect(findUnreachedFiles(files(tree), { files: ["index.ts"], outside: [] })).toEqual(["b.ts", "c.ts"]);
  });

  it("includes workers by their names, types, dynamic imports, and what the page imports", () => {
    const tree = {
      "cli/main.ts": 'import type { A } from "../a.js"; await startWorker("robot/work"); await import("../b.js");',
      "a.ts": "export type A = 1;",
      "b.ts": "",
      "c.ts": "",
      "robot/work.module.ts": 'import "./tool.js";',
      "robot/tool.ts": "",
      "robot/idle.module.ts": "",
    };
    const outside = files({ "../web/src/panels/panel.ts": 'import { c } from "../../../src/c.js";' });
    expect(findUnreachedFiles(files(tree), { files: ["cli/main.ts"], outside })).toEqual(["robot/idle.module.ts"]);
  });

  it("includes what the scripts of package.json run", () => {
    const scripts = { build: "tsc && node dist/bundle/runtime/build.js", test: "node dist/test/run.js" };
    expect(scriptEntries(scripts)).toEqual(["runtime/build.ts"]);
  });
});

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

function files(tree: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(tree).map(([path, text]) => ({ path, text }));
}
