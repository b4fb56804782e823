/**
 * Compiles the AssemblyScript kernels, all files `*.as` below src/, into WebAssembly beside their users in dist/, as a step
 * of `npm run build`; leaves alone what is newer than its source.
 *
 *   node dist/tools/build-kernels.js
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../src/runtime/package-root.js";
import { kernelFile } from "../src/runtime/wasm-kernels.js";

const OPTIONS = ["--enable", "simd", "-O3", "--runtime", "stub", "--importMemory"];
const ENDING = ".as";
const sources = join(packageRoot, "src");
const thisFile = fileURLToPath(import.meta.url);

function isCurrent(source: string, target: string): boolean {
  if (!existsSync(target)) return false;
  const made = statSync(target).mtimeMs;
  return made > statSync(source).mtimeMs && made > statSync(thisFile).mtimeMs;
}

/** The compiler takes only names that end in `.ts`; the sources have another, for they are not TypeScript. */
async function compile(source: string, target: string): Promise<void> {
  const { default: compiler } = await import("assemblyscript/asc");
  const { error, stderr } = await compiler.main(["kernels.ts", "--outFile", "kernels.wasm", ...OPTIONS], {
    readFile: (name: string) => (name === "kernels.ts" ? readFileSync(source, "utf8") : null),
    writeFile: (_name: string, contents: string | Uint8Array) => {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, contents);
    },
    listFiles: () => null,
  });
  if (error === null) return;
  process.stderr.write(`${source}\n${stderr.toString()}`);
  process.exitCode = 1;
}

for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(ENDING)) continue;
  const source = join(sources, name);
  const target = kernelFile(name.slice(0, -ENDING.length));
  if (!isCurrent(source, target)) await compile(source, target);
}
