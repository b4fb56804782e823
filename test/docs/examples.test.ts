import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type CodeBlock, documentedCode } from "./code-blocks.js";

/**
 * Every ```ts block of the documentation is a whole program: it is type-checked against the built package and run.
 * The programs lie inside the package, so that `import … from "flycatcher"` finds it by its own name.
 */
const folder = mkdtempSync(join(packageRoot, "dist", "doc-examples-"));
const programs = documentedCode(packageRoot).filter((block) => block.language === "ts");

describe("the programs in the documentation", () => {
  programs.forEach((program, index) => void writeFileSync(join(folder, fileName(program, index)), program.code));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("compile", () => {
    if (programs.length === 0) return;
    const files = programs.map((program, index) => join(folder, fileName(program, index)));
    const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--skipLibCheck"];
    const options = ["--ignoreConfig", "--module", "nodenext", "--target", "es2023", "--types", "node", ...strict];
    const tsc = join(packageRoot, "node_modules", ".bin", "tsc");
    const { stdout, status } = spawnSync(tsc, [...options, ...files], { cwd: folder, encoding: "utf8" });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });

  it.each(programs.map((program, index) => [program.place, fileName(program, index)]))("%s runs", (_, file) => {
    const script = join(folder, file.replace(/\.ts$/, ".js"));
    const { stderr, status } = spawnSync(process.execPath, [script], { cwd: packageRoot, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

function fileName(block: CodeBlock, index: number): string {
  return `${index}-${block.place.replace(/[^a-z0-9]+/gi, "-").toLowerCase()}.ts`;
}
