/**
 * Changing one value of a JSON file and nothing else of it: layout, order and numbers as written stay. The text must be
 * valid JSON; parse it first.
 */

/** Where a value stands in a text: from `start` up to, not including, `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The texts, signs, numbers and words of JSON, one after the other. */
const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The value under these keys, from the outermost object inwards; null if there is none. */
export function findMember(text: string, ...path: readonly string[]): TextSpan | null {
  /** The key at hand in each object that is open. */
  const keys: string[] = [];
  let depth = 0;
  let start = -1;
  let before = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (before === ":" && depth === path.length && path.every((key, k) => keys[k] === key)) start = index;
    if (token === ":") keys[depth - 1] = JSON.parse(before) as string;
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (start >= 0 && depth === path.length) return { start, end: index + token.length };
    before = token;
  }
  return null;
}

/** The text with the value under these keys replaced; the objects around it are added where they are missing. */
export function withMember(text: string, path: readonly string[], value: string): string {
  const old = findMember(text, ...path);
  if (old !== null) return text.slice(0, old.start) + value + text.slice(old.end);
  const above = path.slice(0, -1);
  const member = `${JSON.stringify(path.at(-1))}: ${value}`;
  const parent =
    above.length === 0 ? { start: text.indexOf("{"), end: text.lastIndexOf("}") + 1 } : findMember(text, ...above);
  if (parent === null) return withMember(text, above, `{\n    ${member}\n  }`);
  const inside = text.slice(parent.start + 1, parent.end - 1).trimEnd();
  const indent = "  ".repeat(path.length);
  const comma = inside.trim() === "" ? "" : ",";
  return `${text.slice(0, parent.start + 1)}${inside}${comma}\n${indent}${member}\n${indent.slice(2)}${text.slice(parent.end - 1)}`;
}

/** The text without the member under these keys; as it was where there is none. */
export function withoutMember(text: string, path: readonly string[]): string {
  const span = findMember(text, ...path);
  if (span === null) return text;
  const before = text.slice(0, span.start);
  const key = before.lastIndexOf(JSON.stringify(path.at(-1)));
  const head = before.slice(0, key).trimEnd();
  const tail = text.slice(span.end);
  if (head.endsWith(",")) return head.slice(0, -1) + tail;
  return `${head}${tail.replace(/^\s*,/, "")}`;
}
