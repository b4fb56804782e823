import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Folders of algorithms: no clock, no file, no thread, no global, so their tests leave nothing behind in a process. */
const pureFolders: readonly string[] = [
  "calibration",
  "camera",
  "catching",
  "collision",
  "control",
  "flight",
  "math",
  "motion",
  "optimisation",
  "planning",
  "robot",
  "safety",
  "simulation",
  "tracking",
];

/** What a test needs a process of its own for: a heap that nothing else uses, threads, settings of the process or of vitest. */
const ownProcess = /support\/heap|\bgc\(|worker|spawn|createService|process\.env|\bvi\./;

/** Whether a test file may run in a process with others, and share the modules that those have loaded. */
export function sharesModules(path: string, text: string): boolean {
  return pureFolders.some((folder) => path.startsWith(`test/${folder}/`)) && !ownProcess.test(text);
}

/** The test files below a folder that share modules, as paths from there. */
export function filesThatShareModules(root: string): string[] {
  return pureFolders
    .flatMap((folder) =>
      readdirSync(join(root, "test", folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `test/${folder}/${name}`,
      ),
    )
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".test.ts") && sharesModules(path, readFileSync(join(root, path), "utf8")));
}
