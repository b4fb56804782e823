import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { readSourceTree } from "../architecture/layers.js";
import { documentedCode } from "./code-blocks.js";
import { declaredIn, documentedNames, exportedNames } from "./exports.js";

const source = join(packageRoot, "src");
const entries = ["index.ts", "simulation.ts", "client/client.ts"];
const exported = new Set(entries.flatMap((entry) => [...exportedNames(join(source, entry))]));

describe("what the documentation names", () => {
  it("is exported by the package, or its section says that it is internal", () => {
    const declared = declaredIn(readSourceTree(source));
    const docs = readdirSync(join(packageRoot, "docs")).filter((file) => file.endsWith(".md"));
    const pages = ["README.md", "examples/README.md", ...docs.map((file) => `docs/${file}`)];
    const missing = pages
      .flatMap((page) => documentedNames(page, readFileSync(join(packageRoot, page), "utf8")))
      .filter(({ name, isInternal }) => declared.has(name) && !exported.has(name) && !isInternal);
    expect(missing.map(({ name, place }) => `${place}: ${name}`)).toEqual([]);
  });

  it("is imported from the package's entries in programs", () => {
    const programs = documentedCode(packageRoot).filter(({ language }) => language === "ts");
    expect(programs.length).toBeGreaterThan(8);
    for (const { place, code } of programs) {
      const froms = Array.from(code.matchAll(/from "([^"]+)"/g), ([, from]) => from);
      for (const from of froms) expect(from, place).toMatch(/^(flycatcher(\/(simulation|client))?|ws|node:\w+)$/);
    }
  });
});

describe("documentedNames", () => {
  const names = (markdown: string) =>
    documentedNames("a.md", markdown).map(({ name, isInternal }) => `${name}${isInternal ? " internal" : ""}`);

  it("finds types, members of them, and calls, in inline code", () => {
    expect(names("# A\n\n`Run.stop`, `planCatch(request)`, `Scan`, `PI`, `time`, Run\n\n```ts\n`Run`\n```\n")).toEqual([
      ...["Run", "planCatch", "Scan"],
    ]);
  });

  it("takes a section, and what is within it, for internal", () => {
    const page = "# A\n\n`Aa`\n\n## B\n\nInternal: not exported.\n\n`Bb`\n\n### C\n\n`Cc`\n\n## D\n\n`Dd`\n";
    expect(names(page)).toEqual(["Aa", "Bb internal", "Cc internal", "Dd"]);
    expect(names("# A\n\nInternal: all of it.\n\n## B\n\n`Bb`\n")).toEqual(["Bb internal"]);
  });
});

describe("exportedNames", () => {
  it("has values, types, other names, namespaces and lists of types", () => {
    for (const name of ["planCatch", "PlanRequest", "vec3", "LockStepHost"]) expect(exported).toContain(name);
    for (const name of ["RobotWorld", "FlycatcherClient", "ServiceProblem", "ReplayState"])
      expect(exported).toContain(name);
    expect(exported.has("NodeBuilder")).toBe(false);
  });
});
