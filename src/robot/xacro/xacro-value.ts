import { FlycatcherError } from "../../runtime/errors.js";

/** What an expression of xacro can be: Python's numbers, texts, truth values, lists and dictionaries. */
export type XacroValue = number | string | boolean | null | XacroValue[] | XacroDict;

export class XacroDict extends Map<string, XacroValue> {}

/** Longest text and longest list that an expression may make: far beyond any robot's. */
export const maxXacroLength = 100_000;

export function xacroError(message: string, expected?: string, found?: string): FlycatcherError {
  return new FlycatcherError("FLY_XACRO_INVALID", message, {
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found: clipText(found) }),
  });
}

export function clipText(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}

export function isTruthy(value: XacroValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof XacroDict) return value.size > 0;
  return Boolean(value);
}

/** As Python prints it, except that whole numbers have no `.0`: names made of them stay short. */
export function formatValue(value: XacroValue, depth = 0): string {
  if (typeof value === "string") return depth === 0 ? value : `'${value}'`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null) return "None";
  if (typeof value === "number") return String(value);
  if (depth > 20) throw xacroError("a list is nested too deeply to be written");
  if (Array.isArray(value)) return `[${value.map((entry) => formatValue(entry, depth + 1)).join(", ")}]`;
  const entries = [...value].map(([key, entry]) => `'${key}': ${formatValue(entry, depth + 1)}`);
  return `{${entries.join(", ")}}`;
}

export function areEqual(a: XacroValue, b: XacroValue, depth = 0): boolean {
  if (depth > 20) throw xacroError("lists are nested too deeply to be compared");
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, i) => areEqual(entry, b[i]!, depth + 1));
  }
  if (a instanceof XacroDict && b instanceof XacroDict) {
    return a.size === b.size && [...a].every(([key, entry]) => b.has(key) && areEqual(entry, b.get(key)!, depth + 1));
  }
  // In Python True is 1.
  const plain = (value: XacroValue) => (typeof value === "boolean" ? Number(value) : value);
  return plain(a) === plain(b);
}

/** A written number, truth value or 'quoted text' as what it means; any other text as it is. */
export function literalOf(text: string): XacroValue {
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  const trimmed = text.trim();
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed) && trimmed.length <= 64) return Number(trimmed);
  if (trimmed === "true" || trimmed === "True") return true;
  if (trimmed === "false" || trimmed === "False") return false;
  return text;
}

/** What `if` and `unless` take: a truth value, a number, or their names. */
export function truthOf(value: XacroValue): boolean {
  const plain = typeof value === "string" ? literalOf(value) : value;
  if (typeof plain === "boolean" || typeof plain === "number") return Boolean(plain);
  if (plain === "") return false;
  throw xacroError("not a condition", "true, false or a number", formatValue(value));
}
