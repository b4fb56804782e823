/**
 * Changing one value of a JSON file and nothing else of it: layout, order and numbers as written stay. The text must be
 * valid JSON; parse it first.
 */

/** Where a value stands in a text: from `start` up to, not including, `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The value of `key` in the object that begins at `objectStart`; null if it has none. */
export function findMember(text: string, objectStart: number, key: string): TextSpan | null {
  let at = skipBlank(text, objectStart + 1);
  while (text[at] === '"') {
    const keyEnd = skipValue(text, at);
    const start = skipBlank(text, skipBlank(text, keyEnd) + 1);
    const end = skipValue(text, start);
    if (JSON.parse(text.slice(at, keyEnd)) === key) return { start, end };
    at = skipBlank(text, end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return null;
}

export function skipBlank(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

/** Behind the value that begins at `from`. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const sign = text[at]!;
    if (sign === '"') at = skipString(text, at);
    else {
      if (sign === "{" || sign === "[") depth++;
      else if (sign === "}" || sign === "]") depth--;
      at++;
      // A number or a word goes on until something that cannot belong to it.
      if (depth === 0 && /[\w.+-]/.test(sign)) while (/[\w.+-]/.test(text[at] ?? "")) at++;
    }
  } while (depth > 0);
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
