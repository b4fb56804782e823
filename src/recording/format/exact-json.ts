import Type from "typebox";
import { textualNumbers } from "../../transport/message-json.js";

/**
 * JSON that keeps every number, for values with a schema and without a description: as `message-json.ts` writes messages.
 */

/** The schema of any number. */
export const exactNumber = Type.Union([Type.Number(), Type.Enum([...textualNumbers])]);

/** Plain data as JSON text; typed arrays become arrays. */
export function toExactJson(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) => {
    if (ArrayBuffer.isView(entry)) return Array.from(entry as Float64Array);
    if (typeof entry !== "number" || (Number.isFinite(entry) && !Object.is(entry, -0))) return entry;
    return Object.is(entry, -0) ? "-0" : String(entry);
  });
}

/** Whether plain data has finite numbers alone, as it must where only JSON's own numbers are allowed. */
export function isFinitePlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isFinitePlain);
  if (typeof value !== "object" || value === null) return true;
  for (const key in value) if (!isFinitePlain((value as Record<string, unknown>)[key])) return false;
  return true;
}

const textual: ReadonlyMap<unknown, number> = new Map(textualNumbers.map((text) => [text, Number(text)]));

/** The same data with numbers where it has their texts; for data in which no text is meant as such. */
export function reviveNumbers(value: unknown): unknown {
  if (typeof value === "string") return textual.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reviveNumbers);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, reviveNumbers(entry)]));
}
