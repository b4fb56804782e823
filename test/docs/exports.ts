import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceFile } from "../architecture/layers.js";

/** The names that an entry of the package exports, values and types. */
export function exportedNames(entry: string): Set<string> {
  const text = readFileSync(entry, "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list!.split(","));
  const listed = lists.map((item) =>
    item
      .trim()
      .replace(/^type /, "")
      .replace(/^.* as /, ""),
  );
  const spaces = [...text.matchAll(/^export \* as (\w+)/gm)].map(([, name]) => name!);
  const all = [...text.matchAll(/^export type \* from "(\.[^"]+)\.js"/gm)].flatMap(([, from]) => [
    ...exportedNames(join(dirname(entry), `${from}.ts`)),
  ]);
  return new Set([...listed, ...spaces, ...all, ...declaredNames(text)].filter((name) => name !== ""));
}

/** What the files of `src/` export to one another. */
export function declaredIn(files: readonly SourceFile[]): Set<string> {
  return new Set(files.flatMap(({ text }) => declaredNames(text)));
}

function declaredNames(text: string): string[] {
  const pattern =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:class|interface|type|function\*?|const|enum) (\w+)/gm;
  return Array.from(text.matchAll(pattern), ([, name]) => name!);
}

/** A name in inline code of a page, and whether its page or section says that it is internal. */
export interface DocumentedName {
  readonly name: string;
  /** Page and line: `docs/live.md:12`. */
  readonly place: string;
  readonly isInternal: boolean;
}

/**
 * Names of classes and types (`Run`, `Run.stop`), and of functions that are written as calls (`planCatch(…)`). A line that begins with
 * "Internal:" under a heading holds for its section and the sections within; before the second heading it holds for the page.
 */
export function documentedNames(page: string, markdown: string): DocumentedName[] {
  const found: DocumentedName[] = [];
  const sections = internalLines(markdown.split("\n"));
  let isCode = false;
  markdown.split("\n").forEach((line, index) => {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode) return;
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) {
      const name = /^([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:[.<(]|$)/.exec(code!) ?? /^([a-z]\w+)\(/.exec(code!);
      if (name !== null) {
        found.push({ name: name[1]!, place: `${page}:${index + 1}`, isInternal: sections.has(index) });
      }
    }
  });
  return found;
}

/** The lines of internal sections. */
function internalLines(lines: readonly string[]): Set<number> {
  const levels = lines.map((line) => /^(#+) /.exec(line)?.[1]?.length ?? 0);
  const internal = new Set<number>();
  lines.forEach((line, index) => {
    if (!line.startsWith("Internal:")) return;
    const start = levels.findLastIndex((level, k) => k < index && level > 0);
    const level = levels[start] ?? 1;
    const next = levels.findIndex((other, k) => k > index && other > 0 && other <= level);
    for (let k = Math.max(start, 0); k < (next < 0 ? lines.length : next); k++) internal.add(k);
  });
  return internal;
}
