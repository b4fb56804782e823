import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { findDoubleTypes, findLayerViolations, findMutualFolders, layers, readSourceTree } from "./layers.js";

const source = join(packageRoot, "src");

describe("layers", () => {
  it("hold in src/", () => {
    expect(findLayerViolations(readSourceTree(source))).toEqual([]);
  });

  it("let folders import each other in one direction", () => {
    expect(findMutualFolders(readSourceTree(source))).toEqual([]);
  });

  it("have one exported type of a name", () => {
    expect(Object.keys(findDoubleTypes(readSourceTree(source))).sort()).toEqual([]);
  });

  it("name every folder of src/", () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const known = layers.flat();
    expect(folders.map((folder) => folder.name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each([
    [
      "an upward import",
      { "robot/a.ts": 'import { b } from "../planning/b.js";', "planning/b.ts": "export const b = 1;" },
    ],
    ["threads in a module", { "planning/a.module.ts": 'import { Worker } from "node:worker_threads";' }],
    ["an upward re-export", { "math/a.ts": 'export { b } from "../robot/b.js";', "robot/b.ts": "export const b = 1;" }],
    [
      "an upward dynamic import",
      { "math/a.ts": 'await import("../robot/b.js");', "robot/b.ts": "export const b = 1;" },
    ],
    [
      "an upward type import",
      { "math/a.ts": 'import type { B } from "../robot/b.js";', "robot/b.ts": "export type B = 1;" },
    ],
    [
      "channels in an algorithm",
      {
        "planning/a.ts": 'import { c } from "../transport/channels/c.js";',
        "transport/channels/c.ts": "export const c = 1;",
      },
    ],
    ["threads in an algorithm", { "planning/a.ts": 'import { Worker } from "node:worker_threads";' }],
    ["threads in a report", { "report/a.ts": 'import { Worker } from "node:worker_threads";' }],
    ["an unknown folder", { "helpers/a.ts": "export const a = 1;" }],
    ["truth outside the simulator", { "planning/a.ts": 'export const r = loadRobot("x", { truth: "t" });' }],
  ])("refuse %s", (_, tree) => {
    expect(findLayerViolations(files(tree))).toHaveLength(1);
  });

  it("refuse a cycle inside a folder", () => {
    const tree = {
      "robot/a.ts": 'import "./b.js";',
      "robot/b.ts": 'import "./c.js";',
      "robot/c.ts": 'import "./a.js";',
    };
    expect(findLayerViolations(files(tree))).toEqual([
      "import cycle: robot/a.ts → robot/b.ts → robot/c.ts → robot/a.ts",
    ]);
  });

  it("find folders that import each other, types included, and no others", () => {
    const tree = {
      "robot/a/x.ts":
        'import type { Y } from "../b/y.js"; import "../c/z.js"; import "../w.js"; import "../../math/m.js";',
      "robot/b/y.ts": 'import "../a/x.js";',
      "robot/c/z.ts": "export const z = 1;",
      "robot/w.ts": 'import "./a/x.js";',
      "math/m.ts": 'import "../robot/a/x.js";',
    };
    expect(findMutualFolders(files(tree))).toEqual(["math ↔ robot", "robot ↔ robot/a", "robot/a ↔ robot/b"]);
  });

  it("find a type that two files export, not one with a constant of its name", () => {
    const tree = {
      "robot/a.ts": "export const A = { b: 1 };\nexport type A = 1;\nexport interface B {}\ninterface C {}\n",
      "math/b.ts": "export class B {}\nexport abstract class C {}\n",
    };
    expect(findDoubleTypes(files(tree))).toEqual({ B: ["robot/a.ts", "math/b.ts"] });
  });

  it("let a node use channels and threads, and any file use what lies beside or below", () => {
    const tree = {
      "nodes/a.ts":
        'import { c } from "../transport/channels/c.js"; import "node:worker_threads"; import "../planning/b.js";',
      "catching/a.ts": 'import "../simulation/s.js";',
      "simulation/s.ts": "export const s = 1;",
      "planning/b.ts": 'import "../math/m.js"; import "../robot/r.js";',
      "transport/channels/c.ts": "export const c = 1;",
      "math/m.ts": "export const m = 1;",
      "robot/r.ts": 'import "../math/m.js";',
      "index.ts": 'export { m } from "./math/m.js";',
    };
    expect(findLayerViolations(files(tree))).toEqual([]);
  });
});

function files(tree: Record<string, string | undefined>) {
  return Object.entries(tree).map(([path, text]) => ({ path, text: text ?? "" }));
}
