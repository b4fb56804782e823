import Type, { type TSchema } from "typebox";
import { textualNumbers } from "../../transport/message-json.js";

/**
 * JSON that keeps every number, for values with a schema and without a description: as `message-json.ts` writes messages.
 */

/** The schema of any number. */
export const exactNumber = Type.Union([Type.Number(), Type.Enum([...textualNumbers])]);

/** Plain data as JSON text; typed arrays become arrays. */
export function toExactJson(value: unknown): string {
  return JSON.stringify(isPlain(value) ? value : plain(value));
}

/** Whether JSON.stringify alone would lose nothing: it does for nearly everything, and is fast. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return isPlainNumber(value);
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== "object" || value === null) return true;
  if (ArrayBuffer.isView(value)) return false;
  for (const key in value) if (!isPlain((value as Record<string, unknown>)[key])) return false;
  return true;
}

/** Whether plain data has finite numbers alone, as it must where only JSON's own numbers are allowed. */
export function isFinitePlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isFinitePlain);
  if (typeof value !== "object" || value === null) return true;
  for (const key in value) if (!isFinitePlain((value as Record<string, unknown>)[key])) return false;
  return true;
}

function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function plain(value: unknown): unknown {
  if (typeof value === "number") return isPlainNumber(value) ? value : textOf(value);
  if (Array.isArray(value)) return value.map(plain);
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}

function textOf(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

const textual: ReadonlyMap<unknown, number> = new Map(textualNumbers.map((text) => [text, Number(text)]));
const anyTextual = new RegExp(`"(${textualNumbers.join("|")})"`);

/** Whether a JSON text may hold numbers written as texts; if not, `reviveNumbers` has nothing to do. */
export function mayHoldTextualNumbers(json: string): boolean {
  return anyTextual.test(json);
}

/**
 * Puts numbers where `value`, which is as its schema says, has their texts. Texts that are meant as such stay.
 * @returns The same value, changed; or the number it stands for.
 */
export function reviveNumbers(schema: TSchema, value: unknown): unknown {
  if (typeof value === "string") return allowsTextual(schema) ? (textual.get(value) ?? value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = partOf(schema, ({ items }) => items);
    if (items !== undefined) for (const k of value.keys()) value[k] = reviveNumbers(items, value[k]);
    return value;
  }
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    const property = partOf(schema, (part) => part.properties?.[key] ?? part.patternProperties?.["^.*$"]);
    if (property !== undefined) object[key] = reviveNumbers(property, object[key]);
  }
  return value;
}

/** The keywords of our schemas that lead to other schemas. */
interface SchemaParts {
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly enum?: readonly unknown[];
}

/** A part of a schema, or of the first alternative that has it. */
function partOf(schema: TSchema, pick: (parts: SchemaParts) => TSchema | undefined): TSchema | undefined {
  const parts = schema as SchemaParts;
  for (const option of parts.anyOf ?? []) {
    const found = partOf(option, pick);
    if (found !== undefined) return found;
  }
  return pick(parts);
}

/** Whether a text at this place is a number: no schema of ours allows numbers and texts at the same place. */
function allowsTextual(schema: TSchema): boolean {
  const parts = schema as SchemaParts;
  return parts.enum?.includes("NaN") ?? parts.anyOf?.some(allowsTextual) ?? false;
}
