/**
 * The build: TypeScript into dist/, the programs into dist/bundle/, the AssemblyScript kernels, the page. All at once.
 *
 *   node tools/build.mjs          everything, with the type check
 *   node tools/build.mjs --run    what `npm start` needs: programs, kernels and page, without the type check
 *
 * Plain JavaScript, because it runs before there is anything built.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const thisFile = fileURLToPath(import.meta.url);
const root = join(dirname(thisFile), "..");
const isForRun = process.argv.includes("--run");

/** @param {string} name @param {readonly string[]} args */
function tool(name, ...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, "node_modules", ...name.split("/")), ...args], {
      cwd: root,
      stdio: "inherit",
    });
    child.once("exit", (code) => resolve(code === 0));
    child.once("error", () => resolve(false));
  });
}

/** What `package.json` exports, as files below src/. */
const entries = ["index.ts", "simulation.ts", join("client", "client.ts")];

const tsc = "typescript/bin/tsc";
const kernelOptions = ["--enable", "simd", "-O3", "--runtime", "stub", "--importMemory"];

/** Compiles `*.as` below src/ that are newer than their WebAssembly. */
async function buildKernels() {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const stale = sources.filter((name) => name.endsWith(".as")).filter((name) => !isCurrent(name));
  for (const name of stale) if (!(await compileKernel(name))) return false;
  return true;
}

/** @param {string} name */
function targetOf(name) {
  return join(root, "dist", "src", name.replace(/\.as$/, ".wasm"));
}

/** @param {string} name */
function isCurrent(name) {
  if (!existsSync(targetOf(name))) return false;
  const made = statSync(targetOf(name)).mtimeMs;
  return made > statSync(join(root, "src", name)).mtimeMs && made > statSync(thisFile).mtimeMs;
}

/** The compiler takes only names that end in `.ts`; the sources have another, for they are not TypeScript. @param {string} name */
async function compileKernel(name) {
  const { default: compiler } = await import("assemblyscript/asc");
  const source = join(root, "src", name);
  const { error, stderr } = await compiler.main(["kernels.ts", "--outFile", "kernels.wasm", ...kernelOptions], {
    readFile: (file) => (file === "kernels.ts" ? readFileSync(source, "utf8") : null),
    writeFile: (_file, contents) => {
      mkdirSync(dirname(targetOf(name)), { recursive: true });
      writeFileSync(targetOf(name), contents);
    },
    listFiles: () => null,
  });
  if (error !== null) process.stderr.write(`${source}\n${stderr.toString()}`);
  return error === null;
}

/** Whether a file was made after everything below the folders was changed. @param {string} file @param {readonly string[]} folders */
function isNewer(file, ...folders) {
  const path = join(root, "dist", file);
  if (!existsSync(path)) return false;
  const made = statSync(path).mtimeMs;
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(root, folder, name)),
  );
  names.push(join(root, "package-lock.json"), thisFile);
  return names.every((name) => statSync(name).mtimeMs < made);
}

/**
 * Command, library and worker programs, each a file with the modules it uses. A thread that loads a thousand modules one by one takes
 * 0.4 s of processor time for it, and a run has ten; bundled it takes 0.06 s.
 */
async function buildPrograms() {
  if (entries.every((name) => isNewer(`bundle/${name.replace(/\.ts$/, ".js")}`, "src"))) return true;
  const { build } = await import("vite");
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const programs = [...entries, join("cli", "main.ts"), ...names.filter((name) => name.endsWith(".module.ts"))];
  try {
    await build({
      root,
      configFile: false,
      logLevel: "error",
      build: {
        ssr: true,
        target: "node20",
        outDir: "dist/bundle",
        minify: false,
        rolldownOptions: {
          input: Object.fromEntries(programs.map((name) => [name.replace(/\.ts$/, ""), join(root, "src", name)])),
          output: { chunkFileNames: "shared/[name]-[hash].js" },
        },
      },
      // Of packages only those of very many small files.
      ssr: { noExternal: ["typebox"] },
    });
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return false;
  }
}

function buildScripts() {
  return isForRun ? [] : [tool(tsc), tool(tsc, "-p", "web")];
}

function buildPage() {
  if (isNewer("web/index.html", "src", "web")) return true;
  return tool("vite/bin/vite.js", "build", "--config", "web/vite.config.ts", "--logLevel", "warn");
}

const results = await Promise.all([...buildScripts(), buildPage(), buildKernels(), buildPrograms()]);
process.exitCode = results.every((done) => done) ? 0 : 1;
