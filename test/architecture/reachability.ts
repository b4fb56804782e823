import { importsOf, type SourceFile } from "./layers.js";

/** What starts the product: the command, the entries of the library, and the programs that `package.json` runs on files of `src/`. */
export interface Entries {
  /** Paths below `src/`. */
  readonly files: readonly string[];
  /** Texts of files outside `src/` that may import it: the page's. Their paths are relative to `src/`: `../web/src/a.ts`. */
  readonly outside: readonly SourceFile[];
}

/**
 * The files of `src/` that no entry reaches, sorted. Imports of types alone count: a type is part of the product. A worker's
 * program is reached by its name: a string `"a/b"` in a file that is itself reached stands for `a/b.module.ts`, if there is one.
 */
export function findUnreachedFiles(files: readonly SourceFile[], entries: Entries): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const waiting = [
    ...entries.files,
    ...entries.outside.flatMap((file) => importsOf(file).map(({ target }) => target.replace("../src/", ""))),
  ];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    waiting.push(...importsOf(file).map(({ target }) => target), ...workerPrograms(file));
  }
  return files.map(({ path }) => path).filter((path) => !reached.has(path));
}

/** The files of `src/` that the scripts of `package.json` run: `node dist/bundle/a/b.js` runs `a/b.ts`. */
export function scriptEntries(scripts: Readonly<Record<string, string>>): string[] {
  return Object.values(scripts).flatMap((script) =>
    Array.from(script.matchAll(/\bdist\/bundle\/(\S+)\.js\b/g), ([, path]) => `${path}.ts`),
  );
}

/** The files of `src/` that `package.json` exports: `./dist/bundle/a/b.js` is `a/b.ts`. */
export function exportEntries(exported: Readonly<Record<string, unknown>>): string[] {
  const paths = JSON.stringify(exported).matchAll(/"\.\/dist\/bundle\/([^"]+)\.js"/g);
  return Array.from(paths, ([, path]) => `${path}.ts`);
}

function workerPrograms({ text }: SourceFile): string[] {
  return Array.from(text.matchAll(/"([a-z0-9-]+(?:\/[a-z0-9-]+)+)"/g), ([, name]) => `${name}.module.ts`);
}
