import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { sharesModules } from "./isolation.js";

/** Files of tests, by how they are run. */
export interface CompiledTests {
  /** Of the build, each file in a process of its own. */
  readonly ownProcess: string[];
  /** Of the build, many in one process. */
  readonly sharedProcess: string[];
  /**
   * Those that replace modules, test what only the page's build compiles, or measure the heap: their bounds are those of code as
   * vitest loads it.
   */
  readonly fromSources: string[];
}

const needsSources = /\bvi\.(mock|hoisted)\(|support\/heap/;
const pageParts = "test/web/parts/";

/** How a test file runs best. */
export function kindOf(path: string, text: string): keyof CompiledTests {
  if (path.startsWith(pageParts) || needsSources.test(text)) return "fromSources";
  return sharesModules(path, text) ? "sharedProcess" : "ownProcess";
}

/** The test files of the project in `root`; of the build only those whose source is there. */
export function compiledTests(root: string): CompiledTests {
  const found: CompiledTests = { ownProcess: [], sharedProcess: [], fromSources: [] };
  const names = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  for (const name of names.filter((file) => file.endsWith(".test.ts"))) {
    const path = `test/${name.split(sep).join("/")}`;
    const kind = kindOf(path, readFileSync(join(root, path), "utf8"));
    found[kind].push(kind === "fromSources" ? path : `dist/${path.replace(/ts$/, "js")}`);
  }
  return found;
}
