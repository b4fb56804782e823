/**
 * Compiles the AssemblyScript kernels into dist/, as a step of `npm run build`; does nothing while the result is newer than
 * its sources.
 *
 *   node dist/src/tracking/circles/kernels/build.js
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../runtime/package-root.js";

const source = join(packageRoot, "src", "tracking", "circles", "kernels", "circles.as");
const target = join(packageRoot, "dist", "src", "tracking", "circles", "kernels", "circles.wasm");
const thisFile = fileURLToPath(import.meta.url);

function isCurrent(): boolean {
  if (!existsSync(target)) return false;
  const made = statSync(target).mtimeMs;
  return made > statSync(source).mtimeMs && made > statSync(thisFile).mtimeMs;
}

/** The compiler takes only names that end in `.ts`; the source has another, for it is not TypeScript. */
async function compile(): Promise<void> {
  const { default: compiler } = await import("assemblyscript/asc");
  const options = ["--enable", "simd", "-O3", "--runtime", "stub", "--importMemory"];
  const { error, stderr } = await compiler.main(["circles.ts", "--outFile", "circles.wasm", ...options], {
    readFile: (name: string) => (name === "circles.ts" ? readFileSync(source, "utf8") : null),
    writeFile: (_name: string, contents: string | Uint8Array) => {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, contents);
    },
    listFiles: () => null,
  });
  if (error === null) return;
  process.stderr.write(stderr.toString());
  process.exitCode = 1;
}

if (!isCurrent()) await compile();
